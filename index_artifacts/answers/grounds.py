"""What claims are checked against: the question, the numbered evidence, and words by lemma."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index_artifacts.answers.lemmas import Lemmatiser
from index_artifacts.answers.quotations import Quotable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.answers.claims import Claim
    from index_artifacts.answers.quotations import Window
    from index_artifacts.index import Index
    from index_artifacts.query import Query
    from index_artifacts.rag.passages import Passage


class Grounds:
    """The evidence for one question. ``complete`` says that it holds all there is to be known."""

    def __init__(
        self, index: Index, query: Query, passages: Sequence[Passage], *, complete: bool = False
    ) -> None:
        self.query = query
        self.complete = complete
        self.lemmas = Lemmatiser(index)
        self.sources = tuple(Quotable(n, passage) for n, passage in enumerate(passages, 1))
        self._windows: dict[Claim, tuple[Window, ...]] = {}

    def source(self, number: int) -> Quotable | None:
        """The numbered passage, or None where there is none of that number."""
        return self.sources[number - 1] if 1 <= number <= len(self.sources) else None

    def page(self, source: Quotable) -> str:
        """All the evidence out of the page of ``source``, under its title."""
        page = source.passage.document
        parts = [other.passage for other in self.sources if other.passage.document == page]
        return "\n".join(
            [
                page.title,
                *(heading for p in parts for heading in p.heading_path),
                *(part.text for part in parts),
            ]
        )

    def windows(self, claim: Claim) -> tuple[Window, ...]:
        """Where the claim's quote stands in the sources that it cites."""
        if claim not in self._windows:
            cited = [source for n in claim.citations if (source := self.source(n))]
            found = [source.find(claim.quote, claim.text) for source in cited]
            self._windows[claim] = tuple(window for window in found if window)
        return self._windows[claim]

    def support(self, claim: Claim) -> str:
        """All the text that may support the claim: its windows, one after the other."""
        return "\n".join(window.text for window in self.windows(claim))
