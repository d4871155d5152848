"""From a question to its evidence, or to the reason why there is none."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pytest

from index_artifacts.errors import QueryError
from index_artifacts.rag.context import Budget
from index_artifacts.rag.profiles import Profile
from index_artifacts.rag.retrieval import Retrieved, retrieve
from index_artifacts.rag.rules import wording
from index_artifacts.search import SearchRequest
from tests.tiny_wiki import build, open_searcher

if TYPE_CHECKING:
    from index_artifacts.search import Searcher

SENTENCES = " ".join(f"The cluster keeps log number {n} for a while." for n in range(40))
PAGES = {
    "edgewiki.toml": '[wiki]\npublication = "mark"\n[[collections]]\nname = "people"\n'
    'path = "people"\n[[collections]]\nname = "wiki"\n',
    "cluster.md": f"# Cluster\n\nThe cluster has four cards.\n\n## Logs\n\nLogs began in 2019. "
    f"{SENTENCES}\n",
    "people/ada.md": "# Ada Noll\n\nAda Noll supervises theses on parsing.\n",
    "draft.md": "---\npublished: false\n---\n# Chimera\n\n"
    "The chimeraproject pays for the cluster.\n\n## Costs\n\n"
    "The chimeraproject costs a quarter of a million.\n",
    "budget.md": "# Budget\n\nThe office pays for paper, toner and the cluster.\n",
}
SIZES = {"chunk_max_tokens": 80, "chunk_overlap_tokens": 12, "chunk_min_tokens": 10}
ALL = Profile()
PLENTY = Budget(12_000)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    folder = tmp_path_factory.mktemp("rag")
    return open_searcher(build(folder, PAGES, **SIZES))


def ask(
    searcher: Searcher,
    query: str,
    profile: Profile = ALL,
    budget: Budget = PLENTY,
    **fields: Any,
) -> Retrieved:
    fields = {"limit": 7, "max_per_document": 1, **fields}
    return retrieve(searcher, SearchRequest(query, **fields), profile, budget)


def paths(found: Retrieved) -> list[str]:
    return [passage.document.id for passage in found.context.passages]


def test_evidence_comes_numbered_with_rules(tiny: Searcher) -> None:
    found = ask(tiny, "who supervises theses on parsing?")
    assert (found.status, found.reason, found.answerable) == ("ok", "", True)
    assert paths(found)[0] == "people/ada.md"
    assert found.context.text.startswith("⟦evidence 1 ")
    assert found.rules == wording("en").grounding()
    assert len(paths(found)) == len(set(paths(found)))


def test_the_best_chunk_brings_its_sections_beginning_as_one_piece(tiny: Searcher) -> None:
    found = ask(tiny, "cluster log number 39")
    piece = found.context.passages[0]
    assert piece.document.id == "cluster.md"
    assert "Logs began in 2019." in piece.text
    assert "log number 39" in piece.text
    assert paths(found).count("cluster.md") == 1


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Ktorý učiteľ vedie práce o parsing?", "sk"),
        ("Kdo vede práce o parsing?", "cs"),
        ("Kto prowadził pracę o parsing?", "pl"),
        ("Кто ведёт работы о parsing?", "ru"),
        ("Who supervises theses on parsing?", "en"),
        ("parsing", "en"),  # no word tells: the page does
    ],
)
def test_rules_are_in_the_questions_language_whatever_the_pages_are_in(
    tiny: Searcher, question: str, language: str
) -> None:
    found = ask(tiny, question)
    assert found.answerable
    assert found.language == language
    assert found.rules == wording(language).grounding()


@pytest.mark.parametrize(
    ("query", "fields", "reason"),
    [
        ("", {}, "the query holds no words"),
        ("?!", {}, "the query holds no words"),
        ("parsing", {"years": (1999,)}, "no page passes the filters or holds the phrase"),
        ('"no such words here"', {}, "no page passes the filters or holds the phrase"),
        ("xylofonxyz", {"mode": "lexical"}, "no page matches"),
    ],
)
def test_without_a_hit_there_is_no_evidence_and_a_reason(
    tiny: Searcher, query: str, fields: dict[str, Any], reason: str
) -> None:
    found = ask(tiny, query, **fields)
    assert (found.status, found.reason) == ("no_hits", reason)
    assert not found.answerable
    assert found.rules == wording("en").no_evidence
    assert (found.context.text, found.context.passages) == ("", ())


UNPUBLISHED = ["chimera", "quarter of a million", "draft"]


@pytest.mark.parametrize(
    "query",
    ["who pays for the cluster?", "chimeraproject", "chimeraprojct", "quarter of a million costs",
     "Chimera", '"chimeraproject"', "chimeraproject costs", "cluster chimeraporject"],
)  # fmt: skip
@pytest.mark.parametrize("mode", ["hybrid", "lexical", "vector", "cascade", "flat"])
def test_unpublished_pages_are_in_no_field_unless_asked_for(
    tiny: Searcher, query: str, mode: str
) -> None:
    found = ask(tiny, query, mode=mode, max_per_document=0)
    told = json.dumps(asdict(found), default=str, ensure_ascii=False).lower()
    assert not [secret for secret in UNPUBLISHED if secret in told]


def test_asked_for_they_are_evidence_that_says_what_it_is(tiny: Searcher) -> None:
    found = ask(tiny, "chimeraprojct", published_only=False)
    assert paths(found)[0] == "draft.md"
    assert not found.context.passages[0].document.published
    assert found.result
    assert found.result.corrections == {"chimeraprojct": "chimeraproject"}


def test_a_word_of_published_pages_is_corrected_beside_unpublished_ones(tiny: Searcher) -> None:
    found = ask(tiny, "supervses")
    assert found.result
    assert found.result.corrections == {"supervses": "supervises"}


def test_the_budget_drops_pieces_from_the_end_and_says_so(tiny: Searcher) -> None:
    whole = ask(tiny, "cluster paper toner parsing", max_per_document=0)
    assert len(paths(whole)) > 2
    assert whole.complete
    assert "llm_context_budget" not in whole.truncation_reasons
    budget = Budget(whole.context.tokens - 1)
    cut = ask(tiny, "cluster paper toner parsing", ALL, budget, max_per_document=0)
    assert paths(cut) == paths(whole)[:-1]
    assert not cut.complete
    assert cut.truncation_reasons[-1] == "llm_context_budget"
    assert cut.context.tokens <= budget.tokens
    assert cut.status == "ok"


def test_where_not_one_piece_fits_the_chunk_that_was_found_goes_alone(tiny: Searcher) -> None:
    wide = ask(tiny, "cluster log number 39")
    piece = wide.context.passages[0]
    narrow = ask(tiny, "cluster log number 39", ALL, Budget(12_000, len(piece.text) - 1))
    assert narrow.answerable
    [alone] = narrow.context.passages
    assert len(alone.chunk_ids) == 1
    assert "log number 39" in alone.text
    assert "Logs began" not in alone.text
    assert (narrow.complete, narrow.truncation_reasons[-1]) == (False, "llm_context_budget")


@pytest.mark.parametrize("budget", [Budget(500), Budget(12_000, 10)])
def test_evidence_that_fits_nowhere_is_no_answer(tiny: Searcher, budget: Budget) -> None:
    found = ask(tiny, "cluster log number 39", ALL, budget)
    assert (found.status, found.answerable) == ("over_budget", False)
    assert found.reason.startswith(f"no piece of evidence fits into {budget.tokens} tokens")
    assert found.rules == wording("en").no_evidence
    assert (found.context.text, found.context.passages) == ("", ())
    assert found.context.dropped >= 1
    assert not found.complete
    assert found.truncation_reasons[-1] == "llm_context_budget"


def test_a_profile_that_searches_nothing_says_so_in_the_questions_language(
    tiny: Searcher,
) -> None:
    profile = Profile("mute", "none")
    found = ask(tiny, "Ktorý učiteľ vedie práce o parsing?", profile)
    assert (found.status, found.answerable) == ("profile_none", False)
    assert found.reason == "the RAG profile 'mute' searches no collection"
    assert (found.language, found.rules) == ("sk", wording("sk").no_evidence)
    assert found.context.text == ""
    assert ask(tiny, "", profile).language == "en"


def test_a_selection_of_collections_is_kept_to(tiny: Searcher) -> None:
    profile = Profile("people", "selected", ("people",))
    assert set(paths(ask(tiny, "cluster parsing", profile))) == {"people/ada.md"}
    with pytest.raises(QueryError, match="'wiki' is not in the RAG profile 'people'"):
        ask(tiny, "cluster", profile, collections=("wiki",))
    with pytest.raises(QueryError, match="collection 'teachers' is unknown; there are: people, w"):
        ask(tiny, "cluster", collections=("teachers",))


def test_a_profiles_rules_are_among_the_rules(tiny: Searcher) -> None:
    found = ask(tiny, "parsing", Profile("bot", rules=("Answer in one sentence.",)))
    assert found.rules.endswith("\n9. Answer in one sentence.")


@pytest.mark.slow
def test_too_little_evidence_is_no_answer_in_the_questions_language(searcher: Searcher) -> None:
    found = ask(searcher, "Kedy zomrel cisár František Jozef?")
    assert found.outcome == "none"
    assert (found.status, found.answerable, found.language) == ("no_answer", False, "sk")
    assert found.reason.startswith("the nearest page gives too little evidence of an answer (conf")
    assert found.rules == wording("sk").no_evidence
    assert (found.context.text, found.context.passages) == ("", ())
    answered = ask(searcher, "Na akom porte počúva server?")
    assert (answered.status, answered.answerable) == ("ok", True)
    assert "2222" in answered.context.text
