"""What a page may hold, and what its reader will stumble over."""

from __future__ import annotations

import codecs
import re
import tomllib
from typing import TYPE_CHECKING

from fastapi import HTTPException

from index_artifacts.errors import QueryError

if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCES = {"---": re.compile(r"(?:---|\.\.\.)[ \t]*"), "+++": re.compile(r"\+\+\+[ \t]*")}
_CONFLICT = re.compile(r"^(?:<{7} |>{7} )", re.MULTILINE)
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def is_wide(content: bytes) -> bool:
    """True for UTF-16 with its mark, which the reader repairs and nobody else likes."""
    return content.startswith(_WIDE)


def page_text(content: bytes) -> str:
    """The text of a page's file; raises `QueryError` where it is none in UTF-8."""
    try:
        text = content.decode("utf-16" if is_wide(content) else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise QueryError(f"the page is not UTF-8 (line {line}): save it as UTF-8") from None
    return _without_nul(text)


def page_bytes(text: str) -> bytes:
    """The file of a page's text, line ends as they are; raises `QueryError`."""
    try:
        return _without_nul(text).encode()
    except UnicodeEncodeError as error:
        line = text[: error.start].count("\n") + 1
        raise QueryError(f"line {line} holds half of a character (a lone surrogate)") from None


def checked_content(content: bytes, most: int) -> bytes:
    """``content``, where a page may be so long; raises `HTTPException` 413, `QueryError`."""
    if len(content) > most:
        reason = f"the page has {len(content)} bytes; EDGEWIKI_DOCUMENT_MAX_BYTES allows {most}"
        raise HTTPException(413, reason)
    if not content.strip():
        raise QueryError("the page is empty; remove it by DELETE instead")
    return content


def warnings_of(text: str) -> list[str]:
    """What the build would repair or pass over: the page is written all the same."""
    return list(_warnings(text.removeprefix("\ufeff").replace("\r\n", "\n")))


def _warnings(text: str) -> Iterator[str]:
    if match := _CONFLICT.search(text):
        line = text[: match.start()].count("\n") + 1
        yield f"line {line}: this looks like a merge conflict that nobody resolved"
    lines = text.split("\n")
    fence = lines[0].rstrip(" \t")
    if fence not in _FENCES:
        return
    end = next((n for n, line in enumerate(lines[1:], 1) if _FENCES[fence].fullmatch(line)), 0)
    if not end:
        yield f"line 1: the front matter is never closed by {fence}: it is read as text"
        return
    block = "\n".join(lines[1:end])
    yield from _toml_faults(block) if fence == "+++" else _yaml_faults(block)
    if not "".join(lines[end + 1 :]).strip():
        yield "there is no text below the front matter: only its title is found"


def _toml_faults(block: str) -> Iterator[str]:
    try:
        tomllib.loads(block)
    except tomllib.TOMLDecodeError as error:
        yield f"the front matter is no TOML and will be lost: {error}"


def _yaml_faults(block: str) -> Iterator[str]:
    import yaml  # only a page with front matter needs it

    try:
        node = yaml.compose(block, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f"line {mark.line + 2}: " if mark else ""
        problem = getattr(error, "problem", None) or "it cannot be parsed"
        yield f"{place}the front matter is no YAML, each key is read on its own: {problem}"
        return
    if node is not None and not isinstance(node, yaml.MappingNode):
        yield "line 2: the front matter is no list of keys and values: it is read as text"


def _without_nul(text: str) -> str:
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise QueryError(f"line {line} holds a NUL character: this is no text")
    return text
