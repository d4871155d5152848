"""Theses and works as pages tell of them: blocks, labels, prose, five languages; and gaps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.build.graph.conftest import Compile

PAGE = "students/2019/jan_malik/README.md"


def page(*lines: str) -> dict[str, str]:
    return {PAGE: "# Ján Malík\n\n" + "\n\n".join(lines) + "\n"}


@pytest.mark.parametrize(
    ("heading", "title", "supervisor", "kind"),
    [
        ("Bakalárska práca 2022", "Názov práce", "Vedúca práce", "bachelor"),
        ("Diplomová práca (2022)", "Téma", "Vedúci diplomovej práce", "master"),
        ("Dizertačná práca 2022", "Názov", "Školiteľ", "doctoral"),
        ("Bakalářská práce 2022", "Název", "Vedoucí", "bachelor"),
        ("Disertační práce 2022", "Název", "Školitelka", "doctoral"),
        ("Praca magisterska 2022", "Tytuł", "Promotor", "master"),
        ("Praca licencjacka, 2022", "Temat pracy", "Opiekun", "bachelor"),
        ("Бакалаврская работа 2022", "Тема", "Научный руководитель", "bachelor"),
        ("Bachelor's Thesis 2022", "Title", "Supervisor", "bachelor"),
        ("PhD thesis 2022", "Thesis title", "Advisor", "doctoral"),
        ("Tímový projekt 2022", "Názov", "Vedúci", "team_project"),
        ("2022 – BP", "Názov", "Vedúci", "bachelor"),
    ],
)
def test_a_block_is_read_in_five_languages(
    compile_pages: Compile, heading: str, title: str, supervisor: str, kind: str
) -> None:
    built = compile_pages(
        page(f"## {heading}", f"{title}: „O rybách v riekach“", f"**{supervisor}:** Eva Dubská")
    )
    key = f"thesis:jan-malik/{kind}-2022"
    assert built.entities[key].attributes == {
        "kind": kind, "title": "O rybách v riekach", "year": 2022,
    }  # fmt: skip
    assert built.entities[key].type == ("Work" if kind == "team_project" else "Thesis")
    assert built.edges("SUPERVISED") == [("person:eva-dubska", key)]
    assert built.edges("EVIDENCED_BY") == [(key, f"document:{PAGE}")]
    assert not built.graph.gaps


def test_facts_carry_their_lines_and_rules(compile_pages: Compile) -> None:
    built = compile_pages(page("## Diplomová práca 2022", "Názov: O rybách", "Vedúca: Eva Dubská"))
    key = "thesis:jan-malik/master-2022"
    assert [(w.line, w.rule, w.attribute) for w in built.entities[key].provenance] == [
        (3, "thesis/thesis-heading", ""),
        (3, "thesis/thesis-heading", "kind"),
        (3, "thesis/thesis-heading", "year"),
        (5, "thesis/title-label", "title"),
    ]
    (where,) = built.relation("person:eva-dubska", "SUPERVISED", key).provenance
    assert (where.path, where.line, where.rule) == (PAGE, 7, "thesis/supervisor-label")
    (whole,) = built.relation(key, "EVIDENCED_BY", f"document:{PAGE}").provenance
    assert (whole.line, whole.last_line) == (3, 7)


def test_code_quotes_nothing(compile_pages: Compile) -> None:
    built = compile_pages(
        page("```\n## Diplomová práca 2022\nNázov: X\n```", "<!--\n## Bakalárska práca 2020\n-->")
    )
    assert not built.keys("Thesis")


def test_what_a_meeting_says_is_not_the_theses(compile_pages: Compile) -> None:
    built = compile_pages(
        page(
            "## Diplomová práca 2022", "Vedúca: Eva Dubská", "### Stretnutie 3.5.2022",
            "Názov: pracovný názov kapitoly", "Vedúci: Oto Zeman", "Stav: rozpracovaná kapitola",
            "Bakalárska práca 2020",
        )
    )  # fmt: skip
    assert built.keys("Thesis") == ["thesis:jan-malik/master-2022"]
    assert built.entities["thesis:jan-malik/master-2022"].attributes.keys() == {"kind", "year"}
    assert [person for person, _ in built.edges("SUPERVISED")] == ["person:eva-dubska"]


@pytest.mark.parametrize(
    ("lines", "state"),
    [
        (("## Diplomová práca 2022 (prebieha)",), "in_progress"),
        (("## Diplomová práca 2022", "(probíhá)"), "in_progress"),
        (("## Diplomová práca 2022", "Stav práce: rozpracovaná"), "in_progress"),
        (("## Master Thesis 2022", "Status: in progress"), "in_progress"),
        (("## Diplomová práca 2022 (návrh)",), "proposed"),
        (("## Diplomová práca 2022", "Stav: téma je iba navrhnutá"), "proposed"),
        (("Navrhovaná téma diplomovej práce (2022): O rybách v mori",), "proposed"),
        (("Návrh témy diplomovej práce na rok 2022: *O rybách*, vedúci Eva Dubská.",), "proposed"),
        (("## Diplomová práca 2022", "Práca bola obhájená s hodnotením B."), "defended"),
        (("## Diplomová práca 2022", "Práca nebola obhájená."), None),
        (("## Diplomová práca 2022", "Návrh na zadanie DP:"), None),
        (("## Diplomová práca 2022", "Stav: model bol navrhnutý"), None),
    ],
)
def test_a_state_is_only_what_is_stated(
    compile_pages: Compile, lines: tuple[str, ...], state: str | None
) -> None:
    built = compile_pages(page(*lines))
    assert built.entities["thesis:jan-malik/master-2022"].attributes.get("state") == state


def test_a_former_title_is_not_the_title(compile_pages: Compile) -> None:
    built = compile_pages(
        page("## Diplomová práca 2022", "Pôvodný názov: ~~O vtákoch~~", "Názov: O rybách")
    )
    assert built.entities["thesis:jan-malik/master-2022"].name == "O rybách"


@pytest.mark.parametrize(
    ("below", "title"),
    [
        ("Rozpoznávanie rýb na fotografiách", "Rozpoznávanie rýb na fotografiách"),
        ("Cieľom práce je opísať ryby.", None),
        ("- Rozpoznávanie rýb na fotografiách", None),
        ("Rozpoznávanie rýb na fotografiách\nje ťažké", None),
    ],
)
def test_a_line_alone_below_the_heading_is_the_title(
    compile_pages: Compile, below: str, title: str | None
) -> None:
    built = compile_pages(page("## Diplomová práca 2022", below, "Text o práci."))
    assert built.entities["thesis:jan-malik/master-2022"].attributes.get("title") == title


def test_two_theses_of_one_kind_and_year_are_two(compile_pages: Compile) -> None:
    built = compile_pages(
        page("## Diplomová práca 2022", "Názov: O rybách", "## Diplomová práca 2022", "Názov: Iná")
    )
    first, second = built.keys("Thesis")
    assert (first, second) == ("thesis:jan-malik/master-2022", "thesis:jan-malik/master-2022-2")


def test_two_blocks_of_one_thesis_are_one(compile_pages: Compile) -> None:
    built = compile_pages(page("- Diplomová práca: 2022", "## Diplomová práca", "Názov: O rybách"))
    assert built.keys("Thesis") == ["thesis:jan-malik/master-2022"]
    assert built.entities["thesis:jan-malik/master-2022"].name == "O rybách"


@pytest.mark.parametrize(
    ("line", "about"),
    [("Vedúci: (bude doplnený)", "SUPERVISED"), ("Vedúci:", "SUPERVISED"), ("Názov:", "title")],
)
def test_a_label_without_a_value_is_a_gap(compile_pages: Compile, line: str, about: str) -> None:
    built = compile_pages(page("## Diplomová práca 2022", line, "### Zadanie", "Text."))
    assert built.gaps() == [(PAGE, 5, about)]


def test_a_value_may_stand_on_the_line_below(compile_pages: Compile) -> None:
    built = compile_pages(page("## Diplomová práca 2022", "Vedúci:", "- [Eva Dubská](/x)"))
    assert built.edges("SUPERVISED") == [("person:eva-dubska", "thesis:jan-malik/master-2022")]
    assert not built.gaps()


def test_a_thesis_without_a_year_is_a_gap(compile_pages: Compile) -> None:
    built = compile_pages(page("## Diplomová práca", "Názov: O rybách"))
    assert built.keys("Thesis") == ["thesis:jan-malik/master-unknown"]
    assert built.gaps() == [(PAGE, 3, "year")]


@pytest.mark.parametrize(("category", "about"), [("dp2024", "Thesis"), ("tp2024", "Work")])
def test_a_category_that_announces_what_is_not_there_is_a_gap(
    compile_pages: Compile, category: str, about: str
) -> None:
    text = f"---\ncategory: [bp2022, {category}]\n---\n# Ján Malík\n\n## Bakalárska práca 2022\n"
    built = compile_pages({PAGE: text})
    assert built.gaps() == [(PAGE, 1, about)]


def test_a_skipped_page_in_a_profiles_scope_is_a_gap(compile_pages: Compile) -> None:
    pages: dict[str, str | bytes] = {
        PAGE: "# Ján Malík\n".encode("cp1250"),
        "notes.md": "# N\n\nText.\n",
    }
    built = compile_pages(pages, "thesis")
    assert {(path, about) for path, _, about in built.gaps()} == {
        (PAGE, "Person"), (PAGE, "Thesis"), (PAGE, "Work"),
    }  # fmt: skip


def test_an_empty_page_is_no_gap(compile_pages: Compile) -> None:
    assert not compile_pages({PAGE: "# Ján Malík\n", "students/2019/x.md": ""}).gaps()


def test_a_teachers_page_lists_no_theses_of_the_teachers(compile_pages: Compile) -> None:
    text = "# Eva Dubská\n\n## Diplomová práca 2022\n\nNázov: O rybách\n"
    built = compile_pages({"teachers/dubska/README.md": text})
    assert built.keys("Person") == ["person:eva-dubska"]
    assert not built.keys("Thesis")
