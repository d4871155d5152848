"""Build the generated golden sets from the frozen one: ``python -m eval.golden.generate``.

The frozen set and the seeds are written by hand; everything here is made by rules that
``README.md`` documents. A seed fixes every choice, so a second run writes the same bytes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from eval.golden import roster, wording
from eval.golden.material import Material, Row, read_material
from eval.golden.variants import again, in_order, reword
from eval.golden.workloads import performance, robustness

if TYPE_CHECKING:
    from collections.abc import Iterator

GOLDEN = Path(__file__).parent
CORPORA = GOLDEN.parent / "corpora"

EXTENDED = {
    "paraphrase": 360,
    "no-diacritics": 320,
    "typos": 320,
    "short": 280,
    "citation": 160,
    "multi-document": 60,
    "comparison": 90,
    "false-premise": 150,
    "no-answer": 260,
}
"""How many questions each rule makes; 2,000 together."""
UNANSWERABLE = {"false-premise", "no-answer"}
OWN_KIND = {"citation", "multi-document", "comparison", *UNANSWERABLE}
"""Rules that name the kind of what they make; the others keep the kind of the base question."""


def generate(material: Material) -> dict[str, list[Row]]:
    """Return the rows of every generated file by its path below this folder."""
    extended = list(_extended(material))
    return {
        "demo-extended/questions.jsonl": extended,
        "demo-robustness/questions.jsonl": robustness(material),
        "demo-performance/questions.jsonl": performance(material, extended),
    }


def write(files: dict[str, list[Row]], folder: Path) -> None:
    """Write every file as JSON lines."""
    for name, rows in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (folder / name).write_text("".join(lines), "utf-8", newline="\n")


def _extended(material: Material) -> Iterator[Row]:
    """Take from each rule's candidates as many as it may make, never a question twice."""
    seen = {_key(row["question"]) for row in material.base}
    makers = {
        "paraphrase": _paraphrases(material),
        "no-diacritics": _reworded(material, "no-diacritics"),
        "typos": _reworded(material, "typos"),
        "short": _reworded(material, "short"),
        "citation": _citations(material),
        "multi-document": _several_pages(material),
        "comparison": _comparisons(material),
        "false-premise": roster.in_turn(roster.false_premises(material), "false-premise"),
        "no-answer": _no_answers(material),
    }
    number = 0
    for rule, candidates in makers.items():
        made = 0
        for row in candidates:
            if made == EXTENDED[rule]:
                break
            if _key(row["question"]) in seen:
                continue
            seen.add(_key(row["question"]))
            made += 1
            number += 1
            yield _finished(row, rule, f"ext-{number:04d}")
        if made < EXTENDED[rule]:
            raise ValueError(f"rule {rule} made {made} questions of {EXTENDED[rule]}")


def _finished(row: Row, rule: str, name: str) -> Row:
    answerable = rule not in UNANSWERABLE
    return {
        "id": name,
        **{key: value for key, value in row.items() if key != "id"},
        "should_answer": answerable,
        "kind": rule if rule in OWN_KIND else row["kind"],
        "rule": rule,
        "generated": True,
    }


def _paraphrases(material: Material) -> Iterator[Row]:
    """Hand-written wordings first, then the question in a frame of its language."""
    by_id = {row["id"]: row for row in material.base}
    for seed in material.seeds["paraphrases"]:
        yield again(by_id[seed["base_id"]], seed["question"], wording="hand-written")
    yield from _framed(material, "paraphrase", {"keyword", "colloquial"})


def _citations(material: Material) -> Iterator[Row]:
    """Ask on which page something stands: in a question's words, or quoting the page."""
    for row in in_order(material, "citation"):
        quote = wording.quotable(row.get("gold_text", ""))
        usable = quote is not None and material.text.count(quote) == 1
        for frame in wording.shuffled(
            material.frames("citation", row["lang"]), row["id"], lambda text: text
        ):
            if "{quote}" in frame:
                question = frame.format(quote=quote) if usable else None
            elif row["kind"] in {"keyword", "colloquial", "multi-document"}:
                question = None
            else:
                question = wording.fill(
                    frame, row["question"], material.interrogatives(row["lang"])
                )
            if question:
                yield again(row, question)
                break


def _several_pages(material: Material) -> Iterator[Row]:
    """Theses by topic and supervisor, then the frozen questions of this kind in frames."""
    yield from roster.in_turn(roster.several_pages(material), "multi-document")
    for row in _framed(material, "paraphrase", set()):
        if row["kind"] == "multi-document":
            yield row


def _comparisons(material: Material) -> Iterator[Row]:
    """Hand-written pairs of pages, then pairs of students."""
    first = {row["gold_doc"]: row["id"] for row in reversed(material.base) if "gold_doc" in row}
    for seed in material.seeds["comparisons"]:
        page = seed["gold_docs"][0]
        yield {
            **seed,
            "split": wording.split_of(page),
            "base_id": first[page],
            "wording": "hand-written",
        }
    yield from roster.in_turn(roster.comparisons(material), "comparison")


def _no_answers(material: Material) -> Iterator[Row]:
    """Hand-written questions, then frames about people, courses and servers that do not exist."""
    for seed in material.seeds["no_answer"]:
        yield {
            "question": seed["question"],
            "lang": seed["lang"],
            "split": wording.split_of(seed["question"]),
            "base_id": None,
            "wording": "hand-written",
        }
    made = [
        {
            "question": frame.format(name=unknown["name"]),
            "lang": lang,
            "split": wording.split_of(unknown["name"]),
            "base_id": None,
        }
        for unknown in material.seeds["unknown"]
        for lang in roster.LANGUAGES
        for frame in material.frames("no-answer", lang, category=unknown["category"])
    ]
    yield from roster.in_turn(made, "no-answer")


def _framed(material: Material, rule: str, skipped: set[str]) -> Iterator[Row]:
    """Each question in one frame after the other, all questions once before any twice."""
    rows = [row for row in in_order(material, rule) if row["kind"] not in skipped]
    most = max(len(material.frames(rule, lang)) for lang in roster.LANGUAGES)
    for turn in range(most):
        for row in rows:
            frames = wording.shuffled(material.frames(rule, row["lang"]), row["id"], str)
            if turn < len(frames):
                words = material.interrogatives(row["lang"])
                question = wording.fill(frames[turn], row["question"], words)
                if question:
                    yield again(row, question, wording="frame")


def _reworded(material: Material, rule: str) -> Iterator[Row]:
    for row in in_order(material, rule):
        question = reword(material, rule, row)
        if question:
            yield again(row, question)


def _key(question: str) -> str:
    return " ".join(question.casefold().split())


if __name__ == "__main__":
    write(generate(read_material(GOLDEN, CORPORA)), GOLDEN)
