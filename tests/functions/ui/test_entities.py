"""What the page shows of the graph: beside the results, and on a page of its own."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient

from functions.local import create_local_app
from functions.ui.entities import Entity, Group, Neighbour
from functions.ui.picture import WIDTH, draw
from functions.ui.wording import words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from functions.settings import Settings


@pytest.fixture
def department(settings: Callable[..., Settings], graph_store: Path) -> Iterator[TestClient]:
    chosen = settings(store=f"file://{graph_store}", api_keys="", allow_anonymous=True)
    with TestClient(create_local_app(chosen), raise_server_exceptions=False) as client:
        yield client


def asked(client: TestClient, language: str = "en", **parameters: str) -> str:
    response = client.get("/", params=parameters, headers={"Accept-Language": language})
    assert response.status_code == 200, response.text
    return response.text


def test_a_question_shows_whom_it_names_with_works_and_years(department: TestClient) -> None:
    html = asked(department, q="Kto viedol prácu Jána Kvetoňa?")
    card = html[html.index('class="card"') : html.index("<article")]
    assert ">Ján Kvetoň</a> <small>person</small>" in card
    assert "Vyhľadávanie odpovedí</a> (2022), " in card
    assert "<dt>Began studies</dt><dd>2019</dd>" in card
    assert 'href="/?entity=person%3Ajan-kveton"' in card


def test_words_that_name_nobody_show_no_entities(department: TestClient) -> None:
    assert 'class="card"' not in asked(department, q="qqqq wwww")


@pytest.mark.parametrize("language", ["sk", "cs", "pl", "ru", "en"])
def test_an_entity_is_told_in_the_language_of_the_browser(
    department: TestClient, language: str
) -> None:
    html = asked(department, language, entity="person:jan-kveton")
    said = words(language)
    assert f"<dt>{said['relations']['theses']}</dt>" in html
    assert f"<small>{said['types']['Person']}</small>" in html
    thesis = asked(department, language, entity=thesis_of(department))
    assert f"<dt>{said['relations']['supervisor']}</dt>" in thesis
    kind = next(re.finditer(rf"<dt>{said['attributes']['kind']}</dt><dd>([^<]+)</dd>", thesis))
    assert kind.group(1) != "bachelor"


def thesis_of(client: TestClient) -> str:
    """The id of a bachelor's thesis."""
    named = client.get("/graph/entities", params={"name": "Vyhľadávanie odpovedí"}).json()
    return str(next(e["id"] for e in named["entities"] if e["type"] == "Thesis"))


def test_every_neighbour_is_a_link_to_its_own_page(department: TestClient) -> None:
    html = asked(department, entity="person:jan-kveton")
    for address in set(re.findall(r'href="(/\?entity=[^"]*)"', html)):
        assert department.get(address.replace("&amp;", "&")).status_code == 200


def test_an_entity_that_is_not_there_is_a_page_that_says_so(department: TestClient) -> None:
    response = department.get("/", params={"entity": "person:nobody"})
    assert response.status_code == 404
    assert "person:nobody" in response.text


def test_only_unpublished_pages_speak_of_it_where_they_were_asked_for(
    department: TestClient,
) -> None:
    everything = department.get("/graph/entities", params={"type": "Person", "limit": 500}).json()
    drafts = department.get(
        "/graph/entities", params={"type": "Person", "limit": 500, "published_only": False}
    ).json()
    seen = {entity["id"] for entity in everything["entities"]}
    hidden = [e["id"] for e in drafts["entities"] if e["id"] not in seen]
    assert hidden
    assert department.get("/", params={"entity": hidden[0]}).status_code == 404
    html = asked(department, entity=hidden[0], drafts="1")
    assert all("drafts=1" in link for link in re.findall(r'href="(/\?entity=[^"]*)"', html))


def entity(*groups: Group) -> Entity:
    return Entity("person:a", "Anna", "Person", "", [], list(groups), 0)


def group(called: str, size: int) -> Group:
    near = [Neighbour(f"thesis:{n}", f"A thesis with a long name {n}" * 3, "Thesis", "2024")
            for n in range(size)]  # fmt: skip
    return Group(called, near)


@pytest.mark.parametrize("sizes", [(), (1,), (3, 1), (12, 7, 2), (40, 40, 1, 1)])
def test_nothing_in_the_picture_lies_on_anything_else(sizes: tuple[int, ...]) -> None:
    picture = draw(entity(*[group(f"g{n}", size) for n, size in enumerate(sizes)]))
    rows = [(dot.x, dot.y) for dot in picture.dots] + [(h.x, h.y) for h in picture.headings]
    assert len(set(rows)) == len(rows)
    for side in {x for x, _ in rows}:
        heights = sorted(y for x, y in rows if x == side)
        assert all(b - a >= 20 for a, b in pairwise(heights))
    assert all(0 < y < picture.height and 0 < x < WIDTH for x, y in rows)


def test_what_is_not_drawn_is_counted() -> None:
    picture = draw(entity(group("theses", 40)))
    assert len(picture.dots) + picture.headings[0].left_out == 40
    assert all(len(dot.label) <= 40 and dot.label.endswith("(2024)") for dot in picture.dots)
