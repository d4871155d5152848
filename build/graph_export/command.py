"""``edgewiki graph export``: the graph of a version as GraphML, JSON or a picture."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from index_artifacts.errors import ConfigError

_FORMATS = ("html", "json", "graphml")
_SUFFIXES = {".html": "html", ".htm": "html", ".json": "json", ".graphml": "graphml"}
_DEFAULT_ARTIFACT = Path(".edgewiki/artifact")
_STDOUT = Path("-")
# More entities than this take a browser seconds to draw.
_MANY = 10_000

Output = Annotated[Path, typer.Option("--output", "-o", help="A file, or - for stdout.")]
Format = Annotated[
    str | None, typer.Option("--format", help="html, json or graphml; else by the suffix.")
]
Types = Annotated[
    str | None,
    typer.Option(help="Such as Person,Thesis; else all, but no Section or Collection in html."),
]
Around = Annotated[str | None, typer.Option(help="Only what is near this entity: key or name.")]
Depth = Annotated[int, typer.Option(min=1, help="With --around: this many relations away.")]
Unpublished = Annotated[
    bool, typer.Option("--unpublished", help="Also what only unpublished pages say.")
]
ArtifactFolder = Annotated[
    Path | None, typer.Option("--artifact", help="The folder that build writes.")
]
Wiki = Annotated[Path, typer.Option("--wiki", help="Folder of edgewiki.toml.")]
StoreUrl = Annotated[str | None, typer.Option("--store", help="file:///folder or s3://bucket.")]
Channel = Annotated[str | None, typer.Option("--channel", help="The channel, such as latest.")]
Viewer = Annotated[
    Path | None, typer.Option(envvar="EDGEWIKI_GRAPH_VIEWER", help="Where cytoscape.js lies.")
]


def export(
    output: Output,
    format_: Format = None,
    types: Types = None,
    around: Around = None,
    depth: Depth = 1,
    unpublished: Unpublished = False,
    artifact: ArtifactFolder = None,
    wiki: Wiki = Path(),
    store: StoreUrl = None,
    channel: Channel = None,
    viewer: Viewer = None,
) -> None:
    """Write the knowledge graph as GraphML, JSON, or a self-contained interactive picture."""
    from build.config import load_config
    from build.graph_export.evidence import pages_of
    from build.graph_export.opening import open_folder, open_published
    from build.graph_export.selection import Selection, default_types, published_part

    kind = _format(output, format_)
    if artifact is not None and (store or channel):
        raise ConfigError("say either --artifact, or --store and --channel, not both")
    wanted = Selection(default_types(types, drawn=kind == "html"), around, depth)
    write = _writer(kind, viewer, wanted.note)
    if store or channel:
        graph, version = open_published(load_config(wiki, store=store, channel=channel))
    else:
        graph, version = open_folder(artifact or _DEFAULT_ARTIFACT)
    shown = graph if unpublished else published_part(graph)
    selected = wanted.of(shown)
    if kind == "html" and len(selected) > _MANY:
        typer.echo(f"{len(selected)} entities are slow to draw: see --types, --around", err=True)
    data = write(selected, version, pages_of(shown))
    _put(output, data)
    counts = f"{selected.number_of_nodes()} entities, {selected.number_of_edges()} relations"
    typer.echo(f"{counts}, {len(data):,} bytes of {kind} from version {version}", err=True)


def _format(output: Path, asked: str | None) -> str:
    if asked is not None and asked not in _FORMATS:
        raise ConfigError(f"--format {asked!r} is none of {', '.join(_FORMATS)}")
    if asked is None and output == _STDOUT:
        raise ConfigError(f"--output - needs --format: {', '.join(_FORMATS)}")
    kind = asked or _SUFFIXES.get(output.suffix.lower())
    if kind is None:
        raise ConfigError(
            f"--output {output}: its suffix is none of {', '.join(_SUFFIXES)}; "
            f"say --format {', '.join(_FORMATS)}"
        )
    return kind


def _writer(kind: str, viewer: Path | None, note: str) -> Any:
    """A function of (graph, version, pages) that returns bytes; what it lacks, it says now."""
    if kind == "json":
        from build.graph_export.node_link import to_json

        return to_json
    if kind == "graphml":
        from build.graph_export.graphml import to_graphml

        return to_graphml
    from functools import partial

    from build.graph_export.picture import to_html
    from build.graph_export.viewer import read_library

    return partial(to_html, library=read_library(viewer), note=note)


def _put(output: Path, data: bytes) -> None:
    if output == _STDOUT:
        sys.stdout.buffer.write(data)
    else:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_bytes(data)
