"""Answers that are checked before they are shown."""
