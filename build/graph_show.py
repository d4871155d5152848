"""``edgewiki graph show``: an entity and what is around it, as a tree in the terminal."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from build.graph_export.command import ArtifactFolder, Channel, StoreUrl, Unpublished, Wiki
from index_artifacts.errors import EntityNotFoundError

if TYPE_CHECKING:
    from rich.tree import Tree

    from index_artifacts.graph.entities import Neighbourhood
    from index_artifacts.graph.facts import Fact
    from index_artifacts.index import Index

_DEFAULT_ARTIFACT = Path(".edgewiki/artifact")

Name = Annotated[
    str, typer.Argument(help="A name in any form, or an id such as person:jan-kveton.")
]
Limit = Annotated[int, typer.Option(min=1, help="How many relations at most.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]


def show(
    name: Name,
    limit: Limit = 200,
    unpublished: Unpublished = False,
    artifact: ArtifactFolder = None,
    wiki: Wiki = Path(),
    store: StoreUrl = None,
    channel: Channel = None,
    as_json: AsJson = False,
) -> None:
    """Show an entity, what the wiki says of it, and on which page and line."""
    from rich.console import Console as RichConsole

    from index_artifacts.graph.entities import look_up, neighbourhood
    from index_artifacts.graph.search import open_graph
    from index_artifacts.search_records import SearchRequest

    index = _opened(artifact, wiki, store, channel)
    tables = open_graph(index, SearchRequest("", published_only=not unpublished)).tables
    found = look_up(tables, name)
    if not found:
        raise EntityNotFoundError(f"the graph has no entity called {name!r}")
    around = [neighbourhood(tables, node.key, limit) for node in found]
    if as_json:
        typer.echo(json.dumps([asdict(one) for one in around], ensure_ascii=False, indent=2))
        return
    for one in around:
        RichConsole(highlight=False, emoji=False).print(_tree(one))


def _opened(artifact: Path | None, wiki: Path, store: str | None, channel: str | None) -> Index:
    from build.artifact_folder import open_verified
    from build.config import load_config
    from build.graph_export.opening import published_artifact
    from index_artifacts.index import Index
    from index_artifacts.manifest import INDEX_FILE

    if store or channel:
        config = load_config(wiki, store=store, channel=channel)
        return Index(published_artifact(config, INDEX_FILE))
    return Index(open_verified(artifact or _DEFAULT_ARTIFACT, (INDEX_FILE,)))


def _tree(around: Neighbourhood) -> Tree:
    from rich.markup import escape
    from rich.tree import Tree

    node = around.node
    tree = Tree(
        f"[bold]{escape(node.name)}[/bold]  {escape(node.type)}  [dim]{escape(node.key)}[/dim]"
    )
    branches: dict[str, Tree] = {}
    for fact in around.facts:
        branch, said = _said(fact, node.key)
        if branch not in branches:
            branches[branch] = tree.add(f"[cyan]{escape(branch)}[/cyan]")
        branches[branch].add(f"{escape(said)}  [dim]{escape(_places(fact))}[/dim]")
    if len(around.facts) < around.total:
        tree.add(f"[dim]… {around.total - len(around.facts)} more: see --limit[/dim]")
    return tree


def _said(fact: Fact, key: str) -> tuple[str, str]:
    """The branch that a fact hangs on, and what it says of the entity ``key``."""
    if fact.object is None:
        return fact.attribute, str(fact.value)
    if fact.subject.key == key:
        return f"{fact.relation} →", f"{fact.object.name} ({fact.object.type})"
    return f"← {fact.relation}", f"{fact.subject.name} ({fact.subject.type})"


def _places(fact: Fact) -> str:
    return ", ".join(f"{place.path}:{place.line}" for place in fact.evidence)
