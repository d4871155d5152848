"""Keywords of a page that states no tags: lemmas that are frequent in it and rare elsewhere.

They are shown and nothing else: not searched, no filter, no fact. What a wiki says of its pages
itself stays complete that way. A collection's statistics are its own, since its readers may not
read the others.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from build.function_words import is_content
from index_artifacts.text import word_spans

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from build.lemmas import Lemmas
    from build.markdown import Structure
    from index_artifacts.records import Document

MOST_KEYWORDS = 5
_SHORTEST = 3
_FEWEST = 2
"""A keyword is so often in its page, or once in its title."""

_TITLE, _TWO_WORDS = 2.0, 1.5


@dataclass(frozen=True, slots=True)
class _Statistics:
    """Of a collection: in how many documents a lemma is, and how often in which form."""

    documents: Counter[str] = field(default_factory=Counter)
    forms: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))


@dataclass(frozen=True, slots=True)
class _Word:
    """A content word: its lemma, its form in lower case, and where it stands."""

    lemma: str
    form: str
    start: int
    end: int


class KeywordFinder:
    """Finds keywords; knows every collection's words. Drafts add nothing to what it knows."""

    def __init__(
        self,
        documents: Sequence[Document],
        structure: Callable[[Document], Structure],
        lemmas: Lemmas,
    ) -> None:
        self._structure, self._lemmas = structure, lemmas
        self._collections: defaultdict[str, _Statistics] = defaultdict(_Statistics)
        self._sizes = Counter(d.collection for d in documents if d.published)
        for document in documents:
            if document.published:
                self._count(document)

    def keywords(self, document: Document) -> tuple[str, ...]:
        """The page's keywords, best first, as its collection mostly writes them."""
        structure = self._structure(document)
        found = list(self._words(document))
        terms: Counter[tuple[str, ...]] = Counter((word.lemma,) for word in found)
        terms.update(
            (one.lemma, other.lemma)
            for one, other in pairwise(found)
            if structure.prose[one.end : other.start] == " " and one.lemma != other.lemma
        )
        title = set(self._lemmas.text(document.title, document.language))
        scores = {
            term: self._score(document, term, times, title)
            for term, times in terms.items()
            if times >= _FEWEST or (len(term) == 1 and term[0] in title)
        }
        ranked = sorted(scores, key=lambda term: (-scores[term], term))
        return tuple(self._written(document, term, found) for term in _apart(ranked))

    def _count(self, document: Document) -> None:
        statistics = self._collections[document.collection]
        found = list(self._words(document))
        statistics.documents.update({word.lemma for word in found})
        for word in found:
            statistics.forms[word.lemma][word.form] += 1

    def _words(self, document: Document) -> Iterator[_Word]:
        text = self._structure(document).prose
        known = self._lemmas.of.get(document.language, {})
        language = document.language
        for folded, start, end in word_spans(text):
            form = text[start:end].lower()
            lemma = known.get(form, folded)
            content = is_content(lemma, language) and is_content(folded, language)
            if len(form) >= _SHORTEST and form.isalpha() and content:
                yield _Word(lemma, form, start, end)

    def _score(
        self, document: Document, term: tuple[str, ...], times: int, title: set[str]
    ) -> float:
        rarity = sum(self._rarity(document, lemma) for lemma in term) / len(term)
        lift = _TITLE if title.issuperset(term) else 1.0
        return math.sqrt(times) * rarity * lift * (_TWO_WORDS if len(term) > 1 else 1.0)

    def _rarity(self, document: Document, lemma: str) -> float:
        pages = self._collections[document.collection].documents[lemma]
        return math.log(1 + self._sizes[document.collection] / max(1, pages))

    def _written(self, document: Document, term: tuple[str, ...], found: list[_Word]) -> str:
        if len(term) == 1:
            forms = self._collections[document.collection].forms[term[0]]
            forms = forms or Counter(word.form for word in found if word.lemma == term[0])
        else:
            forms = Counter(
                f"{one.form} {other.form}"
                for one, other in pairwise(found)
                if (one.lemma, other.lemma) == term
            )
        return min(forms, key=lambda form: (-forms[form], form))


def _apart(ranked: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The first of ``ranked`` that have no lemma in common with a better one."""
    chosen: list[tuple[str, ...]] = []
    for term in ranked:
        if len(chosen) == MOST_KEYWORDS:
            break
        if not any(set(term) & set(other) for other in chosen):
            chosen.append(term)
    return chosen
