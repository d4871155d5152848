"""``edgewiki key``: whoever asks needs one, and nobody should make one up."""

from __future__ import annotations

import json
from typing import Annotated

import typer

Collections = Annotated[list[str] | None, typer.Option("--collection", help="May be repeated.")]


def key(
    name: Annotated[str, typer.Argument(help="Whose key it is, such as chat-bot.")],
    role: Annotated[str, typer.Option(help="guest, user or admin.")] = "guest",
    collections: Collections = None,
    rag_profile: Annotated[str, typer.Option(help="The RAG profile it asks with.")] = "",
) -> None:
    """Make an API key: it is shown once, and its entry for EDGEWIKI_API_KEYS holds a hash."""
    from functions.access import make_key

    made, entry = make_key(name, role, collections, rag_profile)
    typer.echo(f"the key, shown once and kept nowhere: {made}", err=True)
    typer.echo(json.dumps(entry, ensure_ascii=False))
