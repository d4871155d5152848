"""Which parts of a question an answer covers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index_artifacts.answers.concepts import concepts_of
from index_artifacts.text import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.answers.claims import Claim
    from index_artifacts.answers.grounds import Grounds
    from index_artifacts.answers.question import Asked, Part

# A part is covered where its claims, with their headings and titles, hold this share of its words.
_SHARE = 0.34


def missing_parts(claims: Sequence[Claim], asked: Asked, grounds: Grounds) -> tuple[str, ...]:
    """The parts of the question that no claim speaks of; a question in one part has none."""
    if len(asked.parts) < 2:
        return ()
    support = "\n".join(grounds.support(claim) for claim in claims)
    return tuple(part.text for part in asked.parts if not _covers(support, part, grounds))


def _covers(support: str, part: Part, grounds: Grounds) -> bool:
    held = grounds.lemmas.in_text(support)
    own = [word for word in part.content if grounds.lemmas.of(word) & held]
    meant = concepts_of(part.content)
    told = bool(meant) and meant <= concepts_of(words(support))
    return told or len(own) >= _SHARE * len(part.content)
