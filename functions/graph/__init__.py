"""The graph function."""
