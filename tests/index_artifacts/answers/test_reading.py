"""Reading evidence: its units are ranked by what they say of the question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from index_artifacts.answers.reading import FIGURES, ranking, read_evidence
from index_artifacts.answers.verdict import Said, judge, on_the_subject, reading_figures
from index_artifacts.errors import QueryError
from index_artifacts.evidence import KINDS, READING
from index_artifacts.rag.context import Budget
from index_artifacts.rag.profiles import Profile
from index_artifacts.search import Searcher, SearchRequest
from tests.tiny_wiki import build, open_searcher

if TYPE_CHECKING:
    from pathlib import Path

    from index_artifacts.answers.reading import Reading

PAGES = {
    "server.md": "# Server room\n\nThe server listens on port 8080. It hums all night.\n\n"
    "## Access\n\nAsk the administrator for an account. The guest account is called visitor.\n",
    "anna.md": "# Anna Noll\n\nThe supervisor of the thesis was Peter Zelený. It began in 2015.\n",
    "bob.md": "# Bob Reed\n\nThe supervisor of the thesis was Ivan Hora. It began in 2016.\n",
    "printer.md": "# Printer\n\nPrinters need paper and toner in the office every week.\n",
    "garden.md": "# Garden\n\nTomatoes and basil grow behind the faculty building.\n",
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    return open_searcher(build(tmp_path_factory.mktemp("reading"), PAGES))


def read(searcher: Searcher, question: str, **fields: Any) -> Reading:
    request = SearchRequest(question, limit=12, max_per_document=4, **{"mode": "lexical", **fields})
    return read_evidence(searcher, request, Profile(), Budget(12_000), doubtful=True)


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("On which port does the server listen?", "The server listens on port 8080."),
        ("What is the guest account called?", "The guest account is called visitor."),
        ("Who needs toner and paper?", "Printers need paper and toner in the office every week."),
        ("What grows behind the building?", "Tomatoes and basil grow behind the faculty building."),
    ],
)
def test_the_sentence_that_answers_comes_first(
    searcher: Searcher, question: str, best: str
) -> None:
    reading = read(searcher, question)
    first = reading.candidates[0]
    assert first.unit.text == best
    scores = [candidate.score for candidate in reading.candidates]
    assert scores == sorted(scores, reverse=True)
    assert first.unit.text in first.source.passage.text
    assert not reading.with_vectors


def test_every_figure_is_where_its_name_says(searcher: Searcher) -> None:
    reading = read(searcher, "On which port does the server listen?")
    best = reading.candidates[0]
    assert len(best.figures) == len(FIGURES) == len(ranking().weights)
    for name in ("framed", "trigrams", "section", "page", "concepts", "first", "length"):
        assert 0 < best.figure(name) <= 1, name
    assert best.figure("framed") <= best.figure("section") <= best.figure("page")
    assert best.figure("trigram_lift") == max(c.figure("trigram_lift") for c in reading.candidates)
    assert (best.figure("row"), best.figure("code"), best.figure("label")) == (0, 0, 0)
    # Without vectors their figures are what they are on average, and decide nothing.
    assert {c.figure("cosine") for c in reading.candidates} == {ranking().mean("cosine")}


def test_with_vectors_units_are_compared_by_meaning_too(searcher: Searcher) -> None:
    reading = read(searcher, "On which port does the server listen?", mode="hybrid")
    assert reading.with_vectors
    assert max(c.figure("cosine_lift") for c in reading.candidates) == 0
    assert len({c.figure("cosine") for c in reading.candidates}) > 1


@pytest.mark.parametrize("question", ["", "???"])
def test_a_question_without_words_has_no_candidates(searcher: Searcher, question: str) -> None:
    reading = read(searcher, question)
    assert (reading.candidates, reading.found.answerable) == ((), False)


def test_an_unknown_collection_is_an_error(searcher: Searcher) -> None:
    with pytest.raises(QueryError, match="collection 'x' is unknown"):
        read(searcher, "port", collections=("x",))


def test_only_pages_about_whom_the_question_names_may_answer(searcher: Searcher) -> None:
    usable, lacking = on_the_subject(read(searcher, "Who was the supervisor of Bob Reed?"))
    assert {c.source.passage.document.id for c in usable} == {"bob.md"}
    assert lacking == ""
    usable, lacking = on_the_subject(read(searcher, "Who was the supervisor of Zoltan Kerekes?"))
    assert (usable, lacking) == ((), "Zoltan Kerekes")
    usable, lacking = on_the_subject(read(searcher, "Which thesis began in 1987?"))
    assert (usable, lacking) == ((), "1987")


def test_of_two_questions_each_may_be_answered_by_another_page(searcher: Searcher) -> None:
    question = "Who was the supervisor of Bob Reed and what grows behind the building?"
    usable, _ = on_the_subject(read(searcher, question))
    assert {"bob.md", "garden.md"} <= {c.source.passage.document.id for c in usable}
    nobody = "Who was the supervisor of Zoltan Kerekes and what grows behind the building?"
    assert on_the_subject(read(searcher, nobody)) == ((), "Zoltan Kerekes")


def test_a_verdict_says_why_there_is_no_answer(searcher: Searcher) -> None:
    right = judge(searcher, read(searcher, "Who was the supervisor of Bob Reed?"))
    assert right.answers
    assert right.candidates[0].unit.text == "The supervisor of the thesis was Ivan Hora."
    wrong = judge(searcher, read(searcher, "Who was the supervisor of Zoltan Kerekes?"))
    assert (wrong.answers, wrong.reason) == (False, "no evidence is about Zoltan Kerekes")
    nothing = judge(searcher, read(searcher, "???"))
    assert (nothing.answers, nothing.reason) == (False, "nothing can be quoted")


def test_the_figures_of_a_verdict_tell_an_answer_from_none(searcher: Searcher) -> None:
    def figures(question: str) -> dict[str, float | None]:
        reading = read(searcher, question)
        values = reading_figures(searcher, reading, reading.candidates)
        return dict(zip(KINDS[READING], values, strict=True))

    said = figures("On which port does the server listen?")
    unsaid = figures("On which shelf does the server keep toner?")
    assert (said["page"], said["rarest_unsaid"], said["least_said"]) == (1.0, 0.0, 1.0)
    assert (said["focus"], unsaid["focus"]) == (1.0, 0.0)
    for name in ("page", "least_said", "confidence"):
        assert (unsaid[name] or 0) < (said[name] or 0), name
    assert (unsaid["rarest_unsaid"] or 0) > 0
    assert (said["cosine"], said["margin"]) == (None, None)
    assert figures("Does the server listen on port 9090?")["figures_lacking"] == 1.0
    assert figures("Does the server listen on port 8080?")["figures_lacking"] == 0.0


def test_a_word_is_said_by_itself_by_its_meaning_or_by_its_stem(searcher: Searcher) -> None:
    reading = read(searcher, "port")
    said = Said.of(["The supervisor listened. Anna", "Price: 4"], reading.grounds.lemmas)
    assert said.share("supervisor", ["supervisor"]) == 1.0
    assert said.share("veduci", ["veduci"]) == said.share("cena", []) == 0.8
    assert said.share("listener", ["listener"]) == 0.7
    assert said.share("zebra", ["zebra"]) == 0.0


def test_a_slip_is_read_as_the_search_reads_it_and_never_as_a_word_of_a_draft(
    tmp_path: Path,
) -> None:
    draft = "---\npublished: false\n---\n# Chimera\n\nThe chimera replaces the printer.\n"
    pages = {**PAGES, "draft.md": draft}
    drafts = open_searcher(build(tmp_path, pages, publication="mark"))
    asked = "Does the printer need a chimerra and tonner?"
    assert {"toner", "chimerra"} <= set(read(drafts, asked).grounds.query.words)
    assert "chimera" in read(drafts, asked, published_only=False).grounds.query.words
