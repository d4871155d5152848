"""A box of mail, compiled and asked: what is found, what is only read, and what is linked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from index_artifacts.documents import read_document
from index_artifacts.errors import DocumentNotFoundError
from index_artifacts.index import Index
from index_artifacts.restricted import RestrictedIndex
from index_artifacts.search_records import SearchRequest
from tests.boxes import mail, write_mbox
from tests.tiny_wiki import PAGES, build, open_searcher

if TYPE_CHECKING:
    from pathlib import Path

    from index_artifacts.artifact import Artifact
    from index_artifacts.hits import Hit

REPORT = mail("As promised.\n", number=3, subject="Report")
REPORT.add_attachment(b"x" * 3000, "application", "ods", filename="budget-2026.ods")
QUESTION = mail("Where does the projector live?\n", number=1, subject="Projector")
ANSWER = mail(
    "The projector lies in the cupboard by the window.\n\n"
    "On Tue, 3 Feb 2026 Ana Malá <ana@example.org> wrote:\n"
    "> Where does the zeppelin live?\n\n-- \nBoris Veľký\nDepartment of Balloons\n",
    number=2,
    subject="Re: Projector",
    sender="Boris Veľký <boris@example.org>",
    answers=1,
)
SOURCES = ({"kind": "markdown"}, {"kind": "mail", "path": "lists"})


@pytest.fixture(scope="module")
def artifact(tmp_path_factory: pytest.TempPathFactory) -> Artifact:
    folder = tmp_path_factory.mktemp("mail")
    write_mbox(folder / "wiki" / "lists" / "team.mbox", [QUESTION, ANSWER, REPORT])
    return build(folder, PAGES, sources=SOURCES)


def ask(artifact: Artifact, question: str) -> tuple[Hit, ...]:
    return open_searcher(artifact).search(SearchRequest(question, mode="lexical")).hits


def test_a_mail_is_found_by_what_it_says_and_shown_with_its_headers(artifact: Artifact) -> None:
    first = ask(artifact, "projector cupboard window")[0].document
    assert (first.id, first.title) == ("lists/2@example.org.eml", "Re: Projector")
    assert (first.authors, first.year, first.source_url) == (("Boris Veľký",), 2026, "")
    assert first.created == "2026-02-03T09:00:00Z"


def test_what_a_mail_quotes_or_signs_is_read_but_not_found(artifact: Artifact) -> None:
    assert not ask(artifact, '"zeppelin"')
    assert not ask(artifact, '"balloons"')
    text = read_document(Index(artifact), "lists/2@example.org.eml").text
    assert text.startswith("The projector lies in the cupboard by the window.\n\n")
    assert "> Where does the zeppelin live?" in text
    assert "Department of Balloons" in text
    assert "\n\nTo: Team\n\n" in text


def test_a_mail_is_found_by_the_name_of_what_is_attached(artifact: Artifact) -> None:
    (hit,) = ask(artifact, '"budget"')
    assert hit.text.endswith("Attachments: budget-2026.ods (3 kB)")


def test_a_mail_is_read_by_its_message_id(artifact: Artifact) -> None:
    assert read_document(Index(artifact), "1@example.org").document.title == "Projector"


def test_a_reply_leads_to_what_it_answers(artifact: Artifact) -> None:
    rows = Index(artifact).connection.execute(
        "SELECT s.key, t.key FROM relations r JOIN entities s ON s.id = r.source_id "
        "JOIN entities t ON t.id = r.target_id WHERE relation = 'REPLIES_TO'"
    )
    assert rows.fetchall() == [
        ("document:lists/2@example.org.eml", "document:lists/1@example.org.eml")
    ]


def test_a_mails_subject_is_no_topic_and_its_sender_is_its_author(artifact: Artifact) -> None:
    rows = Index(artifact).connection.execute("SELECT type, name FROM entities ORDER BY key")
    found = rows.fetchall()
    assert ("Topic", "Garden") in found
    assert not [name for kind, name in found if kind == "Topic" and "Projector" in name]
    assert ("DocumentAuthor", "Boris Veľký") in found


def test_a_reply_to_a_private_mail_does_not_tell_of_it(tmp_path: Path) -> None:
    write_mbox(tmp_path / "wiki" / "lists" / "board" / "a.mbox", [QUESTION])
    write_mbox(tmp_path / "wiki" / "lists" / "team.mbox", [ANSWER])
    collections = (
        {"name": "board", "path": "lists/board", "private": True}, {"name": "wiki"},
    )  # fmt: skip
    whole = Index(build(tmp_path, PAGES, sources=SOURCES, collections=collections))
    asked = "SELECT count(*) FROM {}relations WHERE relation = 'REPLIES_TO'"
    assert whole.connection.execute(asked.format("")).fetchone() == (1,)
    assert whole.connection.execute(asked.format("public_")).fetchone() == (0,)
    restricted = RestrictedIndex(whole, {"wiki"})
    with pytest.raises(DocumentNotFoundError):
        read_document(restricted, "1@example.org")
    assert "zeppelin" in read_document(restricted, "2@example.org").text


def test_the_same_boxes_give_the_same_bytes(tmp_path: Path) -> None:
    versions = []
    for name in ("a", "b"):
        write_mbox(tmp_path / name / "wiki" / "lists" / "team.mbox", [QUESTION, ANSWER])
        versions.append(build(tmp_path / name, PAGES, sources=SOURCES).manifest)
    assert versions[0].files == versions[1].files
