"""From front matter to fields, by way of everything that people write there."""

from __future__ import annotations

import pytest

from build.front_matter import split_front_matter
from build.metadata import Metadata, parse_date, read_metadata
from build.report import Report

GRAV = """\
title: 'Jana Mokrá'
published: true
date: '14-10-2023 09:30'
taxonomy:
    category: [dp2024, bp2022]
    tag: [nlp, 'strojový preklad']
    author: Daniel Hládek
"""


def read(front_matter: str) -> tuple[Metadata, list[tuple[str, int]]]:
    report = Report()
    front = split_front_matter("a.md", f"---\n{front_matter}\n---\nbody", report)
    assert front.body == "body"
    metadata = read_metadata("a.md", front, report)
    findings = [(row["code"], row["line"]) for row in report.rows()]
    assert all(row["path"] == "a.md" for row in report.rows())
    return metadata, findings


def test_no_front_matter_says_nothing_and_counts_as_published() -> None:
    report = Report()
    assert read_metadata("a.md", split_front_matter("a.md", "text", report), report) == Metadata()
    assert report.rows() == []


def test_grav_taxonomy_supplies_authors_tags_and_categories() -> None:
    metadata, findings = read(GRAV)
    assert metadata == Metadata(
        title="Jana Mokrá",
        authors=("Daniel Hládek",),
        tags=("nlp", "strojový preklad"),
        categories=("dp2024", "bp2022"),
        created="2023-10-14T09:30:00",
        year=2023,
    )
    assert findings == []


def test_the_taxonomy_and_the_top_level_add_up_without_repeats() -> None:
    metadata, _ = read("tags: [a, b]\ntag: c\nkeywords: b, d\ntaxonomy:\n  tag: [a, e]")
    assert metadata.tags == ("c", "a", "b", "d", "e")


@pytest.mark.parametrize("taxonomy", ["taxonomy:", "taxonomy: nlp", "taxonomy: [a, b]"])
def test_a_taxonomy_that_is_no_mapping_costs_nothing_else(taxonomy: str) -> None:
    metadata, _ = read(f"{taxonomy}\ntitle: a\ntags: b")
    assert (metadata.title, metadata.tags) == ("a", ("b",))


@pytest.mark.parametrize(
    ("written", "tags"),
    [
        ("tags: sieť, server , ", ("sieť", "server")),
        ("tags: [sieť, server]", ("sieť", "server")),
        ("tags:\n- sieť\n-   server", ("sieť", "server")),
        ("tags:", ()),
        ("tags: ~", ()),
        ("tags: null", ()),
        ("tags: []", ()),
        ("tags: [null, '', a]", ("a",)),
        ("tags: [2026-03-01, 1.10, no]", ("2026-03-01", "1.10", "no")),
        ("tags: [[Server]]", ("Server",)),
        ("tags: ['Novák, Ján']", ("Novák, Ján",)),
    ],
)
def test_tags_in_every_form(written: str, tags: tuple[str, ...]) -> None:
    metadata, findings = read(written)
    assert metadata.tags == tags
    assert findings == []


def test_authors_may_be_names_lists_or_records() -> None:
    for written in (
        "author: Ján Novák, Ivan Malý",
        "authors: [Ján Novák, Ivan Malý]",
        "authors:\n- name: Ján Novák\n  email: jan@example.org\n- Ivan Malý",
        "author: {name: Ján Novák}\nauthors: Ivan Malý",
    ):
        assert read(written)[0].authors == ("Ján Novák", "Ivan Malý"), written


def test_string_fields_keep_their_source_text() -> None:
    metadata, _ = read("title: 1.10\npermalink: /0123/\naliases: [no, 12:30]")
    assert metadata.title == "1.10"
    assert metadata.permalink == "0123"
    assert metadata.aliases == ("no", "12:30")


def test_a_title_over_several_lines_is_one_line() -> None:
    assert read("title: >\n  Dlhý\n  názov")[0].title == "Dlhý názov"


@pytest.mark.parametrize("value", ["false", "False", "FALSE", "no", "off", "0", "'false'"])
def test_an_explicit_false_unpublishes(value: str) -> None:
    assert read(f"published: {value}") == (Metadata(published=False), [])


@pytest.mark.parametrize("value", ["true", "yes", "on", "1", "", "~", "'true'", "[]"])
def test_anything_true_or_missing_is_published(value: str) -> None:
    assert read(f"published: {value}") == (Metadata(), [])


@pytest.mark.parametrize("value", ["falsch", "maybe", "2026-01-01"])
def test_an_unclear_value_is_published_and_reported(value: str) -> None:
    metadata, findings = read(f"title: a\npublished: {value}")
    assert metadata.published
    assert findings == [("front-matter-value", 3)]


