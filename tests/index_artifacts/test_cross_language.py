"""Evening out languages, with the real model on the small wiki."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from build.language_means import sample
from index_artifacts.cross_language import CrossLanguage
from index_artifacts.encoders import open_encoder
from index_artifacts.index import Index
from index_artifacts.semantic import SemanticLeg
from index_artifacts.tuning import Tuning

if TYPE_CHECKING:
    from index_artifacts.artifact import Artifact
    from index_artifacts.encoder import Vectors


@pytest.fixture(scope="module")
def index(small_artifact: Artifact) -> Index:
    return Index(small_artifact)


@pytest.fixture(scope="module")
def question(small_artifact: Artifact) -> Vectors:
    return open_encoder(small_artifact.model).encode_query("Na akom porte počúva server?")


def means(index: Index, language: str) -> tuple[Vectors, Vectors]:
    row = index.connection.execute(
        "SELECT queries, passages FROM language_means WHERE language = ?", (language,)
    ).fetchone()
    queries, passages = (np.frombuffer(data, "<f4") for data in row)
    return queries, passages


def test_both_means_come_off_and_unrelated_texts_meet(index: Index, question: Vectors) -> None:
    tuning = Tuning(language_mean_share=0.5, cross_offset=0.02, sentence_share=0.0)
    leg = SemanticLeg(index)
    plain = leg.cosines(index.collections, question, None, 0.0)[0]
    evened = CrossLanguage(index, tuning).cosines(leg, index.collections, question, "sk", None)
    own = index.in_language("sk")
    assert evened[own] == pytest.approx(plain[own])
    (slovak, slovak_passages), (_, polish) = means(index, "sk"), means(index, "pl")
    shifted = (question - slovak / 2).astype(np.float32)
    halved = leg.cosines(index.collections, shifted, None, 0.0)[0]
    pages = index.in_language("pl")
    expected = halved[pages] - 0.5 * shifted[0] @ polish
    expected += slovak @ slovak_passages - 0.25 * slovak @ polish - 0.02
    assert evened[pages] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("language", [None, "en", "xx"])
def test_without_another_language_nothing_changes(
    index: Index, question: Vectors, language: str | None
) -> None:
    leg, tuning = SemanticLeg(index), Tuning()
    across = CrossLanguage(index, tuning)
    plain = leg.cosines(index.collections, question, 0.02, tuning.sentence_share)[0]
    found = across.cosines(leg, index.collections, question, language, 0.02)
    same = index.in_language(language)
    assert found[same] == pytest.approx(plain[same])
    if language != "en":
        assert found == pytest.approx(plain)
        assert not across.evened(language).any()


def test_pages_in_every_other_language_with_a_sample_are_evened_out(index: Index) -> None:
    evened = CrossLanguage(index, Tuning()).evened("sk")
    assert (evened == ~index.in_language("sk")).all()
    assert evened.any()


def test_the_sample_says_the_same_in_every_language() -> None:
    lengths = {language: len(sentences) for language, sentences in sample().items()}
    assert lengths == dict.fromkeys(("sk", "cs", "pl", "ru", "en"), 60)
    asked = [{text.endswith("?") for text in row} for row in zip(*sample().values(), strict=True)]
    assert all(len(kinds) == 1 for kinds in asked)
