"""Reading the evidence: which of its units answer the question, and how well.

Units are ranked by a linear model of `FIGURES`, fitted to golden sets as a softmax over the units
of a question (``extraction.json``). Its scores compare units of one question, nothing else.
"""

from __future__ import annotations

import json
import logging
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from index_artifacts.answers.concepts import concepts_of
from index_artifacts.answers.grounds import Grounds
from index_artifacts.answers.question import kind_of, take_apart
from index_artifacts.answers.units import CODE, ROW
from index_artifacts.encoder import encode_question, passage_beginning
from index_artifacts.errors import ModelError
from index_artifacts.evidence import READING, rarity
from index_artifacts.query import analyse, content_of
from index_artifacts.rag.retrieval import retrieve
from index_artifacts.text import trigrams, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.answers.question import Asked
    from index_artifacts.answers.quotations import Quotable
    from index_artifacts.answers.units import Unit
    from index_artifacts.encoder import Encoder
    from index_artifacts.index import Index
    from index_artifacts.rag.context import Budget
    from index_artifacts.rag.profiles import Profile
    from index_artifacts.rag.retrieval import Retrieved
    from index_artifacts.search import Searcher, SearchRequest

logger = logging.getLogger("edgewiki")

FIGURES = (
    "cosine", "cosine_lift", "framed", "trigrams", "trigram_lift", "first", "section", "page",
    "concepts", "number", "time", "person", "no_number", "row", "code", "label", "length",
    "same_language",
)  # fmt: skip
"""What a unit is ranked by; `Candidate` says what each is."""

