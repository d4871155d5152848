"""The knowledge graph of a version: what it is made of, and how it is asked."""
