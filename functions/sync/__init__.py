"""The sync function: webhooks and requests become jobs, and a job becomes a version."""
