"""The facts of the demo wiki that an answer's own facts are held against."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from eval.golden import graph_expectation as expect
from eval.golden.graph_truth import PROJECT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from eval.golden.graph_truth import Truth

Fact = dict[str, Any]


def known_facts(truth: Truth) -> Iterator[Fact]:
    """Every fact of the relations and attributes that roster and front matter know wholly."""
    for person in truth.students():
        if person.start_year:
            yield _attribute(expect.person(person), "start_year", person.start_year)
    yield from _of_works(truth)
    yield from _of_pages(truth)


def _of_works(truth: Truth) -> Iterator[Fact]:
    for one in truth.works:
        work = expect.work(one)
        by = "HAS_WORK" if one.kind == PROJECT else "AUTHORED"
        yield _relation(expect.person(truth.people[one.owner]), by, work)
        yield _relation(expect.person(truth.people[one.supervisor]), "SUPERVISED", work)
        for attribute in ("year", "kind", "title", "state"):
            yield _attribute(work, attribute, getattr(one, attribute))


def _of_pages(truth: Truth) -> Iterator[Fact]:
    for page in truth.pages.values():
        document = {"type": "Document", "value": page.path, "page": page.path}
        for tag in page.tags:
            yield _relation(document, "HAS_KEYWORD", expect.keyword(tag))
        for category in page.categories:
            yield _relation(document, "IN_CATEGORY", expect.value("Category", category))
        for author in page.authors:
            named = expect.value("DocumentAuthor", author)
            yield _relation(named, "AUTHORED_DOCUMENT", document)


def _relation(subject: expect.Answer, relation: str, target: expect.Answer) -> Fact:
    return {"subject": subject, "relation": relation, "object": target}


def _attribute(subject: expect.Answer, attribute: str, value: int | str) -> Fact:
    return {"subject": subject, "attribute": attribute, "value": value}
