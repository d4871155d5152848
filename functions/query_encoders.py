"""The encoders that a version's questions may be encoded by, in the order of the settings."""

from __future__ import annotations

import logging
from functools import cached_property
from typing import TYPE_CHECKING

from index_artifacts.encoder import check_probe
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
    local = [] if built_by_server else [Backend(LOCAL, own, Limits(), clock)]
    remote = []
    if settings.embeddings_url or built_by_server:
        server = RemoteOfVersion(settings, artifact)
        remote.append(Backend(REMOTE, server.prove, OF_A_SERVER, clock))
    elif settings.query_encoder == "remote":
        logger.error(
            "EDGEWIKI_QUERY_ENCODER=remote, but EDGEWIKI_EMBEDDINGS_URL is empty: "
            "the local encoder is asked alone"
        )
    orders = {"auto": local + remote, "local": local, "remote": remote + local, "none": []}
    return EncoderRouter(orders[settings.query_encoder])


class RemoteOfVersion:
    """The embeddings API, asked as the version's own encoder would be: the same prefixes."""

    def __init__(self, settings: Settings, artifact: Artifact) -> None:
        self._settings, self._artifact = settings, artifact

    def prove(self) -> Encoder:
        """The encoder, once it has reproduced the version's probe. Raises `ModelError`."""
        encoder = self._encoder
        check_probe(encoder, self._artifact.manifest.encoder)
        return encoder

    @cached_property
    def _encoder(self) -> Encoder:
        from index_artifacts.remote_encoder import RemoteEncoder  # httpx: only who needs it

        settings, described = self._settings, read_description(self._artifact.model)
        name = settings.embeddings_model or described.get("model") or described.get("name", "")
        if not name:
            raise ModelError("EDGEWIKI_EMBEDDINGS_MODEL is empty, and the version names no model")
        return RemoteEncoder(
            settings.embeddings_url or described["base_url"],
            name,
            settings.embeddings_api_key.get_secret_value(),
            query_prefix=described.get("query_prefix", ""),
            passage_prefix=described.get("passage_prefix", ""),
            dimension=self._artifact.manifest.encoder["dimension"],
            max_tokens=self._artifact.manifest.encoder["max_tokens"],
            timeout=OF_A_SERVER.use,
            retries=0,
        )
