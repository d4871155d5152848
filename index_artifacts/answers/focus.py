"""What a question asks for: the word after its asking word, and whether units count it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index_artifacts.answers.concepts import concepts_of
from index_artifacts.answers.figures import figures
from index_artifacts.answers.measures import measure
from index_artifacts.answers.question import is_asking
from index_artifacts.text import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.answers.lemmas import Lemmatiser
    from index_artifacts.answers.question import Asked
    from index_artifacts.answers.units import Unit

# What is asked for stands among so many words after the asking one.
_REACH = 3
_BY_CONCEPT, _NOT_ASKED = 0.8, 0.5


def focus_of(question: str, lemmas: Lemmatiser) -> str:
    """The first content word right after an asking word, folded: "koľko bodov" asks for points.

    Empty where there is none.
    """
    found = words(question)
    for at, word in enumerate(found):
        if is_asking(word):
            near = found[at + 1 : at + 1 + _REACH]
            return next((w for w in near if not lemmas.is_function(w) and not is_asking(w)), "")
    return ""


def counted(asked: Asked, focus: str, units: Sequence[Unit], lemmas: Lemmatiser) -> float:
    """How far ``units`` hold a number of what is to be counted, in [0, 1].

    One half where nothing is to be counted.
    """
    if not focus or not any(part.kind == "number" for part in asked.parts):
        return _NOT_ASKED
    return max((_counts(focus, unit, lemmas) for unit in units), default=0.0)


def _counts(focus: str, unit: Unit, lemmas: Lemmatiser) -> float:
    there = list(figures(unit.text))
    if not there:
        return 0.0
    around = words(" ".join([unit.intro, unit.header, unit.text]))
    wanted = measure(focus)
    if any(lemmas.same(focus, word) for word in around):
        return 1.0
    if wanted and any(figure.measure == wanted for figure in there):
        return 1.0
    return _BY_CONCEPT if concepts_of([focus]) & concepts_of(around) else 0.0
