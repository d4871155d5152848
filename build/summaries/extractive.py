"""A summary of a page's own sentences, chosen by its own lemmas.

Nothing but the page decides: an edit elsewhere changes no summary, and so no vector. A sentence
weighs what its content lemmas do in this page, those of the title and headings more, divided by
the root of its length. The page's beginning counts more, and what a chosen sentence has already
said less.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from build.function_words import is_content
from build.summaries.prose import MAX_CHARACTERS, prose_sentences

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from build.lemmas import Lemmas
    from build.markdown import Structure
    from build.summaries.prose import Sentence
    from index_artifacts.records import Document

_TITLE, _HEADING = 2.0, 1.3
# The page's first sentence counts so much more than one far down, and after so many half of it.
_LEAD, _LEAD_SENTENCES = 2.0, 4.0
# An item or a quotation is seldom what its page is about.
_INSIDE = 0.5
_SAID_AGAIN = 0.2
_MOST_SENTENCES = 4


def extractive_summary(document: Document, structure: Structure, lemmas: Lemmas) -> str:
    """Whole sentences in their order, `MAX_CHARACTERS` at most; empty where there is no prose.

    A page with none that is short enough gives the beginning of its first one.
    """
    found = prose_sentences(document.title, structure.paragraphs)
    if not found:
        return ""
    short = [sentence for sentence in found if len(_shown(sentence)) <= MAX_CHARACTERS]
    if not short:
        return found[0].text[: MAX_CHARACTERS - 1].rsplit(" ", 1)[0] + "…"
    weights = lemma_weights(document, structure, lemmas)
    chosen = _choose(short, document.language, lemmas, weights)
    return " ".join(_shown(sentence) for sentence in sorted(chosen, key=lambda s: s.position))


def lemma_weights(document: Document, structure: Structure, lemmas: Lemmas) -> dict[str, float]:
    """What each content lemma of a page weighs in it."""

    def content(text: str) -> list[str]:
        return content_lemmas(text, document.language, lemmas)

    counts = Counter(content(structure.prose))
    title = set(content(document.title))
    headings = {lemma for section in document.sections for lemma in content(section.heading)}
    return {
        lemma: (1 + math.log(count))
        * (_TITLE if lemma in title else 1.0)
        * (_HEADING if lemma in headings else 1.0)
        for lemma, count in counts.items()
    }


def content_lemmas(text: str, language: str, lemmas: Lemmas) -> list[str]:
    """The lemmas of ``text`` that are no function words and no numbers, in order."""
    return [lemma for lemma in lemmas.text(text, language) if is_content(lemma, language)]


def _choose(
    found: Sequence[Sentence], language: str, lemmas: Lemmas, weights: Mapping[str, float]
) -> list[Sentence]:
    held = [set(content_lemmas(sentence.text, language, lemmas)) for sentence in found]
    chosen: list[int] = []
    said: set[str] = set()
    room = MAX_CHARACTERS
    while len(chosen) < _MOST_SENTENCES:
        fitting = [n for n, s in enumerate(found) if n not in chosen and len(_shown(s)) <= room]
        scores = {n: _score(found[n], held[n], said, weights) for n in fitting}
        best = max(fitting, key=lambda n: (scores[n], -n), default=None)
        if best is None:
            break
        chosen.append(best)
        said |= held[best]
        room -= len(_shown(found[best])) + 1
    return [found[n] for n in chosen]


def _score(
    sentence: Sentence, held: set[str], said: set[str], weights: Mapping[str, float]
) -> float:
    weight = sum(
        weights.get(lemma, 1.0) * (_SAID_AGAIN if lemma in said else 1.0) for lemma in sorted(held)
    )
    lead: float = 1 + (_LEAD - 1) * 0.5 ** (sentence.position / _LEAD_SENTENCES)
    inside = _INSIDE if sentence.inside else 1.0
    return weight * lead * inside / math.sqrt(len(sentence.text.split()))


def _shown(sentence: Sentence) -> str:
    """With a full stop where a label's value lacks one: the next sentence follows it."""
    return sentence.text if sentence.text[-1] in ".!?…\"'»”“’)]" else f"{sentence.text}."
