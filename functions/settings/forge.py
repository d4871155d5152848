"""Settings of the functions that write: the forge that keeps the wiki, and its rebuilding."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings

from functions.settings.values import header_value, http_address

_REPOSITORY = re.compile(r"[A-Za-z0-9._-]+/[A-Za-z0-9._-]+")
_DOMAIN = re.compile(r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]+")
# What `git check-ref-format` refuses in a branch, as far as a setting could hold it.
_NO_BRANCH = re.compile(r"^-|^/|/$|\.\.|//|@\{|[\s~^:?*\[\\\x00-\x1f\x7f]|\.lock$|\.$")


class ForgeSettings(BaseSettings):
    """Where the wiki's repository lies, who may say that it changed, and who rebuilds it."""

    forge: Literal["", "github", "gitea"] = Field(
        "", description="what keeps the wiki: `github`, `gitea` (Forgejo too); empty: no edits"
    )
    forge_url: str = Field(
        "", description="base URL of its API; empty for GitHub: `https://api.github.com`"
    )
    forge_repository: str = Field("", description="the wiki's repository there, as `owner/name`")
    forge_folder: str = Field(
        "", description="folder of the wiki in it, where its `edgewiki.toml` lies; empty: its top"
    )
    forge_branch: str = Field("main", description="the one branch that is built and written to")
    forge_workflow: str = Field("edgewiki.yml", description="the workflow that builds a version")
    forge_token: SecretStr = Field(
        SecretStr(""), description="token of the forge: contents and workflows of that repository"
    )
    forge_author_domain: str = Field(
        "edgewiki.invalid",
        description="domain of the addresses that edits carry as their authors'; no forge should "
        "know accounts there",
    )
    document_max_bytes: int = Field(
        1_048_576, ge=1024, le=16_777_216, description="a larger page gets 413"
    )
    sync_key: SecretStr = Field(
        SecretStr(""), description="key of `/sync` and of reports on its jobs, no API key"
    )
    webhook_secret_github: SecretStr = Field(
        SecretStr(""), description="what GitHub signs its webhooks with; empty: not accepted"
    )
    webhook_secret_gitea: SecretStr = Field(
        SecretStr(""), description="what Gitea or Forgejo signs its webhooks with; empty: none"
    )
    sync_runner: Literal["workflow", "local"] = Field(
        "workflow",
        description="who builds: the forge's `workflow`, or a `local` process of `edgewiki serve`",
    )
    sync_lease_seconds: float = Field(
        3600.0,
        ge=1,
        description="a job whose workflow says nothing for so long is tried again; it speaks when "
        "a phase begins",
    )
    sync_timeout_seconds: float = Field(
        3600.0, gt=0, description="a local runner's job takes no longer"
    )
    sync_function: str = Field(
        "", description="Lambda function to ask for a job after an edit; empty: this process"
    )
    wiki_dir: Path | None = Field(None, description="the clone that a local runner builds")
    git_origin: str = Field(
        "",
        description="address that `origin` of that clone must have; empty: the repository at the "
        "forge, by SSH or HTTPS",
    )
    git_ssh_key: Path | None = Field(None, description="private key that a local runner pulls with")
    git_known_hosts: Path | None = Field(
        None, description="known_hosts of that; required with a key"
    )

    @field_validator("forge_token", "sync_key")
    @classmethod
    def _forge_header(cls, value: SecretStr) -> SecretStr:
        return header_value(value)

    @field_validator("forge_url")
    @classmethod
    def _forge_address(cls, value: str) -> str:
        return http_address(value, "https://host/api/v1").rstrip("/")

    @field_validator("forge_repository")
    @classmethod
    def _owner_and_name(cls, value: str) -> str:
        if value and not _REPOSITORY.fullmatch(value):
            raise ValueError("give owner/name")
        return value

    @field_validator("forge_folder")
    @classmethod
    def _folder(cls, value: str) -> str:
        parts = [part for part in value.split("/") if part not in {"", "."}]
        if ".." in parts or "\\" in value:
            raise ValueError("give a folder inside the repository, such as docs/wiki")
        return "/".join(parts)

    @field_validator("forge_author_domain")
    @classmethod
    def _domain(cls, value: str) -> str:
        if not _DOMAIN.fullmatch(value):
            raise ValueError("give a domain, such as wiki.example.org")
        if value.lower().endswith("noreply.github.com"):
            raise ValueError("GitHub would take callers for its accounts of these names")
        return value.lower()

    @field_validator("forge_branch")
    @classmethod
    def _branch(cls, value: str) -> str:
        if not value or _NO_BRANCH.search(value):
            raise ValueError("give the name of a branch, such as main")
        return value

    @model_validator(mode="after")
    def _whole(self) -> ForgeSettings:
        if self.forge and not self.forge_repository:
            raise ValueError("EDGEWIKI_FORGE_REPOSITORY is empty: name owner/name at the forge")
        if self.forge == "gitea" and not self.forge_url:
            raise ValueError("EDGEWIKI_FORGE_URL is empty: give https://host/api/v1")
        if self.sync_runner == "local" and not self.wiki_dir:
            raise ValueError("EDGEWIKI_WIKI_DIR is empty: name the clone that is built")
        if self.git_ssh_key and not self.git_known_hosts:
            raise ValueError("EDGEWIKI_GIT_KNOWN_HOSTS is empty: hosts are checked strictly")
        return self

    @property
    def forge_api(self) -> str:
        """Base URL of the forge's API, without a slash at its end."""
        return self.forge_url or "https://api.github.com"
