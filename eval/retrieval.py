"""The retrieval runner: asks every question of every system and ranks the gold."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from eval.checkpoint import Checkpoint
from eval.outcomes import PAGE, SECTION, Asked, Outcome, Ranked, RetrievalRun
from eval.systems import parse_systems
from index_artifacts.errors import ConfigError
from index_artifacts.manifest import canonical_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from eval.golden_set import GoldenSet, Question
    from eval.metrics import Ranks
    from eval.systems import System
    from index_artifacts.hits import Hit
    from index_artifacts.search import Searcher

    Progress = Callable[[str, int, int], None]
    """Called with a phase, how much of it is done and how much there is."""

    Key = tuple[str, ...]
    """(page,) or (page, innermost heading): what is told apart at a level."""

# What a reader of a failure looks at.
_ABOVE = 5


def measure(
    searcher: Searcher,
    golden: GoldenSet,
    systems: Sequence[str],
    *,
    progress: Progress = lambda *_: None,
    checkpoint: Path | None = None,
    test_looks: int = 0,
) -> RetrievalRun:
    """Ask ``golden`` of each of ``systems`` (names, see `parse_systems`).

    Questions that the wiki does not answer are left out. With ``checkpoint``, each outcome is
    written there at once, and what a killed run has left there is not asked again as long as
    version, weights and set are the same. Raises `ConfigError` for an unknown system or where
    no question is left, `ModelError` where there is no encoder for ``vector``.
    """
    parsed = parse_systems(systems)
    questions = [question for question in golden.questions if question.should_answer]
    if not questions:
        raise ConfigError(f"{golden.path}: no question has an answer, so there is nothing to rank")
    kept = Checkpoint(checkpoint, _stamp(searcher, golden))
    ready = [(system, system.ready(searcher)) for system in parsed]
    outcomes = []
    for number, question in enumerate(questions):
        progress("asking", number, len(questions))
        for system, own in ready:
            outcome = kept.get(question.id, system.name)
            if outcome is None:
                outcome = _ask(question, system, own)
                kept.add(outcome)
            outcomes.append(outcome)
    progress("asking", len(questions), len(questions))
    return RetrievalRun(
        golden=golden.name,
        golden_sha256=golden.sha256,
        split=golden.split,
        version=searcher.index.manifest.version,
        systems=tuple(systems),
        questions=tuple(_asked(question) for question in questions),
        outcomes=tuple(outcomes),
        left_out=len(golden.questions) - len(questions),
        test_looks=test_looks,
    )


def _stamp(searcher: Searcher, golden: GoldenSet) -> str:
    """Whatever decides an outcome: version, golden set, weights."""
    weights = hashlib.sha256(canonical_json(searcher.tuning.to_dict())).hexdigest()
    return f"{searcher.index.manifest.version} {golden.sha256} {weights}"


def _asked(question: Question) -> Asked:
    gold: Iterable[Key] = question.gold_sections or [(page,) for page in question.gold_docs]
    named = tuple(" › ".join(part for part in key if part) for key in gold)
    return Asked(question.id, question.question, question.lang, question.kind, named)


def _ask(question: Question, system: System, searcher: Searcher) -> Outcome:
    hits, milliseconds, complete = system.ask(searcher, question.question)
    pages = _distinct(hits, PAGE)
    page_ranks = ranks(pages, [(page,) for page in question.gold_docs])
    sections = _distinct(hits, SECTION) if question.gold_headings else {}
    section_ranks = ranks(sections, question.gold_sections)
    # An answer's place is that of its section, where the set says which one it is.
    ranking = sections or pages
    found = [rank for rank in section_ranks or page_ranks if rank is not None]
    first = min(found, default=0)
    above: list[Ranked] = []
    gold = None
    if first != 1:
        shown = [_ranked(rank, hit) for rank, hit in enumerate(ranking.values(), 1)]
        gold = shown[first - 1] if first else None
        above = shown[: min(first - 1, _ABOVE)] if first else shown[:_ABOVE]
    return Outcome(
        question=question.id,
        system=system.name,
        pages=page_ranks,
        sections=section_ranks,
        milliseconds=round(milliseconds, 3),
        complete=complete,
        above=tuple(above),
        gold=gold,
    )


def _distinct(hits: Sequence[Hit], level: str) -> dict[Key, Hit]:
    """The first hit of each page or section, in the order of the ranking."""
    first: dict[Key, Hit] = {}
    for hit in hits:
        heading = hit.heading_path[-1] if hit.heading_path else ""
        key = (hit.document.id,) if level == PAGE else (hit.document.id, heading)
        first.setdefault(key, hit)
    return first


def ranks(ranking: Iterable[Key], gold: Sequence[Key]) -> Ranks:
    """The rank from 1 of each different gold item, None where ``ranking`` has it not.

    A ranking names each page or section once, best first.
    """
    places = {key: rank for rank, key in enumerate(ranking, 1)}
    return tuple(places.get(key) for key in dict.fromkeys(gold))


def _ranked(rank: int, hit: Hit) -> Ranked:
    scores = (hit.scores.score, hit.scores.lemma, hit.scores.trigram, hit.scores.cosine)
    score, *legs = (None if value is None else round(value, 4) for value in scores)
    heading = hit.heading_path[-1] if hit.heading_path else ""
    return Ranked(rank, hit.document.id, heading, score or 0.0, *legs)
