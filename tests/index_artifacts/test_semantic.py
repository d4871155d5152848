"""The semantic leg, against cosines worked out from the vectors themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from index_artifacts.encoders import open_encoder
from index_artifacts.errors import ArtifactError
from index_artifacts.index import Index
from index_artifacts.semantic import ABSENT, SemanticLeg

if TYPE_CHECKING:
    from index_artifacts.artifact import Artifact
    from index_artifacts.encoder import Vectors


@pytest.fixture(scope="module")
def index(small_artifact: Artifact) -> Index:
    return Index(small_artifact)


@pytest.fixture(scope="module")
def question(small_artifact: Artifact) -> Vectors:
    return open_encoder(small_artifact.model).encode_query("Na akom porte počúva server?")


def test_the_best_segment_speaks_for_its_chunk(index: Index, question: Vectors) -> None:
    cosines = SemanticLeg(index).cosines(index.collections, question, None, 0.0)[0]
    for collection in index.collections:
        data, width = index.connection.execute(
            "SELECT data, dimension FROM vectors WHERE kind = 'segment' AND collection_id = ?",
            (collection.id,),
        ).fetchone()
        vectors = np.frombuffer(data, "<f2").reshape(-1, width).astype(np.float32)
        chunks = [
            row[0] - 1
            for row in index.connection.execute(
                "SELECT chunk_id FROM segments WHERE chunk_id > ? AND chunk_id <= ? ORDER BY id",
                (collection.first, collection.first + collection.chunks),
            )
        ]
        for position in range(collection.first, collection.first + collection.chunks):
            own = [v @ question[0] for v, c in zip(vectors, chunks, strict=True) if c == position]
            assert cosines[position] == pytest.approx(max(own), abs=1e-5)


def test_a_heading_lifts_its_chunks_unless_its_offset_is_too_high(
    index: Index, question: Vectors
) -> None:
    leg = SemanticLeg(index)
    text = leg.cosines(index.collections, question, None, 0.0)[0]
    assert (leg.cosines(index.collections, question, 0.0, 0.0)[0] > text + 0.01).any()
    assert leg.cosines(index.collections, question, 5.0, 0.0)[0] == pytest.approx(text)


def test_the_answer_is_nearest_in_meaning(index: Index, question: Vectors) -> None:
    cosines = SemanticLeg(index).cosines(index.collections, question, 0.02, 0.0)[0]
    best = int(cosines.argmax()) + 1
    (text,) = index.connection.execute("SELECT text FROM chunks WHERE id = ?", (best,)).fetchone()
    assert "2222" in text


def test_one_sentence_can_speak_for_a_chunk_that_has_several(
    index: Index, question: Vectors
) -> None:
    leg = SemanticLeg(index)
    whole = leg.cosines(index.collections, question, None, 0.0)[0]
    sentence = leg.cosines(index.collections, question, None, 1.0)[0]
    mixed = leg.cosines(index.collections, question, None, 0.5)[0]
    assert (sentence >= whole - 1e-6).all()
    assert (sentence > whole + 0.005).any()
    assert mixed == pytest.approx((whole + sentence) / 2, abs=1e-6)


def test_other_collections_are_absent(index: Index, question: Vectors) -> None:
    students, wiki = index.collections
    leg = SemanticLeg(index)
    cosines = leg.cosines([students], question, None, 0.0)[0]
    assert (cosines[wiki.slice] == ABSENT).all()
    assert (cosines[students.slice] > 0).all()
    summaries = leg.summary_cosines([students], question)
    assert summaries.shape == index.published.shape
    assert np.count_nonzero(summaries != ABSENT) == 2  # Jana and Ivan


def test_an_index_without_vectors_says_what_to_do(
    small_artifact: Artifact, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("index_artifacts.semantic.SUMMARY", "thought")
    with pytest.raises(ArtifactError, match="lacks the thought vectors: build it again"):
        SemanticLeg(Index(small_artifact))
