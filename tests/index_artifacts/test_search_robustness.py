"""Questions that nobody should ask, many at a time, and encoders that fail."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from index_artifacts.errors import ModelError, ModelMissingError
from index_artifacts.index import Index
from index_artifacts.search import MODES, Searcher, SearchRequest
from tests.index_artifacts.conftest import pages
from tests.index_artifacts.test_query import HOSTILE
from tests.tiny_wiki import build, open_searcher

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from index_artifacts.artifact import Artifact
    from index_artifacts.encoder import Encoder
    from index_artifacts.search import SearchResult


@pytest.mark.parametrize("query", ["", "   ", "?!", "((((", "😀", "-", '"', "\x00", "\ud800"])
@pytest.mark.parametrize("mode", MODES)
def test_a_query_without_words_is_an_empty_result_with_a_reason(
    ask: Callable[..., SearchResult], query: str, mode: str
) -> None:
    result = ask(query, mode=mode)
    assert (result.status, result.hits) == ("no_hits", ())
    assert result.reason == "the query holds no words"


@pytest.mark.parametrize("typed", HOSTILE, ids=range(len(HOSTILE)))
def test_nothing_typed_breaks_a_search(ask: Callable[..., SearchResult], typed: str) -> None:
    for mode in ("hybrid", "lexical"):
        result = ask(typed, mode=mode, limit=3)
        assert result.status in {"ok", "no_hits"}
        assert result.hits or result.reason


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("server AND práca", "server and práca"),
        ("server NOT práca", "server not práca"),
        ("server -práca", "server práca"),
        ("title:server", "title server"),
        ("NEAR(server práca)", "near server práca"),
        ("serv*", "serv"),
        ("^server", "server"),
        ('server"', "server"),
    ],
)
def test_what_fts5_would_obey_is_just_words(
    ask: Callable[..., SearchResult], typed: str, plain: str
) -> None:
    found, expected = ask(typed, mode="lexical", limit=50), ask(plain, mode="lexical", limit=50)
    assert [h.chunk_id for h in found.hits] == [h.chunk_id for h in expected.hits]
    assert found.matched == expected.matched


def test_eight_threads_get_what_one_gets(searcher: Searcher, small_artifact: Artifact) -> None:
    questions = [
        "server", "zariadenie", "lodz", "елка", "sevrer", '"serveri"', "strojový preklad", "práca",
        "how to submit a job", "кто размечает", "mieszkanie w akademiku", "zkoušky", "BLEU skóre",
        "trénovanie modelu", "(((", "qqqxxx", "gpu karty", "seminár štvrtok", "FLAC", "kappa",
    ]  # fmt: skip
    requests = [
        SearchRequest(question, mode=MODES[number % 5], limit=8)
        for number, question in enumerate(questions)
    ]
    serial = [answer(searcher, request) for request in requests]
    fresh = Searcher(Index(small_artifact), searcher._encoder)
    with ThreadPoolExecutor(8) as pool:
        runs = pool.map(lambda _: [answer(fresh, request) for request in requests], range(8))
        for run in runs:
            assert run == serial


def answer(searcher: Searcher, request: SearchRequest) -> SearchResult:
    """A result without its times."""
    return replace(searcher.search(request), milliseconds={})


def without_encoder() -> Encoder:
    raise ModelMissingError("no model in /secret/folder: run `edgewiki model`")


def test_without_an_encoder_words_still_answer_and_the_result_says_so(
    small_artifact: Artifact, caplog: pytest.LogCaptureFixture
) -> None:
    crippled = Searcher(Index(small_artifact), without_encoder)
    for mode in ("hybrid", "cascade", "flat"):
        result = crippled.search(SearchRequest("strojový preklad", mode=mode))
        assert result.hits[0].document.id == "temy/strojovy-preklad.md"
        assert result.legs == ("lemma", "trigram")
        assert not result.complete
        assert result.reason == "the vector leg did not run: the encoder is not available"
        assert all(0 < hit.scores.score <= 1 for hit in result.hits)
    assert "/secret/folder" in caplog.text  # the log says why, the caller need not know
    assert crippled.search(SearchRequest("preklad", mode="lexical")).complete
    with pytest.raises(ModelError):
        crippled.search(SearchRequest("preklad", mode="vector"))


@pytest.mark.parametrize("mode", MODES)
def test_a_question_of_which_the_encoder_knows_nothing(tmp_path: Path, mode: str) -> None:
    searcher = open_searcher(build(tmp_path))
    result = searcher.search(SearchRequest("zzzzqqqq", mode=mode))
    assert (result.status, result.hits) == ("no_hits", ())
    assert result.reason
    assert result.complete == (mode == "lexical")


@pytest.mark.parametrize("mode", MODES)
def test_a_collection_without_pages_answers_that_there_is_nothing(
    tmp_path: Path, mode: str
) -> None:
    collections = ({"name": "archive", "path": "archive"}, {"name": "wiki"})
    searcher = open_searcher(build(tmp_path, collections=collections))
    result = searcher.search(SearchRequest("server", mode=mode, collections=("archive",)))
    assert (result.status, result.hits) == ("no_hits", ())
    assert "server.md" in pages(searcher.search(SearchRequest("server", mode=mode)))


def test_a_question_longer_than_the_encoder_takes_is_answered_and_says_it_was_cut(
    ask: Callable[..., SearchResult],
) -> None:
    question = "Na akom porte počúva server? " + "Hovorí sa o kartách a dátach. " * 200
    for mode in ("hybrid", "vector"):
        result = ask(question, mode=mode)
        assert result.hits
        assert (result.complete, result.truncated) == (True, True)
        assert "query" in result.truncation_reasons
    assert "query" not in ask(question, mode="lexical").truncation_reasons


def test_a_wiki_without_a_single_word_answers_that_there_is_nothing(tmp_path: Path) -> None:
    searcher = open_searcher(build(tmp_path, {"!!!.md": "…\n"}))
    for mode in MODES:
        assert searcher.search(SearchRequest("anything", mode=mode)).status == "no_hits"
