"""The graph as one HTML page that loads nothing: library, styles and data are inside it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from build.graph_export.page_data import page_data

if TYPE_CHECKING:
    from collections.abc import Iterable

    import networkx as nx

    from build.graph_export.evidence import Page

# In this order they are one script.
_SCRIPTS = ("data.js", "graph.js", "labels.js", "panel.js", "search.js", "main.js")
# What cytoscape.js would put into the page itself, which the page's policy forbids.
_CONTAINER_STYLE = ".__________cytoscape_container { position: relative; }"


def to_html(
    graph: nx.MultiDiGraph[str], version: str, pages: dict[str, Page], library: str, note: str = ""
) -> bytes:
    """Draw a graph; equal graphs give equal bytes.

    ``library`` is the text of cytoscape.js, ``note`` what the page says of how it was selected.
    """
    resources = files("build.graph_export") / "page"
    scripts = [(resources / name).read_text("utf-8") for name in _SCRIPTS]
    parts = {
        "title": f"Knowledge graph {escape(version)}",
        "about": escape(_about(graph, version, note)),
        "container_style": _CONTAINER_STYLE,
        "style": (resources / "style.css").read_text("utf-8"),
        "data": _inert_json(page_data(graph, pages)),
        "library": _inert_script(library),
        "script": _inert_script('"use strict";\n' + "\n".join(scripts)),
    }
    parts["policy"] = _policy(
        scripts=(parts["library"], parts["script"]),
        styles=(parts["container_style"], parts["style"]),
    )
    template = (resources / "page.html").read_text("utf-8")
    return re.sub(r"\{(\w+)\}", lambda match: parts[match[1]], template).encode()


def _about(graph: nx.MultiDiGraph[str], version: str, note: str) -> str:
    counts = f"{graph.number_of_nodes():,} entities · {graph.number_of_edges():,} relations"
    return " · ".join(part for part in (f"version {version}", counts, note) if part)


def _policy(scripts: Iterable[str], styles: Iterable[str]) -> str:
    """Only what has these hashes is run or applied; nothing is ever loaded."""
    return (
        f"default-src 'none'; script-src {_hashes(scripts)}; style-src {_hashes(styles)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _hashes(texts: Iterable[str]) -> str:
    digests = (hashlib.sha256(text.encode()).digest() for text in texts)
    return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)


def _inert_json(value: Any) -> str:
    """JSON in which nothing can end or open an element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _inert_script(text: str) -> str:
    """A script in which no string or pattern ends the element: there, ``<`` has another form."""
    return re.sub(r"<(?=/script|!--)", r"\\x3c", text.replace("\r\n", "\n"), flags=re.IGNORECASE)
