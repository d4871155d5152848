"""Build the golden set of the graph: ``python -m eval.golden.graph_questions``.

Templates, cases and names are written by hand (``demo-graph/*.toml``), what is expected follows
from the roster and the front matter. A second run writes the same bytes. A question whose
answer depends on how it is read, say on whether a proposal is a thesis, is an error unless its
template says ``exact``: it then asks for just that.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval.golden.graph_comparisons import SHAPES
from eval.golden.graph_facts import known_facts
from eval.golden.graph_names import Filled, Names, PersonSlot
from eval.golden.graph_truth import READINGS, read_truth

if TYPE_CHECKING:
    from collections.abc import Iterator

    from eval.golden.graph_expectation import Expectation
    from eval.golden.graph_truth import Truth

FOLDER = Path(__file__).parent / "demo-graph"
CORPORA = Path(__file__).parent.parent / "corpora"
LANGUAGES = ("sk", "cs", "pl", "ru", "en")
HALVES = ("dev", "test")
Row = dict[str, Any]


def generate(folder: Path = FOLDER, corpora: Path = CORPORA) -> dict[str, list[Row]]:
    """Return the lines of each generated file by its name."""
    truth = read_truth(corpora)
    names = Names.read(folder / "names.toml", truth)
    rows: list[Row] = []
    for half in HALVES:
        made = _of_half(half, folder, truth, names)
        rows += [{"id": f"{half}-{number:03}", **row} for number, row in enumerate(made, 1)]
    return {"questions.jsonl": rows, "facts.jsonl": list(known_facts(truth))}


def write(files: dict[str, list[Row]], folder: Path = FOLDER) -> None:
    """Write every file as JSON lines."""
    for name, rows in files.items():
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (folder / name).write_text("".join(lines), "utf-8", newline="\n")


def _of_half(half: str, folder: Path, truth: Truth, names: Names) -> Iterator[Row]:
    groups = tomllib.loads((folder / f"templates-{half}.toml").read_text("utf-8"))["group"]
    for group in groups:
        for lang in LANGUAGES:
            for text, *cases in group.get(lang, ()):
                for case in cases or ("",):
                    try:
                        yield _row(half, group, lang, text, case, truth, names)
                    except (KeyError, ValueError, IndexError) as error:
                        raise ValueError(f"{half}: {text!r} with {case!r}: {error}") from error


def _row(half: str, group: Row, lang: str, text: str, case: str, truth: Truth, names: Names) -> Row:
    filled = Filled()
    given = dict(zip(group.get("slots", "owner").split(), case.split(), strict=bool(case)))
    slots = {name: _slot(value, lang, truth, names, filled) for name, value in given.items()}
    question = text.format(**slots)
    for slug in filled.people:
        if names.half(slug) != half:
            raise ValueError(f"{slug} is not of this half")
    values = {name: int(one) if one.isdecimal() else one for name, one in given.items()}
    expectation = _expected(truth, group, values)
    return {
        "question": question,
        "lang": lang,
        "kind": group["kind"],
        "split": half,
        "gold_docs": list(expectation.docs),
        "should_answer": expectation.outcome == "answered",
        "outcome": expectation.outcome,
        "expected": [dict(answer) for answer in expectation.answers],
        "candidates": [dict(candidate) for candidate in expectation.candidates],
        "complete": expectation.complete,
        "shape": group["shape"],
        "template": text,
        "people": filled.people,
        "mentions": filled.mentions,
    }


def _slot(value: str, lang: str, truth: Truth, names: Names, filled: Filled) -> object:
    slug = value.removeprefix("~")
    if slug in names.names:
        alike = truth.namesakes(slug, surname=True) if value != slug else []
        filled.people += [person.slug for person in alike] or [slug]
        return PersonSlot(value, lang, names, filled)
    if "/" in value:
        work = truth.work(value)
        filled.people.append(work.owner)
        return work.title
    return value.replace("_", " ")


def _expected(truth: Truth, group: Row, values: Row) -> Expectation:
    shape = SHAPES[group["shape"]]
    readings = READINGS[:1] if group.get("exact") else READINGS
    given = {**group.get("with", {}), **values}
    found = [shape(truth.as_read(reading), **given) for reading in readings]
    if len({one.outcome for one in found}) > 1 or any(
        set(one.answers) != set(found[0].answers) for one in found
    ):
        raise ValueError("the answer depends on the reading")
    return found[0]


if __name__ == "__main__":
    write(generate())
