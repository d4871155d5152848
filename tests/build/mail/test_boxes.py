"""Which messages of a wiki's boxes become pages, under which path, and why others do not."""

from __future__ import annotations

import mailbox
from typing import TYPE_CHECKING

import pytest

from build.config import load_config
from build.git import open_repository
from build.pages import find_pages
from build.reading import PageReader
from build.report import Report
from index_artifacts.manifest import Source
from tests.boxes import mail, raw, write_maildir, write_mbox
from tests.wiki import WordTokenizer, commit_all, write_pages

if TYPE_CHECKING:
    from pathlib import Path

    from index_artifacts.records import Document

MAIL = {"kind": "mail", "path": "mail"}


def read(
    root: Path, *sources: dict[str, str], **settings: object
) -> tuple[list[Document], list[tuple[str, str, str]]]:
    """The documents, each split, and (path, code, reason) of each finding."""
    report, repository = Report(), open_repository(root)
    config = load_config(root, sources=sources or (MAIL,), languages=("en",), **settings)
    reader = PageReader(config, Source(), repository, report)
    found = find_pages(root, repository, config.exclude, report, config.sources)
    documents = [
        reader.split(document, WordTokenizer()) for document in reader.read(found, lambda *_: None)
    ]
    return documents, [(row["path"], row["code"], row["reason"]) for row in report.rows()]


def paths(documents: list[Document]) -> list[str]:
    return [document.path for document in documents]


@pytest.mark.parametrize("kind", ["folder", "repository"])
def test_every_kind_of_box_is_read(tmp_path: Path, kind: str) -> None:
    write_mbox(tmp_path / "mail" / "a.mbox", [mail(number=1), mail(number=2)])
    write_mbox(tmp_path / "mail" / "Inbox", [mail(number=3)])
    write_maildir(tmp_path / "mail" / "home", [(mail(number=4), "S"), (mail(number=5), "")])
    write_maildir(tmp_path / "mail" / "home" / ".Sent", [(mail(number=6), "S")])
    write_mbox(tmp_path / "mail" / "archive.2025", [mail(number=8)])
    write_mbox(tmp_path / "mail" / "2026-January.txt", [mail(number=9)])
    marked = b"\xef\xbb\xbf" + bytes(mail(number=7))
    write_pages(tmp_path, {"mail/one.eml": marked, "page.md": "# No source"})
    if kind == "repository":
        commit_all(tmp_path)
    documents, findings = read(tmp_path)
    assert paths(documents) == [f"mail/{n}@example.org.eml" for n in range(1, 10)]
    assert findings == []
    assert {document.body for document in documents} == {"Hello."}


def test_a_mail_is_the_same_page_wherever_it_is_moved(tmp_path: Path) -> None:
    write_mbox(tmp_path / "a" / "mail" / "inbox.mbox", [mail()])
    write_maildir(tmp_path / "b" / "mail" / "archive" / "2026", [(mail(), "S")])
    write_pages(tmp_path / "c", {"mail/x.eml": bytes(mail()).replace(b"\n", b"\r\n")})
    first, *others = (read(tmp_path / name)[0] for name in "abc")
    assert others == [first, first]


def test_a_message_in_two_boxes_is_one_page_and_the_report_names_the_copy(tmp_path: Path) -> None:
    write_mbox(tmp_path / "mail" / "a.mbox", [mail(number=1), mail(number=2)])
    write_mbox(tmp_path / "mail" / "b.mbox", [mail(number=2)])
    documents, findings = read(tmp_path)
    assert len(documents) == 2
    reason = "message 1: the same mail as mail/a.mbox, message 2 (<2@example.org>)"
    assert findings == [("mail/b.mbox", "duplicate-mail", reason)]


def test_two_mails_with_one_id_are_two_pages(tmp_path: Path) -> None:
    other = mail("Other.", date="Wed, 04 Feb 2026 10:00:00 +0100")
    write_mbox(tmp_path / "mail" / "a.mbox", [mail(), other])
    documents, _ = read(tmp_path)
    assert sorted(document.body for document in documents) == ["Hello.", "Other."]
    assert paths(documents)[0] == "mail/1@example.org.eml"
    assert paths(documents)[1].startswith("mail/1@example.org~")


@pytest.mark.parametrize(
    "message_id", ["a/../b@x", "č@x", "..", "a b#?%@x", "x" * 300, "\u202ea\x1b[31m@x"]
)
def test_any_message_id_makes_a_path_that_can_be_printed(tmp_path: Path, message_id: str) -> None:
    data = raw(f"From: a@b\nSubject: x\nDate: 3 Feb 2026 10:00 +0000\nMessage-ID: <{message_id}>")
    write_pages(tmp_path, {"mail/a.eml": data})
    (document,), _ = read(tmp_path)
    folder, name = document.path.split("/")
    assert folder == "mail"
    assert name.isascii() and name.isprintable() and not name.startswith(".")
    assert len(name) < 125 and name.endswith(".eml") and "~" in name


def test_a_line_that_begins_with_from_does_not_end_a_message(tmp_path: Path) -> None:
    box = (
        b"From ana@x Tue Feb  3 10:00:00 2026\nFrom: ana@x\nSubject: x\n"
        b"Date: 3 Feb 2026 10:00 +0000\nMessage-ID: <1@x>\n\nFirst.\n\nFrom here on, all is well.\n"
        b"\n>From time to time not.\n\n"
        b"From bob@x Tue Feb  3 10:00:00 2026\nFrom: bob@x\nSubject: y\n"
        b"Date: 3 Feb 2026 10:00 +0000\nMessage-ID: <2@x>\n\nSecond.\n"
    )
    write_pages(tmp_path, {"mail/a.mbox": box})
    (first, second), findings = read(tmp_path)
    assert [code for _, code, _ in findings] == ["mbox-from-line"]
    assert "From here on, all is well." in first.body
    assert "\nFrom time to time not." in first.body
    assert second.body == "Second."


