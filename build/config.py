"""The settings of a build: ``edgewiki.toml``, then ``EDGEWIKI_*`` variables, then flags.

One flat class holds them all; `build.config_file.TOML_KEYS` says where each stands in the file.
"""

from __future__ import annotations

import codecs
import re
from pathlib import Path  # noqa: TC003  pydantic reads annotations at run time
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from build.config_file import CONFIG_FILE, read_toml
from build.pages import is_pattern
from build.sources import MARKDOWN_PAGES, SourceConfig, normal_path
from index_artifacts.errors import ConfigError

GateMetric = Literal[
    "hit@1", "hit@3", "hit@5", "hit@10", "recall@5", "recall@10", "mrr@10", "ndcg@10", "no_answer"
]

_PLACEHOLDERS = ("path", "path_without_extension", "route", "collection", "revision")


def _require_fillable(template: str) -> str:
    try:
        template.format(**dict.fromkeys(_PLACEHOLDERS, ""))
    except (LookupError, AttributeError, ValueError) as error:
        raise ValueError(f"unknown placeholder {error}; use {', '.join(_PLACEHOLDERS)}") from None
    return template


class CollectionConfig(BaseModel):
    """A named part of the wiki: every page below ``path``, the first match wins."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")
    path: str = ""
    source_url: str = ""
    private: bool = False

    @field_validator("path")
    @classmethod
    def _normal(cls, value: str) -> str:
        return normal_path(value)

    @field_validator("source_url")
    @classmethod
    def _fillable(cls, value: str) -> str:
        return _require_fillable(value)

    def holds(self, path: str) -> bool:
        """True where the page at ``path`` belongs here."""
        return not self.path or path == self.path or path.startswith(f"{self.path}/")


class RagProfile(BaseModel):
    """How evidence is chosen for one bot, widget or session; what is left out is as usual.

    ``mode`` is about collections: all of them, the ``collections`` that are listed, or none.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")
    mode: Literal["all", "selected", "none"] = "all"
    collections: tuple[str, ...] = ()
    limit: int = Field(0, ge=0, le=50)
    max_tokens: int = Field(0, ge=0)
    max_chars: int = Field(0, ge=0)
    rules: tuple[Annotated[str, Field(pattern=r"\S")], ...] = ()

    @model_validator(mode="after")
    def _consistent(self) -> RagProfile:
        if (self.mode == "selected") != bool(self.collections):
            raise ValueError('collections belong to mode = "selected", which needs them')
        return self


