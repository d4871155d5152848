"""The manifest: one document, canonical bytes, an optional signature."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index_artifacts.errors import IntegrityError, SignatureError
from index_artifacts.manifest import FileEntry, Manifest, Source, canonical_json

KEY = b"a signing key"
MANIFEST = Manifest(
    version="abc-123",
    source=Source(revision="abc", committed_at="2026-01-02T03:04:05+00:00", ancestors=("9", "8")),
    files=(FileEntry("index.sqlite", "0" * 64, 3), FileEntry("graph.pickle", "1" * 64, 4)),
    counts={"documents": 2},
    config={"title": "Žltá wiki"},
    analyzer="a1",
    encoder={"dimensions": 384},
    report=({"kind": "broken-link", "line": 3},),
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


def test_a_manifest_survives_its_own_bytes() -> None:
    assert Manifest.from_json(MANIFEST.to_json()) == MANIFEST


@given(config=st.dictionaries(st.text(), json_values, max_size=4), counts=st.integers())
def test_any_config_survives(config: dict[str, Any], counts: int) -> None:
    manifest = replace(MANIFEST, config=config, counts={"documents": counts})
    again = Manifest.from_json(manifest.to_json())
    assert again == manifest
    assert again.to_json() == manifest.to_json()


def test_equal_values_give_equal_bytes() -> None:
    assert canonical_json({"b": 1, "a": [2]}) == canonical_json({"a": [2], "b": 1})
    assert MANIFEST.to_json().endswith(b"}\n")
    assert "Žltá".encode() in MANIFEST.to_json()


def test_a_file_is_found_by_name() -> None:
    assert MANIFEST.file("graph.pickle").size == 4
    with pytest.raises(IntegrityError, match=r"abc-123.*no model\.onnx"):
        MANIFEST.file("model.onnx")


def test_a_signature_is_verified_by_its_key() -> None:
    signed = MANIFEST.sign(KEY)
    signed.verify_signature(KEY)
    Manifest.from_json(signed.to_json()).verify_signature(KEY)
    assert signed.sign(KEY) == signed


def test_another_key_is_refused() -> None:
    with pytest.raises(SignatureError, match="another key"):
        MANIFEST.sign(KEY).verify_signature(b"another")


def test_an_unsigned_manifest_is_refused_by_a_reader_with_a_key() -> None:
    with pytest.raises(SignatureError, match=r"unsigned.*EDGEWIKI_SIGNING_KEY"):
        MANIFEST.verify_signature(KEY)


@pytest.mark.parametrize(
    "change",
    [
        {"version": "abc-124"},
        {"files": MANIFEST.files[:1]},
        {"config": {}},
        {"tuning": {"k": 1}},
        {"source": Source(revision="abd")},
    ],
)
def test_a_signature_covers_everything(change: dict[str, Any]) -> None:
    with pytest.raises(SignatureError):
        replace(MANIFEST.sign(KEY), **change).verify_signature(KEY)


def test_another_format_says_what_to_do() -> None:
    raw = json.loads(MANIFEST.to_json())
    raw["format"] = 2
    with pytest.raises(IntegrityError, match="format 2 is not 1: build the version again"):
        Manifest.from_json(canonical_json(raw))


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"null", b"3", b"\xff", b'{"format": 1}'])
def test_what_is_no_manifest_is_refused(data: bytes) -> None:
    with pytest.raises(IntegrityError):
        Manifest.from_json(data)


@pytest.mark.parametrize(
    "name", sorted({*json.loads(MANIFEST.to_json())} - {"tuning", "calibration", "signature"})
)
def test_a_missing_field_is_refused(name: str) -> None:
    raw = json.loads(MANIFEST.to_json())
    del raw[name]
    with pytest.raises(IntegrityError, match=name):
        Manifest.from_json(canonical_json(raw))
