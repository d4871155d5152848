"""Compiling the knowledge graph: rules read the pages, identities are joined, facts written."""
