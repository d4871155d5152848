"""Names of people and of works as they stand in a question: inflected, and remembered."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from eval.golden.graph_truth import Truth

CASES = {
    "sk": ("gen", "dat", "acc", "ins"),
    "cs": ("gen", "ins"),
    "pl": ("gen", "ins"),
}
CYRILLIC_CASES = ("nom", "gen", "ins")


@dataclass(frozen=True, slots=True)
class Names:
    """The tables of ``names.toml``, and everybody's name by slug."""

    tables: Mapping[str, Any]
    names: Mapping[str, str]

    @classmethod
    def read(cls, file: Path, truth: Truth) -> Names:
        """Names of the roster and of those whom nobody knows."""
        tables = tomllib.loads(file.read_text("utf-8"))
        known = {slug: person.name for slug, person in truth.people.items()}
        return cls(tables, {**known, **tables["unknown"]["dev"], **tables["unknown"]["test"]})

    def half(self, slug: str) -> str:
        """dev or test; raises `ValueError` for whom the file does not assign."""
        for half in ("dev", "test"):
            if slug in self.tables["halves"][half] or slug in self.tables["unknown"][half]:
                return half
        raise ValueError(f"names.toml gives {slug} to no half")

    def form(self, slug: str, lang: str, case: str, *, surname: bool = False) -> str:
        """The name in a case; raises `KeyError` for a word without that form."""
        words = self.names[slug].split()
        words = words[-1:] if surname else words
        if case == "nom":
            return " ".join(words)
        return " ".join(self._word(word, lang, case, self.is_woman(slug)) for word in words)

    def cyrillic(self, slug: str, case: str) -> str:
        """The whole name in Cyrillic, for the few who have it."""
        return str(self.tables["cyrillic"][slug][CYRILLIC_CASES.index(case)])

    def is_woman(self, slug: str) -> bool:
        """Whether verbs and surnames are feminine."""
        return slug in self.tables["women"]["slugs"]

    def _word(self, word: str, lang: str, case: str, woman: bool) -> str:
        number = CASES[lang].index(case)
        if woman and word.endswith("ová"):
            return word.removesuffix("ová") + str(self.tables["ova"][lang]).split()[number]
        forms = self.tables[lang]["women" if woman else "men"][word]
        return str(forms).split()[number]


@dataclass(slots=True)
class Filled:
    """What the slots of one question were filled with: names as written, slugs of people."""

    mentions: list[str] = field(default_factory=list)
    people: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PersonSlot:
    """``{who}``, ``{who:gen}``, ``{who:ru-gen}`` in Cyrillic, ``{who:viedol/viedla}`` by gender."""

    slug: str
    lang: str
    names: Names
    filled: Filled

    def __format__(self, spec: str) -> str:
        slug, surname = self.slug.removeprefix("~"), self.slug.startswith("~")
        if "/" in spec:
            return spec.split("/")[self.names.is_woman(slug)]
        if spec.startswith("ru-"):
            text = self.names.cyrillic(slug, spec.removeprefix("ru-"))
        else:
            text = self.names.form(slug, self.lang, spec or "nom", surname=surname)
        self.filled.mentions.append(text)
        return text
