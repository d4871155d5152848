"""From a text file to a page: the same words, under the name of the file."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

# What begins a line and would make a heading, a rule, a fence, a quote, HTML or a table of it.
# Lists and paragraphs are written in a text as in Markdown, and stay what they are.
_BLOCK = re.compile(r"^( {0,3})(?=#{1,6}(?:\s|$)|[=*_-]{2,}\s*$|`{3,}|~{3,}|<|>|\||\+\+\+)", re.M)
_INDENTED = re.compile(r"^(?: {4,}|\t+)(?=\S)", re.MULTILINE)


def page_path(path: str) -> str:
    """Where the page of the text file at ``path`` lies."""
    return f"{path[: -len('.txt')]}.md"


def is_plain_text(path: str) -> bool:
    """True where ``path`` is that of a text file."""
    return PurePosixPath(path).suffix.lower() == ".txt"


def page_of(path: str, text: str) -> str:
    """The page that says what ``text`` says, called as the file at ``path`` is."""
    name = PurePosixPath(path).stem
    title = " ".join(name.replace("-", " ").replace("_", " ").split()) or name
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    # Four spaces would make code of a paragraph that is merely indented.
    body = _BLOCK.sub(r"\1\\", _INDENTED.sub("   ", lines))
    return f"# {title}\n\n{body}\n"
