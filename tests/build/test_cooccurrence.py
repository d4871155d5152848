"""Training word vectors on small corpora whose meanings are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from build.cooccurrence import train
from index_artifacts.encoders import open_encoder

if TYPE_CHECKING:
    from pathlib import Path

SUBJECTS = ["macka", "pes", "kon"]
KITCHEN = ["hrniec", "panvica", "sporak"]


def two_topics() -> list[list[str]]:
    """Animals run and sleep in the yard, pots boil soup: the topics share no word."""
    animals = [[a, "bezi", "dvor", b, "spi", "trava"] for a in SUBJECTS for b in SUBJECTS]
    kitchen = [[a, "vari", "polievka", b, "vreje", "ohen"] for a in KITCHEN for b in KITCHEN]
    return [*animals, *kitchen]


def test_words_of_one_topic_are_near_and_of_two_topics_far(tmp_path: Path) -> None:
    encoder = train(two_topics(), tmp_path)
    cat, dog, pot = encoder.encode_passages(["macka", "pes", "hrniec"])
    assert cat @ dog > 0.8
    assert abs(cat @ pot) < 0.2


def test_training_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("first", "second"):
        train(iter(two_topics()), tmp_path / name)
    names = sorted(path.name for path in (tmp_path / "first").iterdir())
    assert names == ["encoder.json", "vectors.npy", "weights.npy", "words.txt"]
    for name in names:
        first, second = ((tmp_path / run / name).read_bytes() for run in ("first", "second"))
        assert first == second, name


def test_what_was_trained_opens_again_and_reads_as_a_word_list(tmp_path: Path) -> None:
    trained = train(two_topics(), tmp_path, dimension=16)
    opened = open_encoder(tmp_path)
    assert (opened.kind, opened.dimension) == ("cooccurrence", 16)
    assert opened.fingerprint == trained.fingerprint
    text = "pes bezi"
    assert opened.encode_query(text).tobytes() == trained.encode_query(text).tobytes()
    words = (tmp_path / "words.txt").read_text().splitlines()
    assert words == sorted(words)
    assert {"macka", "hrniec"} <= set(words)


def test_frequent_words_weigh_less(tmp_path: Path) -> None:
    encoder = train([["a", "pes"], ["a", "kon"], ["a", "dom"], ["a", "les"]], tmp_path)
    weights = dict(zip(["a", "dom", "kon", "les", "pes"], encoder._weights, strict=True))
    assert weights["a"] < weights["dom"] == weights["pes"]


@pytest.mark.parametrize("texts", [[], [[]], [["sam"]], [["dva", "slova"]], [["x"] * 9], [["\n"]]])
def test_a_wiki_of_hardly_any_words_still_has_an_encoder(
    tmp_path: Path, texts: list[list[str]]
) -> None:
    encoder = train(texts, tmp_path)
    known = sorted({word for text in texts for word in text if word.strip()})
    vectors = encoder.encode_passages([*known, "unrelated"])
    assert vectors.shape == (len(known) + 1, 128)
    assert np.linalg.norm(vectors[:-1], axis=1) == pytest.approx(1, abs=1e-5)
    assert not vectors[-1].any()


def test_in_a_large_wiki_a_word_that_occurs_once_is_left_out(tmp_path: Path) -> None:
    twice = [[f"slovo{n}", f"veta{n}"] for n in range(1_200)] * 2
    encoder = train([*twice, ["ojedinele", "slovo7"]], tmp_path, dimension=8)
    assert len(encoder._words) == 2_400
    assert "ojedinele" not in encoder._ids


@settings(deadline=None)
@given(st.lists(st.lists(st.sampled_from(["a", "b", "c", "dd", "ee", "ž", "ф"]), max_size=8)))
def test_any_corpus_gives_unit_vectors_for_its_words(
    tmp_path_factory: pytest.TempPathFactory, texts: list[list[str]]
) -> None:
    encoder = train(texts, tmp_path_factory.mktemp("trained"), dimension=4)
    assert np.isfinite(encoder._vectors).all()
    known = sorted({word for text in texts for word in text if word.isascii()})
    rows = encoder.encode_passages(known)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-4)
