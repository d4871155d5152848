"""tantivy: BM25 over fields of their own, each with a boost.

Its analyser: words, lower case, then stop words and stemmer where it has the language, and
diacritics taken off the stems.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import tantivy
from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

if TYPE_CHECKING:
    from collections.abc import Sequence

_NAMES = {"en": "english", "ru": "russian"}
# The best of eight for tantivy on Czech and Slovak questions: to boost title and headings above
# the text, as is usual, costs it up to 17 points at page R@1, for then common words in them win.
_BOOSTS = {"title": 0.25, "headings": 0.25, "text": 1.0}
_LONGEST_WORD = 40
_HEAP_BYTES = 64_000_000


class Engine:
    """An index on disk, which tantivy maps into memory."""

    takes_vectors = False

    def __init__(self, config: dict[str, Any]) -> None:
        self.costs: dict[str, float] = {}
        self._folder = config["index"]
        self._depth = config["depth"]
        self._language = _NAMES.get(config["language"])
        self._boosts = {**_BOOSTS, **config["options"].get("boosts", {})}

    def index(self, chunks: Sequence[dict[str, Any]]) -> None:
        """Index and keep title, headings and text, each as a field."""
        schema = tantivy.SchemaBuilder()
        schema.add_integer_field("id", fast=True)
        for field in _BOOSTS:
            schema.add_text_field(field, stored=True, tokenizer_name="wiki")
        index = self._with_analyser(tantivy.Index(schema.build(), path=self._folder))
        writer = index.writer(heap_size=_HEAP_BYTES, num_threads=1)
        for number, chunk in enumerate(chunks):
            writer.add_document(tantivy.Document(id=number, **{f: chunk[f] for f in _BOOSTS}))
        writer.commit()
        writer.wait_merging_threads()

    def open(self) -> None:
        """Open the index for searching."""
        self._index = self._with_analyser(tantivy.Index.open(self._folder))
        self._searcher = self._index.searcher()

    def search(self, question: str, vector: Any) -> tuple[list[int], dict[str, float]]:
        """Any word of the question may match: its syntax is read as far as it makes sense."""
        del vector
        query, _ = self._index.parse_query_lenient(
            question, list(_BOOSTS), field_boosts=self._boosts
        )
        hits = self._searcher.search(query, self._depth, count=False).hits
        return self._searcher.fast_field_values("id", [address for _, address in hits]), {}

    def _with_analyser(self, index: Any) -> Any:
        builder = TextAnalyzerBuilder(Tokenizer.simple())
        builder = builder.filter(Filter.remove_long(_LONGEST_WORD)).filter(Filter.lowercase())
        if self._language:
            builder = builder.filter(Filter.stopword(self._language))
            builder = builder.filter(Filter.stemmer(self._language))
        index.register_tokenizer("wiki", builder.filter(Filter.ascii_fold()).build())
        return index
