"""What theses are about: by links, titles and topic pages' lists, and by nothing less."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.build.graph.conftest import Compile

TOPIC = "---\ntitle: Ryby\naliases: [ichtyológia]\ncategory: tema\n---\n# Ryby\n\nPlávajú.\n"
TWO = "## Diplomová práca 2022\n\nNázov: O mori\n\n{}\n\n## Bakalárska práca 2020\n\nNázov: Voda\n"
MASTER, BACHELOR = "thesis:jan-malik/master-2022", "thesis:jan-malik/bachelor-2020"


def wiki(student: str, topic: str = "") -> dict[str, str]:
    return {
        "students/2019/jan_malik/README.md": f"# Ján Malík\n\n{student}\n",
        "topics/ryby/README.md": f"{TOPIC}\n{topic}\n",
        "courses/more.md": "---\ntitle: Oceánografia\ncategory: predmet\n---\nText.\n",
    }


@pytest.mark.parametrize(
    ("link", "about"),
    [
        ("Pozri [ryby](/topics/ryby).", True),
        ("Pozri [[ryby]].", True),
        ("### Stretnutie 3.3.2022\n\nPrečítať [stránku](../../../topics/ryby/README.md).", True),
        ("Pozri [predmet](/courses/more.md).", False),
        ("Pozri ryby.", False),
    ],
)
def test_a_link_under_a_thesis_to_a_topics_page(
    compile_pages: Compile, link: str, about: bool
) -> None:
    built = compile_pages(wiki(TWO.format(link)))
    assert built.edges("ABOUT") == ([(MASTER, "topic:ryby")] if about else [])


def test_a_link_outside_of_two_theses_is_of_neither(compile_pages: Compile) -> None:
    built = compile_pages(wiki("Zaujímajú ho [ryby](/topics/ryby).\n\n" + TWO.format("")))
    assert not built.edges("ABOUT")


def test_a_link_on_a_page_of_one_thesis_is_of_that(compile_pages: Compile) -> None:
    built = compile_pages(wiki("## Diplomová práca 2022\n\n# Odkazy\n\n[Ryby](/topics/ryby)"))
    assert built.edges("ABOUT") == [(MASTER, "topic:ryby")]


@pytest.mark.parametrize(
    ("title", "about"),
    [("Ryby v riekach", True), ("Moderná ichtyológia", True), ("Rybári a rybolov", False)],
)
def test_a_title_that_holds_a_topics_name(compile_pages: Compile, title: str, about: bool) -> None:
    built = compile_pages(wiki(f"## Diplomová práca 2022\n\nNázov: {title}\n\nText."))
    assert built.edges("ABOUT") == ([(MASTER, "topic:ryby")] if about else [])


@pytest.mark.parametrize(
    ("item", "works"),
    [
        ("- [Ján Malík](/students/2019/jan_malik) – diplomová práca o rybách", [MASTER]),
        ("[Ján Malík](/students/2019/jan_malik): bakalárka\naj diplomovka.", [BACHELOR, MASTER]),
        ("- [Ján Malík](/students/2019/jan_malik) – sladkovodné", []),
        ("- [more](/courses/more.md), diplomová práca [Ján](/students/2019/jan_malik)", []),
        ("- [O mori](/courses/more.md) (nie [Ján](/students/2019/jan_malik), diplomovka)", []),
    ],
)
def test_a_topic_pages_list_of_works(compile_pages: Compile, item: str, works: list[str]) -> None:
    built = compile_pages(wiki(TWO.format(""), f"## Práce študentov\n\n{item}"))
    assert built.edges("ABOUT") == [(work, "topic:ryby") for work in works]


def test_somebody_linked_elsewhere_on_a_topics_page_wrote_nothing_on_it(
    compile_pages: Compile,
) -> None:
    text = "## Dáta\n\n[Ján Malík](/students/2019/jan_malik), diplomová práca"
    assert not compile_pages(wiki(TWO.format(""), text)).edges("ABOUT")
