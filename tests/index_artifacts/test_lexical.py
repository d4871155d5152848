"""The lexical leg over a tiny wiki."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from index_artifacts.index import Index
from index_artifacts.lexical import lemma_scores, phrase_mask, sought_terms
from index_artifacts.query import analyse
from index_artifacts.tuning import Tuning
from tests.tiny_wiki import build

if TYPE_CHECKING:
    from index_artifacts.postings import Scores

PAGES = {
    "red.md": "---\ntitle: Red apples\n---\n\nRed apples ripen late and keep until spring.\n",
    "green.md": "---\ntitle: Green pears\n---\n\nGreen pears ripen early; apples follow.\n",
    "body.md": "---\ntitle: Orchard\n---\n\nThe orchard has a ladder, baskets and a wheelbarrow.\n",
    "ladder.md": "---\ntitle: Ladder\n---\n\nKept in the shed behind the barn with the paint.\n",
    "shed.md": "---\ntitle: Barn\n---\n\nOld tools, strings and wood are kept there all winter.\n",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return Index(build(tmp_path_factory.mktemp("lexical"), PAGES))


def run(index: Index, text: str, tuning: Tuning | None = None) -> dict[str, float]:
    """Page → score of the lemma leg, for the pages that match."""
    tuning = tuning or Tuning()
    terms = sought_terms(analyse(index, text), index, tuning)
    return by_page(index, lemma_scores(index, index.collections, terms, tuning, None))


def by_page(index: Index, scores: Scores) -> dict[str, float]:
    paths = [row[0] for row in index.connection.execute("SELECT path FROM documents ORDER BY id")]
    return {
        paths[index.chunk_document[position]]: float(scores[position])
        for position in np.flatnonzero(scores)
    }


def test_an_inflected_question_finds_other_forms(index: Index) -> None:
    assert set(run(index, "apple")) == {"red.md", "green.md"}


def test_a_page_with_all_of_the_words_keeps_its_whole_score(index: Index) -> None:
    whole = run(index, "red apple")
    halved = run(index, "red apple", Tuning(any_term_weight=0.45))
    assert whole["red.md"] == pytest.approx(halved["red.md"])
    assert whole["green.md"] == pytest.approx(2 * halved["green.md"])


def test_a_title_weighs_more_than_the_text(index: Index) -> None:
    found = run(index, "ladder", Tuning(title_weight=10))
    assert found["ladder.md"] > found["body.md"]


def test_beginnings_match_where_no_page_has_every_word(index: Index) -> None:
    found = run(index, "wheelbar basket")
    assert set(found) == {"body.md"}
    only_any = run(index, "wheelbar basket", Tuning(prefix_term_weight=0.0))
    assert only_any["body.md"] <= found["body.md"]
    assert set(run(index, "wheelbar")) == {"body.md"}


def test_the_commonest_word_is_left_out_beside_a_rarer_one(index: Index) -> None:
    tuning = Tuning(common_share=0.3)  # of 5 chunks: in two of them is already common
    terms = sought_terms(analyse(index, "apples ladder barn basket"), index, tuning)
    assert [term.word for term in terms] == ["basket"]
    assert [t.word for t in sought_terms(analyse(index, "apples"), index, tuning)] == ["apples"]


def test_a_common_word_is_looked_up_beside_one_that_nobody_wrote(index: Index) -> None:
    assert set(run(index, "apples qqqxxxq", Tuning(common_share=0.3))) == {"red.md", "green.md"}


def test_a_mask_hides_chunks_and_lifts_the_limit(index: Index) -> None:
    tuning = Tuning(candidates=1)
    terms = analyse(index, "apples").terms
    unlimited = np.ones(index.chunk_count, dtype=bool)
    first = by_page(index, lemma_scores(index, index.collections, terms, tuning, None))
    both = by_page(index, lemma_scores(index, index.collections, terms, tuning, unlimited))
    none = lemma_scores(index, index.collections, terms, tuning, ~unlimited)
    assert (len(first), len(both)) == (1, 2)
    assert not none.any()


def test_a_phrase_needs_its_words_in_this_order_and_these_forms(index: Index) -> None:
    def pages(*phrases: tuple[str, ...]) -> set[str]:
        mask = phrase_mask(index, index.collections, phrases)
        return set(by_page(index, mask.astype(np.float32)))

    assert pages(("apples", "ripen")) == {"red.md"}
    assert pages(("ripen", "apples")) == set()
    assert pages(("apple", "ripen")) == set()
    assert pages(("ripen",), ("early",)) == {"green.md"}


def test_words_that_are_operators_of_fts5_are_words(index: Index) -> None:
    for word in ("AND", "OR", "NOT", "NEAR", "NEAR(a b)", "title:apples", "apples^2", "* apples"):
        run(index, word)
        phrase_mask(index, index.collections, [tuple(analyse(index, word).words)])


def test_a_page_does_not_lose_to_bm25_for_a_word_that_most_pages_have(index: Index) -> None:
    found = run(index, "and")
    assert found
    assert all(score > 0 for score in found.values())


@pytest.mark.parametrize("question", ["late apples", "apples late kept", "apples late pears"])
def test_in_a_large_wiki_rare_words_choose_the_chunks_and_all_words_score_them(
    index: Index, question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tuning = Tuning(common_share=1)
    everything = run(index, question, tuning)
    monkeypatch.setattr("index_artifacts.lexical.MANY_CHUNKS", 0)
    monkeypatch.setattr("index_artifacts.lexical._MATCHES", 1)
    found = run(index, question, tuning)
    assert set(found) == {"red.md"} < set(everything)
    assert found["red.md"] == pytest.approx(everything["red.md"])


def test_in_a_large_wiki_a_question_of_common_words_still_finds_chunks(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("index_artifacts.lexical.MANY_CHUNKS", 0)
    monkeypatch.setattr("index_artifacts.lexical._MATCHES", 1)
    assert set(run(index, "apples unheardof")) == {"red.md", "green.md"}
    assert set(run(index, "keep ripen")) >= {"red.md"}
