"""The lexical leg: FTS5 over lemmas, and over exact forms for quoted phrases.

What a user typed is never FTS5 syntax: every token is quoted, and tokens hold no quotes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from index_artifacts.schema import exact_table, lemma_table

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence

    from index_artifacts.index import Collection, Index, Mask
    from index_artifacts.postings import Scores
    from index_artifacts.query import Query, Term
    from index_artifacts.tuning import Tuning

MANY_CHUNKS = 20_000
"""In a collection of more chunks, common words alone make no chunk a match."""
# There, words are taken from the rarest on until they are in about so many chunks together.
_MATCHES = 4_000


def sought_terms(query: Query, index: Index, tuning: Tuning) -> tuple[Term, ...]:
    """The terms worth looking up: without the commonest words, where others can be found."""
    limit = tuning.common_share * index.size
    rare = tuple(term for term in query.terms if term.chunks <= limit)
    return rare if any(term.chunks or term.languages for term in rare) else query.terms


def lemma_scores(
    index: Index,
    collections: Iterable[Collection],
    terms: Sequence[Term],
    tuning: Tuning,
    mask: Mask | None,
) -> Scores:
    """BM25 of every chunk over ``terms``, shape (chunks,); 0 is no match.

    Three strategies: chunks with all of the terms keep their score, those with any of them a
    part of it, and where no chunk has all, those that match by beginnings a smaller part.
    """
    scores = np.zeros(index.chunk_count, dtype=np.float32)
    if not terms:
        return scores
    limit = tuning.candidates if mask is None else -1
    groups = [_any_of(term.lemmas) for term in terms]
    for collection in collections:
        table = lemma_table(collection.id)

        def run(expression: str, factor: float, table: str = table) -> int:
            return _add(index.connection, table, expression, tuning, limit, factor, scores)

        for expression in _any_term(index, collection, terms):
            run(expression, tuning.any_term_weight if len(groups) > 1 else 1.0)
        if len(groups) > 1 and not run(" AND ".join(groups), 1.0):
            run(" AND ".join(_beginning(term) for term in terms), tuning.prefix_term_weight)
        elif len(groups) == 1 and not scores[collection.slice].any():
            run(_beginning(terms[0]), tuning.prefix_term_weight)
    return scores if mask is None else np.where(mask, scores, np.float32(0))


def phrase_mask(
    index: Index, collections: Iterable[Collection], phrases: Sequence[Sequence[str]]
) -> Mask:
    """True for each chunk that holds every phrase in just these forms, shape (chunks,)."""
    mask = np.zeros(index.chunk_count, dtype=bool)
    expression = " AND ".join('"' + " ".join(phrase) + '"' for phrase in phrases)
    for collection in collections:
        table = exact_table(collection.id)
        rows = index.connection.execute(
            f"SELECT rowid - 1 FROM {table} WHERE {table} MATCH ?", (expression,)
        ).fetchall()
        mask[[row[0] for row in rows]] = True
    return mask


def is_on_published_page(index: Index, word: str) -> bool:
    """True where a published page holds ``word`` (folded) or another form of its lemmas."""
    entry = index.lexicon.look_up([word])[word]
    lemmas = [lemma for _, lemma in entry.lemmas] or [word]
    for collection in index.collections:
        table = lemma_table(collection.id)
        rows = index.connection.execute(
            f"SELECT rowid - 1 FROM {table} WHERE {table} MATCH ?", (_any_of(lemmas),)
        )
        if any(index.published[index.chunk_document[position]] for (position,) in rows):
            return True
    return False


def _add(
    connection: sqlite3.Connection,
    table: str,
    expression: str,
    tuning: Tuning,
    limit: int,
    factor: float,
    scores: Scores,
) -> int:
    """Raise ``scores`` to a query's BM25 times ``factor``; return how many chunks it found."""
    weights = ", ".join(str(weight) for weight in tuning.column_weights)
    rows = connection.execute(
        f"SELECT rowid - 1, -bm25({table}, {weights}) AS score FROM {table} "
        f"WHERE {table} MATCH ? ORDER BY score DESC LIMIT ?",
        (expression, limit),
    ).fetchall()
    if rows:
        positions, found = zip(*rows, strict=True)
        at = np.array(positions)
        # BM25 of a word in more than half of the chunks is not positive: a match all the same.
        values = np.maximum(np.array(found, dtype=np.float32), np.float32(1e-6)) * factor
        scores[at] = np.maximum(scores[at], values)
    return len(rows)


def _any_term(index: Index, collection: Collection, terms: Sequence[Term]) -> Iterator[str]:
    """Expressions whose matches, taken together, are the chunks with any of the terms.

    BM25 is worked out for every match: where common words would match too many, only chunks
    with a rare word do. Those with a common one too match the second expression, and so get
    the score of all of their words.
    """
    groups = [_any_of(term.lemmas) for term in terms]
    rare: Sequence[int] = range(len(terms))
    if len(terms) > 1 and collection.chunks > MANY_CHUNKS:
        rare = _rarest(_chunks_with(index, terms))
    common = [group for at, group in enumerate(groups) if at not in rare]
    chosen = " OR ".join(groups[at] for at in rare)
    yield chosen
    if common:
        yield f"({chosen}) AND ({' OR '.join(common)})"


def _rarest(counts: Sequence[int]) -> list[int]:
    """Which terms to take: the rarest that is found at all, and more while they are few."""
    chosen: list[int] = []
    total = 0
    for at in sorted(range(len(counts)), key=lambda at: counts[at]):
        if total and total + counts[at] > _MATCHES:
            break
        chosen.append(at)
        total += counts[at]
    return chosen


def _chunks_with(index: Index, terms: Sequence[Term]) -> list[int]:
    """About how many chunks hold a form of each term: what its forms are in, added up."""
    lemmas = list({lemma for term in terms for lemma in term.lemmas})
    marks = ", ".join("?" * len(lemmas))
    counts = dict(
        index.connection.execute(
            "SELECT lemma, sum(chunks) FROM lemma_words JOIN vocabulary USING (word) "
            f"WHERE lemma IN ({marks}) GROUP BY lemma",
            lemmas,
        ).fetchall()
    )
    return [sum(counts.get(lemma, 0) for lemma in term.lemmas) for term in terms]


def _any_of(lemmas: Sequence[str]) -> str:
    return "(" + " OR ".join(f'"{lemma}"' for lemma in lemmas) + ")"


def _beginning(term: Term) -> str:
    # Lemmas of nouns keep the stem of their forms: match from the typed word's first letters.
    stem = term.word[: max(3, len(term.word) - 2)] if len(term.word) > 4 else term.word
    return f'("{stem}"* OR {_any_of(term.lemmas)})'
