"""What a load test asks: queries of several classes, made from any golden set."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from eval.perturbations import perturb
from index_artifacts.errors import ConfigError
from index_artifacts.search import MODES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from eval.golden_set import GoldenSet, Question

CLASSES = (
    "short", "plain", "multi-document", "no-answer",
    "noisy", "large-limit", "context-heavy", "hot",
)  # fmt: skip
LARGEST_LIMIT = 50
LONGEST_QUERY = 2_000
# So many words are what people type into a search box, not a question.
_SHORT_WORDS = 3
_HOT = 3


@dataclass(frozen=True, slots=True)
class LoadQuery:
    """A request; ``kind`` is its class, for the report."""

    text: str
    kind: str
    limit: int = 10
    mode: str = "hybrid"


def make_workload(golden: GoldenSet, seed: int = 0) -> tuple[LoadQuery, ...]:
    """The queries of ``golden`` in a seeded order.

    A question that names its ``class`` is asked as it is, with its ``limit`` and ``mode``. Any
    other is asked twice: as it is, and in turn with slips, with the largest limit, with a story
    around it, or as one of the three questions that everybody asks.
    Raises `ConfigError` for a limit or a mode that there is not.
    """
    queries = [
        query
        for number, question in enumerate(golden.questions)
        for query in _queries(golden, question, number, seed)
    ]
    Random(seed).shuffle(queries)
    return tuple(queries)


def _queries(golden: GoldenSet, question: Question, number: int, seed: int) -> Iterator[LoadQuery]:
    extra = question.extra
    limit, mode = extra.get("limit", 10), str(extra.get("mode", "hybrid"))
    if type(limit) is not int or not 1 <= limit <= LARGEST_LIMIT or mode not in MODES:
        raise ConfigError(
            f"{golden.path}, question {question.id}: limit {limit!r} is not 1 to {LARGEST_LIMIT}, "
            f"or mode {mode!r} is none of {', '.join(MODES)}"
        )
    kind = str(extra.get("class") or "")
    yield LoadQuery(question.question, kind or _plain_class(question), limit, mode)
    if not kind:
        yield _derived(golden, question, number, seed, mode)


def _plain_class(question: Question) -> str:
    if not question.should_answer:
        return "no-answer"
    if len(set(question.gold_docs)) > 1:
        return "multi-document"
    return "short" if len(question.question.split()) <= _SHORT_WORDS else "plain"


def _derived(golden: GoldenSet, question: Question, number: int, seed: int, mode: str) -> LoadQuery:
    def noisy(name: str, severity: int) -> str:
        return perturb(
            name, question.question, question.lang, severity, seed=seed, question_id=question.id
        )

    turn = number % 4
    if turn == 0:
        return LoadQuery(noisy("typos", 2), "noisy", mode=mode)
    if turn == 1:
        return LoadQuery(question.question, "large-limit", LARGEST_LIMIT, mode)
    if turn == 2:
        text = f"{noisy('irrelevant', 3)} " * 4
        return LoadQuery(text[:LONGEST_QUERY], "context-heavy", mode=mode)
    hot = golden.questions[(number // 4) % min(_HOT, len(golden.questions))]
    return LoadQuery(hot.question, "hot", mode=mode)
