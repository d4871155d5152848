"""A document's summary: its first sentences of prose."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from build.markdown import Structure

MAX_CHARACTERS = 320
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+")


def first_sentences(structure: Structure) -> str:
    """Return whole sentences from the first paragraphs, `MAX_CHARACTERS` at most.

    A first sentence longer than that is cut at a word and ends with an ellipsis.
    """
    summary = ""
    for paragraph in structure.paragraphs:
        for sentence in _SENTENCE_END.split(paragraph):
            longer = f"{summary} {sentence}".strip()
            if len(longer) > MAX_CHARACTERS:
                return summary or longer[: MAX_CHARACTERS - 1].rsplit(" ", 1)[0] + "…"
            summary = longer
    return summary
