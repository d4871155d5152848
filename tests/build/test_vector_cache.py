"""Vectors kept between builds: reused when whole, computed again when not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from build.vector_cache import MAGIC, VectorCache, input_key
from index_artifacts.file_store import FileStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from build.vector_cache import Vector
    from index_artifacts.store import Entry

MODEL = "a" * 64
KEYS = [input_key(text) for text in ("jeden", "dva", "tri")]


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    return FileStore(tmp_path / "store")


def vector(*values: float) -> Vector:
    return np.array(values, np.float32)


def filled(store: FileStore) -> VectorCache:
    cache = VectorCache(store, MODEL, 2)
    for number, key in enumerate(KEYS):
        cache.put(key, vector(number, 0.1))
    cache.save()
    return cache


def packs(store: FileStore) -> list[str]:
    return sorted(entry.key for entry in store.list("cache/"))


def rewrite(store: FileStore, change: slice, new: bytes) -> None:
    """Change the only pack's bytes behind the store's back."""
    (name,) = packs(store)
    path = store.folder / name
    data = bytearray(path.read_bytes())
    data[change] = new
    path.write_bytes(data)


def test_what_one_build_saves_the_next_one_finds_to_the_bit(store: FileStore) -> None:
    filled(store)
    cache = VectorCache(store, MODEL, 2)
    for number, key in enumerate(KEYS):
        found = cache.get(key)
        assert found is not None
        assert found.tobytes() == vector(number, 0.1).tobytes()
    assert cache.get(input_key("štyri")) is None
    assert cache.damaged == 0


def test_nothing_new_writes_nothing(store: FileStore) -> None:
    filled(store).save()
    VectorCache(store, MODEL, 2).save()
    assert len(packs(store)) == 1


def test_another_model_finds_nothing(store: FileStore) -> None:
    filled(store)
    assert VectorCache(store, "b" * 64, 2).get(KEYS[0]) is None


@pytest.mark.parametrize("offset", [0, 33, -1], ids=["key", "vector", "checksum"])
def test_a_flipped_bit_costs_that_entry_alone(store: FileStore, offset: int) -> None:
    filled(store)
    size = 32 + 2 * 4 + 8
    second = len(MAGIC) + 4 + size + offset % size
    rewrite(store, slice(second, second + 1), b"\xee")
    cache = VectorCache(store, MODEL, 2)
    assert cache.damaged == 1
    assert [cache.get(key) is None for key in KEYS].count(True) == 1
    for key in KEYS:
        if cache.get(key) is None:
            cache.put(key, vector(9, 9))
    cache.save()
    again = VectorCache(store, MODEL, 2)
    assert all(again.get(key) is not None for key in KEYS)


def test_a_pack_that_was_cut_short_keeps_its_whole_entries(store: FileStore) -> None:
    filled(store)
    rewrite(store, slice(-5, None), b"")
    cache = VectorCache(store, MODEL, 2)
    assert cache.damaged == 1
    assert sum(cache.get(key) is not None for key in KEYS) == 2


@pytest.mark.parametrize("data", [b"", b"edge", b"something else entirely" * 10, MAGIC])
def test_a_pack_of_something_else_is_no_pack(store: FileStore, data: bytes) -> None:
    store.write_new(f"cache/embeddings/{MODEL}/x.pack", data)
    cache = VectorCache(store, MODEL, 2)
    assert cache.damaged == 1
    assert cache.get(KEYS[0]) is None


def test_a_pack_of_another_dimension_is_not_believed(store: FileStore) -> None:
    filled(store)
    cache = VectorCache(store, MODEL, 3)
    assert cache.damaged == 1
    assert [cache.get(key) for key in KEYS] == [None] * 3


def test_many_packs_become_one_that_holds_them_all(store: FileStore) -> None:
    keys = [input_key(str(number)) for number in range(12)]
    most = 0
    for number, key in enumerate(keys):
        cache = VectorCache(store, MODEL, 2)
        cache.put(key, vector(number, 1))
        cache.save()
        most = max(most, len(packs(store)))
    assert 1 < most <= 8
    assert len(packs(store)) < 8
    cache = VectorCache(store, MODEL, 2)
    for number, key in enumerate(keys):
        found = cache.get(key)
        assert found is not None
        assert found[0] == number


def test_a_pack_that_vanishes_while_it_is_read_is_no_fault(store: FileStore) -> None:
    class Vanishing(FileStore):
        def list(self, prefix: str) -> Iterator[Entry]:
            for entry in super().list(prefix):
                self.delete(entry.key)
                yield entry

    filled(store)
    cache = VectorCache(Vanishing(store.folder), MODEL, 2)
    assert cache.get(KEYS[0]) is None
    assert cache.damaged == 0
