"""What of the graph a question names: people, and everything else that has a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index_artifacts.graph.mention import TITLES
from index_artifacts.graph.personal_names import PersonalNames
from index_artifacts.graph.phrases import find_phrases

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.answers.lemmas import Lemmatiser
    from index_artifacts.graph.mention import Mention
    from index_artifacts.graph.tables import GraphTables
    from index_artifacts.graph.tokens import Token


def find_mentions(
    tables: GraphTables, question: str, tokens: Sequence[Token], lemmas: Lemmatiser
) -> list[Mention]:
    """The entities that ``question`` names, in its order, none overlapping another."""
    names = PersonalNames(tables, question, tokens, lemmas)
    phrases = [
        phrase
        for phrase in find_phrases(tables, question, tokens, lemmas)
        # A page about somebody has their name: whoever is named is meant, not the page.
        if not all(
            at in names.words or tokens[at].word in TITLES
            for at in range(phrase.first, phrase.last + 1)
        )
    ]
    taken = {at for m in phrases for at in range(m.first, m.last + 1) if m.last > m.first}
    people = names.mentions(taken)
    named = {at for m in people for at in range(m.first, m.last + 1)}
    kept = [m for m in phrases if not any(at in named for at in range(m.first, m.last + 1))]
    return sorted([*people, *kept], key=lambda mention: mention.first)
