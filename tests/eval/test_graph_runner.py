"""Measuring the graph: what counts as right, as wrong, as claimed; questions in other spellings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from rapidfuzz.distance import OSA
from rich.console import Console

from eval.golden_set import Question, load_golden
from eval.graph_facts import KnownFacts, read_known_facts
from eval.graph_metrics import graph_rows, severity
from eval.graph_outcomes import GraphOutcome
from eval.graph_report import graph_json, graph_markdown, show_graph
from eval.graph_runner import judge, measure_graph
from eval.graph_set import expected_of, same
from eval.graph_variants import vary
from index_artifacts.errors import ConfigError
from tests.eval.golden_files import write_golden, write_lines

if TYPE_CHECKING:
    from pathlib import Path

    from eval.graph_outcomes import GraphRun

IVAN = {"type": "Person", "value": "Ivan Brezina", "page": "students/ivan.md"}
OTHER_IVAN = {**IVAN, "page": "students/ivan2.md"}
WELLS = {"type": "Thesis", "value": "Wells of the town"}
COUNT = {"type": "count", "value": 1}
NOTHING = KnownFacts()


def question(outcome: str = "answered", *expected: dict[str, Any], **more: Any) -> Question:
    extra = {"outcome": outcome, "expected": list(expected), "complete": None, **more}
    return Question("q1", "Who wrote Wells?", "en", kind="fact", split="dev", extra=extra)


def response(outcome: str = "answered", *answers: dict[str, Any], **more: Any) -> dict[str, Any]:
    empty = {"candidates": [], "facts": [], "complete": False, "reason": ""}
    return {"outcome": outcome, "answers": list(answers), **empty, **more}


def named(answer: dict[str, Any]) -> dict[str, Any]:
    """An entity as facts hold it."""
    return {"id": "x", "type": answer["type"], "name": answer["value"], "page": ""}


@pytest.mark.parametrize(
    ("expected", "given", "equal"),
    [
        (IVAN, {**IVAN, "value": "Ivan the Elder"}, True),
        (IVAN, {**IVAN, "page": "", "value": "ivan  brezina"}, True),
        (IVAN, OTHER_IVAN, False),
        (WELLS, {**WELLS, "value": "Wélls of the Town", "page": "a.md"}, True),
        (WELLS, {**WELLS, "type": "Work"}, False),
        (COUNT, {"type": "count", "value": True}, False),
        (COUNT, {"type": "count", "value": "1"}, False),
        ({"type": "Keyword", "value": "server", "names": ["servery"]},
         {"type": "Keyword", "value": "Servery"}, True),
    ],
)  # fmt: skip
def test_two_answers_are_the_same_by_type_and_page_or_value(
    expected: dict[str, Any], given: dict[str, Any], equal: bool
) -> None:
    assert same(expected, given) == equal


@pytest.mark.parametrize(
    ("given", "missing", "extra", "strict"),
    [
        (response("answered", WELLS, IVAN), 0, 0, True),
        (response("answered", IVAN), 1, 0, False),
        (response("answered", IVAN, WELLS, COUNT), 0, 1, False),
        (response("no_facts"), 2, 0, False),
    ],
)
def test_strict_needs_every_answer_and_no_other(
    given: dict[str, Any], missing: int, extra: int, strict: bool
) -> None:
    one = judge(question("answered", IVAN, WELLS), given, NOTHING)
    assert (one.missing, one.extra, one.strict) == (missing, extra, strict)


def test_an_ambiguous_name_needs_all_its_bearers() -> None:
    asked = question("ambiguous", candidates=[IVAN, OTHER_IVAN])
    both = [named(IVAN) | {"page": IVAN["page"]}, named(IVAN) | {"page": OTHER_IVAN["page"]}]
    assert judge(asked, response("ambiguous", candidates=both), NOTHING).strict
    assert not judge(asked, response("ambiguous", candidates=both[:1]), NOTHING).strict


def test_an_answer_where_none_is_right_is_a_wrong_one() -> None:
    one = judge(question("not_understood"), response("answered", IVAN), NOTHING)
    assert (one.wrong, one.strict, severity(one)) == (1, False, (3, 1))
    refused = judge(question("answered", IVAN), response("not_understood"), NOTHING)
    assert (refused.wrong, severity(refused)) == (0, (1, 1))


def test_a_fact_that_is_not_so_counts_even_behind_a_right_answer() -> None:
    known = KnownFacts({"AUTHORED": [(IVAN, WELLS)]}, {"year": [(WELLS, 2020)]})
    right = {"subject": named(IVAN), "relation": "AUTHORED", "object": named(WELLS)}
    wrong = {**right, "object": named({**WELLS, "value": "Springs"})}
    year = {"subject": named(WELLS), "relation": "", "attribute": "year", "value": 2021}
    unknown = {**wrong, "relation": "LINKS_TO"}
    facts = [right, wrong, {**year, "object": None}, unknown]
    one = judge(question("answered", IVAN), response("answered", IVAN, facts=facts), known)
    assert (one.strict, one.denied) == (True, 2)
    assert one.notes == (
        "denied: Ivan Brezina AUTHORED Springs",
        "denied: Wells of the town year 2021",
    )


@pytest.mark.parametrize(
    ("expected", "claimed", "over"),
    [(False, True, True), (False, False, False), (None, True, False), (True, True, False)],
)
def test_calling_a_list_complete_that_cannot_be_is_counted(
    expected: bool | None, claimed: bool, over: bool
) -> None:
    asked = question("answered", IVAN, complete=expected)
    assert judge(asked, response("answered", IVAN, complete=claimed), NOTHING).overclaimed == over


def test_nothing_of_a_test_question_is_left_to_read() -> None:
    asked = Question("q2", "Who?", split="test", extra=question("answered", IVAN).extra)
    one = judge(asked, response("answered", COUNT, reason="because"), NOTHING, asked="Who?")
    assert (one.asked, one.reason, one.notes, one.wrong) == ("", "", (), 1)


@pytest.mark.parametrize(
    "extra",
    [
        {"outcome": "perhaps"},
        {"outcome": "answered", "expected": ["Ivan"]},
        {"outcome": "answered", "complete": "yes"},
        {"outcome": "answered", "mentions": "Ivan"},
    ],
)
def test_a_question_of_another_form_is_named(extra: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="question q3: "):
        expected_of(Question("q3", "Who?", extra=extra))


def test_a_line_that_is_no_fact_is_named(tmp_path: Path) -> None:
    golden = load_golden(write_golden(tmp_path / "set"))
    assert read_known_facts(golden) == NOTHING
    write_lines(tmp_path / "set" / "facts.jsonl", [{"relation": "AUTHORED", "subject": IVAN}])
    with pytest.raises(ConfigError, match=r"facts.jsonl, line 1: 'object' is missing"):
        read_known_facts(golden)


def test_diacritics_go_everywhere() -> None:
    assert vary("no-diacritics", "Kto viedol prácu Ľuboša Žiarana?", "sk") == (
        "Kto viedol pracu Lubosa Ziarana?"
    )


@pytest.mark.parametrize("key", [f"q{number}" for number in range(30)])
def test_a_typo_is_one_slip_in_each_long_word_of_a_name(key: str) -> None:
    text = vary("typo", "Kto viedol prácu Emy Štefíkovej?", "sk", ["Emy Štefíkovej"], key=key)
    before, ema, typed = text.removesuffix("?").rpartition(" ")[0], "Emy", text.split()[-1]
    assert before == f"Kto viedol prácu {ema}"
    assert typed[0] == "Š" and OSA.distance("Štefíkovej?", typed) == 1
    assert text == vary(
        "typo", "Kto viedol prácu Emy Štefíkovej?", "sk", ["Emy Štefíkovej"], key=key
    )


@pytest.fixture
def run(tmp_path: Path) -> GraphRun:
    """Three questions to something that knows one answer and calls everything complete."""
    rows: list[dict[str, Any]] = [
        {"id": "a", "question": "Who wrote Wells?", "lang": "en", "kind": "fact", "split": "dev",
         "gold_doc": "students/ivan.md", "outcome": "answered", "expected": [IVAN]},
        {"id": "b", "question": "Who wrote all?", "lang": "en", "kind": "join", "split": "dev",
         "gold_doc": "students/ivan.md", "outcome": "answered", "expected": [IVAN, OTHER_IVAN],
         "complete": False},
        {"id": "c", "question": "Will it rain?", "lang": "en", "kind": "outside", "split": "dev",
         "should_answer": False, "outcome": "not_understood"},
    ]  # fmt: skip
    golden = load_golden(write_golden(tmp_path / "set", rows))
    return measure_graph(
        lambda text: (
            response("answered", IVAN, complete=True)
            if "wrote" in text
            else response("not_understood")
        ),
        golden,
        NOTHING,
        version="v",
    )


def test_a_run_is_counted_by_kind(run: GraphRun) -> None:
    rows = {row.group: row for row in graph_rows(run.outcomes)}
    assert rows["all"].mean("strict") == pytest.approx(2 / 3)
    assert rows["all"].mean("not_understood") == 1 and rows["all"].mean("gave_up") == 0
    assert (rows["kind join"].overclaimed, rows["kind fact"].overclaimed) == (1, 0)
    assert rows["kind fact"].mean("not_understood") is None


def test_a_report_names_what_a_dev_question_lacks(run: GraphRun) -> None:
    console = Console(record=True, width=160)
    show_graph(console, run)
    text = " ".join(console.export_text().split())
    assert "1 DEV failures" in text and "calls itself complete" in text
    assert "lacks Person 'Ivan Brezina'" in text


def test_a_run_is_json_and_a_line_of_a_table(run: GraphRun) -> None:
    described = graph_json(run, outcomes=True)
    assert described["format"] == "edgewiki-graph/1" and described["questions"] == 3
    assert [one["strict"] for one in described["outcomes"]] == [True, False, True]
    heading, _, line = graph_markdown(run).splitlines()
    assert heading.count("|") == line.count("|") and "| plain | all | 3 | .667 |" in line


def test_whatever_answers_in_that_form_can_be_measured(run: GraphRun) -> None:
    assert all(isinstance(one, GraphOutcome) for one in run.outcomes)
    assert [one.question for one in run.outcomes] == ["a", "b", "c"]
