"""The schema function."""
