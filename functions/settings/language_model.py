"""Settings of the language model that writes answers."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings

from functions.settings.values import header_value, http_address


class LanguageModelSettings(BaseSettings):
    """Which OpenAI-compatible API writes answers, and how long it may take."""

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

    @field_validator("llm_api_key")
    @classmethod
    def _llm_header(cls, value: SecretStr) -> SecretStr:
        return header_value(value)

    @field_validator("llm_url")
    @classmethod
    def _llm_address(cls, value: str) -> str:
        return http_address(value, "http://host/v1 or https://host/v1")

    @model_validator(mode="after")
    def _model_named(self) -> LanguageModelSettings:
        if self.llm_url and not self.llm_model.strip():
            raise ValueError("EDGEWIKI_LLM_MODEL is empty: name the model at EDGEWIKI_LLM_URL")
        return self