@pytest.mark.parametrize(
    ("written", "iso"),
    [
        ("2026-03-01", "2026-03-01"),
        ("2026-3-1", "2026-03-01"),
        ("2026-03-01 9:05", "2026-03-01T09:05:00"),
        ("2026-03-01 09:05", "2026-03-01T09:05:00"),
        ("2026-03-01T09:05:30+01:00", "2026-03-01T09:05:30+01:00"),
        ("2026-03-01T09:05:30Z", "2026-03-01T09:05:30+00:00"),
        ("2026-03-01 09:05:30 +0200", "2026-03-01T09:05:30+02:00"),
        ("1.3.2026", "2026-03-01"),
        ("1. 3. 2026", "2026-03-01"),
        ("1.3.2026 9:05:30", "2026-03-01T09:05:30"),
        ("01-03-2026 13:34", "2026-03-01T13:34:00"),
        ("1/3/2026", "2026-03-01"),
        ("03/15/2026", "2026-03-15"),
        ("2026", "2026"),
        ("2026-03", "2026-03"),
        ("2024-02-29", "2024-02-29"),
        ("2026-02-29", None),
        ("2026-13-01", None),
        ("31.4.2026", None),
        ("2026-03-01T25:00", None),
        ("0000-01-01", None),
        ("1.3-2026", None),
        ("yesterday", None),
        ("20260301", None),
        ("", None),
    ],
)
def test_dates_become_iso_8601_or_nothing(written: str, iso: str | None) -> None:
    assert parse_date(written) == iso


def test_an_impossible_date_costs_itself_alone_and_names_its_line() -> None:
    metadata, findings = read("title: a\ncreated: 2026-02-30\nupdated: 2026-03-02\ntags: b")
    assert (metadata.title, metadata.tags) == ("a", ("b",))
    assert (metadata.created, metadata.updated) == (None, "2026-03-02")
    assert findings == [("front-matter-value", 3)]


def test_an_impossible_date_in_any_other_field_is_dropped_too() -> None:
    report = Report()
    text = "---\ntitle: a\nok: 2026-02-28\nbad: 2026-02-30\n2024: rok\n---\n"
    front = split_front_matter("a.md", text, report)
    read_metadata("a.md", front, report)
    assert front.values == {"title": "a", "ok": "2026-02-28"}
    assert [(row["line"], row["code"]) for row in report.rows()] == [
        (4, "front-matter-value"),
        (5, "front-matter-key"),
    ]


def test_the_year_is_stated_or_that_of_the_date() -> None:
    assert read("year: 2019\ndate: 2026-01-01")[0].year == 2019
    assert read("rok: 2019")[0].year == 2019
    assert read("date: 2026-01-01")[0].year == 2026
    metadata, findings = read("title: a\nrok: minulý\ndate: 2026-01-01")
    assert metadata.year == 2026
    assert findings == [("front-matter-value", 3)]


@pytest.mark.parametrize(
    ("written", "language"),
    [
        ("lang: sk", "sk"), ("language: EN-us", "en"), ("locale: cs_CZ", "cs"), ("lang: no", "no"),
        ("lang: slk", "slk"), ("language: slovak", "slovak"), ("lang:", ""),
    ],
)  # fmt: skip
def test_a_language_is_its_primary_subtag(written: str, language: str) -> None:
    assert read(written)[0].language == language


def test_wikilinks_in_values_are_found_with_their_lines() -> None:
    metadata, _ = read(
        'title: a\nrelated: "[[Servery|servery]] a [[Siete#Porty]]"\nup: [[Domov]]\n'
        "see:\n- '[[A]]'\n- '[[B]]'"
    )
    assert metadata.links == (
        ("Servery", 3),
        ("Siete#Porty", 3),
        ("Domov", 4),
        ("A", 5),
        ("B", 5),
    )


def test_toml_fields_mean_the_same() -> None:
    report = Report()
    text = (
        '+++\ntitle = "Sieť"\ndate = 2026-03-01T10:00:00Z\ntags = ["a", "b"]\npublished = false\n'
        '[taxonomy]\nauthor = "Jana"\n+++\nbody'
    )
    front = split_front_matter("a.md", text, report)
    assert read_metadata("a.md", front, report) == Metadata(
        title="Sieť",
        published=False,
        authors=("Jana",),
        tags=("a", "b"),
        created="2026-03-01T10:00:00+00:00",
        year=2026,
    )
    assert report.rows() == []


def test_a_windows_file_gives_the_values_of_its_unix_twin() -> None:
    from build.decoding import decode

    twins = []
    for end in ("\n", "\r\n"):
        report = Report()
        text = decode("a.md", f"---\n{GRAV}---  \nbody\n".replace("\n", end).encode(), "", report)
        assert text is not None
        front = split_front_matter("a.md", text, report)
        twins.append((front, read_metadata("a.md", front, report)))
    assert twins[0] == twins[1]
    assert "\r" not in repr(twins[1])
