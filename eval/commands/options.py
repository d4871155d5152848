"""Arguments and options that several commands of ``edgewiki eval`` share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

Golden = Annotated[Path, typer.Argument(help="A golden set: its folder, or a .jsonl file.")]
ArtifactFolder = Annotated[
    Path | None, typer.Option("--artifact", help="The folder that build writes.")
]
StoreUrl = Annotated[str | None, typer.Option("--store", help="file:///folder or s3://bucket.")]
Channel = Annotated[str | None, typer.Option("--channel", help="The channel; else latest.")]
Split = Annotated[str, typer.Option(help="dev, test or all; TEST questions count as a look.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]
LimitQuestions = Annotated[
    int | None, typer.Option(min=1, help="Ask so many only, evenly spread over the set.")
]


def print_json(value: Any) -> None:
    """Print ``value`` for a script."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))
