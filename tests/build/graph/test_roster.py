"""The demo wiki against its roster: every student has exactly the facts that are true."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest

from tests.graph_wiki import DEMO

if TYPE_CHECKING:
    from tests.graph_wiki import Built

ROSTER = tomllib.loads((DEMO.parent / "demo-people.toml").read_text("utf-8"))
# One page is not UTF-8, the other is not published.
NOT_IN_THE_INDEX = {"michal_sopko", "samuel_jurcak"}
STUDENTS = [s for s in ROSTER["student"] if s["slug"] not in NOT_IN_THE_INDEX]

Facts = dict[str, Any]


def expected(student: Facts) -> Facts:
    return {
        "name": student["name"],
        "start_year": student.get("start_year"),
        "written": sorted(
            (work["kind"], work["year"], work["title"], [work["supervisor"]])
            for work in student.get("thesis", [])
        ),
    }


def read(built: Built, student: Facts) -> Facts:
    (person,) = (
        e for e in built.graph.entities if e.type == "Person" and e.page == student["page"]
    )
    supervisors = defaultdict(list)
    for supervisor, work in built.edges("SUPERVISED"):
        supervisors[work].append(built.entities[supervisor].name)
    written = [
        target
        for relation in ("AUTHORED", "HAS_WORK")
        for source, target in built.edges(relation)
        if source == person.key
    ]
    works = [(key, built.entities[key].attributes) for key in written]
    return {
        "name": person.name,
        "start_year": person.attributes.get("start_year"),
        "written": sorted((a["kind"], a["year"], a["title"], supervisors[key]) for key, a in works),
    }


@pytest.mark.parametrize("student", STUDENTS, ids=lambda student: str(student["slug"]))
def test_a_student_has_exactly_the_facts_of_the_roster(demo: Built, student: Facts) -> None:
    assert read(demo, student) == expected(student)


def test_there_is_nobody_and_nothing_beside_the_roster(demo: Built) -> None:
    names = sorted(person["name"] for person in [*STUDENTS, *ROSTER["teacher"]])
    assert sorted(demo.entities[key].name for key in demo.keys("Person")) == names
    works = [work for student in STUDENTS for work in student.get("thesis", [])]
    projects = [work for work in works if work["kind"] == "team_project"]
    assert len(demo.keys("Work")) == len(projects)
    assert len(demo.keys("Thesis")) == len(works) - len(projects)


@pytest.mark.parametrize("state", ["in_progress", "proposed"])
def test_what_is_in_progress_or_only_proposed_says_so_and_nothing_else_does(
    demo: Built, state: str
) -> None:
    works = [work for student in STUDENTS for work in student.get("thesis", [])]
    wanted = sorted(work["title"] for work in works if work["state"] == state)
    found = [e for e in demo.graph.entities if e.attributes.get("state") == state]
    assert sorted(entity.name for entity in found) == wanted


def test_what_is_defended_was_defended(demo: Built) -> None:
    works = [work for student in STUDENTS for work in student.get("thesis", [])]
    true = {work["title"] for work in works if work["state"] == "defended"}
    found = {e.name for e in demo.graph.entities if e.attributes.get("state") == "defended"}
    assert found
    assert found <= true


def test_topics_of_theses_are_the_rosters_and_most_of_those_that_pages_state(demo: Built) -> None:
    true = {
        (work["title"], f"topics/{topic}/README.md")
        for student in STUDENTS
        for work in student.get("thesis", [])
        for topic in work["topics"]
    }
    about = demo.edges("ABOUT")
    found = {(demo.entities[work].name, demo.entities[topic].page) for work, topic in about}
    assert len(found & true) / len(found) >= 0.95
    assert len(found & true) / len(true) >= 0.55


def test_namesakes_are_two_people_with_their_own_theses(demo: Built) -> None:
    both = ["person:martin-hruska@martin_hruska", "person:martin-hruska@martin_hruska2"]
    assert [key for key in demo.keys("Person") if "martin-hruska" in key] == both
    theses = [target for source, target in demo.edges("AUTHORED") if source in both]
    assert theses == [
        "thesis:martin-hruska@martin_hruska/bachelor-2018",
        "thesis:martin-hruska@martin_hruska/master-2020",
        "thesis:martin-hruska@martin_hruska2/bachelor-2023",
    ]


def test_the_only_gaps_are_the_pages_that_were_skipped(demo: Built) -> None:
    gaps = {(gap.path, gap.about) for gap in demo.graph.gaps}
    skipped = {f.path for f in demo.report.findings if f.severity == "skipped"}
    assert {path for path, _ in gaps} <= skipped
    page = "students/2017/michal_sopko/README.md"
    assert {(page, "Person"), (page, "Thesis"), (page, "Work"), (page, "Keyword")} <= gaps


def test_every_fact_stands_where_its_provenance_says(demo: Built) -> None:
    lines = {d.path: d.body.split("\n") for d in demo.documents}
    starts = {document.path: document.body_line for document in demo.documents}
    for entity in demo.graph.entities:
        assert entity.provenance, entity
        for where in entity.provenance:
            if where.attribute not in {"title", "year", "start_year"}:
                continue
            assert 1 <= where.line <= where.last_line
            line = lines[where.path][where.line - starts[where.path]]
            value = str(entity.attributes[where.attribute])
            assert value in line.replace("*", ""), (entity.key, where)
    assert all(relation.provenance for relation in demo.graph.relations)
