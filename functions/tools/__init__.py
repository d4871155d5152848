"""The tools: what each takes and gives, the same over HTTP, MCP and on the command line."""
