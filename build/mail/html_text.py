"""The text of an HTML mail, with its quotes marked by ``>`` as in a plain one.

Beautiful Soup takes any markup; no style is obeyed but one that hides, so that no margin or
width can make a page of a line, and what a reader never saw is not searched.
"""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING

from bs4 import BeautifulSoup, CData, Tag, XMLParsedAsHTMLWarning
from bs4.element import NavigableString

if TYPE_CHECKING:
    from collections.abc import Iterator

_PARAGRAPHS = {
    "blockquote",
    "dl",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "ol",
    "p",
    "pre",
    "table",
    "ul",
}
_BLOCKS = _PARAGRAPHS | {
    "address", "article", "aside", "center", "dd", "div", "dt", "fieldset", "figure", "footer",
    "form", "header", "hr", "li", "main", "nav", "section", "tbody", "tfoot", "thead", "tr",
}  # fmt: skip
_UNREAD = {
    "head", "script", "style", "template", "title", "noscript", "object", "svg", "math", "select",
    "textarea",
}  # fmt: skip
_HIDING = re.compile(r"display:none|visibility:hidden|font-size:0(?:px|pt|em)?(?:;|$)|mso-hide:all")
_QUOTES = frozenset({"gmail_quote", "yahoo_quoted", "protonmail_quote", "moz-cite-prefix"})
_SIGNATURES = frozenset({"gmail_signature", "moz-signature"})
_FORWARDED = re.compile(r"\s*-{4,}[^\n-]{4,60}-{4,}")
_LONGEST_LINK = 120
_LOOKED_AT = 16
_DEEPEST_QUOTE = 9

# Private use, taken out of the text before: around a quote, at a block's and a paragraph's edge.
_OPEN, _CLOSE, _EDGE, _WIDE_EDGE = "\ue000", "\ue001", "\ue002", "\ue003"
_MARKS = re.compile(f"[{_OPEN}{_CLOSE}{_EDGE}{_WIDE_EDGE}]")
_EDGES = re.compile(f"[{_EDGE}{_WIDE_EDGE}][{_EDGE}{_WIDE_EDGE} \n]*")


def html_to_text(html: str) -> str:
    """Text of ``html``: a line for a block, a blank line around a paragraph, ``- `` for items."""
    html = _MARKS.sub("", html)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        soup = BeautifulSoup(html, "html.parser")
    return _mark_quotes(_EDGES.sub(_gap, "".join(_pieces(soup))))


def _pieces(soup: BeautifulSoup) -> Iterator[str]:
    """Walk the tree with a stack of its own: a mail may nest deeper than Python recurses."""
    stack: list[tuple[Tag | NavigableString | str, bool]] = [(soup, False)]
    while stack:
        node, as_it_is = stack.pop()
        if isinstance(node, Tag):
            if not _is_hidden(node):
                before, after = _around(node)
                yield before
                inside = as_it_is or node.name == "pre"
                stack.append((after, as_it_is))
                stack.extend(
                    (child, inside)
                    for child in reversed(node.contents)
                    if isinstance(child, Tag | NavigableString)
                )
        elif not isinstance(node, NavigableString):
            yield node
        elif type(node) in {NavigableString, CData}:  # no comment, no doctype
            text = _MARKS.sub("", str(node))
            yield text if as_it_is else re.sub(r"\s+", " ", text)


def _around(node: Tag) -> tuple[str, str]:
    """What stands before and after the content of an element."""
    name = node.name.lower()
    if name == "br":
        return "\n", ""
    if name in {"td", "th"}:
        return "", " | " if node.find_next_sibling(["td", "th"]) else ""
    if name == "a":
        return "", _target(node)
    if name == "img":
        return "", str(node.get("alt") or "")
    space = _WIDE_EDGE if name in _PARAGRAPHS else _EDGE if name in _BLOCKS else ""
    classes = set(node.get_attribute_list("class"))
    if name == "blockquote" or classes & _QUOTES:
        if not _FORWARDED.match(_beginning(node)):
            return f"{_EDGE}{_OPEN}{_EDGE}", f"{_EDGE}{_CLOSE}{_EDGE}"
    elif classes & _SIGNATURES:
        return f"{_EDGE}-- \n", _EDGE
    return (f"{space}- " if name == "li" else space), space


def _target(link: Tag) -> str:
    href = str(link.get("href") or "").strip()
    wanted = href.startswith(("http://", "https://")) and len(href) <= _LONGEST_LINK
    shown = _beginning(link).strip()
    return f" <{href}>" if wanted and shown and shown.rstrip("/") not in href else ""


def _beginning(node: Tag) -> str:
    """Its first text; no more is looked at, for tags never closed hold all that follows."""
    stack, text = [*reversed(node.contents[:_LOOKED_AT])], ""
    for _ in range(_LOOKED_AT):
        if not stack:
            break
        inner = stack.pop()
        if isinstance(inner, Tag):
            stack.extend(reversed(inner.contents[:_LOOKED_AT]))
        else:
            text += str(inner)
    return text


def _is_hidden(node: Tag) -> bool:
    style = re.sub(r"\s+", "", str(node.get("style") or "")).lower()
    return node.name.lower() in _UNREAD or node.has_attr("hidden") or bool(_HIDING.search(style))


def _gap(edges: re.Match[str]) -> str:
    """Edges that meet are one; each line break between them is a line more."""
    return "\n\n" if _WIDE_EDGE in edges[0] else "\n" * (1 + edges[0].count("\n"))


def _mark_quotes(text: str) -> str:
    lines: list[str] = []
    depth = 0
    for line in text.split("\n"):
        depth += (line.strip() == _OPEN) - (line.strip() == _CLOSE)
        said = line.replace(_OPEN, "").replace(_CLOSE, "").strip().replace("\xa0", " ")
        line = f"{'>' * min(depth, _DEEPEST_QUOTE)} {said}".rstrip() if depth > 0 else said
        if said or (lines and lines[-1].strip("> ")):
            lines.append("-- " if line == "--" else line)
    return "\n".join(lines).strip("\n")
