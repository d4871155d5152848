"""The settings of the functions: ``EDGEWIKI_*`` variables, checked before anything starts."""

from __future__ import annotations

import tempfile
from pathlib import Path

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from index_artifacts.errors import ConfigError

MIN_SECRET = 32


class Settings(BaseSettings):
    """Every setting of a function, with its default."""

    model_config = SettingsConfigDict(env_prefix="EDGEWIKI_", frozen=True)

    store: str = Field("file://.edgewiki/store", description="where versions are published")
    channel: str = Field("latest", description="the channel to serve")
    cache_dir: Path = Field(
        Path(tempfile.gettempdir()) / "edgewiki", description="where downloads are kept"
    )
    refresh_seconds: float = Field(
        60.0, ge=0, description="the pointer is checked this often at most; 0 for every request"
    )
    api_keys: SecretStr = Field(
        SecretStr(""), description="keys that may ask, separated by commas, 32 characters or more"
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
    encoder_threads: int = Field(1, ge=1, le=64, description="threads of the query encoder")

    @field_validator("base_path")
    @classmethod
    def _slashes(cls, value: str) -> str:
        return f"/{value.strip('/')}" if value.strip("/") else ""

    @model_validator(mode="after")
    def _safe(self) -> Settings:
        keys = self.keys
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
        everything += self._one(self.embeddings_api_key)
        if len(set(everything)) < len(everything):
            raise ValueError("a secret is used twice: every key and every setting needs its own")
        return self

    @property
    def keys(self) -> list[str]:
        """The API keys."""
        return [key.strip() for key in self.api_keys.get_secret_value().split(",") if key.strip()]

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


def load_settings() -> Settings:
    """Read the settings; raises `ConfigError`, which names the variable but never a secret."""
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        name = "".join(f"EDGEWIKI_{str(part).upper()}: " for part in first["loc"][:1])
        raise ConfigError(name + first["msg"].removeprefix("Value error, ")) from None
