"""What a request leaves out: filters, collections, limits, unpublished pages."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any

import pytest

from index_artifacts.errors import QueryError
from index_artifacts.search import MODES, SearchRequest
from index_artifacts.text import fold
from tests.index_artifacts.conftest import pages
from tests.tiny_wiki import build, open_searcher

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from index_artifacts.search import SearchResult


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"authors": ("Peter Vrabec",)}, {"studenti/jana-mokra.md"}),
        ({"authors": ("  peter  VRABEC ",)}, {"studenti/jana-mokra.md"}),
        (
            {"authors": (unicodedata.normalize("NFD", "Zuzana Hlinková"), "Peter Vrabec")},
            {"studenti/jana-mokra.md", "studenti/ivan-brezina.md"},
        ),
        ({"tags": ("gpu",)}, {"temy/servery.md", "en/cluster.md"}),
        ({"tags": ("gpu",), "languages": ("en",)}, {"en/cluster.md"}),
        ({"categories": ("tema",)}, {"temy/strojovy-preklad.md"}),
        ({"languages": ("ru", "pl")}, {"ru/yolka.md", "pl/lodz.md"}),
        ({"collections": ("students",), "tags": ("asr",)}, {"studenti/ivan-brezina.md"}),
    ],
)
def test_filters_leave_only_what_passes_all_of_them(
    ask: Callable[..., SearchResult], filters: dict[str, Any], expected: set[str]
) -> None:
    for mode in ("hybrid", "vector", "cascade", "flat"):
        assert pages(ask("server model", mode=mode, limit=50, **filters)) == expected


def test_the_year_is_the_one_that_the_page_states(tmp_path: Path) -> None:
    wiki = {
        "old.md": "---\ntitle: Old report\nyear: 2019\n---\n\nThe report of that year.\n",
        "new.md": "---\ntitle: New report\nyear: 2024\n---\n\nThe report of that year.\n",
    }
    ask = open_searcher(build(tmp_path, wiki)).search
    assert pages(ask(SearchRequest("report", years=(2024,)))) == {"new.md"}
    assert pages(ask(SearchRequest("report", years=(2024, 2019)))) == {"old.md", "new.md"}
    assert ask(SearchRequest("report", years=(1999,))).status == "no_hits"


def test_a_filter_that_nothing_passes_is_an_answer_not_an_error(
    ask: Callable[..., SearchResult],
) -> None:
    result = ask("server", authors=("Nobody",))
    assert (result.status, result.hits) == ("no_hits", ())
    assert result.reason == "no page passes the filters or holds the phrase"
    assert result.complete


def test_collections_have_their_own_statistics_and_merge(
    ask: Callable[..., SearchResult],
) -> None:
    merged = {h.chunk_id: h.scores.lemma for h in ask("server", mode="lexical", limit=50).hits}
    for name in ("students", "wiki"):
        alone = ask("server", mode="lexical", limit=50, collections=(name,))
        assert {hit.document.collection for hit in alone.hits} == {name}
        for hit in alone.hits:
            assert hit.scores.lemma == pytest.approx(merged[hit.chunk_id])
    both = ask("server", mode="lexical", limit=50, collections=("wiki", "students"))
    assert {hit.chunk_id for hit in both.hits} == set(merged)


def test_an_unknown_collection_is_refused_with_the_known_ones(
    ask: Callable[..., SearchResult],
) -> None:
    with pytest.raises(QueryError, match=r"collection 'teachers' is unknown.*students, wiki"):
        ask("server", collections=("students", "teachers"))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"mode": "psychic"}, "mode 'psychic' is unknown; use one of hybrid, lexical"),
        ({"fusion": "nuclear"}, "fusion 'nuclear' is unknown; use weighted or rrf"),
        ({"limit": 0}, "limit 0 is not between 1 and 50"),
        ({"limit": 51}, "limit 51 is not between 1 and 50"),
    ],
)
def test_a_request_that_makes_no_sense_is_refused(
    ask: Callable[..., SearchResult], fields: dict[str, Any], message: str
) -> None:
    with pytest.raises(QueryError, match=message):
        ask("server", **fields)


def test_hits_of_one_page_are_capped_on_request(ask: Callable[..., SearchResult]) -> None:
    free = ask("server", limit=50)
    capped = ask("server", limit=50, max_per_document=1)
    assert len(free.hits) > len(capped.hits)
    assert len(capped.hits) == len(pages(capped)) == len(pages(free))
    first_of_each: dict[str, str] = {}
    for hit in free.hits:
        first_of_each.setdefault(hit.document.id, hit.chunk_id)
    assert [hit.chunk_id for hit in capped.hits] == list(first_of_each.values())
    assert capped.truncation_reasons == ("max_per_document",)


def test_a_limit_cuts_the_same_list_and_says_so(ask: Callable[..., SearchResult]) -> None:
    everything = ask("server", limit=50)
    three = ask("server", limit=3)
    assert three.hits == everything.hits[:3]
    assert three.matched > 3
    assert (three.truncated, three.truncation_reasons) == (True, ("limit",))
    assert (everything.truncated, everything.truncation_reasons) == (False, ())


@pytest.mark.parametrize("mode", MODES)
def test_an_unpublished_page_never_appears(ask: Callable[..., SearchResult], mode: str) -> None:
    for query in ("tajnýkoncept", "Koncept rozdelenia tém", "Rozpočet výpočtového času"):
        result = ask(query, mode=mode, limit=50, published_only=False)
        assert "interne/koncept.md" not in pages(result)
        assert not any("tajnykoncept" in fold(hit.text) for hit in result.hits)
        assert "tajnykoncept" not in result.corrections.values()
    assert ask("tajnýkoncept", mode="lexical").status == "no_hits"


def test_a_marked_page_appears_only_when_asked_for(tmp_path: Path) -> None:
    wiki = {
        "open.md": "# Open\n\nThe budget is discussed in the spring.\n",
        "draft.md": "---\npublished: false\n---\n\n# Draft\n\nThe budget is a zebrafish.\n",
    }
    search = open_searcher(build(tmp_path, wiki, publication="mark")).search
    for mode in MODES:
        assert pages(search(SearchRequest("budget", mode=mode))) == {"open.md"}
        shown = search(SearchRequest("budget", mode=mode, published_only=False))
        assert pages(shown) == {"open.md", "draft.md"}
        assert {hit.document.published for hit in shown.hits} == {True, False}
    assert search(SearchRequest("zebrafish", mode="lexical")).status == "no_hits"
