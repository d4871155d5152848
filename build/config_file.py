"""``edgewiki.toml``: where each setting stands in it."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

from index_artifacts.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

CONFIG_FILE = "edgewiki.toml"

# [section] key in edgewiki.toml → field of BuildConfig
TOML_KEYS = {
    ("wiki", "root"): "root",
    ("wiki", "title"): "title",
    ("wiki", "source_url"): "source_url",
    ("wiki", "languages"): "languages",
    ("wiki", "default_language"): "default_language",
    ("wiki", "fallback_encoding"): "fallback_encoding",
    ("wiki", "publication"): "publication",
    ("wiki", "exclude"): "exclude",
    ("chunking", "max_tokens"): "chunk_max_tokens",
    ("chunking", "overlap_tokens"): "chunk_overlap_tokens",
    ("chunking", "min_tokens"): "chunk_min_tokens",
    ("chunking", "sentence_vectors"): "sentence_vectors",
    ("model", "kind"): "model",
    ("model", "folder"): "model_dir",
    ("model", "url"): "model_url",
    ("model", "name"): "model_name",
    ("model", "query_prefix"): "model_query_prefix",
    ("model", "passage_prefix"): "model_passage_prefix",
    ("summaries", "kind"): "summaries",
    ("summaries", "url"): "summaries_url",
    ("summaries", "model"): "summaries_model",
    ("summaries", "max_tokens"): "summaries_max_tokens",
    ("summaries", "timeout_seconds"): "summaries_timeout_seconds",
    ("summaries", "workers"): "summaries_workers",
    ("tuning", "file"): "tuning_file",
    ("graph", "profiles"): "graph_profiles",
    ("gate", "enabled"): "gate_enabled",
    ("gate", "golden"): "gate_golden",
    ("gate", "margin"): "gate_margin",
    ("gate", "metrics"): "gate_metrics",
    ("store", "url"): "store",
    ("store", "channel"): "channel",
}


def read_toml(file: Path) -> dict[str, Any]:
    """Settings by the name of their field; raises `ConfigError` for a section or key unknown."""
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: not valid TOML: {error}") from None
    values: dict[str, Any] = {}
    for section, content in table.items():
        if section in {"sources", "collections", "rag_profiles"}:
            values[section] = content
            continue
        if not isinstance(content, dict):
            raise ConfigError(f"{file}: {section!r} stands outside every [section]")
        for key, value in content.items():
            values[_field(file, section, key)] = value
    return values


def _field(file: Path, section: str, key: str) -> str:
    if field := TOML_KEYS.get((section, key)):
        return field
    known = [k for s, k in TOML_KEYS if s == section] or sorted({s for s, _ in TOML_KEYS})
    raise ConfigError(f"{file}: [{section}] {key} is unknown; known here: {', '.join(known)}")
