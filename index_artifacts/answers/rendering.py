"""The text of an answer: verified claims alone, with their citations and numbered sources."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

from index_artifacts.answers.checks.citations import without_citations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.answers.claims import Claim
    from index_artifacts.rag.passages import Passage
    from index_artifacts.rag.rules import Wording

# Control characters and those that turn the direction of text.
_UNSEEN = frozenset({"Cf", "Cc"})


def renumber(
    claims: Sequence[Claim], passages: Sequence[Passage]
) -> tuple[tuple[Claim, ...], tuple[Passage, ...]]:
    """Claims and the passages they cite, numbered from 1 without gaps in the order of citation."""
    order = list(dict.fromkeys(number for claim in claims for number in claim.citations))
    new = {old: number for number, old in enumerate(order, 1)}
    renumbered = tuple(
        replace(claim, citations=tuple(new[number] for number in claim.citations))
        for claim in claims
    )
    return renumbered, tuple(passages[number - 1] for number in order)


def render_answer(
    claims: Sequence[Claim], cited: Sequence[Passage], missing: Sequence[str], words: Wording
) -> str:
    """The answer as Markdown: claims, what is missing, and the sources with their addresses."""
    lines = [_sentence(claim) for claim in claims]
    body = lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)
    parts = [body]
    if missing:
        parts.append(words.partly + "\n" + "\n".join(f"- {_label(part)}" for part in missing))
    named = [f"[{number}] {_source(passage)}" for number, passage in enumerate(cited, 1)]
    parts.append(f"{words.sources}:\n" + "\n".join(named))
    return "\n\n".join(parts)


def _sentence(claim: Claim) -> str:
    marks = "".join(f"[{number}]" for number in claim.citations)
    return f"{_plain(without_citations(claim.text))} {marks}"


def _source(passage: Passage) -> str:
    page = passage.document
    heading = passage.heading_path[-1] if passage.heading_path else ""
    place = f"{page.title} › {heading}" if heading and heading != page.title else page.title
    return f"{_label(place)} — {_address(page.source_url) or _label(page.id)}"


def _address(url: str) -> str:
    """A web address in which nothing ends it early or marks up; empty for any other."""
    if not re.match(r"https?://", url, re.IGNORECASE):
        return ""
    return re.sub(r"[\s()<>\[\]\"\\`*|]", lambda match: f"%{ord(match.group()):02X}", url)


def _label(text: str) -> str:
    """A title or a question: nothing in it is a link, not even a bare address, or a citation."""
    plain = _plain(text, r"\\<>`*\[\]")
    return re.sub(r"(?i)\b(https?|ftp)://|\b(www)\.", _without_link, plain)


def _without_link(match: re.Match[str]) -> str:
    return f"{match.group(1)}\\://" if match.group(1) else f"{match.group(2)}\\."


def _plain(text: str, marks: str = r"\\<>`*") -> str:
    """``text`` on one line, without what a Markdown reader would take for markup or a link."""
    seen = "".join(ch for ch in text if ch.isspace() or unicodedata.category(ch) not in _UNSEEN)
    line = re.sub(rf"([{marks}]|~(?=~)|(?<=~)~)", r"\\\1", " ".join(seen.split()))
    line = re.sub(r"\](?=[(\[])", "] ", line)
    # What begins a line may make a block of it: a heading, a list, a quotation, a definition.
    line = re.sub(r"^(\d{1,9})([.)])(?=\s|$)", r"\1\\\2", line)
    return re.sub(r"^(?=[#+|=~:\[_-])", r"\\", line)
