"""``edgewiki eval check``: is a golden set well formed, and does it fit a version?"""

from __future__ import annotations

from typing import Annotated

import typer

from eval.commands.options import ArtifactFolder, AsJson, Channel, Golden, StoreUrl, print_json
from eval.golden_check import check_against
from eval.golden_set import beside, freeze, load_golden
from eval.opening import open_version
from index_artifacts.errors import ConfigError
from index_artifacts.index import Index


def check(
    golden: Golden,
    artifact: ArtifactFolder = None,
    store: StoreUrl = None,
    channel: Channel = None,
    freeze_it: Annotated[bool, typer.Option("--freeze", help="Pin the set by its hash.")] = False,
    as_json: AsJson = False,
) -> None:
    """Check a golden set; with a version, also that its pages, headings and texts are there."""
    found = load_golden(golden)
    version = ""
    if artifact is not None or store is not None:
        index = Index(open_version(artifact, store, channel))
        check_against(found, index)
        version = index.manifest.version
    if freeze_it:
        if (frozen := beside(found.path, "frozen.json")).exists():
            raise ConfigError(f"{found.path} is frozen already: see {frozen}")
        freeze(found)
    if as_json:
        print_json({
            "golden": found.name, "questions": len(found.questions), "sha256": found.sha256,
            "overridden": found.overridden, "version": version or None,
        })  # fmt: skip
        return
    fits = f"fit version {version}" if version else "are well formed (no version to hold against)"
    changed = f", {found.overridden} overridden" if found.overridden else ""
    typer.echo(f"{found.name}: {len(found.questions)} questions{changed} {fits}")
    typer.echo(f"sha256 {found.sha256}")
