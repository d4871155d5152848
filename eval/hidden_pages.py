"""Versions that lack the pages which answer some questions, as if they had never been written.

A page that is merely filtered out still shapes the rarity of words, the vocabulary and the
vectors' neighbourhood: only a build without it hides it from every statistic.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from build.config import BuildConfig
    from eval.golden_set import GoldenSet, Question

# What a gitignore pattern would not take as it is.
_SPECIAL = re.compile(r"[][*?!#\\ ]")
# More folds hide fewer pages at a time, and cost a build each.
FOLDS = 4


@dataclass(frozen=True, slots=True)
class Fold:
    """Pages to hide, and the questions that only they answer."""

    pages: tuple[str, ...]
    questions: tuple[Question, ...]

    def hide(self, config: BuildConfig) -> BuildConfig:
        """The settings of a build without the pages."""
        hidden = ("/" + _SPECIAL.sub(r"\\\g<0>", page) for page in self.pages)
        return config.model_copy(update={"exclude": (*config.exclude, *hidden)})


def folds(golden: GoldenSet) -> list[Fold]:
    """Split the gold pages of ``golden`` into `FOLDS` parts, less those that answer nothing.

    Neighbours in the order of their paths go to different parts: a section of the wiki is thinned
    out, never emptied.
    """
    answerable = [question for question in golden.questions if question.should_answer]
    pages = sorted({page for question in answerable for page in question.gold_docs})
    parts = []
    for number in range(min(FOLDS, len(pages))):
        hidden = tuple(pages[number::FOLDS])
        lost = tuple(q for q in answerable if set(q.gold_docs) <= set(hidden))
        parts.append(Fold(hidden, lost))
    return [part for part in parts if part.questions]
