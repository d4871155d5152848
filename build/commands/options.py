"""Arguments and options that several commands share, and what they open."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from build.config import BuildConfig
    from index_artifacts.store import Store

Wiki = Annotated[Path, typer.Argument(help="The wiki's folder, where edgewiki.toml lies.")]
WikiOption = Annotated[Path, typer.Option("--wiki", help="Folder of edgewiki.toml.")]
StoreUrl = Annotated[str | None, typer.Option("--store", help="file:///folder or s3://bucket.")]
Channel = Annotated[str | None, typer.Option("--channel", help="The channel, such as latest.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]
Reason = Annotated[str, typer.Option(help="Recorded with the channel.")]
Force = Annotated[
    bool, typer.Option("--force", help="Even if an older commit; with --reason even if worse.")
]
Against = Annotated[
    str | None, typer.Option("--against", help="The channel that the gate compares with.")
]
Strict = Annotated[bool, typer.Option("--strict", help="Fail on a lost page.")]
Artifact = Annotated[Path, typer.Option("--artifact", help="The folder that build writes.")]
DEFAULT_ARTIFACT = Path(".edgewiki/artifact")


def config_of(wiki: Path, **flags: Any) -> BuildConfig:
    """The wiki's settings; flags that are None do not count."""
    from build.config import load_config

    return load_config(wiki, **flags)


def store_of(config: BuildConfig) -> Store:
    """The store that the settings name."""
    from index_artifacts.store import open_store

    return open_store(config.store)


def print_json(value: Any) -> None:
    """Print ``value`` for a script."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))
