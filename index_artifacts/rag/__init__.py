"""Evidence for a language model: passages, numbered, delimited, within a budget."""
