"""The settings of the functions: ``EDGEWIKI_*`` variables, checked before anything starts."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from index_artifacts.errors import ConfigError

MIN_SECRET = 32
_KEY = re.compile(r"(?:(?P<profile>[a-z0-9][a-z0-9_-]{0,63}):)?(?P<key>.+)", re.DOTALL)


class Settings(BaseSettings):
    """Every setting of a function, with its default."""

    model_config = SettingsConfigDict(env_prefix="EDGEWIKI_", frozen=True, populate_by_name=True)

    store: str = Field("file://.edgewiki/store", description="where versions are published")
    channel: str = Field("latest", description="the channel to serve")
    cache_dir: Path = Field(
        Path(tempfile.gettempdir()) / "edgewiki", description="where downloads are kept"
    )
    refresh_seconds: float = Field(
        60.0, ge=0, description="the pointer is checked this often at most; 0 for every request"
    )
    api_keys: SecretStr = Field(
        SecretStr(""),
        description="keys that may ask, separated by commas, 32 characters or more; `profile:key` "
        "gives a key a RAG profile",
    )
    allow_anonymous: bool = Field(False, description="answer without a key")
    signing_key: SecretStr = Field(
        SecretStr(""), description="refuse versions not signed with this key (HMAC-SHA256)"
    )
    embeddings_api_key: SecretStr = Field(
        SecretStr(""), description="key of the remote embeddings API, where a version uses one"
    )
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
    encoder_threads: int = Field(1, ge=1, le=64, description="threads of the query encoder")
    rag_llm_max_tokens: int = Field(
        12_000,
        ge=500,
        le=200_000,
        validation_alias="RAG_LLM_MAX_TOKENS",
        description="estimated tokens of all that a model receives from `/rag` at most",
    )
    llm_url: str = Field(
        "", description="base URL of an OpenAI-compatible API, with its `/v1`; empty: no model"
    )
    llm_model: str = Field("", description="the language model's name at that API")
    llm_api_key: SecretStr = Field(
        SecretStr(""), description="key of that API; a local server needs none"
    )
    llm_timeout_seconds: float = Field(20.0, gt=0, description="one request takes no longer")
    llm_retries: int = Field(2, ge=0, le=10, description="requests after a failed one, at most")
    llm_deadline_seconds: float = Field(
        25.0,
        gt=0,
        description="an answer's requests, waits and repairs together; under the function's "
        "timeout of 29 s",
    )
    llm_max_tokens: int = Field(1_024, ge=16, description="tokens of one completion at most")
    llm_json: Literal["schema", "object", "text"] = Field(
        "schema",
        description="JSON is asked for by its schema, as any object, or in words alone; a server "
        "that refuses one is asked by the next",
    )
    llm_temperature: float = Field(0.0, ge=0, le=2, description="0: the likeliest words")

    @field_validator("base_path")
    @classmethod
    def _slashes(cls, value: str) -> str:
        return f"/{value.strip('/')}" if value.strip("/") else ""

    @field_validator("llm_api_key")
    @classmethod
    def _header(cls, value: SecretStr) -> SecretStr:
        key = value.get_secret_value().strip()
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise ValueError("the key holds more than printable ASCII, and headers cannot")
        return SecretStr(key)

    @field_validator("llm_url", "public_url")
    @classmethod
    def _address(cls, value: str) -> str:
        url = value.strip()
        parts = urlsplit(url)
        if url and (parts.scheme not in ("http", "https") or not parts.hostname):
            raise ValueError("give http://host/v1 or https://host/v1")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError("a user, a password or a query is not part of a base URL")
        return url

    @field_validator("public_url")
    @classmethod
    def _without_slash(cls, value: str) -> str:
        return value.rstrip("/")

    @model_validator(mode="after")
    def _model_named(self) -> Settings:
        if self.llm_url and not self.llm_model.strip():
            raise ValueError("EDGEWIKI_LLM_MODEL is empty: name the model at EDGEWIKI_LLM_URL")
        return self

    @model_validator(mode="after")
    def _safe(self) -> Settings:
        keys = [key for key, _ in self.keys]
        if not keys and not self.allow_anonymous:
            raise ValueError(
                "EDGEWIKI_API_KEYS is empty: set keys, or EDGEWIKI_ALLOW_ANONYMOUS=true"
            )
        secrets = {"EDGEWIKI_API_KEYS": keys, "EDGEWIKI_SIGNING_KEY": self._one(self.signing_key)}
        for name, values in secrets.items():
            if any(len(value) < MIN_SECRET for value in values):
                raise ValueError(f"{name}: a secret has fewer than {MIN_SECRET} characters")
        if not all(key.isascii() for key in keys):
            raise ValueError("EDGEWIKI_API_KEYS: a key holds more than ASCII, and headers cannot")
        everything = [value for values in secrets.values() for value in values]
        everything += self._one(self.embeddings_api_key) + self._one(self.llm_api_key)
        if len(set(everything)) < len(everything):
            raise ValueError("a secret is used twice: every key and every setting needs its own")
        return self

    @property
    def keys(self) -> list[tuple[str, str]]:
        """Each API key with its RAG profile, which is empty where it has none."""
        entries = [entry.strip() for entry in self.api_keys.get_secret_value().split(",")]
        matches = [_KEY.fullmatch(entry) for entry in entries if entry]
        return [(match["key"], match["profile"] or "") for match in matches if match]

    @property
    def origins(self) -> list[str]:
        """The allowed origins."""
        return [origin.strip() for origin in self.cors_origins.split(",") if origin.strip()]

    @property
    def signing_key_bytes(self) -> bytes | None:
        """The signing key, or None where unsigned versions are accepted."""
        return self.signing_key.get_secret_value().encode() or None

    @staticmethod
    def _one(secret: SecretStr) -> list[str]:
        value = secret.get_secret_value()
        return [value] if value else []


def load_settings(**given: Any) -> Settings:
    """Read the settings; those ``given``, by their names, rank above the variables.

    Raises `ConfigError`, which names the variable but never a secret.
    """
    try:
        return Settings(**given)
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        name = "".join(f"EDGEWIKI_{str(part).upper()}: " for part in first["loc"][:1])
        raise ConfigError(name + first["msg"].removeprefix("Value error, ")) from None
