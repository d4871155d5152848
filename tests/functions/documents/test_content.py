"""What a page may hold, uploads, and what commits say."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from build.config import BuildConfig
from functions.access import Caller, Role
from functions.documents.authorship import author_of, commit_message
from functions.documents.content import warnings_of
from tests.bare_repository import BareRepository
from tests.wiki import read_documents

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from httpx2 import Response

    from tests.functions.documents.conftest import Installation

PAGE = "---\ntitle: A\n---\n\nText.\n"


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        (PAGE, ""),
        ("# No front matter\n", ""),
        ("+++\ntitle = 'A'\n+++\nText.\n", ""),
        ("---\ntitle: A\n\nText.\n", "never closed"),
        ("---\ntitle: [A\n---\nText.\n", "line 3: the front matter is no YAML"),
        ("---\n- a\n- b\n---\nText.\n", "no list of keys and values"),
        ("+++\ntitle = \n+++\nText.\n", "no TOML"),
        ("---\ntitle: A\n---\n", "no text below"),
        ("# A\n<<<<<<< HEAD\nmine\n", "line 2: this looks like a merge conflict"),
    ],
)
def test_what_the_build_would_stumble_over_is_a_warning(text: str, warning: str) -> None:
    found = warnings_of(text)
    assert [warning in one for one in found] == ([True] if warning else [])
    assert warnings_of("\ufeff" + text.replace("\n", "\r\n")) == found


def test_a_page_with_a_fault_is_written_and_its_author_told(wiki: Installation) -> None:
    answer = wiki.put("ana", "new.md", "---\ntitle: A\n\nText.\n")
    assert answer.status_code == 201
    assert ["never closed" in warning for warning in answer.json()["warnings"]] == [True]


@pytest.mark.parametrize(
    ("content", "status", "reason"),
    [
        ("a\0b", 422, "NUL"),
        (" \n", 422, "empty"),
        ("x" * 2000, 413, "EDGEWIKI_DOCUMENT_MAX_BYTES"),
        ("x" * 200_000, 413, "the body is larger"),
    ],
)
def test_what_is_no_page_is_refused(
    install: Callable[..., Installation], content: str, status: int, reason: str
) -> None:
    wiki = install(document_max_bytes=1500)
    answer = wiki.put("ana", "new.md", content)
    assert answer.status_code == status
    assert reason in answer.json()["reason"]
    assert wiki.text("new.md") is None


def test_half_a_character_is_refused(wiki: Installation) -> None:
    body = b'{"content": "# A \\ud800\\n"}'
    headers = {"Content-Type": "application/json"}
    answer = wiki.ask("ana", "PUT", "/documents/new.md", content=body, headers=headers)
    assert answer.status_code == 422


def test_a_page_of_a_megabyte_in_cyrillic_gets_through(wiki: Installation) -> None:
    page = "# Ж\n\n" + "жук " * 149_000  # JSON writes each letter as six bytes
    body = json.dumps({"content": page}).encode()
    headers = {"Content-Type": "application/json"}
    answer = wiki.ask("ana", "PUT", "/documents/large.md", content=body, headers=headers)
    assert answer.status_code == 201, answer.text
    assert wiki.text("large.md") == page
    other = wiki.ask("ana", "POST", "/search", content=body, headers=headers)
    assert other.status_code == 413


def upload(
    wiki: Installation, name: str, data: bytes, caller: str = "ana", **form: Any
) -> Response:
    return wiki.ask(caller, "POST", "/documents/upload", files={"file": (name, data)}, data=form)


def test_a_markdown_file_is_uploaded_as_it_is(wiki: Installation) -> None:
    answer = upload(wiki, "C:\\notes\\Nové.md", "# Ž\r\n".encode(), path="guides/", message="Mine")
    assert answer.status_code == 201, answer.text
    assert answer.json()["path"] == "guides/Nové.md"
    assert wiki.forge.repository.show("pages/guides/Nové.md") == "# Ž\r\n".encode()
    assert wiki.forge.repository.log()[0].message.startswith("Mine\n")
    again = upload(wiki, "x.md", b"# Next\n", path="guides/Nové.md", sha=answer.json()["sha"])
    assert (again.status_code, again.json()["status"]) == (200, "changed")
    assert upload(wiki, "x.md", b"# Next\n", path="guides/Nové.md").status_code == 409


def test_a_text_becomes_a_page_that_says_the_same(wiki: Installation, tmp_path: Path) -> None:
    text = (
        "\ufeffShopping\r\n========\r\n\r\n# no heading\r\n- milk\r\n- eggs <b>fresh</b>\r\n\r\n"
        "    indented, no code\r\n---\r\n<div>\r\nsnake_case stays\r\n```\r\nlast line"
    )
    answer = upload(wiki, "shopping-list 2024.txt", text.encode())
    assert answer.status_code == 201, answer.text
    assert answer.json()["path"] == "shopping-list 2024.md"
    written = wiki.text("shopping-list 2024.md")
    assert written is not None
    (page,), report = read_documents(tmp_path / "w", {"a.md": written}, BuildConfig())
    assert page.title == "shopping list 2024"
    assert [section.heading for section in page.sections] == ["shopping list 2024"]
    assert report.rows() == []
    for line in ("# no heading", "milk", "indented, no code", "<div>", "snake_case", "last line"):
        assert line in page.body


@pytest.mark.parametrize(
    ("name", "data", "status", "reason"),
    [
        ("a.md", b"caf\xe9\n", 422, "not UTF-8 (line 1)"),
        ("a.txt", b"one\ncaf\xe9\n", 422, "not UTF-8 (line 2)"),
        ("a.md", b"a\0b\n", 422, "NUL"),
        ("a.docx", b"PK", 422, "ends in one of"),
        ("a.md", b"", 422, "empty"),
    ],
)
def test_a_file_that_is_no_page_is_refused(
    wiki: Installation, name: str, data: bytes, status: int, reason: str
) -> None:
    answer = upload(wiki, name, data)
    assert answer.status_code == status, answer.text
    assert reason in answer.json()["reason"]


def test_a_file_in_utf_16_is_written_in_utf_8(wiki: Installation) -> None:
    assert upload(wiki, "a.md", "# Ž\n".encode("utf-16")).status_code == 201
    assert wiki.text("a.md") == "# Ž\n"


def test_a_broken_form_is_a_422(wiki: Installation) -> None:
    for content in (b"", b"--x\r\nnonsense", b"--x--\r\n"):
        headers = {"Content-Type": "multipart/form-data; boundary=x"}
        answer = wiki.ask("ana", "POST", "/documents/upload", content=content, headers=headers)
        assert answer.status_code == 422, answer.text


@pytest.mark.parametrize(
    ("given", "title"),
    [
        ("", "Add x.md"),
        ("\n\nSecond line counts\nnot this", "Second line counts"),
        ("Fix\r\n\r\nCo-authored-by: Eve <eve@example.org>", "Fix"),
        ("Co-authored-by: Eve <eve@example.org>", "Co-authored-by: Eve <eve@ example.org>"),
        ("done [skip ci]", "done skip ci"),
        ("[CI SKIP] x ***NO_CI***", "CI SKIP x NO_CI"),
        ("fixes #12 and gh-7", "fixes # 12 and gh- 7"),
        ("closes https://forge.example/o/r/issues/1", "closes (link)"),
        ("thanks @everyone", "thanks @ everyone"),
        ("tab\there \x1b[31mred\x00", "tab here [31mred"),
        ("x" * 300, "x" * 199 + "…"),
    ],
)
def test_a_message_is_one_title_that_commands_nothing(
    given: str, title: str, tmp_path: Path
) -> None:
    caller = Caller("ana", Role.USER)
    message = commit_message(given, "Add x.md", caller)
    assert message.split("\n", 1)[0] == title
    repository = BareRepository(tmp_path / "r.git")
    repository.commit({"a.md": b"x"}, message)
    assert repository.git("log", "--format=%(trailers)").strip() == b""


def test_two_callers_never_share_an_address(tmp_path: Path) -> None:
    names = [
        "ana", "Ana", ".ana", "ana.", "a=6E", "an=61", "ana@x.org", "ana=40x.org", "anä", "<ana>",
        "ana\n", " ana", "a" * 200, "a" * 199, "auth0|1", "~ana", "日本", "...", "\ud800",
    ]  # fmt: skip
    repository = BareRepository(tmp_path / "r.git")
    for number, name in enumerate(names):
        author = author_of(Caller(name, Role.USER), "edgewiki.invalid")
        who = {"GIT_AUTHOR_NAME": author.name, "GIT_AUTHOR_EMAIL": author.email}
        repository.commit({"a.md": b"%d" % number}, **who)
        assert repository.log()[0].email == author.email  # Git keeps it as it is
    emails = [commit.email for commit in repository.log()]
    assert len(set(emails)) == len(names)
