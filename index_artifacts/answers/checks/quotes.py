"""Quotes: word for word, in one piece, out of the source that is cited."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from index_artifacts.answers.claims import Claim
    from index_artifacts.answers.grounds import Grounds


def check_quote(claim: Claim, grounds: Grounds) -> str:
    """Why the claim's quote is not sound; empty where it is.

    Compared after whitespace and Unicode normalisation; Markdown's marks do not count.
    """
    if not claim.quote:
        return "it has no quote"
    if grounds.windows(claim):
        return ""
    elsewhere = [s.number for s in grounds.sources if s.find(claim.quote)]
    cited = ", ".join(f"[{number}]" for number in claim.citations)
    if elsewhere:
        return f"its quote stands in [{elsewhere[0]}], not in {cited}"
    return f"its quote does not stand word for word, in one piece, in {cited}"
