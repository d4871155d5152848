"""The real model answers: languages, special tokens, length limits, splitting, determinism."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from index_artifacts.encoder import check_same_model, describe, probe_vectors
from index_artifacts.encoders import open_encoder
from index_artifacts.errors import (
    InputTooLongError,
    ModelError,
    ModelMismatchError,
    ModelMissingError,
)
from index_artifacts.onnx_encoder import OnnxEncoder
from index_artifacts.spans import cut_spans

if TYPE_CHECKING:
    from pathlib import Path

PAGES = [
    "Študent musí pred začiatkom práce požiadať vedúceho o prístup na server.",
    "Server wymaga logowania kluczem. " * 20,
    "Нейронная сеть распознаёт речь.",
    "",
    "Short.",
    "Konfigurace webového serveru a databáze. " * 12,
]


@pytest.fixture(scope="module")
def encoder(model_folder: Path) -> OnnxEncoder:
    return OnnxEncoder(model_folder)


def test_the_same_thing_in_another_language_is_nearer_than_another_thing(
    encoder: OnnxEncoder,
) -> None:
    english, slovak, russian, law = encoder.encode_passages(
        [
            "How do I reset a forgotten password?",
            "Ako si obnovím zabudnuté heslo?",
            "Как восстановить забытый пароль?",
            "Parlament schválil zákon o štátnom rozpočte.",
        ]
    )
    assert english @ slovak > english @ law + 0.05
    assert english @ russian > english @ law + 0.05
    assert slovak @ russian > slovak @ law + 0.05


def test_a_query_finds_the_passage_that_answers_it(encoder: OnnxEncoder) -> None:
    passages = encoder.encode_passages(PAGES)
    scores = passages @ encoder.encode_query("jak się zalogować na serwer")[0]
    assert int(np.argmax(scores)) == 1


def test_vectors_are_unit_rows_and_nothing_gives_no_rows(encoder: OnnxEncoder) -> None:
    vectors = encoder.encode_passages(PAGES)
    assert vectors.shape == (len(PAGES), 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    assert encoder.encode_query("x").shape == (1, 384)
    assert encoder.encode_passages([]).shape == (0, 384)


@pytest.mark.parametrize("workers", [2, 5])
def test_workers_change_no_bit(encoder: OnnxEncoder, model_folder: Path, workers: int) -> None:
    parallel = OnnxEncoder(model_folder, workers=workers)
    alone = np.concatenate([encoder.encode_passages([page]) for page in PAGES])
    assert parallel.encode_passages(PAGES).tobytes() == alone.tobytes()


@pytest.mark.parametrize("special", ["<s>", "</s>", "<pad>", "<unk>", "<mask>"])
def test_a_literal_special_token_is_ordinary_text(encoder: OnnxEncoder, special: str) -> None:
    ids = encoder._ids(f"type {special} here")
    assert not set(ids) & {0, 1, 2, 3, 250001}
    assert encoder.count_tokens(special) > 1


def test_tokens_are_those_of_sentencepiece(encoder: OnnxEncoder) -> None:
    # ids that the published tokenizer of XLM-R gives for its well-known example
    assert encoder._ids("Hello world!") == [35378, 8999, 38]
    assert encoder._ids("Hello \n\n  world!") == [35378, 8999, 38], "runs of space are one"


def test_a_lone_surrogate_is_read_as_a_question_mark(encoder: OnnxEncoder) -> None:
    assert encoder._ids("a\ud800") == encoder._ids("a?")


def test_an_over_long_passage_is_refused_never_cut(encoder: OnnxEncoder) -> None:
    fits = "slovo " * (encoder.max_tokens - encoder.overhead())
    assert encoder.count_tokens(fits) + encoder.overhead() == 512
    encoder.encode_passages([fits])
    with pytest.raises(InputTooLongError, match=r"513 tokens.*the 512.*'slovo slovo") as refused:
        encoder.encode_passages(["short", fits + "slovo"])
    assert len(str(refused.value)) < 200
    with pytest.raises(InputTooLongError):
        encoder.encode_query(fits + "slovo slovo")


def check_spans(encoder: OnnxEncoder, text: str, most: int) -> list[str]:
    spans = encoder.split(text, most)
    parts = [text[start:end] for start, end in spans]
    assert "".join(parts) == text
    assert all(start < end for start, end in spans)
    assert all(encoder.count_tokens(part) <= most for part in parts)
    return parts


CHARACTERS = st.one_of(
    st.characters(),
    st.sampled_from(" \n\t\u00a0\u200b\u200d\u00ad\u0301\u0308\ufe0f\u0001žкﷺ漢👩🏽▁"),
    st.sampled_from("abc "),
)


@given(st.text(CHARACTERS, max_size=400), st.integers(20, 60))
@settings(deadline=None, max_examples=300)
def test_spans_cover_any_text_and_fit(model_folder: Path, text: str, most: int) -> None:
    check_spans(shared(model_folder), text, most)


_opened: dict[Path, OnnxEncoder] = {}


def shared(folder: Path) -> OnnxEncoder:
    """Opening takes half a second, and Hypothesis asks for every example."""
    if folder not in _opened:
        _opened[folder] = OnnxEncoder(folder)
    return _opened[folder]


@pytest.mark.parametrize(
    "text",
    [
        "x" * 30_000,
        "漢" * 5_000,
        "👩‍👩‍👧‍👦" * 1_000,
        "e\u0301" * 5_000,
        "\u200b" * 5_000 + "end",
        "\u0001" * 5_000 + "end",
        " \n" * 5_000,
        "word " * 5_000,
        "https://example.org/" + "a1B2" * 4_000,
    ],
)
def test_hard_texts_are_split_without_loss(encoder: OnnxEncoder, text: str) -> None:
    check_spans(encoder, text, encoder.max_tokens - encoder.overhead())


def test_cuts_fall_at_the_start_of_words(encoder: OnnxEncoder) -> None:
    text = "Rozpoznávanie pomenovaných entít v slovenčine.\n\n" * 40
    parts = check_spans(encoder, text, 50)
    assert len(parts) > 10
    assert all(part[0] != " " and part[-1].isspace() for part in parts)
    assert all(encoder.count_tokens(part) > 35 for part in parts[:-1]), "spans are well filled"


def test_no_text_has_no_span(encoder: OnnxEncoder) -> None:
    assert encoder.split("", 100) == []


def test_a_limit_below_one_character_is_refused_not_looped_over(encoder: OnnxEncoder) -> None:
    with pytest.raises(InputTooLongError, match="4 tokens"):
        encoder.split("ﷺ", 3)
    with pytest.raises(InputTooLongError):
        encoder.split("word", 0)


def test_a_part_that_counts_more_alone_is_made_shorter() -> None:
    text = "abcdefghij"
    spans = cut_spans(text, range(10), 4, lambda part: len(part) + 1)
    assert spans == [(0, 3), (3, 6), (6, 9), (9, 10)]


def test_a_missing_model_says_how_to_get_it(model_folder: Path, tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(ModelMissingError, match="edgewiki model"):
            open_encoder(folder)
    shutil.copy(model_folder / "encoder.json", tmp_path)
    with pytest.raises(ModelMissingError, match=r"lacks .*run `edgewiki model`"):
        open_encoder(tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("encoder.json", b"{", "cannot be read"),
        ("encoder.json", b"[]", "not a JSON object"),
        ("encoder.json", b'{"kind": "onnx", "format": 99}', "format 99"),
        ("encoder.json", b'{"kind": "onnx", "format": 2, "x": 2}', "'x'"),
        ("encoder.json", b'{"kind": "word2vec"}', "use onnx, cooccurrence or remote"),
        ("tokenizer.table", b"{}", "tokenizer.table is no tokenizer table"),
        ("model.onnx", b"nothing", "model.onnx cannot be loaded"),
        ("model.onnx.data", b"short", "model.onnx cannot be loaded"),
    ],
)
def test_a_damaged_folder_is_named(
    model_folder: Path, tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    for path in model_folder.iterdir():
        (tmp_path / path.name).symlink_to(path)
    (tmp_path / name).unlink()
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ModelError, match=said):
        open_encoder(tmp_path)


def test_the_probe_refuses_other_prefixes_and_admits_the_same_model_under_another_name(
    encoder: OnnxEncoder, model_folder: Path, tmp_path: Path
) -> None:
    for path in model_folder.iterdir():
        (tmp_path / path.name).symlink_to(path)
    spec = json.loads((model_folder / "encoder.json").read_bytes())
    described = describe(encoder, probe_vectors(encoder))

    def reopened(**changes: str) -> OnnxEncoder:
        (tmp_path / "encoder.json").unlink()
        (tmp_path / "encoder.json").write_text(json.dumps(spec | changes))
        return OnnxEncoder(tmp_path)

    renamed = reopened(name="the same by another name")
    assert renamed.fingerprint != encoder.fingerprint
    check_same_model(renamed, described)
    other = reopened(query_prefix="q: ")
    with pytest.raises(ModelMismatchError, match="query") as refused:
        check_same_model(other, described)
    assert encoder.fingerprint[:12] in str(refused.value)
    assert other.fingerprint[:12] in str(refused.value)
