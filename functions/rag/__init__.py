"""The RAG function."""
