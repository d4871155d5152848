"""The names that entities of the graph are looked up by in a question."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from build.graph.names import name_words
from index_artifacts.answers.declension import case_forms
from index_artifacts.graph.model import AUTHOR, PERSON, SECTION
from index_artifacts.text import fold, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from build.lemmas import Lemmas
    from index_artifacts.graph.model import Entity, KnowledgeGraph
    from index_artifacts.records import Document

_PEOPLE = frozenset({PERSON, AUTHOR})
_FUNCTION_WORDS = Path(__file__).parent.parent / "function_words.toml"


def name_rows(
    graph: KnowledgeGraph, documents: Sequence[Document], lemmas: Lemmas
) -> list[tuple[str, int, str]]:
    """Rows (anchor, id of the entity, words) for every spelling of every entity.

    A person can be meant by any word of the name, which is an anchor; of another name it is the
    word that fewest entities have.
    """
    languages = {document.path: document.language for document in documents}
    function_words = _function_words()
    named = [_spellings(entity, languages, lemmas, function_words) for entity in graph.entities]
    commonness = Counter(word for names in named for word in {w for name in names for w in name})
    rows = set()
    for number, (entity, names) in enumerate(zip(graph.entities, named, strict=True), 1):
        for name in names:
            anchors: Iterable[str] = set(name)
            if entity.type not in _PEOPLE:
                anchors = [min(name, key=lambda w: (commonness[w], -len(w), w))]
            rows |= {(anchor, number, " ".join(name)) for anchor in anchors}
    return sorted(rows)


def name_forms(graph: KnowledgeGraph) -> list[tuple[str, str]]:
    """Rows (form, word): every case of every word of people's names."""
    known = {
        word
        for entity in graph.entities
        if entity.type in _PEOPLE
        for name in (entity.name, *entity.names)
        for word in name_words(name)
    }
    return sorted((form, word) for word in known for form in case_forms(word))


def _spellings(
    entity: Entity, languages: dict[str, str], lemmas: Lemmas, function_words: dict[str, set[str]]
) -> set[tuple[str, ...]]:
    """The words of every name of an entity: folded, and for all but people also as lemmas."""
    spelled = (entity.name, *entity.names)
    if entity.type == SECTION:
        return set()
    if entity.type in _PEOPLE:
        return {name for text in spelled if (name := name_words(text))}
    found = set()
    used = {languages[where.path] for where in entity.provenance} or {""}
    for text in spelled:
        for language in used:
            left_out = function_words.get(language, set())
            for form in (lemmas.text(text, language), words(text)):
                kept = [word for word in form if word not in left_out]
                found.add(tuple(kept or form))
    return found - {()}


def _function_words() -> dict[str, set[str]]:
    listed: dict[str, str] = tomllib.loads(_FUNCTION_WORDS.read_text("utf-8"))
    return {language: {fold(word) for word in text.split()} for language, text in listed.items()}
