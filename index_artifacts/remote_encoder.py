"""An encoder behind an OpenAI-compatible ``/v1/embeddings``."""

from __future__ import annotations

import hashlib
import math
import re
import time
import weakref
from typing import TYPE_CHECKING, Any

import httpx
import numpy as np

from index_artifacts.errors import ModelError, ModelMismatchError
from index_artifacts.manifest import canonical_json
from index_artifacts.onnx_encoder import SPEC_FILE, read_description
from index_artifacts.retry_after import retry_after
from index_artifacts.spans import cut_spans, require_length

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from index_artifacts.encoder import Vectors

FORMAT = 1
KIND = "remote"
BATCH = 32
RETRIES = 3
LONGEST_WAIT = 10.0

# A run that is no word of a language: a hash, base64, a long URL.
_NO_WORD = re.compile(r"[A-Za-z0-9+/=_-]{25,}")


class RemoteEncoder:
    """An `Encoder` that asks a server.

    The fingerprint covers model name, prefixes and dimension; what the server really runs is
    proved by the version's probe. Token counts are `estimate_tokens`, so ``max_tokens`` is
    reached early rather than late.
    """

    kind = KIND

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str = "",
        *,
        query_prefix: str = "query: ",
        passage_prefix: str = "passage: ",
        dimension: int | None = None,
        max_tokens: int = 512,
        timeout: float = 30.0,
        backoff: float = 0.5,
        retries: int = RETRIES,
    ) -> None:
        """Asks once for the dimension where it is None. Raises `ModelError`.

        ``base_url`` may end in ``/v1`` or not; ``timeout`` and ``backoff`` are seconds, the
        wait doubles with each of at most ``retries``.
        """
        self.base_url, self.model = base_url, model
        self.query_prefix, self.passage_prefix = query_prefix, passage_prefix
        self.max_tokens = max_tokens
        self._backoff, self._retries = backoff, retries
        self._url, self._shown = _endpoint(base_url)
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._client = httpx.Client(timeout=timeout, headers=headers)
        weakref.finalize(self, self._client.close)
        self.dimension = dimension or self._embed([passage_prefix + "dimension"]).shape[1]
        self.fingerprint = hashlib.sha256(canonical_json(self._identity())).hexdigest()

    @classmethod
    def open(cls, folder: Path, api_key: str = "") -> RemoteEncoder:
        """Open what `save` wrote. Raises `ModelMissingError` or `ModelError`."""
        raw = read_description(folder)
        kind, version = raw.pop("kind", None), raw.pop("format", None)
        if (kind, version) != (KIND, FORMAT):
            raise ModelError(
                f"{folder / SPEC_FILE} is of kind {kind!r}, format {version!r}; "
                f"expected {KIND!r}, {FORMAT}"
            )
        try:
            return cls(api_key=api_key, **raw)
        except TypeError as error:
            raise ModelError(f"{folder / SPEC_FILE}: {error}") from error

    def save(self, folder: Path) -> None:
        """Write ``encoder.json``; it never holds the key."""
        folder.mkdir(parents=True, exist_ok=True)
        place = {"base_url": self.base_url, "max_tokens": self.max_tokens, "format": FORMAT}
        (folder / SPEC_FILE).write_bytes(canonical_json(self._identity() | place))

    def close(self) -> None:
        """Drop the connections."""
        self._client.close()

    def count_tokens(self, text: str) -> int:
        """An upper estimate; see `estimate_tokens`."""
        return estimate_tokens(text)

    def overhead(self) -> int:
        """The passage prefix, and two special tokens that most models add."""
        return estimate_tokens(self.passage_prefix) + 2

    def split(self, text: str, max_tokens: int) -> list[tuple[int, int]]:
        """Spans of ≤ ``max_tokens`` estimated tokens that cover ``text``; see `cut_spans`."""
        ends = np.cumsum(_half_tokens(text))
        steps = np.arange(0, int(ends[-1]) if len(ends) else 0, 2)
        starts = np.searchsorted(ends, steps, side="right").tolist()
        return cut_spans(text, starts, max_tokens, self.count_tokens)

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension). Raises `InputTooLongError` or `ModelError`."""
        return self._encode(self.passage_prefix, texts)

    def encode_query(self, text: str) -> Vectors:
        """Shape (1, dimension). Raises `InputTooLongError` or `ModelError`."""
        return self._encode(self.query_prefix, [text])

    def _identity(self) -> dict[str, Any]:
        return {
            "kind": KIND,
            "model": self.model,
            "query_prefix": self.query_prefix,
            "passage_prefix": self.passage_prefix,
            "dimension": self.dimension,
        }

    def _encode(self, prefix: str, texts: Sequence[str]) -> Vectors:
        added = estimate_tokens(prefix) + 2
        for text in texts:
            require_length(text, added + estimate_tokens(text), self.max_tokens)
        rows = [np.zeros((0, self.dimension), np.float32)]
        for at in range(0, len(texts), BATCH):
            rows.append(self._embed([prefix + text for text in texts[at : at + BATCH]]))
            if rows[-1].shape[1] != self.dimension:
                raise ModelMismatchError(
                    f"{self._shown} gave vectors of {rows[-1].shape[1]} dimensions for "
                    f"{self.model}, {self.dimension} expected: it runs another model"
                )
        return np.concatenate(rows)

    def _embed(self, inputs: list[str]) -> Vectors:
        response = self._post({"model": self.model, "input": inputs})
        try:
            return _unit_rows(response.json(), len(inputs))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ModelError(
                f"{self._shown} gave no usable embeddings for {self.model}: {error}"
            ) from error

    def _post(self, body: dict[str, Any]) -> httpx.Response:
        for attempt in range(self._retries + 1):
            failure, asked = "", 0.0
            try:
                response = self._client.post(self._url, json=body)
                if response.status_code == 200:
                    return response
                failure = f"answered {response.status_code}: {response.text[:200]!r}"
                if response.status_code != 429 and response.status_code < 500:
                    break
                asked = retry_after(response.headers)
            except httpx.TransportError as error:
                failure = f"does not answer: {error or type(error).__name__}"
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                failure = f"cannot be asked: {error}"
                break
            if attempt < self._retries:
                time.sleep(min(max(self._backoff * 2**attempt, asked), LONGEST_WAIT))
        raise ModelError(f"the embeddings server {self._shown} {failure}")


def estimate_tokens(text: str) -> int:
    """More tokens than ``text`` has under e5's tokenizer or a byte-level BPE.

    A byte-level BPE never has more tokens than UTF-8 has bytes, but that bound counts English
    four times over. So ASCII letters and white space count half a token, letters of two bytes
    (Czech, Cyrillic) one, and everything else its bytes: digits, punctuation and emoji can be
    a token or more each. On wiki pages in five languages this is twice e5's count, and it was
    never below it; only random letters in short groups exceed it, by a tenth.
    """
    return math.ceil(int(_half_tokens(text).sum()) / 2)


def _half_tokens(text: str) -> np.ndarray[Any, np.dtype[np.int64]]:
    """For each character its estimated half tokens."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    limits = np.array([0x80, 0x800, 0x10000])
    costs = np.array([2, 2, 6, 8])[np.searchsorted(limits, codes, side="right")]
    letter = (codes | 32 >= ord("a")) & (codes | 32 <= ord("z"))
    costs[letter | np.isin(codes, [9, 10, 13, 32])] = 1
    for match in _NO_WORD.finditer(text):
        costs[match.start() : match.end()] = 2
    return costs


