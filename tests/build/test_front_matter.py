"""Front matter as people write it: right, nearly right, and not meant as such at all."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build.front_matter import FrontMatter, split_front_matter
from build.report import Report


def split(text: str) -> tuple[FrontMatter, list[tuple[str, int]]]:
    report = Report()
    front = split_front_matter("notes/a.md", text, report)
    assert all(row["path"] == "notes/a.md" for row in report.rows())
    return front, [(row["code"], row["line"]) for row in report.rows()]


def test_yaml_between_rules_is_metadata_and_the_rest_the_body() -> None:
    front, findings = split("---\ntitle: Sieť\ntags:\n  - a\n  - b\n---\n# Úvod\n\nText.\n")
    assert front.values == {"title": "Sieť", "tags": ["a", "b"]}
    assert front.lines == {"title": 2, "tags": 3}
    assert (front.body, front.body_line) == ("# Úvod\n\nText.\n", 7)
    assert findings == []


def test_the_closing_line_may_be_dots_and_both_may_end_in_space() -> None:
    front, _ = split("---  \ntitle: a\n...\t\nbody")
    assert (front.values, front.body, front.body_line) == ({"title": "a"}, "body", 4)


def test_scalars_keep_the_text_they_were_written_as() -> None:
    front, findings = split(
        "---\nlang: no\nver: 1.10\nid: 0123\ntime: 12:30\nday: 2026-03-01\nyes: on\n"
        "hex: 0x1F\nbig: 1_000\nnone: ~\nempty:\nquoted: 'null'\n---\n"
    )
    assert front.values == {
        "lang": "no", "ver": "1.10", "id": "0123", "time": "12:30", "day": "2026-03-01",
        "yes": "on", "hex": "0x1F", "big": "1_000", "none": "", "empty": "", "quoted": "null",
    }  # fmt: skip
    assert findings == []


@pytest.mark.parametrize(
    "text",
    [
        "---\n\nA paragraph between two rules.\n\n---\n\nAnother.\n",
        "---\n- a list\n- not a mapping\n---\nText\n",
        "---\n# A heading\n---\nText\n",
        "---\ntitle: never closed\n\nText\n",
        "----\ntitle: a\n----\nText\n",
        " ---\ntitle: a\n---\nText\n",
        "\n---\ntitle: a\n---\nText\n",
        "+++\nno equals sign here\n+++\nText\n",
        "Text\n---\ntitle: a\n---\n",
        "---",
        "",
    ],
)
def test_a_block_that_is_no_mapping_is_part_of_the_body(text: str) -> None:
    front, findings = split(text)
    assert (front.values, front.body, front.body_line) == ({}, text, 1)
    assert findings == []


def test_a_tab_costs_nothing() -> None:
    front, _ = split("---\ntitle:\tS tabulátorom\ntags:\t[a, b]\n---\nbody")
    assert front.values == {"title": "S tabulátorom", "tags": ["a", "b"]}
    assert front.body == "body"


def test_a_broken_value_costs_no_other_key_and_never_the_body() -> None:
    front, findings = split(
        "---\ntitle: Sieť: nastavenie\nrel: [[A]], [[B]]\ntags: [x, y]\nbroken: [x\n---\nbody"
    )
    assert front.values == {
        "title": "Sieť: nastavenie", "rel": "[[A]], [[B]]", "tags": ["x", "y"], "broken": "[x",
    }  # fmt: skip
    assert front.lines == {"title": 2, "rel": 3, "tags": 4, "broken": 5}
    assert front.body == "body"
    assert findings == [("front-matter", 2)]


def test_a_value_on_several_lines_survives_the_fault_of_another() -> None:
    front, _ = split("---\nbad: a: b\ntags:\n  - x\n  - y\n- z\nnote: >\n  long\n  text\n---\n")
    assert front.values["bad"] == "a: b"
    assert front.values["tags"] == "- x - y - z" or front.values["tags"] == ["x", "y"]
    assert front.values["note"] == "long text"


def test_a_numeric_key_is_dropped_alone_and_named() -> None:
    front, findings = split("---\ntitle: a\n2024: rok\ntags: b\n---\nbody")
    assert front.values == {"title": "a", "tags": "b"}
    assert findings == [("front-matter-key", 3)]


def test_of_a_key_given_twice_the_last_holds() -> None:
    front, findings = split("---\ntitle: a\ntitle: b\n---\n")
    assert front.values == {"title": "b"}
    assert findings == [("front-matter-key", 3)]


BOMB = (
    "---\ntitle: Bomba\na: &a [x,x,x,x,x,x,x,x,x,x]\n"
    + "".join(f"{b}: &{b} [{','.join([f'*{a}'] * 10)}]\n" for a, b in pairwise("abcdefghi"))
    + "---\nThe body stays.\n"
)


def test_aliases_of_aliases_do_not_explode() -> None:
    front, findings = split(BOMB)
    assert front.body == "The body stays.\n"
    assert front.values["title"] == "Bomba"
    assert len(repr(front.values)) < 100_000
    assert [code for code, _ in findings] == ["front-matter"]


@pytest.mark.parametrize("value", ["&a [*a]", "&a {b: *a}", "[" * 3000, "{a: " * 3000, "*nowhere"])
def test_no_nesting_is_too_deep(value: str) -> None:
    front, _ = split(f"---\ntitle: a\nx: {value}\n---\nbody")
    assert front.body == "body"
    assert front.values["title"] == "a"


def test_an_ordinary_alias_is_written_out() -> None:
    front, findings = split("---\na: &who [Jana, Ivan]\nb: *who\n---\n")
    assert front.values["b"] == ["Jana", "Ivan"]
    assert findings == []


def test_no_tag_makes_an_object() -> None:
    front, _ = split(
        '---\ntitle: !!python/object/apply:os.system ["false"]\nx: !!binary aGk=\n---\n'
    )
    assert front.values == {"title": ["false"], "x": "aGk="}


def test_toml_between_plus_signs_is_metadata() -> None:
    front, findings = split(
        '+++\ntitle = "Sieť"\ndate = 2026-03-01\ndraft = false\nweight = 7\n'
        'tags = ["a", "b"]\n[taxonomy]\nauthor = ["Jana"]\n+++\nbody'
    )
    assert front.values == {
        "title": "Sieť", "date": "2026-03-01", "draft": "false", "weight": "7",
        "tags": ["a", "b"], "taxonomy": {"author": ["Jana"]},
    }  # fmt: skip
    assert (front.lines["title"], front.lines["date"], front.body_line) == (2, 3, 10)
    assert (front.body, findings) == ("body", [])


def test_broken_toml_costs_the_metadata_and_not_the_body() -> None:
    front, findings = split("+++\ntitle = no quotes\n+++\nbody")
    assert (front.values, front.body) == ({}, "body")
    assert findings == [("front-matter", 1)]


LINES = st.sampled_from(
    [
        "---",
        "+++",
        "...",
        "title: a",
        "a: [",
        "  - x",
        "- x",
        "\tb: c",
        "b = 1",
        "text",
        "",
        "#",
        "é",
    ]
)


@given(st.lists(LINES | st.text(max_size=8), max_size=12).map("\n".join))
def test_whatever_stands_at_the_top_the_body_ends_the_text(text: str) -> None:
    front, _ = split(text)
    assert text.endswith(front.body)
    lines_before = text.removesuffix(front.body).count("\n") if front.body else None
    assert lines_before in {None, front.body_line - 1}
