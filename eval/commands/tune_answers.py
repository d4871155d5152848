"""``edgewiki eval tune-answers``: fit how evidence is read to DEV questions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from build.console import Console
from eval.commands.options import LimitQuestions
from eval.golden_set import load_golden
from eval.tune_answers import collect, first_right, fit_ranking, fit_verdict
from index_artifacts.answers.reading import Ranking, ranking
from index_artifacts.errors import ConfigError
from index_artifacts.evidence import READING


def tune_answers(
    goldens: Annotated[list[Path], typer.Argument(help="Golden sets with their wikis.")],
    tuning: Annotated[Path, typer.Option(help="The tuning file whose verdict is replaced.")],
    extraction: Annotated[Path, typer.Option(help="Where to write the ranking of units.")],
    limit_questions: LimitQuestions = None,
) -> None:
    """Fit on DEV the ranking of units and the verdict on them; the rest of the file stays."""
    say = Console().say
    values = json.loads(tuning.read_text(encoding="utf-8"))
    sets = [load_golden(path, "dev") for path in goldens]
    if limit_questions:
        sets = [golden.spread(limit_questions) for golden in sets]
    cases = [case for golden in sets for case in collect(golden, say)]
    if len({case.answerable for case in cases if case.figures is not None}) < 2:
        raise ConfigError("the sets need questions with an answer and questions without one")
    fitted = fit_ranking(cases)
    encoder = next(iter(values["calibration"].values()))["encoder"]
    model = fit_verdict(cases, encoder)
    for name in dict.fromkeys(case.golden for case in cases):
        own = [case for case in cases if case.golden == name]
        new = Ranking(*(tuple(fitted[key]) for key in ("weights", "means", "spreads")))
        before, after = (first_right(own, one, 1) for one in (ranking(), new))
        say(f"{name}: a right unit first {before:.3f} → {after:.3f}")
    say(f"verdict: {model.errors}")
    extraction.write_text(json.dumps(fitted, indent=1) + "\n", encoding="utf-8")
    values["calibration"][READING] = {
        name: getattr(model, name) for name in model.__dataclass_fields__
    }
    tuning.write_text(json.dumps(values, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
