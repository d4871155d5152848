"""``edgewiki versions``, ``rollback``, ``gc`` and ``channel``: what a store holds and serves."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from build.commands.options import (
    AsJson,
    Channel,
    Reason,
    StoreUrl,
    Wiki,
    WikiOption,
    config_of,
    print_json,
    store_of,
)

channels = typer.Typer(name="channel", help="See channels, and delete one.", no_args_is_help=True)


def versions(wiki: Wiki = Path(), store: StoreUrl = None, as_json: AsJson = False) -> None:
    """List the versions in a store and the channels that serve them."""
    from build.console import Console
    from index_artifacts.version_store import list_versions

    rows = list_versions(store_of(config_of(wiki, store=store)))
    if as_json:
        print_json([asdict(row) | {"modified": row.modified.isoformat()} for row in rows])
    else:
        Console().show_versions(rows)


def rollback(
    wiki: Wiki = Path(),
    to: Annotated[str | None, typer.Option(help="Else the one before.")] = None,
    store: StoreUrl = None,
    channel: Channel = None,
    reason: Reason = "",
    as_json: AsJson = False,
) -> None:
    """Move a channel back to a version it served before."""
    from build.console import Console
    from build.rollback import rollback as roll_back

    config = config_of(wiki, store=store, channel=channel)
    pointer = roll_back(store_of(config), config.channel, to, reason)
    again = f"{config.channel} serves {pointer.version} again"
    print_json(asdict(pointer)) if as_json else Console().say(again)


def gc(
    wiki: Wiki = Path(),
    keep: Annotated[int, typer.Option(min=1, help="Newest versions to keep.")] = 5,
    grace_hours: Annotated[float, typer.Option(min=0, help="Younger objects stay.")] = 24,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
    store: StoreUrl = None,
    as_json: AsJson = False,
) -> None:
    """Delete versions that no channel names, but for the newest ones, and their blobs."""
    from build.collect import gc as collect
    from build.console import Console

    done = collect(
        store_of(config_of(wiki, store=store)), keep=keep, grace_hours=grace_hours, dry_run=dry_run
    )
    print_json(asdict(done)) if as_json else Console().show_collected(done, dry_run=dry_run)


@channels.command("list")
def list_channels(
    wiki: WikiOption = Path(), store: StoreUrl = None, as_json: AsJson = False
) -> None:
    """List channels: what each serves, since when and why."""
    from build.console import Console
    from index_artifacts.version_store import list_channels as read_channels

    found = read_channels(store_of(config_of(wiki, store=store)))
    if as_json:
        print_json({name: asdict(pointer) for name, pointer in found.items()})
    else:
        Console().show_channels(found)


@channels.command("delete")
def delete_channel(
    name: Annotated[str, typer.Argument(help="The channel, such as preview-12.")],
    wiki: WikiOption = Path(),
    force: Annotated[bool, typer.Option("--force", help="Even what readers use.")] = False,
    store: StoreUrl = None,
    as_json: AsJson = False,
) -> None:
    """Delete a channel; gc then collects what no other needs. Refused for latest."""
    from build.channels import delete_channel as delete
    from build.console import Console

    config = config_of(wiki, store=store)
    protected = {"latest", config.channel}
    pointer = delete(store_of(config), name, protected=protected, force=force)
    gone = f"channel {name} is gone; it served {pointer.version}"
    print_json(asdict(pointer)) if as_json else Console().say(gone)
