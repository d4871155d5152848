"""The settings of the functions: ``EDGEWIKI_*`` variables, checked before anything starts."""

from __future__ import annotations

import hashlib
import os
from typing import Any

from pydantic import Field, SecretStr, ValidationError, model_validator
from pydantic_settings import SettingsConfigDict

from functions.access import MIN_SECRET
from functions.secrets import read_secrets
from functions.settings.access import AccessSettings
from functions.settings.forge import ForgeSettings
from functions.settings.language_model import LanguageModelSettings
from functions.settings.login import LoginSettings
from functions.settings.serving import ServingSettings
from index_artifacts.errors import ConfigError
from index_artifacts.loopback import is_loopback

PREFIX = "EDGEWIKI_"
# A short one can be guessed. Tokens that another service made are as long as it makes them.
_LONG = ("signing_key", "sync_key", "webhook_secret_github", "webhook_secret_gitea",
         "jwt_hs256_secret")  # fmt: skip
_OTHERS = ("embeddings_api_key", "llm_api_key", "forge_token", "oidc_client_secret")


class Settings(
    ForgeSettings, LanguageModelSettings, LoginSettings, AccessSettings, ServingSettings
):
    """Every setting of a function, with its default."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, populate_by_name=True)

    secrets: str = Field(
        "",
        description="where secrets are kept, separated by commas: `ssm:<parameter>` and "
        "`secretsmanager:<id>`, each a JSON object of variables; the environment ranks above them",
    )

    @model_validator(mode="after")
    def _safe(self) -> Settings:
        try:
            hashes = [digest for key in self.keys for digest in key.sha256]
        except ValueError as error:
            raise ValueError(f"EDGEWIKI_API_KEYS: {error}") from None
        if not (hashes or self.allow_anonymous or self.jwt_issuer or self.oidc_issuer):
            raise ValueError(
                "EDGEWIKI_API_KEYS is empty: set keys (`edgewiki key` makes one), "
                "EDGEWIKI_JWT_ISSUER, EDGEWIKI_OIDC_ISSUER, or EDGEWIKI_ALLOW_ANONYMOUS=true"
            )
        owners: dict[str, str] = dict.fromkeys(hashes, "EDGEWIKI_API_KEYS")
        for name in (*_LONG, *_OTHERS):
            value: str = getattr(self, name).get_secret_value()
            if name in _LONG and 0 < len(value) < MIN_SECRET:
                raise ValueError(
                    f"{_variable(name)}: the secret has fewer than {MIN_SECRET} characters"
                )
            _own(owners, value, _variable(name))
        for key in self.session_keys:
            _own(owners, key, _variable("session_key"))
        in_the_clear = self.public_url.startswith("http:") and not is_loopback(self.public_url)
        if self.oidc_issuer and in_the_clear:
            raise ValueError("EDGEWIKI_PUBLIC_URL is http: people log in over https alone")
        return self


def _variable(name: str) -> str:
    return f"{PREFIX}{name.upper()}"


def _own(owners: dict[str, str], secret: str, variable: str) -> None:
    """Note whose ``secret`` is, by its hash; raises `ValueError` where it is another's too."""
    other = owners.setdefault(hashlib.sha256(secret.encode()).hexdigest(), variable)
    if secret and other != variable:
        raise ValueError(f"{variable} is the same as in {other}: each needs its own secret")


def load_settings(**given: Any) -> Settings:
    """Read the settings; those ``given``, by their names, rank above the variables.

    Raises `ConfigError`, which names the variable but never a secret.
    """
    places = str(given.get("secrets", os.environ.get("EDGEWIKI_SECRETS", "")))
    kept = _of_secrets(read_secrets(places)) if places else {}
    try:
        return Settings(**{**kept, **given})
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        name = "".join(f"{PREFIX}{str(part).upper()}: " for part in first["loc"][:1])
        raise ConfigError(name + first["msg"].removeprefix("Value error, ")) from None


def _of_secrets(values: dict[str, str]) -> dict[str, Any]:
    """Settings by their names, of variables that the environment does not have."""
    fields = {
        field.validation_alias or _variable(name): name
        for name, field in Settings.model_fields.items()
    }
    for variable in values:
        if variable not in fields:
            raise ConfigError(f"{variable}, in EDGEWIKI_SECRETS, is no setting of edgewiki")
    return {
        fields[variable]: value for variable, value in values.items() if variable not in os.environ
    }


__all__ = ["MIN_SECRET", "SecretStr", "Settings", "load_settings"]
