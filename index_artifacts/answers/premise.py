"""The premise of a question: what it names and dates has to be in the evidence it is answered from.

"When did X defend the thesis that Y supervised?" has no answer where Y supervised none of X's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from index_artifacts.answers.checks.names import holds_name, name_words
from index_artifacts.answers.checks.phrases import kinds_in, lines_that_speak_of, speaks_of
from index_artifacts.answers.figures import figures
from index_artifacts.answers.markdown import visible_text
from index_artifacts.answers.transliteration import latin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.answers.checks.names import Name
    from index_artifacts.answers.lemmas import Lemmatiser
    from index_artifacts.answers.question import Asked
    from index_artifacts.answers.quotations import Quotable

# Letters of a part of a name that stands for the whole in another alphabet.
_LONG_PART = 6
_YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class Premise:
    """What of a question its evidence does not hold; all empty where it holds everything."""

    names: tuple[str, ...]
    years: tuple[str, ...]
    figures: tuple[str, ...]
    kinds: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """True where it may answer the question; other figures than years may differ."""
        return not (self.names or self.years or self.kinds)

    def why_not(self) -> str:
        """What is missing, in words."""
        return ", ".join(self.names + self.years + self.kinds)


def premise_of(
    asked: Asked, question: str, source: Quotable, lemmas: Lemmatiser, page: str = ""
) -> Premise:
    """What ``source`` lacks of what ``question`` takes for granted.

    A name of one word may stand anywhere on its ``page``.

    A page about the one who is named is looked at as a whole; on any other, all of it has to
    stand in one sentence or row: a list of many people says nothing of one of them elsewhere.
    """
    passage = source.passage
    frame = "\n".join([passage.document.title, *passage.heading_path])
    whole = f"{frame}\n{passage.text}"
    around = name_words(visible_text(page or whole))
    asked = replace(
        asked,
        names=tuple(
            name
            for name in asked.names
            if len(name.words) > 1 or not holds_name(name.words, around, lemmas)
        ),
    )
    if not asked.names or _lacking_names(asked, frame, lemmas) < len(asked.names):
        return _premise(asked, question, whole, lemmas)
    scopes = [
        "\n".join([frame, *unit.headings, unit.intro, unit.header, unit.text])
        for unit in source.units
        if _lacking_names(asked, unit.text, lemmas) < len(asked.names)
    ]
    return best_premise([_premise(asked, question, s, lemmas) for s in scopes or [whole]])


def _lacking_names(asked: Asked, text: str, lemmas: Lemmatiser) -> int:
    there = name_words(visible_text(text))
    return sum(not _held(name, there, lemmas) for name in asked.names)


def _premise(asked: Asked, question: str, text: str, lemmas: Lemmatiser) -> Premise:
    there = name_words(visible_text(text))
    return Premise(
        names=tuple(n.written for n in asked.names if not _held(n, there, lemmas)),
        years=tuple(_missing_years(asked, question, text)),
        figures=tuple(_missing_figures(asked, text)),
        kinds=tuple(kinds_in(question) - kinds_in(text)),
    )


def _held(name: Name, there: Sequence[str], lemmas: Lemmatiser) -> bool:
    """True where a name is held; of one in other letters, one long part is enough.

    Given names are translated as often as they are transliterated.
    """
    if holds_name(name.words, there, lemmas):
        return True
    foreign = [word for word in name.words if latin(word) != word and len(word) >= _LONG_PART]
    return any(holds_name((word,), there, lemmas) for word in foreign)


def best_premise(premises: Sequence[Premise]) -> Premise:
    """The one that lacks least."""
    return min(premises, key=lambda p: (len(p.names) + len(p.years) + len(p.kinds), p.figures))


def _missing_years(asked: Asked, question: str, text: str) -> list[str]:
    lines = text.split("\n")
    if speaks_of("thesis", question) and not speaks_of("study_start", question):
        # The year in which studies began is no year of a thesis.
        starts = set(lines_that_speak_of(("study_start", "study"), text))
        lines = [line for line in lines if line not in starts]
    there = {year for line in lines for year in _YEAR.findall(line)}
    return [f.written for f in asked.figures if _is_year(f.written) and f.written not in there]


def _missing_figures(asked: Asked, text: str) -> list[str]:
    there = [figure.covers for figure in figures(text)]
    return [
        figure.written
        for figure in asked.figures
        if not _is_year(figure.written) and not any(figure.readings & c for c in there)
    ]


def _is_year(written: str) -> bool:
    return bool(_YEAR.fullmatch(written))
