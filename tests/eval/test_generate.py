"""The generated golden sets: rewritten byte by byte, and true to the rules they state."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections import Counter

import pytest

from eval.golden.generate import CORPORA, EXTENDED, GOLDEN, generate, write
from eval.golden.material import Material, Row, read_lines, read_material
from eval.golden.wording import generator, quotable, with_typos, without_diacritics

SETS = ("demo-extended", "demo-robustness", "demo-performance")


@pytest.fixture(scope="module")
def material() -> Material:
    return read_material(GOLDEN, CORPORA)


@pytest.fixture(scope="module")
def extended() -> list[Row]:
    return read_lines(GOLDEN / "demo-extended" / "questions.jsonl")


def test_a_second_run_writes_the_same_bytes(
    material: Material, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("golden")
    write(generate(material), folder)
    for name in SETS:
        file = f"{name}/questions.jsonl"
        assert (folder / file).read_bytes() == (GOLDEN / file).read_bytes(), file


def test_the_base_set_is_the_frozen_one() -> None:
    data = (GOLDEN / "demo" / "questions.jsonl").read_bytes()
    frozen = json.loads((GOLDEN / "demo" / "frozen.json").read_text("utf-8"))
    assert frozen["sha256"] == hashlib.sha256(data).hexdigest()
    assert frozen["questions"] == len(data.splitlines())


def test_the_sets_have_their_sizes_and_unique_ids() -> None:
    for name, size in zip(SETS, (2000, 200, 200), strict=True):
        rows = read_lines(GOLDEN / name / "questions.jsonl")
        assert len({row["id"] for row in rows}) == len(rows) == size, name


def test_each_rule_makes_its_share(extended: list[Row]) -> None:
    assert Counter(row["rule"] for row in extended) == EXTENDED


def test_no_page_is_gold_in_both_halves() -> None:
    halves: dict[str, set[str]] = {}
    for name in ("demo", *SETS):
        for row in read_lines(GOLDEN / name / "questions.jsonl"):
            for page in [
                *row.get("gold_docs", []),
                *([row["gold_doc"]] if "gold_doc" in row else []),
            ]:
                halves.setdefault(page, set()).add(row["split"])
    assert all(len(splits) == 1 for splits in halves.values())


def test_a_question_without_an_answer_has_no_gold(extended: list[Row]) -> None:
    for row in extended:
        has_gold = bool(row.get("gold_doc") or row.get("gold_docs"))
        assert has_gold == row["should_answer"], row["id"]


def test_a_false_premise_contradicts_the_roster(extended: list[Row], material: Material) -> None:
    roster = tomllib.loads((CORPORA / "demo-people.toml").read_text("utf-8"))
    theses = {student["page"]: student["thesis"] for student in roster["student"]}
    pages = {row["id"]: row.get("gold_doc") for row in material.base}
    for row in extended:
        if row["rule"] == "false-premise":
            real = {str(thesis[row["premise"]]) for thesis in theses[pages[row["base_id"]]]}
            assert row["truth"] in real and row["said"] not in real, row["id"]


def test_the_unknown_are_unknown(material: Material) -> None:
    for unknown in material.seeds["unknown"]:
        assert not re.search(rf"\b{unknown['name']}\b", material.text), unknown["name"]


def test_diacritics_go_and_the_short_i_stays() -> None:
    assert without_diacritics("Žltý kôň, łąka, ёлка, й") == "Zlty kon, laka, елка, й"


@pytest.mark.parametrize("number", range(50))
def test_a_typo_changes_long_words_only(number: int) -> None:
    question = "Kde je nový server katedry?"
    typed = with_typos(question, ["qwertzuiopú", "asdfghjklô", "yxcvbnm"], generator(number))
    changed = [
        (old, new) for old, new in zip(question.split(), typed.split(), strict=True) if old != new
    ]
    assert 1 <= len(changed) <= 2
    assert all(old in {"server", "katedry?"} and old[0] == new[0] for old, new in changed)


def test_a_quotation_is_free_of_markup() -> None:
    assert quotable("smie najviac **90 minút denne** a kedykoľvek môže skončiť") == (
        "a kedykoľvek môže skončiť"
    )
    assert quotable("`pod` – **nič**") is None
