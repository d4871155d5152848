"""Large values of the database: held in memory, or read from the file part by part."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    Reader = Callable[[int, int], bytes]
    """Called with where a part begins and ends, in bytes."""


def blob_reader(
    connection: sqlite3.Connection, table: str, column: str, row_id: int, *, held: bool
) -> Reader:
    """Read parts of one value, which may not be empty; ``held`` keeps all of it in memory.

    Any thread may call it: a part is one call of SQLite, which its connection serialises.
    The first far read walks through the value's pages, later ones find theirs at once.
    """
    blob = connection.blobopen(table, column, row_id, readonly=True)
    if not held:
        return lambda start, end: cast("bytes", blob[start:end])  # typed as one byte's number
    with blob:
        data = blob.read()
    return lambda start, end: data[start:end]
