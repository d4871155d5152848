"""The gate: does a version answer a wiki's golden set as well as the one that is served?

Both versions are asked the same questions by the same code, so that neither an edited golden set
nor a newer edgewiki counts for or against a version. What the live one could not know, a question
whose page or heading it lacks, is not compared: new questions must not make up for broken ones.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from eval.golden_check import missing_gold
from eval.metrics import METRICS, recall, score
from eval.retrieval import measure
from index_artifacts.calibration import NONE, UNKNOWN
from index_artifacts.errors import ModelError
from index_artifacts.search import SearchRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from eval.golden_set import GoldenSet, Question
    from eval.metrics import Ranks
    from index_artifacts.search import Searcher

    Progress = Callable[[str, int, int], None]

NO_ANSWER = "no_answer"
"""The share of the questions without an answer that the version says so of."""

_SYSTEM = "hybrid"  # what a question is asked with unless it says otherwise
_LAST_BIT = 1e-9


@dataclass(frozen=True, slots=True)
class Figure:
    """A metric's means over the compared questions; ``live`` is None without a live version."""

    metric: str
    questions: int
    live: float | None
    new: float

    def fell(self, margin: float) -> bool:
        """True where the version falls short of the live one by more than ``margin``."""
        return self.live is not None and self.live - self.new > margin + _LAST_BIT


@dataclass(frozen=True, slots=True)
class Broken:
    """A question that the live version answers better.

    ``live`` and ``new`` are the best rank of a gold page or section, None where none was found;
    ``missing`` says which of them the version lacks. Of a question without an answer, ``new``
    and ``live`` are None.
    """

    id: str
    question: str
    live: int | None
    new: int | None
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the gate says of ``version`` against ``live`` (None: nothing is served).

    ``new_questions`` and ``stale_questions`` were not compared: the live version lacks what they
    name, or both do. ``broken`` is worst first, and may hold some although the gate is passed.
    """

    golden: str
    version: str
    live: str | None
    margin: float
    figures: tuple[Figure, ...]
    broken: tuple[Broken, ...] = ()
    new_questions: tuple[str, ...] = ()
    stale_questions: tuple[str, ...] = ()

    @property
    def breaches(self) -> tuple[Figure, ...]:
        """The metrics that fell by more than the margin."""
        return tuple(figure for figure in self.figures if figure.fell(self.margin))

    def to_dict(self) -> dict[str, Any]:
        """For ``--json`` and for a job's report."""
        return {"passed": not self.breaches, **asdict(self)}


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a version answers: ranks by question, and whether it says that it has no answer.

    ``calibrated`` is False where it cannot tell for any question.
    """

    ranks: dict[str, Ranks]
    refused: dict[str, bool]
    calibrated: bool


def judge(
    golden: GoldenSet,
    new: Searcher,
    live: Searcher | None,
    *,
    metrics: Sequence[str],
    margin: float,
    progress: Progress = lambda *_: None,
) -> Verdict:
    """Ask ``golden`` of both versions and compare them.

    ``metrics`` are those of `METRICS`, ``recall@10`` and ``no_answer``, which is left out where
    the set has no such question or a version no calibration.
    """
    ranked = replace(golden, questions=tuple(q for q in golden.questions if q.should_answer))
    missing = missing_gold(ranked, new.index)
    lacking = missing_gold(ranked, live.index) if live else missing
    compared = tuple(question for question in golden.questions if question.id not in lacking)
    asked = [
        _ask(side, replace(golden, questions=compared), progress) for side in (new, live) if side
    ]
    after, before = asked[0], asked[1] if live else None
    return Verdict(
        golden=golden.path.name,
        version=new.index.manifest.version,
        live=live.index.manifest.version if live else None,
        margin=margin,
        figures=tuple(_figures(metrics, after, before)),
        broken=_broken(compared, metrics, after, before, missing) if before else (),
        new_questions=tuple(name for name in lacking if name not in missing),
        stale_questions=tuple(name for name in lacking if name in missing),
    )


def _ask(searcher: Searcher, golden: GoldenSet, progress: Progress) -> _Asked:
    answerable = [question for question in golden.questions if question.should_answer]
    ranks: dict[str, Ranks] = {}
    if answerable:
        run = measure(searcher, golden, [_SYSTEM], progress=progress)
        ranks = {outcome.question: outcome.finest for outcome in run.outcomes}
        texts = {question.id: question.question for question in answerable}
        _require_vectors(searcher, [texts[o.question] for o in run.outcomes if not o.complete])
    outcomes = {
        question.id: searcher.search(SearchRequest(question.question)).outcome
        for question in golden.questions
        if not question.should_answer
    }
    refused = {name: outcome == NONE for name, outcome in outcomes.items()}
    return _Asked(ranks, refused, any(outcome != UNKNOWN for outcome in outcomes.values()))


def _require_vectors(searcher: Searcher, incomplete: Sequence[str]) -> None:
    """Raise `ModelError` where the encoder failed; that it knows none of the words is no fault."""
    for question in incomplete:
        if searcher.search(SearchRequest(question, mode="vector")).complete:
            raise ModelError(f"the encoder failed to encode {question!r} at first: publish again")


def _figures(metrics: Sequence[str], after: _Asked, before: _Asked | None) -> Iterator[Figure]:
    for metric in metrics:
        new = _values(metric, after)
        live = _values(metric, before) if before else {}
        if not new or (metric == NO_ANSWER and not (before or after).calibrated):
            continue
        mean = sum(live.values()) / len(live) if live else None
        yield Figure(metric, len(new), mean, sum(new.values()) / len(new))


def _values(metric: str, asked: _Asked) -> dict[str, float]:
    """The metric of each question that it is about."""
    if metric == NO_ANSWER:
        return {name: float(value) for name, value in asked.refused.items()}
    return {name: value_of(metric, ranks) for name, ranks in asked.ranks.items()}


def value_of(metric: str, ranks: Ranks) -> float:
    """A metric of one question: one of `METRICS`, or ``recall@10``."""
    if metric == "recall@10":
        return recall(ranks, 10)
    return score(ranks)[METRICS.index(metric)]


def _broken(
    questions: Sequence[Question],
    metrics: Sequence[str],
    after: _Asked,
    before: _Asked,
    missing: dict[str, tuple[str, ...]],
) -> tuple[Broken, ...]:
    """Questions of which a metric fell, those that fell most first."""
    losses = dict.fromkeys((question.id for question in questions), 0.0)
    for metric in metrics:
        new, live = _values(metric, after), _values(metric, before)
        for name in new.keys() & live.keys():
            losses[name] += max(live[name] - new[name], 0.0)
    worst = sorted(
        (q for q in questions if losses[q.id] > _LAST_BIT), key=lambda q: (-losses[q.id], q.id)
    )
    return tuple(
        Broken(q.id, q.question, _best(before, q.id), _best(after, q.id), missing.get(q.id, ()))
        for q in worst
    )


def _best(asked: _Asked, name: str) -> int | None:
    return min((rank for rank in asked.ranks.get(name, ()) if rank is not None), default=None)
