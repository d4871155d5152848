"""Who somebody is on a page, and when two spellings are one person."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from build.graph.names import full_names, looks_like_name, one_person

if TYPE_CHECKING:
    from tests.build.graph.conftest import Compile

STUDENT = """---
author: {author}
---
# {name}

{start}

## Bakalárska práca 2022

Názov: O rybách v riekach

Vedúci: {supervisor}

Pomáhal mu {mentioned}.
"""


def student(
    name: str = "Ján Malík",
    supervisor: str = "Eva Dubská",
    author: str = "Igor Hlavatý",
    mentioned: str = "Oto Zeman",
    start: str = "",
) -> str:
    return STUDENT.format(
        name=name, supervisor=supervisor, author=author, mentioned=mentioned, start=start
    )


def test_an_author_a_student_a_supervisor_and_somebody_mentioned_are_four_things(
    compile_pages: Compile,
) -> None:
    built = compile_pages({"students/2019/jan_malik/README.md": student()})
    thesis = "thesis:jan-malik/bachelor-2022"
    assert built.keys("Person") == ["person:eva-dubska", "person:jan-malik"]
    assert built.keys("DocumentAuthor") == ["author:igor-hlavaty"]
    assert built.edges("AUTHORED") == [("person:jan-malik", thesis)]
    assert built.edges("SUPERVISED") == [("person:eva-dubska", thesis)]
    path = "document:students/2019/jan_malik/README.md"
    assert built.edges("AUTHORED_DOCUMENT") == [("author:igor-hlavaty", path)]
    assert built.edges("HAS_DOCUMENT") == [("person:jan-malik", path)]
    assert not built.edges("IS_PERSON")
    assert not [key for key in built.entities if "zeman" in key]


@pytest.mark.parametrize("author", ["Eva Dubská", "eva dubska", "doc. Eva Dubská, PhD."])
def test_an_author_of_the_same_full_name_is_that_person(
    compile_pages: Compile, author: str
) -> None:
    page = student(author=f'["{author}"]')
    built = compile_pages({"students/2019/jan_malik/README.md": page})
    assert built.edges("IS_PERSON") == [("author:eva-dubska", "person:eva-dubska")]


def test_an_author_who_may_be_either_of_two_namesakes_is_neither(compile_pages: Compile) -> None:
    built = compile_pages(
        {
            "students/2019/jan_malik/README.md": student(author="Ján Malík"),
            "students/2020/jan_malik2/README.md": student(),
        }
    )
    assert built.keys("Person")[1:] == ["person:jan-malik@jan_malik", "person:jan-malik@jan_malik2"]
    assert not built.edges("IS_PERSON")


def test_a_supervisor_who_may_be_either_of_two_namesakes_is_a_gap(compile_pages: Compile) -> None:
    page = "students/2021/oto_zeman/README.md"
    built = compile_pages(
        {
            "students/2019/jan_malik/README.md": student(),
            "students/2020/jan_malik2/README.md": student(),
            page: student("Oto Zeman", supervisor="Ján Malík"),
        }
    )
    assert ("thesis:oto-zeman/bachelor-2022") in built.keys("Thesis")
    assert not [work for _, work in built.edges("SUPERVISED") if "oto-zeman" in work]
    assert (page, 12, "SUPERVISED") in built.gaps()


@pytest.mark.parametrize(
    "start", ["", "Študuje u nás už dlho.", "Prišiel v roku 2018 a odišiel v roku 2020."]
)
def test_a_folder_or_a_category_is_no_start_year(compile_pages: Compile, start: str) -> None:
    page = student(start=start).replace("---\nauthor", "---\ncategory: [bp2022]\nauthor", 1)
    built = compile_pages({"students/2019/jan_malik/README.md": page})
    assert "start_year" not in built.entities["person:jan-malik"].attributes


@pytest.mark.parametrize(
    "start",
    [
        "Začiatok štúdia: 2019", "- Rok začiatku štúdia: **2019**", "Nástup na štúdium v roku 2019",
        "Začátek studia: 2019", "Studuje od roku 2019.", "Rok rozpoczęcia studiów: 2019",
        "Studiuje od 2019 roku", "Год начала обучения: 2019", "Начал учиться в 2019 году",
        "Start of studies: 2019", "She began her studies in 2019.", "| Začiatok štúdia | 2019 |",
    ],
)  # fmt: skip
def test_a_start_year_is_read_in_five_languages(compile_pages: Compile, start: str) -> None:
    built = compile_pages({"students/2015/jan_malik/README.md": student(start=start)})
    assert built.entities["person:jan-malik"].attributes["start_year"] == 2019
    (where,) = (
        w for w in built.entities["person:jan-malik"].provenance if w.attribute == "start_year"
    )
    assert where.line == 6
    assert where.rule.startswith("thesis/start-year")


def test_two_start_years_are_none_and_a_gap(compile_pages: Compile) -> None:
    start = "Začiatok štúdia: 2019\n\nŠtuduje od roku 2020."
    page = "students/2019/jan_malik/README.md"
    built = compile_pages({page: student(start=start)})
    assert "start_year" not in built.entities["person:jan-malik"].attributes
    assert (page, 6, "start_year") in built.gaps()


@pytest.mark.parametrize(
    "written",
    [
        "Ing. Eva Dubská, PhD.", "[Eva Dubská](/teachers/dubska)", "Eva Dubska", "E. Dubská",
        "**Eva Dubská** (od októbra)", "Evy Dubskej", "doc. RNDr. Eva Dubská, CSc.",
    ],
)  # fmt: skip
def test_a_supervisor_in_any_spelling_is_the_person_of_the_page(
    compile_pages: Compile, written: str
) -> None:
    built = compile_pages(
        {
            "teachers/dubska/README.md": "# doc. Ing. Eva Dubská, PhD.\n\nUčí.\n",
            "students/2019/jan_malik/README.md": student(supervisor=written),
        }
    )
    assert built.keys("Person") == ["person:eva-dubska", "person:jan-malik"]
    assert built.entities["person:eva-dubska"].name == "Eva Dubská"
    assert built.entities["person:eva-dubska"].page == "teachers/dubska/README.md"


def test_an_initial_that_fits_two_is_joined_with_neither(compile_pages: Compile) -> None:
    built = compile_pages(
        {
            "teachers/a/dubsky.md": "# Emil Dubský\n\nUčí.\n",
            "teachers/b/dubsky.md": "# Erik Dubský\n\nUčí.\n",
            "students/2019/jan_malik/README.md": student(supervisor="E. Dubský"),
        }
    )
    assert not built.edges("SUPERVISED")
    assert ("students/2019/jan_malik/README.md", 12, "SUPERVISED") in built.gaps()


def test_joined_spellings_are_in_the_report(compile_pages: Compile) -> None:
    built = compile_pages(
        {
            "teachers/dubska/README.md": "# Eva Dubská\n\nUčí.\n",
            "students/2019/jan_malik/README.md": student(supervisor="E. Dubská"),
        }
    )
    assert built.notes("graph-merge") == [
        "'E. Dubská', 'Eva Dubská' are one Person (person:eva-dubska)"
    ]


def test_a_name_of_two_types_is_in_the_report(compile_pages: Compile) -> None:
    built = compile_pages(
        {
            "students/2019/jan_malik/README.md": student(),
            "notes.md": "---\ntags: [Ján Malík]\n---\n# Notes\n\nText.\n",
        }
    )
    (reason,) = built.notes("graph-conflict")
    assert "person:jan-malik" in reason
    assert "keyword:jan-malik" in reason


def test_pages_in_a_persons_folder_are_theirs(compile_pages: Compile) -> None:
    built = compile_pages(
        {
            "students/2019/jan_malik/README.md": student(),
            "students/2019/jan_malik/zapisky.md": "# Zápisky\n\nText.\n",
            "students/2019/other.md": "# Iné\n\nText.\n",
        }
    )
    assert built.edges("HAS_DOCUMENT") == [
        ("person:jan-malik", "document:students/2019/jan_malik/README.md"),
        ("person:jan-malik", "document:students/2019/jan_malik/zapisky.md"),
    ]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ing. Eva Dubská, PhD.", ["Eva Dubská"]),
        ("doc. Eva Dubská, Ph.D., Ján Malík", ["Eva Dubská", "Ján Malík"]),
        ("Eva Dubská a Ing. Ján Malík (konzultant)", ["Eva Dubská", "Ján Malík"]),
        ("Eva Dubská. V práci sa meralo.", ["Eva Dubská"]),
        ("Anna-Mária Dubská O'Neill", ["Anna-Mária Dubská O'Neill"]),
        ("к.т.н. Иван Петров", ["Иван Петров"]),
        ("E. Dubská", ["E. Dubská"]),
        ("Dubská", []), ("ešte nie je známy", []), ("-", []), ("", []), ("?", []),
    ],
)  # fmt: skip
def test_names_are_read_without_titles(text: str, names: list[str]) -> None:
    assert full_names(text) == names


@pytest.mark.parametrize("text", ["Zápisy zo stretnutí", "Týždeň 3", "Domov", "Eva Dubská a syn"])
def test_other_titles_are_no_names(text: str) -> None:
    assert not looks_like_name(text)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("milos haverla", "milosa haverlu", True),
        ("peter malik", "petra malika", True),
        ("oksana levcukova", "oksany levcukovej", True),
        ("p zelenak", "peter zelenak", True),
        ("jan kovac", "jana kovac", False),
        ("jan kovac", "jana kovacova", False),
        ("lucia hruskova", "martin hruska", False),
        ("eva dubska", "eva mala dubska", False),
    ],
)
def test_two_names_are_one_persons_in_any_case(one: str, other: str, same: bool) -> None:
    assert one_person(tuple(one.split()), tuple(other.split())) is same
