"""Cascade: the pages whose summaries are nearest, and all that have none."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from index_artifacts.search import SearchRequest
from tests.tiny_wiki import build, open_searcher

if TYPE_CHECKING:
    from pathlib import Path

    from index_artifacts.search import Searcher

QUESTION = "Who pays for the walrus in the office budget?"
MAIL = """\
From: Ada Noll <ada@example.org>
To: all@example.org
Subject: Picnic
Date: Mon, 2 Sep 2024 10:00:00 +0000
Message-ID: <picnic@example.org>

The picnic starts at noon behind the faculty building near the pond. Bring bread, cheese and
apples for the picnic, and a blanket to sit on. Whoever has a guitar should bring it to the picnic
as well. If it rains, the picnic moves to the canteen with all its bread, cheese and apples.

By the way, the walrus is paid by the dean.
"""
PAGES = {
    "budget.md": "# Budget\n\nThe office budget pays for the printer and who pays is the office.\n",
    "paper.md": "# Paper\n\nThe office budget pays for paper in the office every week.\n",
    "lists/sent.eml": MAIL,
}


def open_wiki(folder: Path, **mail: Any) -> Searcher:
    """A wiki with one mail, of which cascade looks into one page with a summary."""
    sources = ({"kind": "markdown"}, {"kind": "mail", "path": "lists", **mail})
    searcher = open_searcher(build(folder, PAGES, sources=sources))
    searcher.tuning = replace(searcher.tuning, cascade_documents=1)
    return searcher


def found(searcher: Searcher, mode: str = "cascade") -> set[str]:
    return {hit.document.id for hit in searcher.search(SearchRequest(QUESTION, mode=mode)).hits}


def test_mail_without_summaries_is_found_beside_the_page_of_the_nearest_summary(
    tmp_path: Path,
) -> None:
    searcher = open_wiki(tmp_path, summaries=False)
    assert found(searcher) == {"budget.md", "lists/picnic@example.org.eml"}
    assert found(searcher, "hybrid") > found(searcher)  # the other page was left out
    best = searcher.search(SearchRequest("Is the walrus paid by the dean?", mode="cascade")).hits[0]
    assert "paid by the dean" in best.text
    assert (best.document.summary, best.document.summary_by) == ("", "")


def test_mail_whose_summary_is_of_something_else_is_left_out(tmp_path: Path) -> None:
    searcher = open_wiki(tmp_path)
    mail = searcher.search(SearchRequest("walrus picnic", mode="hybrid")).hits[0].document
    assert mail.summary_by == "extractive"
    assert "walrus" not in mail.summary
    assert found(searcher) == {"budget.md"}


def test_a_wiki_without_any_summary_is_searched_whole(tmp_path: Path) -> None:
    pages = {f"{n}.md": f"# Page\n\n- walrus number {n}\n" for n in range(30)}
    searcher = open_searcher(build(tmp_path, pages))
    result = searcher.search(SearchRequest("walrus", mode="cascade", limit=50))
    assert len({hit.document.id for hit in result.hits}) == 30