class BuildConfig(BaseSettings):
    """Every setting of a build, with its default."""

    model_config = SettingsConfigDict(env_prefix="EDGEWIKI_", extra="forbid", frozen=True)

    root: str = Field(".", description="the wiki's root, relative to `edgewiki.toml`")
    title: str = Field("", max_length=100, description="the wiki's name, over its search page")
    source_url: str = Field(
        "",
        description="a page's address; `{path}`, `{path_without_extension}`, `{route}`, "
        "`{collection}`, `{revision}` are filled in",
    )
    languages: tuple[str, ...] = Field(
        ("sk", "cs", "pl", "ru", "en"), description="languages a page may be in"
    )
    default_language: str = Field(
        "", description="language of a page too short to tell; empty: the wiki's commonest"
    )
    fallback_encoding: str = Field("", description="encoding of pages that are not UTF-8")
    publication: Literal["exclude", "mark", "ignore"] = Field(
        "exclude",
        description="pages with `published: false`: leave out, keep but show only on request, "
        "or treat as published",
    )
    exclude: tuple[str, ...] = Field((), description="gitignore patterns of pages to leave out")
    chunk_max_tokens: int = Field(450, ge=16, le=8192, description="tokens of a chunk at most")
    chunk_overlap_tokens: int = Field(70, ge=0, description="tokens repeated of the chunk before")
    chunk_min_tokens: int = Field(80, ge=0, description="a section's last chunk is no shorter")
    sentence_vectors: Literal["auto", "on", "off"] = Field(
        "auto", description="embed every sentence too; `auto`: in a wiki of up to 20,000 chunks"
    )
    model: Literal["onnx", "cooccurrence", "remote"] = Field(
        "onnx", description="encoder: e5-small, trained on the wiki itself, or /v1/embeddings"
    )
    model_dir: Path | None = Field(None, description="folder of the prepared model")
    model_url: str = Field("", description="base URL of an OpenAI-compatible embeddings API")
    model_name: str = Field("", description="the model's name at that API")
    model_query_prefix: str = Field("query: ", description="put before a query there")
    model_passage_prefix: str = Field("passage: ", description="put before a passage there")
    summaries: Literal["extractive", "model", "none"] = Field(
        "extractive", description="summaries: sentences of the page, by a language model, or none"
    )
    summaries_url: str = Field("", description="base URL of its OpenAI-compatible API")
    summaries_model: str = Field("", description="the model's name at that API")
    summaries_max_tokens: int = Field(
        2_000, ge=100, description="it reads so many tokens of a page, from its beginning"
    )
    summaries_timeout_seconds: float = Field(
        60.0, gt=0, description="one request takes no longer; it is repeated once"
    )
    summaries_workers: int = Field(2, ge=1, le=32, description="requests at a time")
    tuning_file: Path | None = Field(
        None,
        description="weights and calibration that `edgewiki eval tune` wrote, relative to "
        "`edgewiki.toml`; empty: the shipped ones",
    )
    graph_profiles: tuple[str, ...] = Field(
        ("generic",),
        description="rules that read the knowledge graph off the pages: `generic`, `thesis`, or "
        "paths of your own, relative to `edgewiki.toml`",
    )
    gate_enabled: bool = Field(
        True, description="refuse to publish what answers the golden set worse than what is live"
    )
    gate_golden: str = Field(
        "golden.jsonl", description="the golden set, relative to `edgewiki.toml`; none: no gate"
    )
    gate_margin: float = Field(0.02, ge=0, le=1, description="a metric may fall by so much")
    gate_metrics: tuple[GateMetric, ...] = Field(
        ("mrr@10", "recall@10", "no_answer"),
        description="what may not fall; also `hit@1`, `hit@3`, `hit@5`, `hit@10`, `recall@5`, "
        "`ndcg@10`",
    )
    store: str = Field("file://.edgewiki/store", description="where versions and the cache lie")
    channel: str = Field("latest", description="the channel that publish moves")
    sources: tuple[SourceConfig, ...] = Field(
        MARKDOWN_PAGES,
        description="`[[sources]]` kind (`markdown`, `text`, `mail`), path, summaries: what "
        "is listed is read, and nothing else",
    )
    collections: tuple[CollectionConfig, ...] = Field(
        (CollectionConfig(name="wiki"),),
        description="`[[collections]]` name, path, source_url, private",
    )
    rag_profiles: tuple[RagProfile, ...] = Field(
        (),
        description="`[[rag_profiles]]` name, mode (`all`, `selected`, `none`), collections, "
        "limit, max_tokens, max_chars, rules; the one called `default` is everybody's",
    )

    @field_validator("fallback_encoding")
    @classmethod
    def _known_encoding(cls, value: str) -> str:
        try:
            return codecs.lookup(value).name if value else ""
        except LookupError:
            raise ValueError(f"no encoding is called {value!r}; cp1250 is one") from None

    @field_validator("languages")
    @classmethod
    def _language_codes(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not value or not all(re.fullmatch(r"[a-z]{2,3}", code) for code in value):
            raise ValueError("needs ISO 639 codes, such as sk or en")
        return value

    @field_validator("source_url")
    @classmethod
    def _fillable(cls, value: str) -> str:
        return _require_fillable(value)

    @field_validator("summaries_url")
    @classmethod
    def _address(cls, value: str) -> str:
        if value and not re.fullmatch(r"https?://[^\s@/?#]+(/[^\s@?#]*)?", value):
            raise ValueError("give http://host/v1 or https://host/v1; a key is no part of it")
        return value

    @field_validator("exclude")
    @classmethod
    def _patterns(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if wrong := [pattern for pattern in value if not is_pattern(pattern)]:
            raise ValueError(f"{wrong[0]!r} is no gitignore pattern")
        return value

    @model_validator(mode="after")
    def _consistent(self) -> BuildConfig:
        if self.chunk_overlap_tokens * 2 > self.chunk_max_tokens:
            raise ValueError("chunk_overlap_tokens may be half of chunk_max_tokens at most")
        if self.chunk_min_tokens > self.chunk_max_tokens:
            raise ValueError("chunk_min_tokens may not exceed chunk_max_tokens")
        if self.model == "remote" and not (self.model_url and self.model_name):
            raise ValueError('model = "remote" needs model_url and model_name')
        if self.summaries == "model" and not (self.summaries_url and self.summaries_model):
            raise ValueError('summaries = "model" needs summaries_url and summaries_model')
        names = [collection.name for collection in self.collections]
        if len(set(names)) < len(names):
            raise ValueError(f"two collections share a name: {', '.join(names)}")
        profiles = [profile.name for profile in self.rag_profiles]
        if len(set(profiles)) < len(profiles):
            raise ValueError(f"two RAG profiles share a name: {', '.join(profiles)}")
        for profile in self.rag_profiles:
            if unknown := set(profile.collections) - set(names):
                raise ValueError(
                    f"RAG profile {profile.name!r} names the collection {min(unknown)!r}; "
                    f"there are: {', '.join(names)}"
                )
        return self

    def collection_of(self, path: str) -> CollectionConfig | None:
        """The collection that the page at ``path`` belongs to: the first that holds it."""
        return next((c for c in self.collections if c.holds(path)), None)

    def published_part(self) -> dict[str, Any]:
        """What of the settings decides a version's content, for its manifest."""
        outside = {"store", "channel", "model_dir", "model_url", "root", "tuning_file"}
        outside |= {"summaries_url", "summaries_timeout_seconds", "summaries_workers"}
        outside |= {name for name in type(self).model_fields if name.startswith("gate_")}
        return self.model_dump(mode="json", exclude=outside)


def load_config(wiki: Path, **flags: Any) -> BuildConfig:
    """Read the settings for the wiki in folder ``wiki``; flags that are None do not count.

    Raises `ConfigError`, which names the file or variable, the key and what it may be.
    """
    file = wiki / CONFIG_FILE
    values = read_toml(file) if file.is_file() else {}
    given = {name: value for name, value in flags.items() if value is not None}
    try:
        # pydantic-settings ranks arguments above the environment: let it find the variables.
        from_environment = EnvSettingsSource(BuildConfig)()
        kept = {k: v for k, v in values.items() if k not in from_environment}
        return BuildConfig(**{**kept, **given})
    except SettingsError as error:
        raise ConfigError(
            f'EDGEWIKI_* in the environment: {error}; a list is written as JSON: ["sk", "en"]'
        ) from None
    except ValidationError as error:
        raise ConfigError(_explain(file, error)) from None


def _explain(file: Path, error: ValidationError) -> str:
    first = error.errors()[0]
    name = ".".join(str(part) for part in first["loc"]) or "settings"
    message = first["msg"].removeprefix("Value error, ")
    value = "" if name == "settings" else f" (given: {first['input']!r})"
    return f"{name}: {message}{value}; set in {file} or EDGEWIKI_{name.split('.')[0].upper()}"
