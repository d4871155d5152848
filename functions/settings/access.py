"""Settings of who may ask: keys, tokens, and what anybody may."""

from __future__ import annotations

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings

from functions.access import ApiKey, parse_api_keys
from functions.settings.values import http_address


class AccessSettings(BaseSettings):
    """Who is believed to be whom, and what each may read."""

    api_keys: SecretStr = Field(
        SecretStr(""),
        description="JSON list of keys: `name`, `role`, `sha256`, `collections`, `rag_profile`; "
        "`edgewiki key` makes one",
    )
    allow_anonymous: bool = Field(False, description="answer without a key, as a guest")
    anonymous_collections: str = Field(
        "", description="collections that such a guest reads, separated by commas; empty: all"
    )
    jwt_issuer: str = Field("", description="`iss` of accepted bearer tokens; empty: none are")
    jwt_audience: str = Field("", description="`aud` of accepted bearer tokens")
    jwt_jwks_url: str = Field("", description="where the issuer publishes its keys (JWKS)")
    jwt_algorithms: str = Field(
        "RS256,ES256,EdDSA", description="algorithms accepted from those keys"
    )
    jwt_hs256_secret: SecretStr = Field(
        SecretStr(""), description="accept HS256 tokens of this secret, 32 characters or more"
    )
    jwt_role_claim: str = Field(
        "role", description="claim with the role or roles; dots lead into objects"
    )
    jwt_collections_claim: str = Field(
        "workspace", description="claim with the workspace or workspaces; without it: none"
    )
    jwt_roles: str = Field(
        "", description='JSON of their words for roles, such as `{"editors": "user"}`'
    )
    jwt_workspaces: str = Field(
        "",
        description='JSON of a workspace\'s collections, such as `{"lab": ["wiki", "notes"]}`; '
        "`*` for all; else a workspace is the collection of its name",
    )
    answers_per_hour: int = Field(
        0, ge=0, description="`/answer` for each caller and process at most; 0: any number"
    )

    @field_validator("jwt_jwks_url")
    @classmethod
    def _jwks_address(cls, value: str) -> str:
        return http_address(value, "https://issuer/.well-known/jwks.json")

    @property
    def keys(self) -> tuple[ApiKey, ...]:
        """The API keys, as hashes. Raises `ValueError`, which never shows one."""
        return parse_api_keys(self.api_keys.get_secret_value())
