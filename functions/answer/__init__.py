"""The answer function."""