def _unit_rows(answer: Any, count: int) -> Vectors:
    """The answer's vectors in the order of the inputs, each scaled to length 1."""
    rows = sorted(answer["data"], key=lambda row: int(row["index"]))
    if [row["index"] for row in rows] != list(range(count)):
        raise ValueError(f"{count} inputs, vectors for {[row['index'] for row in rows][:40]}")
    vectors = np.array([row["embedding"] for row in rows], np.float32)
    if vectors.ndim != 2 or not vectors.shape[1]:
        raise ValueError(f"vectors of shape {vectors.shape}")
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not lengths.all():
        raise ValueError("a vector is zero, infinite or not a number")
    return np.asarray(vectors / lengths, dtype=np.float32)


def _endpoint(base_url: str) -> tuple[httpx.URL, str]:
    """The URL to post to, and how errors show it: without credentials."""
    try:
        base = httpx.URL(base_url.rstrip("/"))
    except httpx.InvalidURL as error:
        raise ModelError(f"embeddings URL {base_url!r}: {error}") from error
    if base.scheme not in ("http", "https") or not base.host:
        raise ModelError(f"embeddings URL {base_url!r}: give http://host or https://host")
    path = base.path.rstrip("/").removesuffix("/v1") + "/v1/embeddings"
    url = base.copy_with(path=path)
    return url, str(url.copy_with(username=None, password=None, query=None))
