"""Names of everything but people in a question: titles, topics, keywords, pages."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from index_artifacts.graph.mention import NAMED, Mention
from index_artifacts.graph.model import KEYWORD, SECTION

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from index_artifacts.answers.lemmas import Lemmatiser
    from index_artifacts.graph.tables import GraphTables, Node
    from index_artifacts.graph.tokens import Token

_QUOTES = "\"„“”«»'‚‘’*"


def find_phrases(
    tables: GraphTables, question: str, tokens: Sequence[Token], lemmas: Lemmatiser
) -> list[Mention]:
    """Names of everything but people; of overlapping ones the longest, then the first."""
    readings = [lemmas.of(token.word) for token in tokens]
    rows = _anchored(tables, set().union(*readings) if readings else set())
    nodes = tables.nodes({entity for entity, _ in rows})
    places: dict[tuple[int, int], dict[int, Node]] = defaultdict(dict)
    content = [at for at, token in enumerate(tokens) if not lemmas.is_function(token.word)]
    for entity, name in rows:
        node = nodes.get(entity)
        if node is None or node.type in (*NAMED, SECTION):
            continue
        for positions in (content, range(len(tokens))):
            for place in _places(name, positions, readings):
                places[place][node.id] = node
    kept: list[Mention] = []
    for first, last in sorted(places, key=lambda place: (place[0] - place[1], place[0])):
        free = not any(m.first <= last and first <= m.last for m in kept)
        found = places[first, last]
        if free and _is_meant(question, tokens, first, last, found.values()):
            text = question[tokens[first].start : tokens[last].end]
            kept.append(Mention(first, last, text, tuple(found[id_] for id_ in sorted(found))))
    return kept


def _anchored(tables: GraphTables, anchors: set[str]) -> list[tuple[int, tuple[str, ...]]]:
    listed = sorted(anchors)
    rows = tables.index.connection.execute(
        "SELECT DISTINCT entity_id, words FROM entity_names "
        f"WHERE anchor IN ({', '.join('?' * len(listed))})",
        listed,
    )
    return [(entity, tuple(words.split())) for entity, words in rows]


def _places(
    name: Sequence[str], positions: Sequence[int], readings: Sequence[frozenset[str]]
) -> list[tuple[int, int]]:
    """Where the words of a name stand one after the other in ``positions``."""
    return [
        (positions[at], positions[at + len(name) - 1])
        for at in range(len(positions) - len(name) + 1)
        if all(word in readings[positions[at + n]] for n, word in enumerate(name))
    ]


def _is_meant(
    question: str, tokens: Sequence[Token], first: int, last: int, nodes: Iterable[Node]
) -> bool:
    """False for words that questions are made of, unless quoted or said to be a keyword."""
    said = first > 0 and tokens[first - 1].has("keyword")
    if said and last > first and not any(node.type == KEYWORD for node in nodes):
        return False  # "keywords cloud and docker" are two, whatever page is called so
    if any(not token.tags and not token.year for token in tokens[first : last + 1]):
        return True
    if first and tokens[first - 1].has("keyword", "category"):
        return True
    if not question[tokens[last].end :].startswith(tuple(_QUOTES)):
        return False
    before = question[: tokens[first].start].rstrip()
    return before.endswith(tuple(_QUOTES))
