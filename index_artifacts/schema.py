"""The layout of ``index.sqlite``: what the build writes and the reader relies on.

| table | a row is |
|---|---|
| collections | a named part of the wiki, with its full-text tables ``lemma_<id>``, ``exact_<id>`` |
| documents | a page; lists are JSON; ``summary``, ``keywords`` and ``folded`` are not searched |
| facets | one value of a page to filter by: author, tag, category, language, year |
| addresses | what a page can be asked for by, beside its path; rank 1 is the surest |
| revisions | a commit that changed a page; position 1 is the newest, `MAX_REVISIONS` at most |
| sections | a heading with its path, and what lies under it as offsets into the page's text |
| chunks | a piece of text; ids run without gaps, a collection's are consecutive |
| segments | what one vector of the block ``segment`` stands for, in the order of its rows |
| sentences | a sentence and its row in the block ``sentence``; a version may have none |
| names | the words of a title, alias or heading, and the first chunk that it leads to |
| suggestion_lists | the names of a collection's pages, published or not, or of a graph there |
| suggestions | a name in a list, best first, found by ``suggest_<list>``; see `suggestions` |
| links | a link, with the page it leads to |
| vocabulary | a folded word, how it is mostly written, in how many chunks it is |
| collection_words | the same in each collection, where there are several |
| lemma_forms | form → lemma, also for forms that no page uses |
| function_words | a word that carries questions, by language, folded and as it is written |
| word_filters | a Bloom filter over the dictionaries' words; see `word_filter` |
| lemma_words | lemma → the words of the wiki that are its forms |
| posting_lists, posting_terms | character trigrams → chunks of a collection, or → vocabulary |
| vectors | a block of float16 rows: segments, sentences, headings or summaries of a collection |
| language_means | the mean query and passage vector of a language, as float32 |
| entities | a node of the knowledge graph: see `graph.model`; ``attributes`` is a JSON object |
| relations | an edge of it, from one entity to another |
| provenance | where an entity, its attribute or a relation stands, and the rule that read it |
| entity_names | the words of an entity's name, found by the rarest; people's by each of them |
| name_forms | a word of people's names in any case → the word as the name has it |
| graph_gaps | where the graph may lack something, and of what type |
| public_entities, public_… | the graph of what is in no private collection; absent without one |
| meta | key → value |
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Iterable

SCHEMA_VERSION = 7

MAX_REVISIONS = 50
"""How many commits of a page are kept."""

# Columns of both full-text tables, and how much a match in each is worth to BM25.
FTS_COLUMNS = ("title", "headings", "keywords", "body")

# Every character that a word can hold is a token character: words are cut before they come here.
FTS_TOKENIZER = "ascii tokenchars '+#'"

SUGGESTED = TITLE, PERSON, KEYWORD = ("title", "person", "keyword")
"""Kinds of names that are suggested while somebody types, in the order in which they are."""

BY_PAGES, BY_GRAPH, BY_PUBLIC_GRAPH = "pages", "graph", "public"
"""Sources of such names: what pages say of themselves, the graph, and that of public pages."""

# Beyond so many letters, words that begin alike are few enough to be joined by a query.
SUGGEST_PREFIXES = "1 2 3 4 5 6 7 8"

FACETS = ("author", "tag", "category", "language", "year")

SEGMENT, SENTENCE, HEADING, SUMMARY = "segment", "sentence", "heading", "summary"
"""Kinds of vector blocks."""

GRAPH_TABLES = (
    "entities", "relations", "provenance", "entity_names", "name_forms", "graph_gaps",
)  # fmt: skip
PUBLIC = "public_"
"""What stands before their names in the graph of the collections that are not private."""

VOCABULARY_POSTINGS = 0
"""The ``posting_lists`` row that finds words; the others carry their collection's id."""


def lemma_table(collection_id: int) -> str:
    """The full-text table over a collection's lemmas."""
    return f"lemma_{collection_id}"


def exact_table(collection_id: int) -> str:
    """The full-text table over a collection's folded words, for quoted phrases."""
    return f"exact_{collection_id}"


def suggest_table(list_id: int) -> str:
    """The full-text table over the folded words of a list's names, by their rank."""
    return f"suggest_{list_id}"


def name_key(words: Iterable[str]) -> str:
    """How a title, alias or heading is looked up: a repeated word counts once, as in a question."""
    return " ".join(dict.fromkeys(words))


def address_key(text: str) -> str:
    """How a path, permalink, route or URL is compared: decoded, without case or outer slashes."""
    return unicodedata.normalize("NFC", unquote(text)).casefold().strip("/ ")


def facet_key(text: str) -> str:
    """How a facet value is compared: case, spacing and how Unicode composes it do not count."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())
