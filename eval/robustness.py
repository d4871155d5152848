"""The robustness runner: a golden set asked clean, then as people mistype and reword it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from eval.metrics import paired_differences
from eval.perturbations import PERTURBATIONS, long_words, perturb
from eval.word_forms import other_forms
from index_artifacts.errors import ConfigError
from index_artifacts.search import SearchRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from eval.golden_set import GoldenSet, Question
    from eval.metrics import Difference, Values
    from eval.word_forms import Forms
    from index_artifacts.hits import Hit
    from index_artifacts.search import Searcher

    Progress = Callable[[str, int, int], None]
    """Called with a phase, how much of it is done and how much there is."""

METRICS = ("page@1", "page@10", "section@1")
SHOWN_BROKEN = 20
# As many as a request may ask for: ten different pages need more than ten chunks.
_DEPTH = 50
EVERY_LANGUAGE = "all"


@dataclass(frozen=True, slots=True)
class Asked:
    """One text asked: `METRICS` as 0 or 1 (NaN: the set names no section), and what came first."""

    text: str
    scores: tuple[float, float, float]
    found: str
    corrections: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Drop:
    """A metric under a perturbation, in [0, 1], against the clean questions.

    ``difference`` is perturbed − clean, paired by question: a drop is negative. ``asked``
    questions count, ``changed`` of them had anything to perturb.
    """

    perturbation: str
    severity: int
    lang: str
    metric: str
    asked: int
    changed: int
    clean: float
    perturbed: float
    difference: Difference


@dataclass(frozen=True, slots=True)
class Broken:
    """A question whose page came first when asked clean, and no longer."""

    id: str
    perturbation: str
    severity: int
    clean: str
    perturbed: str
    gold: str
    found: str
    corrections: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class RobustnessRun:
    """What perturbing a golden set costs; ``left_out`` questions have no answer in the wiki."""

    golden: str
    golden_sha256: str
    version: str
    mode: str
    seed: int
    questions: int
    left_out: int
    drops: tuple[Drop, ...]
    broken: tuple[Broken, ...]

    def to_dict(self) -> dict[str, Any]:
        """The run as plain JSON values."""
        return asdict(self)


def measure(
    searcher: Searcher,
    golden: GoldenSet,
    *,
    names: Sequence[str] = (),
    mode: str = "hybrid",
    seed: int = 0,
    progress: Progress = lambda *_: None,
) -> RobustnessRun:
    """Ask ``golden`` clean and under each severity of the perturbations ``names`` (all if empty).

    Raises `ConfigError` for an unknown name or where no question has an answer, `QueryError`
    for an unknown mode.
    """
    conditions = _conditions(names)
    questions = [question for question in golden.questions if question.should_answer]
    if not questions:
        raise ConfigError(f"{golden.path}: no question has an answer, so nothing can get lost")
    forms = _forms(questions) if any(name == "inflected" for name, _ in conditions) else {}
    total = len(questions) * (len(conditions) + 1)
    clean = []
    for number, question in enumerate(questions):
        progress("clean", number, total)
        clean.append(_ask(searcher, question, question.question, mode))
    drops: list[Drop] = []
    broken: list[Broken] = []
    for at, (name, severity) in enumerate(conditions, 1):
        perturbed = []
        for number, (question, before) in enumerate(zip(questions, clean, strict=True)):
            progress(f"{name} {severity}", at * len(questions) + number, total)
            text = perturb(
                name, question.question, question.lang, severity,
                seed=seed, question_id=question.id, forms=forms.get(question.lang, {}),
            )  # fmt: skip
            same = text == question.question
            perturbed.append(before if same else _ask(searcher, question, text, mode))
        drops += _drops(name, severity, questions, clean, perturbed)
        broken += _broken(name, severity, questions, clean, perturbed)
    progress("done", total, total)
    return RobustnessRun(
        golden=golden.name,
        golden_sha256=golden.sha256,
        version=searcher.index.manifest.version,
        mode=mode,
        seed=seed,
        questions=len(questions),
        left_out=len(golden.questions) - len(questions),
        drops=tuple(drops),
        broken=tuple(broken),
    )


def _conditions(names: Sequence[str]) -> list[tuple[str, int]]:
    for name in names:
        if name not in PERTURBATIONS:
            raise ConfigError(f"perturbation {name!r} is unknown; use {', '.join(PERTURBATIONS)}")
    return [
        (name, severity)
        for name in dict.fromkeys(names or PERTURBATIONS)
        for severity in range(1, len(PERTURBATIONS[name].severities) + 1)
    ]


def _forms(questions: Sequence[Question]) -> dict[str, Forms]:
    """Each language's dictionary is read once for all of its questions."""
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for question in questions:
        texts[question.lang].append(question.question)
    return {lang: other_forms(lang, long_words(found)) for lang, found in sorted(texts.items())}


def _ask(searcher: Searcher, question: Question, text: str, mode: str) -> Asked:
    result = searcher.search(SearchRequest(text, limit=_DEPTH, mode=mode))
    pages = list(dict.fromkeys(hit.document.id for hit in result.hits))
    gold = set(question.gold_docs)
    section = float("nan")
    if question.gold_headings:
        section = float(bool(result.hits) and _section(result.hits[0]) in question.gold_sections)
    scores = (float(not gold.isdisjoint(pages[:1])), float(not gold.isdisjoint(pages[:10])))
    found = " › ".join(_section(result.hits[0])) if result.hits else ""
    return Asked(text, (*scores, section), found, result.corrections)


def _section(hit: Hit) -> tuple[str, str]:
    return hit.document.id, hit.heading_path[-1] if hit.heading_path else ""


def _drops(
    name: str,
    severity: int,
    questions: Sequence[Question],
    clean: Sequence[Asked],
    perturbed: Sequence[Asked],
) -> list[Drop]:
    """By metric, over every language and, where there are several, for each of them."""
    before = np.array([asked.scores for asked in clean])
    after = np.array([asked.scores for asked in perturbed])
    changed = np.array([a.text != b.text for a, b in zip(clean, perturbed, strict=True)])
    langs = np.array([question.lang for question in questions])
    groups = {EVERY_LANGUAGE: np.ones(len(questions), dtype=bool)}
    if len(several := sorted(set(langs))) > 1:
        groups |= {lang: langs == lang for lang in several}
    drops = []
    for lang, group in groups.items():
        for column, metric in enumerate(METRICS):
            rows = group & ~np.isnan(before[:, column])
            if rows.any():
                pair = after[rows][:, [column]], before[rows][:, [column]]
                asked, touched = int(rows.sum()), int((changed & rows).sum())
                drops.append(_drop(name, severity, lang, metric, asked, touched, *pair))
    return drops


def _drop(
    name: str,
    severity: int,
    lang: str,
    metric: str,
    asked: int,
    changed: int,
    after: Values,
    before: Values,
) -> Drop:
    means = float(before.mean()), float(after.mean())
    (difference,) = paired_differences(after, before)
    return Drop(name, severity, lang, metric, asked, changed, *means, difference)


def _broken(
    name: str,
    severity: int,
    questions: Sequence[Question],
    clean: Sequence[Asked],
    perturbed: Sequence[Asked],
) -> list[Broken]:
    return [
        Broken(
            id=question.id,
            perturbation=name,
            severity=severity,
            clean=question.question,
            perturbed=after.text,
            gold=", ".join(question.gold_docs),
            found=after.found,
            corrections=dict(after.corrections),
        )
        for question, before, after in zip(questions, clean, perturbed, strict=True)
        if before.scores[0] > after.scores[0]
    ]
