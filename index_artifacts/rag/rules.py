"""What is said around evidence, in the language of the question: data in ``rules.toml``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

DEFAULT_LANGUAGE = "en"


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of one language; ``rules.toml`` says what each is for."""

    heading: str
    rules: tuple[str, ...]
    no_evidence: str
    refusal: str
    unverified: str
    partly: str
    sources: str

    def grounding(self, *more: str) -> str:
        """The rules as a numbered list, with a profile's own ones after them."""
        return "\n".join(f"{n}. {rule}" for n, rule in enumerate((*self.rules, *more), 1))


def wording(language: str | None) -> Wording:
    """The words for ``language``; English where it is another or unknown."""
    everything = _read()
    return everything.get(language or "", everything[DEFAULT_LANGUAGE])


@cache
def _read() -> dict[str, Wording]:
    table = tomllib.loads(Path(__file__).with_name("rules.toml").read_text(encoding="utf-8"))
    return {
        language: Wording(**{**words, "rules": tuple(words["rules"])})
        for language, words in table.items()
    }
