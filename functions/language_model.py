"""The language model that writes answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index_artifacts.language_model import LanguageModel

if TYPE_CHECKING:
    from functions.settings import Settings


def open_chat_model(settings: Settings) -> LanguageModel | None:
    """The language model of ``settings``; None where none is configured.

    Open it once: it learns what its server understands.
    """
    if not settings.llm_url:
        return None
    return LanguageModel(
        settings.llm_url,
        settings.llm_model,
        settings.llm_api_key.get_secret_value(),
        timeout=settings.llm_timeout_seconds,
        retries=settings.llm_retries,
        max_tokens=settings.llm_max_tokens,
        json=settings.llm_json,
        temperature=settings.llm_temperature,
    )
