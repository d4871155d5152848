"""The graph's answers in words, in five languages; data in ``telling.toml``."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from index_artifacts.graph import query as q
from index_artifacts.graph.answers import typed_answers

if TYPE_CHECKING:
    from index_artifacts.graph.facts import Fact
    from index_artifacts.graph.model import Value
    from index_artifacts.graph.search import GraphAnswer
    from index_artifacts.graph.tables import GraphTables, Node

_DEFAULT = "en"
_QUOTED = "„{}“"


def tell(tables: GraphTables, found: GraphAnswer, language: str) -> tuple[str, ...]:
    """A line for each of the values that ``found`` has, in their order."""
    words = _words(language)
    typed = typed_answers(tables, found)
    if found.form == q.COUNT:
        return tuple(f"{words['count'][found.asked]}: {value}" for _, _, value, _ in typed)
    if found.form == q.WHETHER:
        return tuple(words["word"]["yes" if value else "no"] for _, _, value, _ in typed)
    one = words["one"][found.asked]
    nodes = {node.key: node for node in tables.by_keys([key for _, key, _, _ in typed if key])}
    return tuple(
        f"{one}: {_named(nodes[key], words['word']) if key else _scalar(value, words['word'])}"
        for _, key, value, _ in typed
    )


def tell_fact(fact: Fact, language: str) -> str:
    """One fact in words; empty for a relation that nobody is told of, such as links."""
    words = _words(language)
    template = words["fact"].get(fact.relation or fact.attribute, "")
    value = "" if fact.value is None else _scalar(fact.value, words["word"])
    object_ = fact.object.name if fact.object else ""
    return template.format(subject=fact.subject.name, object=object_, value=value)


def tell_value(value: Value, language: str) -> str:
    """An attribute's value in words, as it is where it has none."""
    return _scalar(value, _words(language)["word"])


def ask_who(candidates: tuple[Node, ...], language: str) -> str:
    """The question back, where a name has several bearers."""
    named = [f"{node.name} ({node.page})" if node.page else node.name for node in candidates]
    return f"{_words(language)['word']['ambiguous']} {'; '.join(named)}"


def _named(node: Node, words: dict[str, str]) -> str:
    if node.type not in {"Thesis", "Work"}:
        return node.name
    kind, year = node.attributes.get(q.KIND), node.attributes.get(q.YEAR)
    more = [words.get(str(kind), str(kind)) if kind else "", str(year or "")]
    told = ", ".join(part for part in more if part)
    return f"{_QUOTED.format(node.name)} ({told})" if told else _QUOTED.format(node.name)


def _scalar(value: Value | bool, words: dict[str, str]) -> str:
    return words.get(value, value) if isinstance(value, str) else str(value)


def _words(language: str) -> dict[str, dict[str, str]]:
    return _table().get(language) or _table()[_DEFAULT]


@cache
def _table() -> dict[str, dict[str, dict[str, str]]]:
    return tomllib.loads(Path(__file__).with_name("telling.toml").read_text(encoding="utf-8"))
