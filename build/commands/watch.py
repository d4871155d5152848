"""``edgewiki watch``: what is written is found a moment later, on the writer's own machine."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from build.commands.options import DEFAULT_ARTIFACT, Channel, StoreUrl, Wiki, config_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from build.config import BuildConfig
    from build.console import Console
    from build.pipeline import BuildResult
    from build.watching import Changes

# More files, or lines of the report about them, nobody reads.
_LISTED = 10
# Every save makes a version: those of the last minutes stay, and a few more.
_KEPT = 5
_KEPT_HOURS = 0.25


def watch(
    wiki: Wiki = Path(),
    output: Annotated[Path, typer.Option(help="Where to write the artifact.")] = DEFAULT_ARTIFACT,
    store: StoreUrl = None,
    channel: Channel = None,
    encoder: Annotated[str | None, typer.Option("--model", help="The kind of encoder.")] = None,
) -> None:
    """Build and publish to a local store whenever a page is saved, until Ctrl-C."""
    from build.config_file import CONFIG_FILE
    from build.console import Console
    from build.watching import Changes, Watcher

    config = config_of(wiki, store=store, channel=channel, model=encoder)
    _require_local(config)
    console = Console()
    # What the settings name is watched as it was named when watching began.
    settings = [wiki / CONFIG_FILE, *(wiki / name for name in _named_files(config))]
    watcher = Watcher((wiki / config.root).resolve(), settings, config.sources)
    changes = Changes()
    try:
        while True:
            _rebuild(wiki, output, (store, channel, encoder), changes, console)
            changes = watcher.wait()
    except KeyboardInterrupt:
        console.say("stopped")


def _require_local(config: BuildConfig) -> None:
    from index_artifacts.errors import ConfigError

    if config.store.startswith("s3:"):
        raise ConfigError(
            f"store {config.store!r} is not on this machine, and watch would publish every draft "
            "there: give --store file:///folder"
        )


def _named_files(config: BuildConfig) -> Iterable[str]:
    profiles = (name for name in config.graph_profiles if name.endswith(".toml"))
    return [*profiles, *([str(config.tuning_file)] if config.tuning_file else [])]


def _rebuild(
    wiki: Path,
    output: Path,
    flags: tuple[str | None, str | None, str | None],
    changes: Changes,
    console: Console,
) -> None:
    """Build, publish and say how it went; what is wrong with the wiki ends nothing."""
    from build.collect import gc
    from build.pipeline import build_version
    from build.publish import publish
    from index_artifacts.errors import EdgewikiError
    from index_artifacts.store import open_store

    if changes:
        console.say(_listed(changes))
    started = time.monotonic()
    store_url, channel, encoder = flags
    try:
        # The settings may be what has changed.
        config = config_of(wiki, store=store_url, channel=channel, model=encoder)
        _require_local(config)
        store = open_store(config.store)
        built = build_version(wiki, output, config, store)
        publish(output, store, config.channel, force=True, reason="edgewiki watch")
        gc(store, keep=_KEPT, grace_hours=_KEPT_HOURS)
    except EdgewikiError as error:
        console.say(f"failed: {error}; what was served before is served on")
        return
    except OSError as error:
        console.say(f"failed: {error.filename or wiki}: {error.strerror or error}")
        return
    for line in _findings(built, {*changes.added, *changes.changed}):
        console.say(line)
    console.say(_done(built, config.channel, time.monotonic() - started))


def _listed(changes: Changes) -> str:
    named = [
        f"{verb} {name}"
        for verb, names in (
            ("added", changes.added), ("changed", changes.changed), ("removed", changes.removed),
        )
        for name in names
    ]  # fmt: skip
    more = f" and {len(named) - _LISTED} more" if len(named) > _LISTED else ""
    return ", ".join(named[:_LISTED]) + more


def _findings(built: BuildResult, pages: set[str]) -> list[str]:
    """What the report says of the pages just written."""
    from build.report import place

    rows = [row for row in built.manifest.report if row["path"] in pages]
    return [f"  {place(row)}: {row['severity']}: {row['reason']}" for row in rows[:_LISTED]]


def _done(built: BuildResult, channel: str, seconds: float) -> str:
    return (
        f"{channel} serves {built.manifest.version}: {built.manifest.counts['documents']} pages, "
        f"{built.embeddings_computed} vectors computed, {built.embeddings_reused} reused, "
        f"{seconds:.1f} s"
    )
