"""Mail as a source: mbox, Maildir and single messages."""
