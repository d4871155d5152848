"""What a page is about: its summary and its keywords, written down at build."""
