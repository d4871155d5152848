"""Fitting a tuning file: weights first, then the calibration of what they rank first."""

from __future__ import annotations

import json
import tempfile
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from build.config import load_config
from build.language_means import sample as language_sample
from build.pipeline import build_version
from build.tuning import FORMAT, read_tuning
from eval.golden_check import check_against
from eval.hidden_pages import folds
from eval.opening import open_searcher
from eval.tune_calibration import ANSWERABLE, FAR, NEAR, Sample, fit_calibration
from eval.tune_calibration import leave_one_out as leave_one_out_calibration
from eval.tune_weights import fit_weights, leave_one_out, make_case, mean_reciprocal_rank
from index_artifacts.artifact import open_artifact
from index_artifacts.errors import ConfigError
from index_artifacts.search import SearchRequest
from index_artifacts.store import open_store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from build.config import BuildConfig
    from eval.golden_set import GoldenSet, Question
    from index_artifacts.calibration import Calibration
    from index_artifacts.search import Searcher
    from index_artifacts.tuning import Tuning

    Say = Callable[[str], None]

# Other sets' questions to hold against a set: more say nothing more.
_FAR_QUESTIONS = 200


@dataclass(frozen=True, slots=True)
class Tuned:
    """What was fitted, on what, and how it does on sets that it was not fitted on.

    ``ranking`` is MRR@10 by set: with the weights before, with the fitted ones, and with ones
    fitted without the set. ``judging`` is, by kind of evidence and set, the AUROC of a
    calibration fitted without the set.
    """

    tuning: Tuning
    calibration: Calibration
    sets: tuple[dict[str, Any], ...]
    ranking: dict[str, tuple[float, float, float]]
    judging: dict[str, dict[str, dict[str, float]]] = field(default_factory=dict)

    def to_json(self) -> str:
        """The tuning file; its values in an order that reads well, a line each."""
        values = {
            "format": FORMAT,
            "weights": self.tuning.to_dict(),
            "calibration": self.calibration.to_dict(),
            "fitted_on": list(self.sets),
            "ranking": {name: [round(v, 4) for v in row] for name, row in self.ranking.items()},
            "judging": self.judging,
        }
        return json.dumps(values, ensure_ascii=False, indent=1) + "\n"


def tune(
    goldens: Sequence[GoldenSet],
    *,
    store: str | None = None,
    keep_weights: bool = False,
    say: Say = lambda _: None,
) -> Tuned:
    """Fit weights and calibration on ``goldens``, which hold no TEST question.

    Builds each set's wiki, and then again without the pages that answer, a part at a time.
    Raises `ConfigError` for a set with TEST questions, or without any that is answered.
    """
    for golden in goldens:
        if golden.holds_test:
            raise ConfigError(f"{golden.name} holds TEST questions: fit on --split dev only")
        if not any(question.should_answer for question in golden.questions):
            raise ConfigError(f"{golden.name} has no question with an answer: nothing to fit")
    with ExitStack() as stack:
        searchers = {}
        for golden in goldens:
            say(f"{golden.name}: building")
            searchers[golden.name] = stack.enter_context(_version(golden, store))
            check_against(golden, searchers[golden.name].index)
        say("asking the legs")
        cases = {
            golden.name: [
                case for q in _answerable(golden) if (case := make_case(searchers[golden.name], q))
            ]
            for golden in goldens
        }
        start = read_tuning().tuning
        fitted = start if keep_weights else fit_weights(cases, start)
        alone = {} if keep_weights else leave_one_out(cases, start)
        ranking = {
            name: (
                mean_reciprocal_rank({name: own}, start),
                mean_reciprocal_rank({name: own}, fitted),
                alone[name][1] if alone else mean_reciprocal_rank({name: own}, fitted),
            )
            for name, own in cases.items()
        }
        samples: list[Sample] = []
        for golden in goldens:
            say(f"{golden.name}: gathering evidence")
            searcher = searchers[golden.name]
            searcher.tuning = fitted
            samples += _samples(searcher, golden.name, ANSWERABLE, _texts(_answerable(golden)))
            samples += _samples(searcher, golden.name, FAR, far_questions(golden, goldens))
        encoder = searchers[goldens[0].name].index.manifest.encoder["fingerprint"]
    for golden in goldens:
        for number, fold in enumerate(folds(golden), 1):
            say(f"{golden.name}: hiding pages, part {number}")
            with _version(golden, store, hide=fold.hide) as searcher:
                searcher.tuning = fitted
                samples += _samples(searcher, golden.name, NEAR, _texts(fold.questions))
    calibration = fit_calibration(samples, encoder)
    judging = {kind: leave_one_out_calibration(samples, kind) for kind in calibration.models}
    return Tuned(fitted, calibration, tuple(map(_described, goldens)), ranking, judging)


@contextmanager
def _version(
    golden: GoldenSet,
    store: str | None,
    hide: Callable[[BuildConfig], BuildConfig] = lambda config: config,
) -> Iterator[Searcher]:
    config = hide(load_config(golden.wiki, store=store))
    with tempfile.TemporaryDirectory(prefix="edgewiki-tune-") as temporary:
        folder = Path(temporary) / "artifact"
        build_version(golden.wiki, folder, config, open_store(config.store))
        yield open_searcher(open_artifact(folder))


def _samples(searcher: Searcher, golden: str, sort: str, texts: Iterable[str]) -> Iterator[Sample]:
    for text in texts:
        evidence = searcher.search(SearchRequest(text, limit=1)).evidence
        if evidence is not None:
            yield Sample(golden, sort, evidence)


def _answerable(golden: GoldenSet) -> list[Question]:
    return [question for question in golden.questions if question.should_answer]


def _texts(questions: Iterable[Question]) -> list[str]:
    return [question.question for question in questions]


def far_questions(golden: GoldenSet, goldens: Sequence[GoldenSet]) -> list[str]:
    """Questions in the set's languages that other wikis answer, and ones that none of them does."""
    languages = {question.lang for question in golden.questions}
    others = [
        question.question
        for other in goldens
        if not _same_subject(golden, other)
        for question in _answerable(other)
        if question.lang in languages
    ]
    step = max(1, len(others) // _FAR_QUESTIONS)
    general = [
        text
        for language, texts in language_sample().items()
        if language in languages
        for text in texts
        if text.endswith("?")
    ]
    return others[::step][:_FAR_QUESTIONS] + general


def _same_subject(golden: GoldenSet, other: GoldenSet) -> bool:
    """True for sets that ask one wiki, or translations of one: those keep the pages' paths."""
    ours, theirs = (
        {page for question in one.questions for page in question.gold_docs}
        for one in (golden, other)
    )
    return 2 * len(ours & theirs) > min(len(ours), len(theirs))


def _described(golden: GoldenSet) -> dict[str, Any]:
    answered = len(_answerable(golden))
    return {
        "set": golden.name,
        "sha256": golden.sha256,
        "split": golden.split,
        "questions": answered,
    }
