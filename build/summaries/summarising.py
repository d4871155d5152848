"""Giving every document its summary and keywords."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from build.summaries.extractive import extractive_summary
from build.summaries.keywords import KeywordFinder
from index_artifacts.records import AUTHOR, EXTRACTIVE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from build.lemmas import Lemmas
    from build.reading import PageReader
    from build.summaries.writing import Written
    from index_artifacts.records import Document


def summarise(
    documents: Sequence[Document],
    reader: PageReader,
    lemmas: Lemmas,
    written: Mapping[str, Written],
) -> list[Document]:
    """``documents`` with summaries and, where a page states no tags, keywords.

    What its author wrote stands; else what a language model wrote (``written``, by path); else
    sentences of the page.
    """
    finder = KeywordFinder(documents, reader.structure, lemmas)
    return [_summarised(document, reader, lemmas, finder, written) for document in documents]


def summary_counts(documents: Iterable[Document]) -> dict[str, int]:
    """How many summaries are by whom; ``documents_without_summary`` has the rest."""
    by = Counter(document.summary_by for document in documents)
    return {
        "summaries_author": by[AUTHOR],
        "summaries_extractive": by[EXTRACTIVE],
        "summaries_model": by.total() - by[AUTHOR] - by[EXTRACTIVE] - by[""],
        "documents_without_summary": by[""],
    }


def _summarised(
    document: Document,
    reader: PageReader,
    lemmas: Lemmas,
    finder: KeywordFinder,
    written: Mapping[str, Written],
) -> Document:
    found = written.get(document.path)
    keywords = () if document.tags else (found and found.keywords) or finder.keywords(document)
    if not reader.wants_summary(document):
        return replace(document, keywords=keywords)
    if found:
        return replace(document, summary=found.summary, summary_by=found.model, keywords=keywords)
    summary = extractive_summary(document, reader.structure(document), lemmas)
    by = EXTRACTIVE if summary else ""
    return replace(document, summary=summary, summary_by=by, keywords=keywords)