# So many units are encoded: on DEV, all that answer are among the first 24 by words and rank.
_ENCODED = 24
_LONG = 300
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[^\W\d_a-zа-яё][^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A unit of a source, with its figures in the order of `FIGURES` and its score.

    ``cosine`` with the unit in its frame; ``framed``, ``section`` and ``page``: the share of the
    question's content, weighted by rarity, that the unit with its headings and title, its section,
    and its page hold by lemma; ``trigrams``: the share of the question's trigrams; a ``lift`` is
    less the best unit's; ``first`` is 1 / rank of its passage; ``concepts``: of what is asked for;
    the rest say what the question asks for and the unit has, what it is, how long (of 300
    characters), and whether its page is in the question's language.
    """

    source: Quotable
    unit: Unit
    figures: tuple[float, ...]
    score: float

    def figure(self, name: str) -> float:
        """The figure called ``name``."""
        return self.figures[FIGURES.index(name)]


@dataclass(frozen=True, slots=True)
class Reading:
    """The evidence for a question, read: ``candidates`` are its units, best first.

    ``with_vectors`` says that they were compared by meaning, too.
    """

    found: Retrieved
    grounds: Grounds
    asked: Asked
    candidates: tuple[Candidate, ...]
    with_vectors: bool


def read_evidence(
    searcher: Searcher,
    request: SearchRequest,
    profile: Profile,
    budget: Budget,
    *,
    doubtful: bool = False,
) -> Reading:
    """Retrieve the evidence for ``request`` and rank its units. Raises what `retrieve` does.

    ``doubtful`` evidence is read, too, by a version that can judge what was read, or if asked.
    """
    index = searcher.index
    judged = READING in searcher.calibration.models
    found = retrieve(searcher, request, profile, budget, doubtful=doubtful or judged)
    # As the search understands it: a slip is corrected to no word that it may not know of.
    query = analyse(index, request.query, published_only=request.published_only)
    grounds = Grounds(index, query, found.context.passages)
    asked = take_apart(request.query, grounds.lemmas)
    encoder = searcher.encoder_for(request.mode) if found.answerable else None
    reader = Reader(index, grounds, encoder)
    candidates = tuple(reader.read())
    return Reading(found, grounds, asked, candidates, reader.with_vectors)


class Reader:
    """Ranks the units of evidence; ``encoder`` is None where no vectors are to be had."""

    def __init__(self, index: Index, grounds: Grounds, encoder: Encoder | None) -> None:
        self._index, self._grounds, self._encoder = index, grounds, encoder
        terms = content_of(grounds.query.terms)
        self._weights = [rarity(term, index.size) for term in terms]
        self._lemmas = [frozenset({*term.lemmas, term.word}) for term in terms]
        self._trigrams = [frozenset(trigrams(term.word)) for term in terms]
        self._concepts = concepts_of([term.word for term in terms])
        self._kind = kind_of(grounds.query.text)

    @property
    def with_vectors(self) -> bool:
        """False where there is no encoder, or it has failed."""
        return self._encoder is not None

    def read(self) -> list[Candidate]:
        """The most promising units of the evidence, best first; the same unit never twice."""
        rows = [(source, unit) for source in self._grounds.sources for unit in source.units]
        if not rows:
            return []
        words_held = np.array([self._by_words(source, unit) for source, unit in rows])
        promise = words_held @ np.array([0.5, 1.0, 0.5, 0.0, 0.0, 0.0]) + np.array(
            [0.5 / source.number for source, _ in rows]
        )
        chosen = np.argsort(-promise, kind="stable")[:_ENCODED]
        rows, words_held = [rows[n] for n in chosen], words_held[chosen]
        cosines = self._cosines(rows)
        figures = self._figures(rows, words_held, cosines)
        scores = ranking().scores(figures)
        found = [
            Candidate(source, unit, tuple(map(float, row)), float(score))
            for (source, unit), row, score in zip(rows, figures, scores, strict=True)
        ]
        return sorted(found, key=lambda candidate: -candidate.score)

    def _by_words(self, source: Quotable, unit: Unit) -> tuple[float, ...]:
        """Held by the unit, framed, by trigrams, by section, by page; concepts."""
        frame = " ".join([source.passage.document.title, *source.passage.heading_path])
        own = " ".join([unit.text, unit.header, unit.intro])
        lemmas = self._grounds.lemmas
        inside = lemmas.in_text(own)
        around = inside | lemmas.in_text(" ".join([frame, *unit.headings]))
        section = " ".join(u.text for u in source.units if u.headings == unit.headings)
        section_lemmas = around | lemmas.in_text(section)
        page_lemmas = section_lemmas | self._page(source)
        found = frozenset(g for word in words(unit.text) for g in trigrams(word))
        total = sum(self._weights)
        shares = zip(self._weights, self._trigrams, strict=True)
        held = sum(weight * len(grams & found) / len(grams) for weight, grams in shares) / total
        concepts = concepts_of(words(own)) & self._concepts
        return (
            self._share(inside), self._share(around), held, self._share(section_lemmas),
            self._share(page_lemmas), len(concepts) / max(1, len(self._concepts)),
        )  # fmt: skip

    def _share(self, held: frozenset[str]) -> float:
        pairs = zip(self._weights, self._lemmas, strict=True)
        return sum(weight for weight, lemmas in pairs if lemmas & held) / sum(self._weights)

    def _page(self, source: Quotable) -> frozenset[str]:
        same = [s for s in self._grounds.sources if s.passage.document == source.passage.document]
        return self._grounds.lemmas.in_text(" ".join(s.passage.text for s in same))

    def _cosines(self, rows: Sequence[tuple[Quotable, Unit]]) -> np.ndarray | None:
        encoder = self._encoder
        if encoder is None:
            return None
        try:
            question, _ = encode_question(encoder, self._grounds.query.dense_text)
            inputs = [passage_beginning(encoder, _in_frame(source, unit)) for source, unit in rows]
            return np.asarray(encoder.encode_passages(inputs) @ question[0])
        except ModelError as error:
            logger.warning("the evidence is read without vectors: %s", error)
            self._encoder = None
            return None

    def _figures(
        self, rows: Sequence[tuple[Quotable, Unit]], held: np.ndarray, cosines: np.ndarray | None
    ) -> np.ndarray:
        # Without vectors both figures are what they are on average: they then decide nothing.
        model = ranking()
        cosine = model.mean("cosine") if cosines is None else cosines
        lift = model.mean("cosine_lift") if cosines is None else cosines - cosines.max()
        columns = np.empty((len(rows), len(FIGURES)), dtype=np.float64)
        columns[:, 0], columns[:, 1] = cosine, lift
        columns[:, 2:4] = held[:, 1:3]
        columns[:, 4] = held[:, 2] - held[:, 2].max()
        columns[:, 5] = [1 / source.passage.rank for source, _ in rows]
        columns[:, 6:9] = held[:, 3:6]
        columns[:, 9:] = [self._shape(source, unit) for source, unit in rows]
        return columns

    def _shape(self, source: Quotable, unit: Unit) -> tuple[float, ...]:
        digits = any(character.isdigit() for character in unit.text)
        counts = self._kind in {"number", "time"}
        language = self._grounds.query.language
        return (
            float(self._kind == "number" and digits),
            float(self._kind == "time" and digits),
            float(self._kind == "person" and bool(_NAME.search(unit.text))),
            float(counts and not digits),
            float(unit.kind == ROW),
            float(unit.kind == CODE),
            float(unit.text.endswith((":", "?"))),
            min(len(unit.text), _LONG) / _LONG,
            float(language in {None, source.passage.document.language}),
        )


@dataclass(frozen=True, slots=True)
class Ranking:
    """score = Σ weight · (figure - mean) / spread, over `FIGURES`."""

    weights: tuple[float, ...]
    means: tuple[float, ...]
    spreads: tuple[float, ...]

    def scores(self, figures: np.ndarray) -> np.ndarray:
        """The score of each row, shape (units,)."""
        scaled = (figures - np.array(self.means)) / np.array(self.spreads)
        return np.asarray(scaled @ np.array(self.weights))

    def mean(self, name: str) -> float:
        """What the figure called ``name`` is on average."""
        return self.means[FIGURES.index(name)]


@cache
def ranking() -> Ranking:
    """The fitted model."""
    fields = json.loads(Path(__file__).with_name("extraction.json").read_bytes())
    if fields["figures"] != list(FIGURES):
        raise AssertionError("extraction.json was fitted to other figures: fit it again")
    return Ranking(*(tuple(fields[name]) for name in ("weights", "means", "spreads")))


def _in_frame(source: Quotable, unit: Unit) -> str:
    title = source.passage.document.title
    head = " ".join(dict.fromkeys([title, *unit.headings]))
    return f"{head}\n" + " ".join(filter(None, [unit.intro, unit.header, unit.text]))
