"""A knowledge graph for other programs, and as a picture that is a single HTML page."""
