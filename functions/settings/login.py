"""Settings of logging in to the search page, by OpenID Connect."""

from __future__ import annotations

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings

from functions.access import MIN_SECRET
from functions.settings.values import header_value, http_address
from index_artifacts.loopback import is_loopback


class LoginSettings(BaseSettings):
    """Which identity provider people log in at, and how long that lasts."""

    oidc_issuer: str = Field(
        "",
        description="OpenID provider that people log in to the search page at; empty: no logging "
        "in. Role and collections are read as those of tokens",
    )
    oidc_client_id: str = Field("", description="what that provider calls this installation")
    oidc_client_secret: SecretStr = Field(
        SecretStr(""), description="secret of that client; empty: a public one, PKCE alone"
    )
    oidc_scopes: str = Field("openid profile", description="scopes to ask for; `openid` is one")
    oidc_collections: str = Field(
        "",
        description="collections that all who log in read beside those of their claims, separated "
        "by commas; `*` for all",
    )
    session_key: SecretStr = Field(
        SecretStr(""),
        description="what sessions are signed with, 32 characters or more; while it is changed the "
        "old one and the new one, separated by a comma",
    )
    session_hours: float = Field(
        8.0, gt=0, le=720, description="a login lasts so long, and cannot be taken back before"
    )

    @field_validator("oidc_client_secret")
    @classmethod
    def _client_header(cls, value: SecretStr) -> SecretStr:
        return header_value(value)

    @field_validator("oidc_issuer")
    @classmethod
    def _issuer_address(cls, value: str) -> str:
        url = http_address(value, "https://issuer")
        if url.startswith("http:") and not is_loopback(url):
            raise ValueError("give https://issuer: over http anybody between could log in")
        return url

    @model_validator(mode="after")
    def _login_is_whole(self) -> LoginSettings:
        if not self.oidc_issuer:
            return self
        if not self.oidc_client_id.strip():
            raise ValueError("EDGEWIKI_OIDC_CLIENT_ID is empty: name the client at the issuer")
        if "openid" not in self.oidc_scopes.split():
            raise ValueError("EDGEWIKI_OIDC_SCOPES lacks openid: nobody would be named")
        if not self.session_keys:
            raise ValueError("EDGEWIKI_SESSION_KEY is empty: nothing can sign a session")
        if any(len(key.encode()) < MIN_SECRET for key in self.session_keys):
            raise ValueError(f"EDGEWIKI_SESSION_KEY: a key has fewer than {MIN_SECRET} characters")
        return self

    @property
    def session_keys(self) -> list[str]:
        """The keys of sessions; the last one signs, and all are believed."""
        keys = self.session_key.get_secret_value().split(",")
        return [key.strip() for key in keys if key.strip()]
