"""The MCP function: the tools and pages of a wiki for language models, at ``POST /mcp``."""
