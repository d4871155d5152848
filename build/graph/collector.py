"""Python's collector of cycles, paused while a graph grows: all that it made stays."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def paused_collector() -> Iterator[None]:
    """Look for no cycles inside: walking a growing graph again and again costs a quarter."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
