"""The encoder of a version: an ONNX graph and a tokenizer in one folder.

`ModelSpec` is ``encoder.json``, the folder's description; `OnnxEncoder` runs the folder.
"""

from __future__ import annotations

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from index_artifacts.errors import ModelError, ModelMissingError
from index_artifacts.manifest import canonical_json
from index_artifacts.piece_table import PieceTable
from index_artifacts.spans import cut_spans, require_length

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from index_artifacts.encoder import Vectors

FORMAT = 2
SPEC_FILE = "encoder.json"
GRAPH_FILE = "model.onnx"
TABLE_FILE = "tokenizer.table"


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """``encoder.json``: everything that decides a vector, files by their sha256 (hex).

    ``weights_sha256`` is the file that the graph and the tokenizer were made from; a change
    in how they are made raises ``format``.
    """

    name: str
    dimension: int
    max_tokens: int
    bos: int
    eos: int
    files: dict[str, str]
    weights_sha256: str
    query_prefix: str = "query: "
    passage_prefix: str = "passage: "
    kind: str = "onnx"
    format: int = FORMAT

    @property
    def fingerprint(self) -> str:
        """sha256 (hex) over the canonical JSON."""
        return hashlib.sha256(self.to_json()).hexdigest()

    def to_json(self) -> bytes:
        """Canonical JSON, as it is written to ``encoder.json``."""
        return canonical_json(asdict(self))

    @classmethod
    def load(cls, folder: Path) -> ModelSpec:
        """Read ``encoder.json`` and see that what an encoder opens is there.

        Raises `ModelMissingError`, or `ModelError` where it is of another kind or format.
        Hashes are not checked here: whoever brought the folder has checked them.
        """
        raw = read_description(folder)
        if (raw.get("kind"), raw.get("format")) != ("onnx", FORMAT):
            raise ModelError(
                f"{folder / SPEC_FILE} is of kind {raw.get('kind')!r}, format "
                f"{raw.get('format')!r}; this edgewiki reads 'onnx', {FORMAT}: run `edgewiki model`"
            )
        try:
            spec = cls(**raw)
        except TypeError as error:
            raise ModelError(f"{folder / SPEC_FILE}: {error}; run `edgewiki model`") from error
        for name in (GRAPH_FILE, TABLE_FILE):
            if not (folder / name).is_file():
                raise ModelMissingError(f"the model lacks {folder / name}: run `edgewiki model`")
        return spec


def read_description(folder: Path) -> dict[str, Any]:
    """Parse the ``encoder.json`` of any kind of encoder.

    Raises `ModelMissingError` where there is none, `ModelError` where it is no JSON object.
    """
    path = folder / SPEC_FILE
    try:
        raw = json.loads(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError) as error:
        raise ModelMissingError(
            f"no model in {folder} (there is no {SPEC_FILE}): run `edgewiki model`"
        ) from error
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} cannot be read: {error}; run `edgewiki model`") from error
    if not isinstance(raw, dict):
        raise ModelError(f"{path} is not a JSON object: run `edgewiki model`")
    return raw


class Tokenizer(Protocol):
    """Turns text into the ids of the model's pieces, without special tokens."""

    def ids(self, text: str) -> list[int]:
        """The ids of ``text``."""

    def starts(self, text: str) -> list[int]:
        """About where in ``text`` each of its tokens begins, ascending."""


class OnnxEncoder:
    """An `Encoder` over ``model.onnx`` and ``tokenizer.table``.

    Every text runs as a batch of its own, since padding would change a vector's last bits;
    ``workers`` texts run at a time and give the same bits for any number of them.
    ``threads`` is how many threads one text may use. ``tokenizer`` is the table by default;
    a build hands in the library that it stands for, which is faster on long texts.
    """

    def __init__(
        self,
        folder: Path,
        threads: int = 1,
        workers: int = 1,
        tokenizer: Tokenizer | None = None,
    ) -> None:
        """Load the folder. Raises `ModelMissingError` or `ModelError`."""
        self.spec = ModelSpec.load(folder)
        self.kind = self.spec.kind
        self.fingerprint = self.spec.fingerprint
        self.dimension = self.spec.dimension
        self.max_tokens = self.spec.max_tokens
        self.workers = workers
        self._tokenizer = tokenizer or PieceTable(folder / TABLE_FILE)
        self._session = _open_session(folder / GRAPH_FILE, threads)
        self._query_prefix = self._ids(self.spec.query_prefix)
        self._passage_prefix = self._ids(self.spec.passage_prefix)

    def count_tokens(self, text: str) -> int:
        """Tokens of ``text`` alone, without prefix and special tokens."""
        return len(self._ids(text))

    def overhead(self) -> int:
        """Tokens that the passage prefix, <s> and </s> add."""
        return len(self._passage_prefix) + 2

    def split(self, text: str, max_tokens: int) -> list[tuple[int, int]]:
        """Spans of ≤ ``max_tokens`` tokens that cover ``text``; see `cut_spans`."""
        starts = self._tokenizer.starts(_encodable(text))
        return cut_spans(text, starts, max_tokens, self.count_tokens)

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension). Raises `InputTooLongError` before any text is run."""
        inputs = [self._input(self._passage_prefix, text) for text in texts]
        if not inputs:
            return np.zeros((0, self.dimension), np.float32)
        if self.workers == 1 or len(inputs) == 1:
            return np.concatenate([self._run(ids) for ids in inputs])
        with ThreadPoolExecutor(self.workers) as pool:
            return np.concatenate(list(pool.map(self._run, inputs)))

    def encode_query(self, text: str) -> Vectors:
        """Shape (1, dimension). Raises `InputTooLongError`."""
        return self._run(self._input(self._query_prefix, text))

    def _ids(self, text: str) -> list[int]:
        return self._tokenizer.ids(_encodable(text))

    def _input(self, prefix: list[int], text: str) -> list[int]:
        """Ids of one input. Prefix and text are separate words, so their ids just add up."""
        ids = [self.spec.bos, *prefix, *self._ids(text), self.spec.eos]
        require_length(text, len(ids), self.max_tokens)
        return ids

    def _run(self, ids: list[int]) -> Vectors:
        row = np.array([ids], np.int64)
        feed = {"input_ids": row, "attention_mask": np.ones_like(row)}
        vectors: Vectors = self._session.run(["embedding"], feed)[0]
        return vectors


def _open_session(path: Path, threads: int) -> Any:
    import onnxruntime as ort  # slow to import, and only this encoder needs it

    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.inter_op.allow_spinning", "0")
    try:
        return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the library raises nothing narrower
        raise ModelError(f"{path} cannot be loaded: {error}; run `edgewiki model`") from error


def _encodable(text: str) -> str:
    """``text`` with lone surrogates (which JSON can smuggle in) as "?", its length kept."""
    return text.encode("utf-8", "replace").decode()
