"""Settings of what every function does: which version it serves, and how."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings

from functions.settings.values import http_address


class ServingSettings(BaseSettings):
    """The version to serve, and what a request may look like."""

    store: str = Field("file://.edgewiki/store", description="where versions are published")
    channel: str = Field("latest", description="the channel to serve")
    cache_dir: Path = Field(
        Path(tempfile.gettempdir()) / "edgewiki", description="where downloads are kept"
    )
    refresh_seconds: float = Field(
        60.0, ge=0, description="the pointer is checked this often at most; 0 for every request"
    )
    refresh_wait_seconds: float = Field(
        2.0,
        ge=0,
        description="the request that finds a new version waits no longer for it, then answers "
        "from the old one while the download goes on",
    )
    open_wait_seconds: float = Field(
        25.0,
        gt=0,
        description="first requests wait no longer for a version, then get 503; under the "
        "function's timeout of 29 s",
    )
    signing_key: SecretStr = Field(
        SecretStr(""), description="refuse versions not signed with this key (HMAC-SHA256)"
    )
    query_encoder: Literal["auto", "local", "remote", "none"] = Field(
        "auto",
        description="what makes a question's vector: `local`, the version's own model alone; "
        "`remote`, an embeddings API, and the local one where that fails; `auto`: local, then "
        "remote; `none`: words alone are searched",
    )
    embeddings_url: str = Field(
        "",
        description="base URL of an OpenAI-compatible embeddings API that runs the version's "
        "model; empty: the one that the version was built with, if any",
    )
    embeddings_model: str = Field(
        "", description="the model's name at that API; empty: what the version calls it"
    )
    embeddings_api_key: SecretStr = Field(SecretStr(""), description="key of that API")
    cors_origins: str = Field("", description="origins of browser clients, separated by commas")
    max_body_bytes: int = Field(65_536, ge=1024, description="a larger request body gets 413")
    base_path: str = Field("", description="stage prefix that the HTTP API puts before paths")
    public_url: str = Field(
        "",
        description="address that clients call, prefix included, for `servers` in `/openapi.json`; "
        "empty: taken from the request where that is safe, else relative",
    )
    tools_schema: Literal["all", "tools"] = Field(
        "all",
        description="operations in `/openapi.json`: `all`, or the `tools` for a model to choose "
        "from, which `/openapi-tools.json` always lists",
    )
    log: Literal["auto", "json", "text"] = Field(
        "auto", description="lines of the log; `auto`: `json` on Lambda, else `text`"
    )
    metrics: Literal["auto", "emf", "off"] = Field(
        "auto",
        description="CloudWatch metrics in the lines of the log, which are JSON then; `auto`: on "
        "Lambda where the log is JSON",
    )
    encoder_threads: int = Field(1, ge=1, le=64, description="threads of the query encoder")
    rag_llm_max_tokens: int = Field(
        12_000,
        ge=500,
        le=200_000,
        validation_alias="RAG_LLM_MAX_TOKENS",
        description="estimated tokens of all that a model receives from `/rag` at most",
    )

    @field_validator("base_path")
    @classmethod
    def _slashes(cls, value: str) -> str:
        return f"/{value.strip('/')}" if value.strip("/") else ""

    @field_validator("embeddings_url")
    @classmethod
    def _api_address(cls, value: str) -> str:
        return http_address(value, "http://host or https://host")

    @field_validator("public_url")
    @classmethod
    def _public_address(cls, value: str) -> str:
        return http_address(value, "http://host or https://host").rstrip("/")

    @model_validator(mode="after")
    def _metrics_are_in_json(self) -> ServingSettings:
        if self.metrics == "emf" and not self.logs_json:
            raise ValueError("EDGEWIKI_METRICS=emf needs EDGEWIKI_LOG=json")
        return self

    @property
    def logs_json(self) -> bool:
        """Whether lines of the log are JSON."""
        return self.log == "json" or (self.log == "auto" and _on_lambda())

    @property
    def embeds_metrics(self) -> bool:
        """Whether metrics are in them."""
        return self.metrics == "emf" or (self.metrics == "auto" and self.logs_json and _on_lambda())

    @property
    def origins(self) -> list[str]:
        """The allowed origins."""
        return [origin.strip() for origin in self.cors_origins.split(",") if origin.strip()]

    @property
    def signing_key_bytes(self) -> bytes | None:
        """The signing key, or None where unsigned versions are accepted."""
        return self.signing_key.get_secret_value().encode() or None


def _on_lambda() -> bool:
    return bool(os.environ.get("AWS_LAMBDA_FUNCTION_NAME"))
