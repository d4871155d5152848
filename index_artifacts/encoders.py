"""Opens an encoder folder, whatever kind it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index_artifacts.errors import ModelError
from index_artifacts.onnx_encoder import SPEC_FILE, OnnxEncoder, read_description

if TYPE_CHECKING:
    from pathlib import Path

    from index_artifacts.encoder import Encoder
    from index_artifacts.onnx_encoder import Tokenizer


def open_encoder(
    folder: Path,
    threads: int = 1,
    workers: int = 1,
    api_key: str = "",
    tokenizer: Tokenizer | None = None,
) -> Encoder:
    """Open the encoder that ``encoder.json`` in ``folder`` describes.

    ``threads``, ``workers`` and ``tokenizer`` matter to an ONNX model alone (see
    `OnnxEncoder`), ``api_key`` to a server alone.
    Raises `ModelMissingError` where there is none, `ModelError` where it cannot be used.
    """
    kind = read_description(folder).get("kind")
    if kind == "onnx":
        return OnnxEncoder(folder, threads, workers, tokenizer)
    if kind == "cooccurrence":
        from index_artifacts.cooccurrence_encoder import CooccurrenceEncoder

        return CooccurrenceEncoder(folder)
    if kind == "remote":
        from index_artifacts.remote_encoder import RemoteEncoder  # httpx: only who needs it

        return RemoteEncoder.open(folder, api_key)
    raise ModelError(
        f"{folder / SPEC_FILE}: kind {kind!r} is unknown; use onnx, cooccurrence or remote"
    )
