"""The robustness and performance sets: frozen questions with what a run is measured by."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING

from eval.golden import wording
from eval.golden.variants import again, in_order, reword

if TYPE_CHECKING:
    from collections.abc import Iterable

    from eval.golden.material import Material, Row

ROBUSTNESS_BASES = 100
WORKLOADS = {
    "short": (30, 10),
    "noisy": (30, 10),
    "multi-document": (25, 20),
    "no-answer": (25, 10),
    "large-limit": (30, 50),
    "context-heavy": (30, 20),
    "hot": (30, 10),
}
"""How many requests of each class, and how many hits each asks for; 200 requests together."""
HOT_QUESTIONS = 5
LONGEST_QUERY = 1_800
MODES = ("hybrid", "lexical", "hybrid", "vector", "hybrid", "cascade")


def robustness(material: Material) -> list[Row]:
    """Each of 100 questions as written and once perturbed, with what explains the loss."""
    rows: list[Row] = []
    rules = cycle(("no-diacritics", "typos", "noise", "order", "short"))
    for base in _stratified(material):
        stopwords = material.stopwords(base["lang"])
        facts = {
            "perturbable_words": wording.long_words(base["question"]),
            "difficulty": wording.difficulty(
                base["question"], base["gold_text"], base["kind"], stopwords
            ),
        }
        for rule in ("none", next(r for r in rules if reword(material, r, base))):
            question = base["question"] if rule == "none" else reword(material, rule, base)
            row = again(base, str(question), rule=rule, generated=rule != "none", **facts)
            rows.append({**row, "id": f"rob-{len(rows) + 1:03d}"})
    return rows


def performance(material: Material, extended: list[Row]) -> list[Row]:
    """Return a workload: requests by class, each with its limit and mode."""
    plain = [row for row in in_order(material, "performance") if "gold_text" in row]
    pools: dict[str, Iterable[Row]] = {
        "short": (row for row in extended if row["rule"] == "short"),
        "noisy": (row for row in extended if row["rule"] in {"typos", "no-diacritics"}),
        "multi-document": (
            row for row in extended if row["kind"] in {"multi-document", "comparison"}
        ),
        "no-answer": (row for row in extended if row["rule"] == "no-answer"),
        "large-limit": plain,
        "context-heavy": _with_context(plain),
        "hot": plain[-HOT_QUESTIONS:],
    }
    rows: list[Row] = []
    for name, (count, limit) in WORKLOADS.items():
        pool = wording.shuffled(pools[name], f"performance {name}", lambda row: str(row["id"]))
        modes = cycle(("hybrid",) if name == "hot" else MODES)
        for row, mode, _ in zip(cycle(pool), modes, range(count), strict=False):
            base_id = row["id"] if str(row["id"]).startswith("demo-") else row["base_id"]
            request = {"class": name, "limit": limit, "mode": mode, "generated": True}
            row = {**row, "id": f"perf-{len(rows) + 1:03d}", "base_id": base_id, **request}
            rows.append(row)
    return rows


def _stratified(material: Material) -> list[Row]:
    """Take questions from each language and kind in turn until there are enough."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in in_order(material, "robustness"):
        if "gold_text" in row and wording.long_words(row["question"]) >= 2:
            groups.setdefault((row["lang"], row["kind"]), []).append(row)
    taken: list[Row] = []
    while len(taken) < ROBUSTNESS_BASES:
        for key in sorted(groups):
            if groups[key] and len(taken) < ROBUSTNESS_BASES:
                taken.append(groups[key].pop(0))
    return taken


def _with_context(rows: list[Row]) -> list[Row]:
    """Put the passages of the next six questions in front, as a pasted chat would."""
    made = []
    for at, row in enumerate(rows):
        others = [rows[(at + step) % len(rows)]["gold_text"] for step in range(1, 7)]
        context = " ".join(" ".join(text.split()) for text in others)
        question = f"{context[: LONGEST_QUERY - len(row['question'])]}\n\n{row['question']}"
        made.append({**row, "question": question})
    return made