def test_what_was_thrown_away_is_left_out_and_said(tmp_path: Path) -> None:
    expunged = raw("X-Mozilla-Status: 0009\nFrom: a@b\nSubject: x", "Gone.\n")
    deleted = mailbox.mboxMessage(mail(number=2))
    deleted.set_flags("D")
    write_mbox(tmp_path / "mail" / "a.mbox", [expunged, deleted, mail(number=3)])
    write_maildir(tmp_path / "mail" / "dir", [(mail(number=4), "T"), (mail(number=5), "D")])
    documents, findings = read(tmp_path)
    assert paths(documents) == ["mail/3@example.org.eml"]
    assert sorted(code for _, code, _ in findings) == ["deleted", "deleted", "deleted", "draft"]


def test_each_file_that_is_no_mail_is_in_the_report(tmp_path: Path) -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 2\n"
    files: dict[str, str | bytes] = {
        "mail/LICENSE": b"Do what you want.\n", "mail/big.mbox": pointer, "mail/empty.mbox": b"",
        "mail/bad.eml": b"nothing\n\nlike a mail\n", "mail/.hidden.eml": bytes(mail()),
        "mail/out.eml": bytes(mail()), "mail/outlook.pst": b"!BDN",
        "mail/2025.mbox.gz": b"\x1f\x8b",
        "mail/marked.mbox": b"\xef\xbb\xbfFrom ana@x\n\n", "mail/notes.txt": b"Notes.\n",
    }  # fmt: skip
    write_pages(tmp_path, files)
    documents, findings = read(tmp_path, exclude=("out.eml",))
    assert documents == []
    assert {path: code for path, code, _ in findings} == {
        "mail/.hidden.eml": "hidden", "mail/LICENSE": "not-mail", "mail/bad.eml": "broken-mail",
        "mail/big.mbox": "lfs-pointer", "mail/empty.mbox": "empty",
        "mail/outlook.pst": "mail-format", "mail/2025.mbox.gz": "mail-format",
        "mail/marked.mbox": "encoding", "mail/notes.txt": "not-mail",
        "mail/out.eml": "excluded-by-config",
    }  # fmt: skip


def test_a_mail_belongs_to_the_collection_of_its_box(tmp_path: Path) -> None:
    write_mbox(tmp_path / "mail" / "board" / "a.mbox", [mail(number=1)])
    write_mbox(tmp_path / "mail" / "b.mbox", [mail(number=1), mail(number=2)])
    collections = (
        {"name": "board", "path": "mail/board", "private": True}, {"name": "wiki"},
    )  # fmt: skip
    documents, findings = read(tmp_path, collections=collections)
    assert [(d.collection, d.path) for d in documents] == [
        ("board", "mail/board/1@example.org.eml"),
        ("wiki", "mail/1@example.org.eml"),
        ("wiki", "mail/2@example.org.eml"),
    ]
    assert findings == []  # a copy in a private collection is no copy


def test_a_single_mail_can_be_excluded_or_kept_private_by_its_path(tmp_path: Path) -> None:
    write_mbox(tmp_path / "mail" / "a.mbox", [mail(number=n) for n in (1, 2, 3)])
    collections = (
        {"name": "board", "path": "mail/2@example.org.eml", "private": True}, {"name": "wiki"},
    )  # fmt: skip
    documents, findings = read(
        tmp_path, collections=collections, exclude=("/mail/1@example.org.eml",)
    )
    assert [(d.collection, d.path) for d in documents] == [
        ("board", "mail/2@example.org.eml"), ("wiki", "mail/3@example.org.eml"),
    ]  # fmt: skip
    assert [row[:2] for row in findings] == [("mail/1@example.org.eml", "excluded-by-config")]


def test_the_report_counts_mail_that_a_gitignore_hides(tmp_path: Path) -> None:
    write_pages(tmp_path, {".gitignore": "old.*\n", "mail/old.eml": bytes(mail()), "x.md": "x"})
    for repository in (False, True):
        if repository:
            commit_all(tmp_path)
        _, findings = read(tmp_path)
        assert [(path, code) for path, code, _ in findings] == [(".gitignore", "ignored")]


def test_the_deepest_source_that_reads_its_kind_has_a_file(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "mail/readme.md": "# About these mails\n", "mail/one.eml": bytes(mail()),
        "notes/plan.txt": "Plan of the week\n\n# no heading\n    indented [link](x.md)\n",
        "notes/list.txt": "milk\nbread\n", "other.txt": "Not read.\n", "a.rst": "Not read.\n",
    }  # fmt: skip
    write_pages(tmp_path, files)
    sources = ({"kind": "markdown"}, MAIL, {"kind": "text", "path": "notes"})
    documents, findings = read(tmp_path, *sources, source_url="https://x/{path}")
    assert findings == []
    assert [(d.path, d.title, d.source_url) for d in documents] == [
        ("mail/1@example.org.eml", "Hello", ""),
        ("mail/readme.md", "About these mails", "https://x/mail/readme.md"),
        ("notes/list.txt", "list", "https://x/notes/list.txt"),
        ("notes/plan.txt", "Plan of the week", "https://x/notes/plan.txt"),
    ]
    plan = documents[-1]
    assert ([s.path for s in plan.sections], plan.links) == ([()], ())
    assert "".join(chunk.text[chunk.repeated :] for chunk in plan.chunks) == plan.body
