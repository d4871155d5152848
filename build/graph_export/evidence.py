"""Where a fact stands, with the page's title and address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable

    import networkx as nx


@dataclass(frozen=True, slots=True)
class Page:
    """A page's title, and its address or an empty text."""

    title: str
    source_url: str


def pages_of(graph: nx.MultiDiGraph[str]) -> dict[str, Page]:
    """Path → page, for every document of the graph."""
    return {
        node["page"]: Page(node["name"], web_address(node["source_url"]))
        for _, node in graph.nodes(data=True)
        if node["type"] == "Document" and node["page"]
    }


def web_address(url: str) -> str:
    """``url`` where a browser may follow it: over http or https; else an empty text."""
    try:
        return url if urlsplit(url).scheme in {"http", "https"} else ""
    except ValueError:
        return ""


def evidence(provenance: Iterable[Any], pages: dict[str, Page]) -> list[dict[str, Any]]:
    """Each provenance as a mapping; the first lines of a page are those of its file, from 1."""
    return [
        {
            "path": path,
            "title": pages[path].title if path in pages else "",
            "source_url": pages[path].source_url if path in pages else "",
            "line": line, "last_line": last_line, "rule": rule, "chunk": chunk,
            "attribute": attribute,
        }
        for path, line, last_line, rule, chunk, attribute in provenance
    ]  # fmt: skip
