"""Which sentences of a page may be shown alone, and where they stand.

A sentence that may begins and ends as one and has enough words. Labels, rows, code, lists of
links, cookie banners and text that talks to a language model are none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from index_artifacts.answers.checks.instructions import is_instruction
from index_artifacts.answers.sentences import sentences
from index_artifacts.text import fold, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from build.markdown import Paragraph

MAX_CHARACTERS = 320
"""The longest summary."""

_MOST_LINKED = 0.5
_FEWEST_WORDS, _FEWEST_IN_VALUE = 4, 3
_FEWEST_LETTERS = 0.6
# "Title: Machine translation" says something without being a sentence; "State:" does not.
_LABELLED = re.compile(r"[^\W\d_][^:.!?\n]{1,38}: +(?=\S)")
_END = re.compile(r"[.!?…][\"'»”“’)\]]*$")
_NO_PROSE = re.compile(r"https?://|www\.|[|{}<>=\\\t]|\S@\S|\s[·•]\s|->|::|[_/]{2}|\w_\w")
_COOKIES = re.compile(r"\bcookies?\b|\bкук[иа]\b")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as it is shown, and how many sentences of the page come before it.

    ``inside`` is the list or quote that it stands in.
    """

    text: str
    position: int
    inside: str


def prose_sentences(title: str, paragraphs: Iterable[Paragraph]) -> list[Sentence]:
    """The sentences that may be shown, in order; each text once."""
    about_cookies = bool(_COOKIES.search(fold(title)))
    found: dict[str, Sentence] = {}
    position = 0
    for paragraph in paragraphs:
        for text in _sentences(paragraph):
            if _may_be_shown(text, about_cookies=about_cookies):
                found.setdefault(fold(text), Sentence(text, position, paragraph.inside))
            position += 1
    return list(found.values())


def _sentences(paragraph: Paragraph) -> Iterator[str]:
    if paragraph.linked > _MOST_LINKED:
        return
    for statement in _statements(paragraph.text.split("\n")):
        for start, end in sentences(statement, 0, len(statement)):
            yield statement[start:end].strip()


def _statements(lines: Sequence[str]) -> Iterator[str]:
    """The lines of a paragraph joined; one that begins with a label begins anew."""
    joined = ""
    for line in lines:
        if joined and _LABELLED.match(line):
            yield joined
            joined = ""
        joined = f"{joined} {line}".strip()
    if joined:
        yield joined


def _may_be_shown(text: str, *, about_cookies: bool) -> bool:
    label = _LABELLED.match(text)
    said = text[label.end() :] if label else text
    if len(words(said)) < (_FEWEST_IN_VALUE if label else _FEWEST_WORDS):
        return False
    if not (label or _END.search(text)) or not _begins(text) or _NO_PROSE.search(text):
        return False
    letters = sum(character.isalpha() or character.isspace() for character in text)
    if letters < _FEWEST_LETTERS * len(text) or is_instruction(text):
        return False
    return about_cookies or not _COOKIES.search(fold(text))


def _begins(text: str) -> bool:
    first = text.lstrip("\"'„“«»(¿¡")[:1]
    return first.isdigit() or (first.isalpha() and not first.islower())
