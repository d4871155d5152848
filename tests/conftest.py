"""Fixtures that several folders of tests share."""

from __future__ import annotations

import asyncio
import fcntl
import math
import os
import struct
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from build.config import load_config
from build.e5_weights import Shape, tensor_shapes
from build.model import prepare_model
from build.pipeline import build_version
from build.publish import publish
from index_artifacts.artifact import Artifact, open_artifact
from index_artifacts.encoders import open_encoder
from index_artifacts.index import Index
from index_artifacts.search import Searcher
from index_artifacts.store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator

pytest_plugins = ["tests.browser", "tests.llm_server", "tests.openid_provider", "tests.s3_server"]

MODEL_DIR = Path(__file__).parent.parent / ".edgewiki" / "model"


@pytest.fixture
def mangums_loop() -> Iterator[None]:
    """An event loop to answer in: Mangum would make one where there is none, and leave it open."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield
    asyncio.set_event_loop(None)
    loop.close()


@pytest.fixture(scope="session")
def model_folder() -> Path:
    """The real model, prepared once and kept between runs."""
    folder = Path(os.environ.get("EDGEWIKI_MODEL_DIR") or MODEL_DIR)
    folder.parent.mkdir(parents=True, exist_ok=True)
    lock = folder.parent / f"{folder.name}.lock"
    with lock.open("w") as file:  # several test processes may ask at once
        fcntl.flock(file, fcntl.LOCK_EX)
        return prepare_model(None, folder)


TINY = Shape(32, 1, 2, 64, 16, 24, 2, 1e-12, bos=0, eos=2, pad=1, unknown=3)
PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", "query", "passage", ":", "a", "b", "▁ab", "<mask>"]


def tiny_weights(seed: int = 1) -> bytes:
    """A whole weights file for a network of one layer and twelve pieces."""
    random = np.random.default_rng(seed)
    sizes = (TINY.hidden, TINY.layers, TINY.heads, TINY.feed_forward, TINY.vocabulary)
    header = b"E5S1" + struct.pack("<I7ifi", 1, *sizes, TINY.positions, TINY.token_types, 1e-12, 32)
    encoded = [piece.encode() for piece in PIECES]
    offsets = np.cumsum([0, *map(len, encoded)]).astype("<u4")
    scores = np.array([0, 0, 0, 0, *(-float(n) for n in range(1, 8)), 0], "<f4")
    vocabulary = struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, offsets[-1])
    vocabulary += offsets.tobytes() + scores.tobytes() + b"".join(encoded)
    normaliser = struct.pack("<iI", 2, 14) + struct.pack("<IBIIB", 0xAA, 1, ord("a"), 1, 0)
    tensors = {name: tensor(random, shape) for name, shape in tensor_shapes(TINY).items()}
    directory_size = 4 + sum(2 + len(name) + 21 for name in tensors)
    at = len(header) + len(vocabulary) + len(normaliser) + directory_size
    directory = struct.pack("<i", len(tensors))
    for name, (kind, count, data) in tensors.items():
        directory += struct.pack("<H", len(name)) + name.encode()
        directory += struct.pack("<BIQQ", kind, count, at, len(data))
        at += len(data)
    blocks = b"".join(data for _, _, data in tensors.values())
    return header + vocabulary + normaliser + directory + blocks


def tensor(random: np.random.Generator, shape: tuple[int, ...]) -> tuple[int, int, bytes]:
    """(kind, numbers, bytes): matrices but for the small tables are 4-bit blocks."""
    count = math.prod(shape)
    if len(shape) == 1 or shape in {(TINY.positions, TINY.hidden), (TINY.token_types, TINY.hidden)}:
        return 0, count, random.standard_normal(count).astype("<f4").tobytes()
    nibbles = random.integers(0, 256, (count // 32, 16), dtype=np.uint8)
    scales = random.uniform(0.01, 0.1, (count // 32, 1)).astype("<f2").view(np.uint8)
    return 1, count, np.hstack([scales, nibbles]).tobytes()


@pytest.fixture
def weights_folder(tmp_path: Path) -> Path:
    """A folder with a tiny ``e5-small-q4.bin``."""
    folder = tmp_path / "weights"
    folder.mkdir()
    (folder / "e5-small-q4.bin").write_bytes(tiny_weights())
    return folder


@pytest.fixture
def file_server(tmp_path: Path) -> Iterator[str]:
    """The URL of a server of the files in ``tmp_path / "served"``."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            """Say nothing: the test reads the error, not the log."""

    (tmp_path / "served").mkdir()
    handler = partial(Quiet, directory=str(tmp_path / "served"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


SMALL_WIKI = Path(__file__).parent.parent / "eval" / "corpora" / "small"


@pytest.fixture(scope="session")
def small_store(model_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The URL of a store in which the small wiki, compiled for real, is published.

    Compiled once for all test processes; tests read it and never write to it. The artifact
    lies in ``small_artifact``.
    """
    shared = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        shared = shared.parent  # what the worker processes have in common
    with (shared / "small.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        url, artifact = f"file://{shared / 'small-store'}", shared / "small-artifact"
        if not (artifact / "manifest.json").exists():
            config = load_config(SMALL_WIKI, model_dir=model_folder)
            build_version(SMALL_WIKI, artifact, config, open_store(url))
            publish(artifact, open_store(url))
    return url


@pytest.fixture(scope="session")
def small_artifact(small_store: str) -> Artifact:
    """The small wiki's artifact, as the build wrote it."""
    return open_artifact(Path(small_store.removeprefix("file://")).parent / "small-artifact")


@pytest.fixture(scope="session")
def searcher(small_artifact: Artifact) -> Searcher:
    """The small wiki, ready to be asked with the real model."""
    encoder = open_encoder(small_artifact.model)
    return Searcher(Index(small_artifact), lambda: encoder)
