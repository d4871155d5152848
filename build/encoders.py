"""Putting the encoder that the settings name into an artifact, ready to embed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from build.library_tokenizer import LibraryTokenizer
from index_artifacts.encoders import open_encoder
from index_artifacts.errors import ModelMissingError
from index_artifacts.text import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from build.config import BuildConfig
    from index_artifacts.encoder import Encoder
    from index_artifacts.records import Document

DEFAULT_MODEL_DIR = Path("~/.cache/edgewiki/model")
# Where `make model` puts it; there is none beside an installed package.
_OF_THE_SOURCE = Path(__file__).parents[1] / ".edgewiki" / "model"


def model_folder(config: BuildConfig) -> Path:
    """Where ``edgewiki model`` puts the ONNX model and a build takes it from.

    What no setting names is the folder of edgewiki's own source, once `make model` has filled it.
    """
    if config.model_dir is None and _holds_model(_OF_THE_SOURCE):
        return _OF_THE_SOURCE
    return (config.model_dir or DEFAULT_MODEL_DIR).expanduser()


def ready_encoder(config: BuildConfig, documents: Sequence[Document], folder: Path) -> Encoder:
    """Fill ``folder`` with the files a reader needs to encode queries, and open them.

    Raises `ModelMissingError` where the ONNX model was never prepared.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if config.model == "cooccurrence":
        from build.cooccurrence import train

        train([words(f"{document.title}\n{document.body}") for document in documents], folder)
    elif config.model == "remote":
        _describe_remote(config, folder)
    else:
        _copy_model(model_folder(config), folder)
    return open_encoder(
        folder,
        workers=os.cpu_count() or 1,
        api_key=os.environ.get("EDGEWIKI_EMBEDDINGS_API_KEY", ""),
        tokenizer=LibraryTokenizer(folder) if config.model == "onnx" else None,
    )


def _describe_remote(config: BuildConfig, folder: Path) -> None:
    from index_artifacts.remote_encoder import RemoteEncoder

    encoder = RemoteEncoder(
        config.model_url,
        config.model_name,
        os.environ.get("EDGEWIKI_EMBEDDINGS_API_KEY", ""),
        query_prefix=config.model_query_prefix,
        passage_prefix=config.model_passage_prefix,
    )
    try:
        encoder.save(folder)
    finally:
        encoder.close()


def _copy_model(source: Path, folder: Path) -> None:
    if not _holds_model(source):
        raise ModelMissingError(
            f"{source} holds no model: run `edgewiki model`, or build with "
            "EDGEWIKI_MODEL=cooccurrence, which needs none"
        )
    for file in sorted(source.iterdir()):
        if file.is_file():
            _link_or_copy(file, folder / file.name)


def _holds_model(folder: Path) -> bool:
    return (folder / "encoder.json").is_file()


def _link_or_copy(source: Path, target: Path) -> None:
    try:
        target.hardlink_to(source)  # 90 MB that every artifact shares
    except OSError:
        shutil.copy2(source, target)
