"""The documents function: pages are read from the version, and written as commits."""
