"""Reading a folder of trained word vectors, made by hand here."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from index_artifacts.cooccurrence_encoder import CooccurrenceEncoder
from index_artifacts.encoder import check_same_model, describe, probe_vectors
from index_artifacts.encoders import open_encoder
from index_artifacts.errors import InputTooLongError, ModelError, ModelMissingError

if TYPE_CHECKING:
    from pathlib import Path

WORDS = ["databaza", "pes", "server", "servery"]
VECTORS = [[0, 1, 0], [0, 0, 1], [1, 0, 0], [1, 0, 0]]


def write_folder(folder: Path) -> Path:
    folder.mkdir()
    (folder / "words.txt").write_text("".join(word + "\n" for word in WORDS))
    np.save(folder / "vectors.npy", np.array(VECTORS, np.float32))
    np.save(folder / "weights.npy", np.array([1, 0.5, 1, 1], np.float32))
    spec = {"kind": "cooccurrence", "format": 1, "dimension": 3, "analyzer": "a", "files": {}}
    (folder / "encoder.json").write_text(json.dumps(spec))
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "trained")


def test_a_text_is_the_weighted_mean_of_its_words(folder: Path) -> None:
    row = CooccurrenceEncoder(folder).encode_passages(["Pes a PES, databáza."])[0]
    assert row == pytest.approx([0, 0.5**0.5, 0.5**0.5], abs=1e-6)


def test_an_inflected_word_is_read_by_its_spelling(folder: Path) -> None:
    row = CooccurrenceEncoder(folder).encode_query("serveroch")[0]
    assert row == pytest.approx([1, 0, 0], abs=1e-6)


def test_a_text_of_which_nothing_is_known_is_like_nothing(folder: Path) -> None:
    encoder = CooccurrenceEncoder(folder)
    assert not encoder.encode_passages(["", "!!!", "xyz qqq"]).any()
    assert encoder.encode_passages([]).shape == (0, 3)


def test_the_order_of_words_changes_no_bit(folder: Path) -> None:
    encoder = CooccurrenceEncoder(folder)
    one, other = encoder.encode_passages(["pes server neznamy servre", "servre neznamy server pes"])
    assert one.tobytes() == other.tobytes()


@settings(deadline=None)
@given(st.text(max_size=200), st.integers(1, 5))
def test_spans_cover_any_text_and_fit(
    tmp_path_factory: pytest.TempPathFactory, text: str, most: int
) -> None:
    folder = tmp_path_factory.getbasetemp() / "trained"
    if not folder.exists():
        write_folder(folder)
    encoder = CooccurrenceEncoder(folder)
    parts = [text[start:end] for start, end in encoder.split(text, most)]
    assert "".join(parts) == text
    assert all(0 <= encoder.count_tokens(part) <= most for part in parts)


def test_a_text_beyond_a_million_words_is_refused(folder: Path) -> None:
    encoder = CooccurrenceEncoder(folder)
    with pytest.raises(InputTooLongError, match="1000001 tokens"):
        encoder.encode_passages(["pes " * 1_000_001])


def test_a_damaged_folder_is_named(folder: Path) -> None:
    np.save(folder / "weights.npy", np.ones(3, np.float32))
    with pytest.raises(ModelError, match=r"4 words, vectors \(4, 3\), weights \(3,\)"):
        open_encoder(folder)
    (folder / "weights.npy").write_bytes(b"nothing")
    with pytest.raises(ModelError, match="cannot be read"):
        open_encoder(folder)
    (folder / "words.txt").unlink()
    with pytest.raises(ModelMissingError, match=r"lacks .*words.txt"):
        open_encoder(folder)


def test_it_recognises_itself_by_its_fingerprint(folder: Path) -> None:
    encoder = CooccurrenceEncoder(folder)
    check_same_model(CooccurrenceEncoder(folder), describe(encoder, probe_vectors(encoder)))
