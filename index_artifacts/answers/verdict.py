"""Whether the evidence answers: the question's premise holds, and its best unit says enough.

What is said enough is decided by a model that the version carries, fitted as those of
`calibration` are, on questions with an answer and without; it weighs `evidence.KINDS["reading"]`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from index_artifacts.answers.checks.names import holds_name, name_words
from index_artifacts.answers.concepts import concepts_of
from index_artifacts.answers.focus import counted, focus_of
from index_artifacts.answers.lemmas import shared_beginning
from index_artifacts.answers.premise import best_premise, premise_of
from index_artifacts.calibration import NONE
from index_artifacts.evidence import READING, rarity
from index_artifacts.query import content_of
from index_artifacts.text import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from index_artifacts.answers.grounds import Grounds
    from index_artifacts.answers.lemmas import Lemmatiser
    from index_artifacts.answers.question import Asked
    from index_artifacts.answers.reading import Candidate, Reading
    from index_artifacts.answers.units import Unit
    from index_artifacts.search import Searcher

# How far a word of the question counts as said where only its concept, or its stem, is.
_BY_CONCEPT, _BY_STEM = 0.8, 0.7
_STEM, _STEM_SHARE = 4, 0.6
# So many of the best units are looked at for what is asked for, and for its number.
_FIRST, _COUNTED = 6, 8
# A question that asks for nothing of the kind says neither yes nor no.
_NEITHER = 0.5


@dataclass(frozen=True, slots=True)
class AnswerVerdict:
    """``candidates`` are those whose page is about what the question names, best first."""

    answers: bool
    confidence: float | None
    reason: str
    candidates: tuple[Candidate, ...] = ()


def judge(searcher: Searcher, reading: Reading) -> AnswerVerdict:
    """Say whether what was read answers what is asked."""
    confidence = reading.found.confidence
    usable, lacking = on_the_subject(reading)
    if not usable:
        reason = f"no evidence is about {lacking}" if lacking else "nothing can be quoted"
        return AnswerVerdict(False, confidence, reason)
    model = searcher.calibration.models.get(READING)
    if model is None:
        return AnswerVerdict(True, confidence, "", usable)
    verdict = model.judge(reading_figures(searcher, reading, usable))
    # Across languages what was read says little: what the search makes of it holds, too.
    across = not _in_language(reading, usable[0]) and reading.found.outcome == NONE
    if across or verdict.outcome == NONE:
        reason = f"the evidence says too little of it (confidence {verdict.confidence or 0:.2f})"
        return AnswerVerdict(False, verdict.confidence, reason)
    return AnswerVerdict(True, verdict.confidence, "", usable)


def on_the_subject(reading: Reading) -> tuple[tuple[Candidate, ...], str]:
    """The candidates out of evidence that holds the question's premise; else what is lacking."""
    asked, grounds, candidates = reading.asked, reading.grounds, reading.candidates
    question, lemmas = grounds.query.text, grounds.lemmas
    if len(asked.parts) > 1:
        lacking = _named_nowhere(asked, grounds)
        return (() if lacking else tuple(candidates)), lacking
    premises = {
        source.number: premise_of(asked, question, source, lemmas, grounds.page(source))
        for source in grounds.sources
    }
    usable = tuple(c for c in candidates if premises[c.source.number].holds)
    if usable or not premises:
        return usable, ""
    return (), best_premise(list(premises.values())).why_not()


def _named_nowhere(asked: Asked, grounds: Grounds) -> str:
    """Names of which each part may be about another: those that no evidence at all holds."""
    everything = name_words(
        "\n".join(f"{s.passage.document.title}\n{s.passage.text}" for s in grounds.sources)
    )
    missing = [n for n in asked.names if not holds_name(n.words, everything, grounds.lemmas)]
    return ", ".join(name.written for name in missing)


