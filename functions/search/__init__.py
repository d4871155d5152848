"""The search function."""
