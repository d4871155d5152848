"""The same chunks, the same vectors, other engines: what edgewiki is worth beside them.

Each engine runs as processes of its own (`eval.side_by_side.engines`); edgewiki itself does, too.
"""
