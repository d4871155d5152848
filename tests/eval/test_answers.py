"""Measuring answers: what counts as a fact, as unsupported, as right; and the command itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from eval.answer_metrics import answer_rows, is_strict, severity
from eval.answer_outcomes import AnswerOutcome
from eval.answer_text import holds, without_sources
from eval.answer_verification import Pages, Unsupported, unsupported
from eval.answers import judge
from eval.golden_set import Question, load_golden
from functions.models import Source
from functions.tools.answer import AnswerClaim, AnswerResponse, TokenCount
from index_artifacts.errors import ConfigError
from index_artifacts.index import Index
from tests.eval.golden_files import MOON, PORT, write_golden, write_lines
from tests.tiny_wiki import build

if TYPE_CHECKING:
    from pathlib import Path

WIKI = {
    "server.md": "# Server room\n\nThe server listens on **port 8080**, see [the list](ports.md) "
    "of Ivan Brezina.\n\nIt was bought on 1.4.2024 for 27 300 euros; three disks failed.\n",
    "garden.md": "# Garden\n\nTomatoes and basil grow behind the faculty building.\n",
}
SOURCES = {1: "server.md", 2: "garden.md"}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Pages:
    return Pages(Index(build(tmp_path_factory.mktemp("pages"), WIKI)))


def response(*claims: AnswerClaim, text: str = "", **fields: Any) -> AnswerResponse:
    """What the tool gives where ``claims`` were delivered; a refusal without any."""
    accepted = bool(claims)
    cited = sorted({number for claim in claims for number in claim.citations if number in SOURCES})
    sources = [source(number) for number in cited]
    listed = "\n".join(f"[{one.number}] {one.title} — {one.path}" for one in sources)
    body = text or "\n".join(f"- {claim.text} [{claim.citations[0]}]" for claim in claims)
    values: dict[str, Any] = {
        "status": "ok" if accepted else "refused",
        "reason": "",
        "sources": sources,
        "index_version": "v",
        "complete": True,
        "truncated": False,
        "truncation_reasons": [],
        "answer": f"{body}\n\nSources:\n{listed}" if accepted else "The wiki does not say.",
        "accepted_for_delivery": accepted,
        "answerable": accepted,
        "outcome": "answered" if accepted else "refused",
        "question": "Which port does the server listen on?",
        "encoder_kind": "",
        "engine": "rag",
        "engine_reason": "",
        "generator": "extractive",
        "claims": list(claims),
        "checks": [],
        "checked": len(claims),
        "missing": [],
        "attempts": 1,
        "tokens": TokenCount(prompt=0, completion=0),
        "language": "en",
        "confidence": -1.0,
        "milliseconds": {},
    }
    return AnswerResponse.model_validate({**values, **fields})


def source(number: int) -> Source:
    path = SOURCES[number]
    return Source(
        number=number, title=path, authors=[], path=path, heading="", source_url="", published=True
    )


def claim(text: str, quote: str = "listens on port 8080", *citations: int) -> AnswerClaim:
    return AnswerClaim(text=text, citations=list(citations or (1,)), quote=quote)


@pytest.mark.parametrize(
    ("text", "wanted", "held"),
    [
        ("It has 17 disks.", "7", False),
        ("It has 7 disks.", "7", True),
        ("It has disks: 7.", "7", True),
        ("It has 7.5 disks.", "7", False),
        ("It has 1,7 disks.", "7", False),
        ("It has 7, 8 or 9.", "7", True),
        ("It costs 0.04 euros.", "04", False),
        ("It takes 110 hours", "10 hours", False),
        ("po 10\n  HODINÁCH", "10 hodin", True),
        ("at least **fifteen** sources", "fifteen sources", True),
        ("Oksana Levčuková", "levčukov", True),
        ("Oksana Levcukova", "Levčukov", False),
        ("Yes, it is so.", " yes, it", True),
        ("It says [9].", "[9]", True),
    ],
)
def test_a_fact_is_looked_up_by_case_spaces_and_whole_numbers(
    text: str, wanted: str, held: bool
) -> None:
    assert holds(text, wanted) == held


def test_the_list_of_sources_is_no_part_of_an_answer() -> None:
    body = "- Port 8080 [1]\n- Basil [2]"
    assert without_sources(f"{body}\n\nSources:\n[1] Port 9090 — a\n[2] b — c") == body
    assert without_sources(body) == body
    assert without_sources("The wiki does not say.") == "The wiki does not say."


@pytest.mark.parametrize(
    "text",
    [
        "The server listens on port 8080 [1].",
        "Brezina keeps the list of ports.",
        "The list is by Ivana Brezinu.",  # another case of a name
        "Bought on 1. 4. 2024, for 27300 euros; 3 disks failed.",
        "Bought on 2024-04-01, or 01.04.2024; on 1.4. or in 2024.",
        "It listens there.",  # a capital letter that only begins a sentence
    ],
)
def test_what_stands_on_the_page_is_supported(pages: Pages, text: str) -> None:
    assert unsupported(response(claim(text)), pages) == ()


@pytest.mark.parametrize(
    ("made", "kind"),
    [
        (claim("Port 8080.", "The server hears on port 8080"), "quote"),
        (claim("Port 8080.", ""), "quote"),
        (claim("Port 8080.", "The server Garden Tomatoes"), "quote"),
        (claim("Port 8080.", "listens on port 8080", 2), "quote"),
        (claim("Port 8080.", "listens on port 8080", 1, 2), "quote"),
        (claim("Port 8080.", "listens on port 8080", 1, 7), "quote"),
        (claim("The server listens on port 80."), "number"),
        (claim("It costs 27 301 euros."), "number"),
        (claim("It costs 300 euros."), "number"),
        (claim("Bought on 4.1.2024."), "number"),
        (claim("The server of Peter Novák listens."), "name"),
        (claim("Novák runs the server."), "name"),
        (claim("It runs BSD."), "name"),
        (claim("It stands in L8080."), "name"),
        (claim("The port is secret."), "forbidden"),
    ],
)
def test_what_does_not_stand_there_is_caught(pages: Pages, made: AnswerClaim, kind: str) -> None:
    (fault,) = unsupported(response(made), pages, ("port is secret",))
    assert (fault.kind, fault.claim) == (kind, made.text)


def test_a_quote_is_found_through_markup_and_links_but_not_stitched(pages: Pages) -> None:
    through = claim("Port 8080.", "port 8080, see the list of Ivan Brezina")
    assert unsupported(response(through), pages) == ()
    stitched = claim("Port 8080.", "The server listens of Ivan Brezina")
    assert [one.kind for one in unsupported(response(stitched), pages)] == ["quote"]


def test_whatever_no_claim_says_is_caught(pages: Pages) -> None:
    good = claim("The server listens on port 8080.")
    smuggled = response(good, text="The server listens on port 8080. [1]\nCall 555 now.")
    assert unsupported(smuggled, pages) == (Unsupported("text", "Call 555 now.", "Call 555 now."),)
    partly = "The server listens on port 8080. [1]\n\nIt is not said:\n- its colour"
    assert unsupported(response(good, text=partly, missing=["its colour"]), pages) == ()
    assert len(unsupported(response(good, text=partly, missing=["its weight"]), pages)) == 1


FACTS = {"facts": [["8080"], ["Ivan Brezina", "Brezina"]], "forbidden": ["secret", "garden.md"]}
QUESTION = Question(
    "port", "Which port?", "en", gold_docs=("server.md",), kind="fact", split="dev", extra=FACTS
)


def test_an_answer_is_judged_by_its_facts_sources_and_forbidden_strings(pages: Pages) -> None:
    both = response(claim("Port 8080."), claim("Basil grows.", "Tomatoes and basil grow", 2))
    outcome = judge(QUESTION, both, pages, 12.3456)
    assert (outcome.accepted, outcome.facts, outcome.milliseconds) == (True, (True, False), 12.346)
    assert outcome.cited == ("server.md", "garden.md")
    assert outcome.forbidden == 0  # garden.md stands in the list of sources alone
    assert outcome.notes == ("lacks 'Ivan Brezina'",)
    assert not is_strict(outcome)
    held = judge(QUESTION, response(claim("Brezina's port 8080 is secret.")), pages)
    assert (held.facts, held.forbidden, len(held.unsupported)) == ((True, True), 1, 1)
    whole = judge(QUESTION, response(claim("Brezina lists port 8080.")), pages)
    assert is_strict(whole)
    assert severity(whole) < severity(outcome) < severity(held)


def test_nothing_of_a_test_question_is_kept_to_be_read(pages: Pages) -> None:
    asked = replace(QUESTION, split="test")
    outcome = judge(asked, response(claim("Port 1 of Novák is secret.")), pages)
    assert (outcome.asked, outcome.answer, outcome.reason, outcome.notes) == ("", "", "", ())
    assert outcome.unsupported == (Unsupported("number", "", ""),)
    assert outcome.forbidden == 1


def test_a_refusal_holds_no_fact_whatever_its_text(pages: Pages) -> None:
    outcome = judge(QUESTION, response(answer="8080 of Brezina is secret"), pages)
    assert (outcome.facts, outcome.forbidden, outcome.unsupported) == ((False, False), 0, ())


GOOD = AnswerOutcome(
    "q", "en", "fact", "dev", should_answer=True, accepted=True, outcome="answered",
    facts=(True, True), claims=2, cited=("a.md",), gold=("a.md",), attempts=1, milliseconds=10.0,
    prompt_tokens=7, completion_tokens=3, checked=3, refusals={"quotes": 1},
)  # fmt: skip
HALF = replace(GOOD, facts=(True, False), cited=("b.md", "a.md"), attempts=2, milliseconds=20.0)
REFUSED = replace(
    GOOD, accepted=False, outcome="refused", facts=(False, False), claims=0, cited=(), lang="sk"
)
FAILED = replace(REFUSED, outcome="failed", kind="list")
UNANSWERABLE = replace(REFUSED, should_answer=False, kind="attack", facts=(), gold=())
FOOLED = replace(
    GOOD, should_answer=False, kind="attack", facts=(), gold=(), forbidden=1,
    unsupported=(Unsupported("name", "Novák", "Novák."),),
)  # fmt: skip


def test_each_metric_is_a_mean_over_the_questions_it_is_about() -> None:
    whole, *_ = answer_rows([GOOD, HALF, REFUSED, FAILED, UNANSWERABLE, FOOLED])
    means = {name: (interval.mean, n) for name, (interval, n) in whole.metrics.items()}
    assert means == {
        "should_answer": (3 / 6, 6),
        "wrongly_answered": (1 / 2, 2),
        "wrongly_refused": (2 / 4, 4),
        "fact_recall": (1.5 / 4, 4),  # a refused one has none
        "fact_recall_answered": (1.5 / 2, 2),
        "source": (1.0, 2),
        "citation_precision": (1.5 / 2, 2),
        "strict": (2 / 6, 6),
        "forbidden": (1 / 3, 3),
        "unsupported": (1 / 3, 3),
        "first_pass": (2 / 6, 6),
        "after_repair": (1 / 6, 6),
        "refused": (2 / 6, 6),
        "failed": (1 / 6, 6),
    }
    assert (whole.claims, whole.unsupported, whole.forbidden) == (6, 1, 1)
    assert (whole.checked, whole.refusals, whole.p50) == (18, {"quotes": 6}, 10.0)
    assert (whole.prompt_tokens, whole.completion_tokens) == (42, 18)


def test_groups_are_languages_and_kinds_with_the_attacks_apart() -> None:
    rows = {row.group: row for row in answer_rows([GOOD, REFUSED, UNANSWERABLE, FOOLED])}
    assert list(rows) == ["all", "lang en", "lang sk", "kind attack", "kind fact"]
    assert rows["kind attack"].mean("wrongly_answered") == 0.5
    assert rows["kind attack"].mean("fact_recall") is None
    interval, _ = rows["all"].metrics["should_answer"]
    assert 0 <= interval.low < interval.mean < interval.high <= 1


def test_a_source_elsewhere_and_a_forbidden_string_are_no_strict_pass() -> None:
    assert is_strict(GOOD)
    assert is_strict(UNANSWERABLE)
    assert not is_strict(replace(GOOD, cited=("b.md",)))
    assert not is_strict(replace(GOOD, forbidden=1))
    assert not is_strict(HALF)
    assert is_strict(replace(GOOD, gold=()))  # the set says of no page that it answers


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("facts", ["8080"], r"'facts' = \['8080'\] is not a list of lists of strings"),
        ("facts", [[]], "is not a list of lists of strings"),
        ("forbidden", "8888", "'forbidden' = '8888' is not a list of strings"),
        ("history", [{"role": "system", "content": ""}], "is not a list of turns"),
        ("history", [{"role": "user"}], "is not a list of turns"),
        ("attack", 3, "'attack' = 3 is not a string"),
    ],
)
def test_a_wrong_key_of_an_answer_set_is_named_with_file_and_line(
    tmp_path: Path, key: str, value: object, message: str
) -> None:
    write_golden(tmp_path, [MOON, {**PORT, key: value}])
    with pytest.raises(ConfigError, match=rf"questions\.jsonl, line 2: .*{message}"):
        load_golden(tmp_path)


def test_facts_and_forbidden_strings_can_be_overridden_beside_the_frozen_file(
    tmp_path: Path,
) -> None:
    write_golden(tmp_path, [{**PORT, "facts": [["80"]], "attack": "role"}])
    write_lines(tmp_path / "overrides.jsonl", [{"id": "port", "facts": [["8080"]]}])
    golden = load_golden(tmp_path)
    assert golden.overridden == 1
    (question,) = golden.questions
    assert (question.extra["facts"], question.extra["attack"]) == ([["8080"]], "role")
    write_lines(tmp_path / "overrides.jsonl", [{"id": "port", "attack": "none"}])
    with pytest.raises(ConfigError, match="'attack' may not be overridden"):
        load_golden(tmp_path)
