"""What is known of a wiki from outside of its graph, to find facts that are not so.

``facts.jsonl`` beside a golden set holds one fact a line: {subject, relation, object} or
{subject, attribute, value}. A relation or an attribute that it names, it knows wholly: another
fact of that kind is wrong. Of what it does not name, nothing is said.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from eval.golden_lines import read_lines
from eval.golden_set import beside
from eval.graph_set import same
from index_artifacts.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from eval.golden_set import GoldenSet

FILE = "facts.jsonl"
_TYPES = {"relation": "a string", "attribute": "a string"}

Entity = dict[str, Any]


@dataclass(frozen=True, slots=True)
class KnownFacts:
    """Pairs of entities by relation, of an entity and a value by attribute."""

    relations: Mapping[str, list[tuple[Entity, Entity]]] = field(default_factory=dict)
    attributes: Mapping[str, list[tuple[Entity, int | str]]] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many facts are known; 0 denies nothing."""
        pairs = sum(len(pairs) for pairs in self.relations.values())
        return pairs + sum(len(values) for values in self.attributes.values())

    def denies(self, fact: Mapping[str, Any]) -> bool:
        """True where a fact of a response is of a known kind and not among the known ones."""
        subject = fact["subject"]
        if attribute := fact.get("attribute"):
            values = self.attributes.get(attribute)
            return values is not None and not any(
                same(known, subject) and value == fact["value"] for known, value in values
            )
        pairs = self.relations.get(fact.get("relation", ""))
        return pairs is not None and not any(
            same(known, subject) and same(target, fact["object"] or {}) for known, target in pairs
        )


def read_known_facts(golden: GoldenSet) -> KnownFacts:
    """The facts beside a golden set, none where there is no file.

    Raises `ConfigError` with file and line for a line that is no fact.
    """
    file = beside(golden.path, FILE)
    return _read(file) if file.is_file() else KnownFacts()


def _read(file: Path) -> KnownFacts:
    relations: dict[str, list[tuple[Entity, Entity]]] = {}
    attributes: dict[str, list[tuple[Entity, int | str]]] = {}
    for number, values in read_lines(file, file.read_bytes(), _TYPES):
        try:
            if "relation" in values:
                pair = values["subject"], values["object"]
                relations.setdefault(values["relation"], []).append(pair)
            else:
                known = values["subject"], values["value"]
                attributes.setdefault(values["attribute"], []).append(known)
        except KeyError as error:
            raise ConfigError(f"{file}, line {number}: {error} is missing") from None
    return KnownFacts(relations, attributes)
