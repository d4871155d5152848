"""The encoders that a version's questions may be encoded by, in the order of the settings."""

from __future__ import annotations

import logging
from functools import cache, partial
from typing import TYPE_CHECKING

from index_artifacts.encoder import check_probe, check_same_model
from index_artifacts.encoder_router import (
    LOCAL,
    OF_A_SERVER,
    REMOTE,
    Backend,
    EncoderRouter,
    Limits,
)
from index_artifacts.errors import ModelError
from index_artifacts.onnx_encoder import read_description

if TYPE_CHECKING:
    from collections.abc import Callable

    from functions.settings import Settings
    from index_artifacts.artifact import Artifact
    from index_artifacts.encoder import Encoder

logger = logging.getLogger("edgewiki")


def open_router(
    settings: Settings,
    artifact: Artifact,
    own: Callable[[], Encoder],
    clock: Callable[[], float],
) -> EncoderRouter:
    """A router over ``own``, which opens the version's encoder, and the API of the settings.

    Nothing is opened or asked before the first question. A version whose own encoder is a server
    has no local one.
    """
    built_by_server = artifact.manifest.encoder.get("kind") == REMOTE
    prove = partial(check_same_model, described=artifact.manifest.encoder)
    local = [] if built_by_server else [Backend(LOCAL, own, prove, Limits(), clock)]
    remote = []
    if settings.embeddings_url or built_by_server:
        server = cache(partial(_server, settings, artifact))
        prove = partial(check_probe, described=artifact.manifest.encoder)
        remote.append(Backend(REMOTE, server, prove, OF_A_SERVER, clock))
    elif settings.query_encoder == "remote":
        logger.error(
            "EDGEWIKI_QUERY_ENCODER=remote, but EDGEWIKI_EMBEDDINGS_URL is empty: "
            "the local encoder is asked alone"
        )
    orders = {"auto": local + remote, "local": local, "remote": remote + local, "none": []}
    return EncoderRouter(orders[settings.query_encoder])


def _server(settings: Settings, artifact: Artifact) -> Encoder:
    """The embeddings API, asked as the version's own encoder would be: with its prefixes."""
    from index_artifacts.remote_encoder import RemoteEncoder  # httpx: only who needs it

    encoder, described = artifact.manifest.encoder, read_description(artifact.model)
    name = settings.embeddings_model or described.get("model") or described.get("name", "")
    if not name:
        raise ModelError("EDGEWIKI_EMBEDDINGS_MODEL is empty, and the version names no model")
    return RemoteEncoder(
        settings.embeddings_url or described["base_url"],
        name,
        settings.embeddings_api_key.get_secret_value(),
        query_prefix=described.get("query_prefix", ""),
        passage_prefix=described.get("passage_prefix", ""),
        dimension=encoder["dimension"],
        max_tokens=encoder["max_tokens"],
        timeout=OF_A_SERVER.use,
        retries=0,
    )
