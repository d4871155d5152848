"""Coarse vector blocks, against the exact ones over the same rows."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import pytest

from index_artifacts.encoders import open_encoder
from index_artifacts.index import Index
from index_artifacts.postings import Postings
from index_artifacts.search import Searcher, SearchRequest
from index_artifacts.vector_block import CoarseBlock, ExactBlock, best_rows, open_block

if TYPE_CHECKING:
    from index_artifacts.artifact import Artifact
    from index_artifacts.encoder import Vectors

ROWS, DIMENSION = 3000, 384


def like_embeddings(random: np.random.Generator, rows: int, of: Vectors | None = None) -> Vectors:
    """Unit vectors as encoders make them: all in one direction more than in any other."""
    mean = np.full(DIMENSION, 0.9 / DIMENSION**0.5)
    spread = random.standard_normal((rows, DIMENSION)) * 0.44 / DIMENSION**0.5
    vectors = mean + spread if of is None else of + spread / 2
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


def stored(rows: Vectors) -> sqlite3.Connection:
    """A database with one block of vectors."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    connection.execute("CREATE TABLE vectors (kind, collection_id, rows, dimension, data)")
    connection.execute(
        "INSERT INTO vectors VALUES ('segment', 1, ?, ?, ?)",
        (*rows.shape, rows.astype("<f2").tobytes()),
    )
    return connection


@pytest.fixture(scope="module")
def rows() -> Vectors:
    return like_embeddings(np.random.default_rng(1), ROWS)


@pytest.fixture(scope="module")
def connection(rows: Vectors) -> sqlite3.Connection:
    return stored(rows)


@pytest.fixture(scope="module")
def questions(rows: Vectors) -> Vectors:
    return like_embeddings(np.random.default_rng(2), 50, rows[:50])


def test_only_a_large_block_is_coarse(connection: sqlite3.Connection) -> None:
    assert isinstance(open_block(connection, "segment", 1), ExactBlock)
    assert isinstance(open_block(connection, "segment", 1, ROWS), ExactBlock)
    assert isinstance(open_block(connection, "segment", 1, ROWS - 1), CoarseBlock)


def test_an_exact_block_is_the_stored_rows_times_the_question(
    connection: sqlite3.Connection, rows: Vectors, questions: Vectors
) -> None:
    half = rows.astype(np.float16).astype(np.float32)
    block = open_block(connection, "segment", 1)
    assert len(block) == ROWS
    assert block.cosines(questions) == pytest.approx(questions @ half.T, abs=1e-6)


def test_a_coarse_block_finds_the_same_nearest_rows_with_exact_cosines(
    connection: sqlite3.Connection, questions: Vectors
) -> None:
    exact, coarse = open_block(connection, "segment", 1), open_block(connection, "segment", 1, 0)
    assert len(coarse) == ROWS
    for question in questions:
        (expected,), (found,) = exact.cosines(question[None]), coarse.cosines(question[None])
        nearest = np.argsort(-expected)[:50]
        assert (np.argsort(-found)[:50] == nearest).all()
        assert found[nearest] == pytest.approx(expected[nearest], abs=1e-6)
        assert found == pytest.approx(expected, abs=0.002)  # also where nobody looks closer


@pytest.mark.parametrize("count", [1, 255, 257])
def test_a_coarse_block_may_be_small_and_hold_a_row_of_zeros(count: int) -> None:
    rows = like_embeddings(np.random.default_rng(3), count)
    rows[0] = 0
    question = like_embeddings(np.random.default_rng(4), 1)
    connection = stored(rows)
    found = open_block(connection, "segment", 1, 0).cosines(question)
    assert found == pytest.approx(open_block(connection, "segment", 1).cosines(question), abs=0.002)
    assert found[0, 0] == 0


def test_a_block_without_rows_has_no_cosines() -> None:
    block = open_block(stored(np.zeros((0, DIMENSION), np.float32)), "segment", 1)
    assert len(block) == 0
    assert block.cosines(np.ones((2, DIMENSION), np.float32)).shape == (2, 0)


def test_threads_may_ask_one_coarse_block(
    connection: sqlite3.Connection, questions: Vectors
) -> None:
    block = open_block(connection, "segment", 1, 0)
    alone = [block.cosines(question[None]) for question in questions]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(block.cosines, [question[None] for question in questions]))
    assert all((one == other).all() for one, other in zip(alone, together, strict=True))


def test_several_questions_at_once_are_answered_as_one_by_one(
    connection: sqlite3.Connection, questions: Vectors
) -> None:
    for block in (open_block(connection, "segment", 1), open_block(connection, "segment", 1, 0)):
        together = block.cosines(questions[:2])
        assert together.shape == (2, ROWS)
        for row, question in zip(together, questions[:2], strict=True):
            assert row == pytest.approx(block.cosines(question[None])[0], abs=0.002)


def test_a_whole_search_answers_the_same_from_the_layout_of_large_wikis(
    small_artifact: Artifact, searcher: Searcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("index_artifacts.vector_block.EXACT_ROWS", 0)
    monkeypatch.setattr("index_artifacts.postings.HELD_BYTES", 0)
    encoder = open_encoder(small_artifact.model)
    large = Searcher(Index(small_artifact), lambda: encoder)
    for question in ("Na akom porte počúva server?", "diplomové práce o preklade", "корпус"):
        expected = searcher.search(SearchRequest(question)).hits
        found = large.search(SearchRequest(question)).hits
        assert [hit.chunk_id for hit in found] == [hit.chunk_id for hit in expected]
        assert [hit.scores.score for hit in found] == pytest.approx(
            [hit.scores.score for hit in expected], abs=0.02
        )


def test_postings_read_from_the_file_score_like_those_in_memory(
    small_artifact: Artifact, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = Index(small_artifact)
    words = ["server", "prekladu", "mokra"]
    held = [Postings(index.connection, n).scores(index.connection, words) for n in (0, 1)]
    monkeypatch.setattr("index_artifacts.postings.HELD_BYTES", 0)
    for number, expected in enumerate(held):
        scores, whole = Postings(index.connection, number).scores(index.connection, words)
        assert expected[0].any()
        assert (scores == expected[0]).all()
        assert whole == expected[1]


@pytest.mark.parametrize("count", [100, 12_800, 13_000, 40_003])
def test_the_best_rows_are_found_in_groups_as_in_all(count: int) -> None:
    cosines = np.random.default_rng(5).random(count).astype(np.float32)
    assert set(best_rows(cosines, 200)) == set(np.argsort(-cosines)[:200])