def reading_figures(
    searcher: Searcher, reading: Reading, candidates: Sequence[Candidate]
) -> tuple[float | None, ...]:
    """The figures of ``evidence.KINDS["reading"]``, in their order.

    ``confidence`` (its logit) and ``margin`` are the search's; ``cosine``, ``framed`` and
    ``trigrams`` the best unit's. ``page``: how much of the question its page says, by rarity;
    ``rarest_unsaid``: the rarity of the rarest word that it does not; ``least_said``: how far the
    best units say the word that they say least. ``focus``: how far they say what is asked for;
    ``counted``: whether they count it, where it is to be counted; ``figures_lacking``: whether a
    number of the question is not in the evidence.
    """
    found, best = reading.found, candidates[0]
    evidence = found.result.evidence if found.result else None
    confidence = found.confidence
    lacking = _figures_lacking(reading.asked, reading.grounds, best)
    return (
        None if confidence is None else _logit(confidence),
        best.figure("cosine") if reading.with_vectors else None,
        evidence.margin if evidence else None,
        *(_by_words(searcher, reading, candidates) if _in_language(reading, best) else [None] * 7),
        float(bool(lacking)),
    )


def _in_language(reading: Reading, best: Candidate) -> bool:
    """False where words prove nothing: question and page are in two languages."""
    return reading.grounds.query.language in {None, best.source.passage.document.language}


def _by_words(
    searcher: Searcher, reading: Reading, candidates: Sequence[Candidate]
) -> list[float | None]:
    """``page`` to ``counted``, of what is asked; what is said around it does not count."""
    best, index, grounds = candidates[0], searcher.index, reading.grounds
    parts = {word for part in reading.asked.parts for word in part.content}
    content = content_of(grounds.query.terms)
    terms = [t for t in content if {t.word, t.corrected_from} & parts] or list(content)
    weights = [rarity(term, index.size) for term in terms]
    page = Said.of([grounds.page(best.source)], grounds.lemmas)
    near = Said.of([_in_frame(candidate.unit) for candidate in candidates[:_FIRST]], grounds.lemmas)
    on_page = [page.share(term.word, term.lemmas) for term in terms]
    unsaid = [w * (1 - share) for w, share in zip(weights, on_page, strict=True)]
    focus = focus_of(" ".join(part.text for part in reading.asked.parts), grounds.lemmas)
    return [
        1 - sum(unsaid) / sum(weights),
        max(unsaid) / math.log(1 + index.size),
        min(near.share(term.word, term.lemmas) for term in terms),
        best.figure("framed"),
        best.figure("trigrams"),
        near.share(focus, grounds.lemmas.of(focus)) if focus else _NEITHER,
        counted(reading.asked, focus, [c.unit for c in candidates[:_COUNTED]], grounds.lemmas),
    ]


@dataclass(frozen=True, slots=True)
class Said:
    """The folded words of some text, their lemmas and their concepts."""

    words: frozenset[str]
    lemmas: frozenset[str]
    concepts: frozenset[str]

    @classmethod
    def of(cls, texts: Sequence[str], lemmas: Lemmatiser) -> Said:
        """What ``texts`` say."""
        text = "\n".join(texts)
        found = frozenset(words(text))
        return cls(found, lemmas.in_text(text), concepts_of(found))

    def share(self, word: str, lemmas: Iterable[str]) -> float:
        """How far a folded word of these lemmas is said, in [0, 1]: itself, meant, or alike."""
        if {word, *lemmas} & self.lemmas:
            return 1.0
        if concepts_of([word]) & self.concepts:
            return _BY_CONCEPT
        return _BY_STEM if any(_one_stem(word, other) for other in self.words) else 0.0


def _one_stem(word: str, other: str) -> bool:
    return shared_beginning(word, other) >= max(_STEM, _STEM_SHARE * max(len(word), len(other)))


def _in_frame(unit: Unit) -> str:
    return " ".join([unit.text, unit.header, unit.intro, *unit.headings])


def _figures_lacking(asked: Asked, grounds: Grounds, best: Candidate) -> tuple[str, ...]:
    premise = premise_of(asked, grounds.query.text, best.source, grounds.lemmas)
    return premise.figures


def _logit(probability: float) -> float:
    clipped = min(max(probability, 1e-3), 1 - 1e-3)
    return math.log(clipped / (1 - clipped))
