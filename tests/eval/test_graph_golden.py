"""The graph's golden set: made again byte by byte, halves apart, and true to roster and pages."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from typing import Any

import pytest

from eval.golden.graph_comparisons import SHAPES
from eval.golden.graph_names import CASES, Names
from eval.golden.graph_questions import CORPORA, FOLDER, generate, write
from eval.golden.graph_truth import READINGS, Truth, read_truth
from eval.golden_set import load_golden
from eval.graph_facts import read_known_facts
from eval.graph_set import expected_of

Row = dict[str, Any]


@pytest.fixture(scope="module")
def truth() -> Truth:
    return read_truth(CORPORA)


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    lines = (FOLDER / "questions.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_a_second_run_writes_the_same_bytes(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("graph")
    write(generate(), folder)
    for name in ("questions.jsonl", "facts.jsonl"):
        assert (folder / name).read_bytes() == (FOLDER / name).read_bytes(), name


def test_the_set_is_the_frozen_one() -> None:
    frozen = json.loads((FOLDER / "frozen.json").read_text("utf-8"))
    data = (FOLDER / "questions.jsonl").read_bytes()
    assert frozen["sha256"] == hashlib.sha256(data).hexdigest()


def test_no_question_is_asked_twice(rows: list[Row]) -> None:
    assert len({row["question"] for row in rows}) == len({row["id"] for row in rows}) == len(rows)


def test_there_are_enough_questions_of_every_kind_and_about_half_of_each_is_test(
    rows: list[Row],
) -> None:
    kinds = Counter(row["kind"] for row in rows)
    assert len(rows) >= 560
    assert min(kinds.values()) >= 40 and kinds["outside"] >= 60
    for kind, count in kinds.items():
        test = sum(row["split"] == "test" for row in rows if row["kind"] == kind)
        assert 0.4 <= test / count <= 0.6, kind
    assert 0.5 <= sum(row["lang"] == "sk" for row in rows) / len(rows) <= 0.6


def test_the_halves_name_different_people(rows: list[Row]) -> None:
    named: dict[str, set[str]] = {"dev": set(), "test": set()}
    for row in rows:
        named[row["split"]] |= set(row["people"])
    assert named["dev"] and named["test"] and not named["dev"] & named["test"]


def test_the_halves_are_worded_differently(rows: list[Row]) -> None:
    worded: dict[str, set[str]] = {"dev": set(), "test": set()}
    for row in rows:
        bare = re.sub(r"\{[^}]*\}|\W+", " ", row["template"]).casefold()
        worded[row["split"]].add(" ".join(bare.split()))
    assert not worded["dev"] & worded["test"]


def test_every_mention_stands_in_its_question(rows: list[Row]) -> None:
    assert all(mention in row["question"] for row in rows for mention in row["mentions"])
    assert not [row["question"] for row in rows if re.search(r"[{}]", row["question"])]


def test_each_outcome_has_what_belongs_to_it() -> None:
    for question in load_golden(FOLDER).questions:
        expected = expected_of(question)
        assert bool(expected.answers) == (expected.outcome == "answered"), question.id
        assert (len(expected.candidates) > 1) == (expected.outcome == "ambiguous"), question.id
        assert question.should_answer == bool(question.gold_docs), question.id


def test_whoever_has_no_published_page_is_unknown(rows: list[Row], truth: Truth) -> None:
    assert not {"michal_sopko", "samuel_jurcak"} & truth.people.keys()
    for row in rows:
        values = [str(one["value"]) for one in row["expected"] + row["candidates"]]
        assert not re.search("Sopko$|Jurčák", " ".join(values)), row["id"]


def test_the_unknown_share_no_whole_name_with_anybody(truth: Truth) -> None:
    names = Names.read(FOLDER / "names.toml", truth)
    known = {person.name for person in truth.people.values()}
    unknown = {**names.tables["unknown"]["dev"], **names.tables["unknown"]["test"]}
    assert unknown and not known & set(unknown.values())


def test_everybody_is_in_one_half_and_can_be_inflected(truth: Truth) -> None:
    names = Names.read(FOLDER / "names.toml", truth)
    halves = names.tables["halves"]
    assert sorted(halves["dev"] + halves["test"]) == sorted(truth.people)
    for slug in names.names:
        assert names.half(slug) in ("dev", "test")
        for lang, cases in CASES.items():
            assert all(names.form(slug, lang, case) for case in cases), slug


@pytest.mark.parametrize(
    ("shape", "given", "answers"),
    [
        ("works", {"want": "supervisor", "owner": "filip_demcak", "kind": "master"},
         ["Peter Zelenák"]),
        ("works", {"want": "year", "owner": "ivana_majercikova", "kind": "master"}, [2021]),
        ("works", {"want": "supervisor", "pick": "most", "kind": "bachelor", "year": 2022},
         ["Oksana Levčuková", "Peter Zelenák"]),
        ("works", {"want": "count", "supervisor": "brezovsky", "kind": "doctoral"}, [0]),
        ("people", {"want": "start_year", "who": "denis_palencar"}, [2020]),
        ("people", {"want": "start_year", "who": "tomas_riha"}, []),
        ("people", {"want": "keywords", "who": "patrik_ondrejka"}, ["asr", "server"]),
        ("people", {"want": "author", "who": "dmytro_bondarcuk"}, ["Oksana Levčuková"]),
        ("same_supervisor", {"one": "tomas_riha", "other": "jana_sopkova", "kind": "master"},
         [False]),
    ],
)  # fmt: skip
def test_answers_are_what_the_pages_say(
    truth: Truth, shape: str, given: Row, answers: list[object]
) -> None:
    found = SHAPES[shape](truth, **given).answers
    assert sorted([dict(one)["value"] for one in found], key=str) == answers


def test_a_reading_leaves_out_proposals_projects_and_what_is_not_finished(truth: Truth) -> None:
    strictest = truth.as_read(READINGS[-1])
    assert {work.state for work in strictest.works} == {"defended"}
    assert "team_project" not in {work.kind for work in strictest.works}
    assert truth.as_read(READINGS[0]).works == truth.works


def test_an_answer_that_depends_on_the_reading_is_an_error(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("reading")
    (folder / "names.toml").write_bytes((FOLDER / "names.toml").read_bytes())
    template = (
        '[[group]]\nkind = "fact"\nshape = "works"\nslots = "supervisor"\n'
        'with = { want = "count" }\nsk = [["Koľko prác vedie {supervisor}?", "zelenak"]]\n'
    )
    (folder / "templates-dev.toml").write_text(template, "utf-8")
    with pytest.raises(ValueError, match="depends on the reading"):
        generate(folder)


def test_somebody_of_the_other_half_is_an_error(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("half")
    (folder / "names.toml").write_bytes((FOLDER / "names.toml").read_bytes())
    template = (
        '[[group]]\nkind = "outside"\nshape = "outside"\nslots = "who"\n'
        'sk = [["Kde sedí {who}?", "stefik"]]\n'
    )
    (folder / "templates-dev.toml").write_text(template, "utf-8")
    with pytest.raises(ValueError, match="stefik is not of this half"):
        generate(folder)


def test_known_facts_deny_what_the_wiki_does_not_say() -> None:
    known = read_known_facts(load_golden(FOLDER))
    supervised = {
        "subject": {"type": "Person", "name": "Peter Zelenák", "page": ""},
        "relation": "SUPERVISED",
        "object": {"type": "Thesis", "name": "Slovenský jazykový model typu BERT", "page": ""},
        "attribute": "",
        "value": None,
    }
    assert known.count > 400 and not known.denies(supervised)
    haverla = {"type": "Person", "name": "Miloš Haverla", "page": "teachers/haverla/README.md"}
    assert known.denies({**supervised, "subject": haverla})
