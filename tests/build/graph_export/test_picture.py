"""The picture in a real browser: clicked, searched, filtered, and never asking the network."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

import edgewiki
from build.graph_export.viewer import DEFAULT_VIEWER
from tests.browser import until
from tests.department_graph import VERSION, department_graph, write_artifact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import networkx as nx
    from playwright.sync_api import Page

    from tests.browser import Window

    Draw = Callable[..., Window]

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("picture")]

HOSTILE = "</script><script>document.title='owned'</script><img src=x onerror=alert(1)>\"'&amp;"


@pytest.fixture
def draw(
    open_window: Callable[..., Window], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Draw:
    """Export a graph as a picture and open it."""
    if not (DEFAULT_VIEWER / "node_modules").is_dir():
        pytest.skip("cytoscape.js is not installed: run `make graph-viewer`")

    def call(graph: nx.MultiDiGraph[str], *arguments: str, dark: bool = False) -> Window:
        picture = tmp_path / "picture.html"
        artifact = write_artifact(tmp_path / "artifact", graph)
        words = ["graph", "export", "--artifact", str(artifact), "-o", str(picture), *arguments]
        monkeypatch.setattr(sys, "argv", ["edgewiki", *words])
        with pytest.raises(SystemExit) as ended:
            edgewiki.main()
        assert not ended.value.code
        size = {"width": 1280, "height": 800}
        window = open_window(viewport=size, color_scheme="dark" if dark else "light")
        window.page.goto(picture.as_uri())
        until(window.page, "document.documentElement.dataset.ready === 'true'")
        return window

    return call


@pytest.fixture
def page(draw: Draw, graph: nx.MultiDiGraph[str]) -> Iterator[Page]:
    """The picture of some sixty entities; afterwards, nothing may have gone wrong."""
    opened = draw(graph)
    yield opened.page
    assert quiet(opened)


def quiet(window: Window) -> bool:
    """True where the console is empty and nothing was asked for but the page itself."""
    assert window.trouble == []
    assert [url for url in window.requests if not url.startswith("file:")] == []
    return True


def click_node(page: Page, key: str) -> None:
    """Click where an entity is drawn."""
    x, y = page.evaluate(
        f"(() => {{ const node = nodes.find((node) => node.key === {key!r});"
        "const at = cy.getElementById(node.id).renderedPosition();"
        "const box = document.getElementById('graph').getBoundingClientRect();"
        "return [box.x + at.x, box.y + at.y] })()"
    )
    page.mouse.click(x, y)


def text(page: Page, selector: str) -> list[str]:
    """The texts of all elements that a selector names."""
    found: list[str] = page.evaluate(
        f"[...document.querySelectorAll({selector!r})].map((e) => e.textContent)"
    )
    return found


def faded(page: Page) -> set[str]:
    """The keys of the entities that are drawn faded."""
    return set(page.evaluate("cy.nodes('.faded').map((item) => dataOf(item).key)"))


def search(page: Page, words: str) -> None:
    page.click("#query")
    page.evaluate("document.getElementById('query').select()")
    page.keyboard.insert_text(words)


def test_a_click_shows_the_neighbourhood_and_the_evidence(
    page: Page, graph: nx.MultiDiGraph[str]
) -> None:
    assert page.evaluate("document.getElementById('panel').hidden")
    click_node(page, "topic:0")
    until(page, "!document.getElementById('panel').hidden")
    assert text(page, "#panel h2") == ["Strojový preklad"]
    assert text(page, "#panel .top")[0].startswith("Topic")
    assert "Definition" in text(page, "#panel dt")
    neighbours = set(graph.predecessors("topic:0"))
    count = sum(graph.nodes[key]["type"] in {"Thesis", "Work"} for key in neighbours)
    assert text(page, "#panel h4")[0] == f"Treated in ({count})"
    drawn = {key for key, node in graph.nodes(data=True) if node["type"] != "Collection"}
    assert faded(page) == drawn - neighbours - {"topic:0"}
    links = page.evaluate(
        "[...document.querySelectorAll('#panel .evidence a')].map((a) => [a.textContent, a.href])"
    )
    assert ["topics/0000.md, line 1", "https://wiki.example/topics/0000.md"] in links
    assert ["topics/0000.md, lines 3–4", "https://wiki.example/topics/0000.md"] in links
    assert "generic.topic" in text(page, "#panel .rule")


def test_relations_in_the_panel_lead_on_and_escape_clears(page: Page) -> None:
    click_node(page, "topic:0")
    until(page, "!document.getElementById('panel').hidden")
    first = text(page, "#panel .node")[0]
    page.click("#panel .node")
    assert text(page, "#panel h2") == [first]
    assert "Written by" in text(page, "#panel h4")
    page.keyboard.press("Escape")
    assert page.evaluate("document.getElementById('panel').hidden")
    assert faded(page) == set()


def test_a_search_needs_no_diacritics_and_enter_centres(page: Page) -> None:
    search(page, "ROZPOZNAVANIE reci")
    assert text(page, "#matches .name")[0] == "Rozpoznávanie reči"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert text(page, "#panel h2")[0].startswith("Rozpoznávanie reči")
    middle = page.evaluate("[cy.width() / 2, cy.height() / 2]")
    at = page.evaluate(
        "(() => { const p = cy.$('.chosen').renderedPosition(); return [p.x, p.y] })()"
    )
    assert at == pytest.approx(middle, abs=2)
    assert page.evaluate("document.getElementById('matches').hidden")


@pytest.mark.parametrize("written", ["lucja", "Łucja", "LUCJA kveton", "kveton lucja"])
def test_a_name_is_found_however_it_is_typed(page: Page, written: str) -> None:
    search(page, written)
    assert "Łucja Kveton" in text(page, "#matches .name")


def test_a_search_that_finds_nothing_says_so(page: Page) -> None:
    search(page, "nikto taký")
    assert text(page, "#matches li") == ["No entity has such a name."]
    page.keyboard.press("Enter")
    assert page.evaluate("document.getElementById('panel').hidden")


def test_the_legend_hides_and_shows_a_type(page: Page) -> None:
    shown = "cy.nodes('[type = \"Thesis\"]').filter((n) => n.visible()).length"
    assert text(page, "#legend [data-type=Thesis] .count") == [str(page.evaluate(shown))] == ["9"]
    page.click("#legend [data-type=Thesis]")
    until(page, f"{shown} === 0")  # once the next frame is drawn
    assert page.evaluate("cy.nodes('[type = \"Person\"]').filter((n) => n.visible()).length") > 0
    search(page, "preklad pre slovencinu")  # what is searched for is shown again
    page.keyboard.press("Enter")
    until(page, f"{shown} === 9")
    assert page.evaluate("document.querySelector('[data-type=Thesis]').ariaPressed") == "true"


def test_the_keyboard_alone_is_enough(page: Page) -> None:
    page.evaluate("document.getElementById('graph').focus()")
    before = page.evaluate("[cy.pan().x, cy.zoom()]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("+")
    after = page.evaluate("[cy.pan().x, cy.zoom()]")
    assert after[0] < before[0] and after[1] > before[1]
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "query"
    page.keyboard.insert_text("preklad")
    page.keyboard.press("Enter")
    assert text(page, "#panel h2") == ["Strojový preklad"]
    page.keyboard.press("0")


def test_the_title_tells_version_and_counts(page: Page) -> None:
    about = text(page, "#about")[0]
    counts = page.evaluate("[nodes.length, edges.length]")
    assert about.startswith(f"version {VERSION} · {counts[0]} entities · {counts[1]} relations")
    assert page.evaluate("document.title") == f"Knowledge graph {VERSION}"


def test_names_from_the_wiki_are_inert(draw: Draw, graph: nx.MultiDiGraph[str]) -> None:
    graph.nodes["topic:0"].update(
        name=HOSTILE, names=(HOSTILE,), source_url="javascript:alert(1)",
        attributes={"definition": HOSTILE},
    )  # fmt: skip
    graph.nodes["document:topics/0000.md"].update(name=HOSTILE, source_url="javascript:alert(1)")
    window = draw(graph)
    page = window.page
    click_node(page, "topic:0")
    until(page, "!document.getElementById('panel').hidden")
    assert text(page, "#panel h2") == [HOSTILE]
    search(page, "onerror")
    assert HOSTILE in text(page, "#matches .name")
    assert page.evaluate("document.title") == f"Knowledge graph {VERSION}"
    assert (
        page.evaluate("document.querySelectorAll('img, script:not(:is(body > script))').length")
        == 0
    )
    assert page.evaluate("[...document.links].filter((a) => !/^https?:/.test(a.href)).length") == 0
    assert quiet(window)


def test_the_policy_runs_and_loads_nothing_else(draw: Draw, graph: nx.MultiDiGraph[str]) -> None:
    window = draw(graph)
    page = window.page
    page.evaluate(
        "(() => { const s = document.createElement('script'); s.textContent = 'window.owned = 1';"
        "document.body.append(s) })()"
    )
    assert page.evaluate("window.owned ?? null") is None
    assert page.evaluate("fetch('http://127.0.0.1:9/').then(() => 1, () => 0)") == 0
    assert len(window.trouble) >= 2
    assert all("Content Security Policy" in line for line in window.trouble)


def test_an_empty_graph_is_drawn(draw: Draw, graph: nx.MultiDiGraph[str]) -> None:
    window = draw(graph, "--types", "Section")
    page = window.page
    assert text(page, "#about")[0].startswith(f"version {VERSION} · 0 entities")
    assert quiet(window)


@pytest.mark.parametrize("dark", [False, True])
def test_colours_follow_the_readers_scheme(
    draw: Draw, graph: nx.MultiDiGraph[str], dark: bool
) -> None:
    window = draw(graph, dark=dark)
    page = window.page
    red = page.evaluate("Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])")
    assert (red < 60) == dark
    node = page.evaluate("cy.nodes('[type = \"Topic\"]')[0].style('background-color')")
    assert node == ("rgb(88,199,143)" if dark else "rgb(46,148,97)")
    assert quiet(window)


def test_five_thousand_entities_are_usable(draw: Draw, tmp_path: Path) -> None:
    window = draw(department_graph(1340))
    page = window.page
    assert page.evaluate("nodes.length") > 4900
    assert page.evaluate("performance.now()") < 60_000
    search(page, "slovencinu 1000")
    page.keyboard.press("Enter")
    until(page, "!document.getElementById('panel').hidden")
    assert page.evaluate("cy.edges('.lit').length") > 0
    frames = page.evaluate(
        "new Promise((done) => { let left = 20; const start = performance.now();"
        "const step = () => { cy.panBy({ x: 5, y: 5 }); left -= 1;"
        "left ? requestAnimationFrame(step) : done((performance.now() - start) / 20) };"
        "step() })"
    )
    assert frames < 500  # milliseconds; 16 on a machine that does nothing else
    page.screenshot(path=tmp_path / "large.png")
    assert (tmp_path / "large.png").stat().st_size > 50_000
    assert quiet(window)
