"""``python -m eval.side_by_side --artifact FOLDER --golden SET``: edgewiki beside other engines.

Every question of the set is asked of every engine; the table that is printed is Markdown.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from eval.golden_check import check_against
from eval.golden_set import load_golden
from eval.opening import open_searcher, open_version
from eval.side_by_side.contestants import BASELINE, CONTESTANTS, ENVIRONMENT, python_of, serve
from eval.side_by_side.export import export
from eval.side_by_side.quality import judge
from eval.side_by_side.table import comparison
from index_artifacts.encoders import open_encoder
from index_artifacts.errors import ConfigError, EdgewikiError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eval.side_by_side.contestants import Contestant


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, print the table; 2 where something is missing, said in one sentence."""
    parser = argparse.ArgumentParser(prog="python -m eval.side_by_side", description=__doc__)
    parser.add_argument("--artifact", type=Path, required=True, help="the artifact to ask")
    parser.add_argument("--golden", type=Path, required=True, help="the golden set to ask of it")
    parser.add_argument("--split", default="dev", help="dev (default), test or all")
    parser.add_argument("--only", nargs="*", default=[], help="these engines, and edgewiki")
    parser.add_argument("--environment", type=Path, default=ENVIRONMENT)
    options = parser.parse_args(arguments)
    try:
        chosen = choose(options.only)
        if not all(contestant.own for contestant in chosen):
            python_of(options.environment)  # before minutes of measuring, not after
        print(compare(options.artifact, options.golden, options.split, chosen, options.environment))
    except EdgewikiError as error:
        print(f"side by side: {error}", file=sys.stderr)
        return 2
    return 0


def choose(engines: Sequence[str]) -> tuple[Contestant, ...]:
    """The contestants of ``engines`` (none: all) with the baseline; `ConfigError` for others."""
    known = {contestant.engine for contestant in CONTESTANTS}
    if unknown := sorted(set(engines) - known):
        raise ConfigError(f"engine {unknown[0]!r} is unknown; use {', '.join(sorted(known))}")
    wanted = set(engines or known)
    return tuple(c for c in CONTESTANTS if c.engine in wanted or c.name == BASELINE)


def compare(
    artifact: Path, golden: Path, split: str, chosen: Sequence[Contestant], environment: Path
) -> str:
    """Export once, run each contestant, and return the table as Markdown."""
    opened, questions = open_version(artifact, None, None), load_golden(golden, split)
    index = open_searcher(opened).index
    check_against(questions, index)
    asked = [question for question in questions.questions if question.should_answer]
    with tempfile.TemporaryDirectory(prefix="edgewiki-export-") as folder:
        exported = export(index, open_encoder(opened.model), asked, Path(folder))
        served = []
        for contestant in chosen:
            print(f"running {contestant.name} …", file=sys.stderr, flush=True)
            served.append(serve(contestant, exported, artifact, environment))
    rankings = {one.contestant.name: one.rankings for one in served}
    qualities = judge(rankings, BASELINE, exported.chunks, asked)
    title = f"{questions.name}: {len(asked)} questions, {len(exported.chunks)} chunks"
    return comparison(title, qualities, served)


if __name__ == "__main__":
    sys.exit(main())
