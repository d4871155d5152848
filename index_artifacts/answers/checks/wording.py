"""Wording: what a claim says beyond the question stands in its evidence, by lemma."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index_artifacts.answers.checks.citations import without_citations
from index_artifacts.answers.checks.names import names
from index_artifacts.answers.dates import without_dates
from index_artifacts.answers.declension import alike
from index_artifacts.answers.measures import numeral
from index_artifacts.text import words

if TYPE_CHECKING:
    from index_artifacts.answers.claims import Claim
    from index_artifacts.answers.grounds import Grounds

# A claim may take up words of the question that its evidence says in others ("kto viedol prácu"
# of "vedúci: …"), as long as more of it comes from the evidence.
_MOST_FROM_QUESTION = 0.5


def check_wording(claim: Claim, grounds: Grounds) -> str:
    """Name the first content word of the claim that its evidence does not hold; else empty."""
    lemmas = grounds.lemmas
    # A month may be written as a number, and the other way round: dates are figures.
    text = without_dates(without_citations(claim.text))
    content = [w for w in lemmas.content(text) if not w[0].isdigit() and not numeral(w)]
    said = words(claim.text)
    if not said or (not content and not set(said) <= set(words(claim.quote))):
        return "it says nothing"
    support = lemmas.in_text(grounds.support(claim))
    asked = lemmas.in_text(grounds.query.text)
    named = [part for name in names(grounds.query.text, lemmas) for part in name.words]
    borrowed = 0
    for word in content:
        if lemmas.of(word) & support or any(alike(word, other) for other in support):
            continue
        repeated = lemmas.of(word) & asked or any(alike(word, other) for other in asked)
        if not repeated or any(alike(word, part) for part in named):
            return f"{word!r} does not stand in its evidence"
        borrowed += 1
    if borrowed > _MOST_FROM_QUESTION * len(content):
        return "it repeats the question more than its evidence"
    return ""
