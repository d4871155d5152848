"""What a version keeps of a wiki's history."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from build.config import load_config
from build.pipeline import build_version
from index_artifacts.file_store import FileStore
from tests.wiki import commit_all, git, write_pages

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def wiki(tmp_path: Path) -> Path:
    """Two pages, of which one was changed by a second person."""
    wiki = write_pages(tmp_path / "wiki", {"b.md": "# B\n\nOne.\n", "a.md": "# A\n\nOne.\n"})
    commit_all(wiki, date="2026-01-01T12:00:00Z")
    write_pages(wiki, {"a.md": "# A\n\nTwo.\n"})
    git(wiki, "commit", "-qam", "Say two", author="Eva Ž", date="2026-02-01T01:00:00+02:00")
    return wiki


def built(wiki: Path, folder: Path) -> Path:
    config = load_config(wiki, model="cooccurrence", languages=("en",))
    build_version(wiki, folder, config, FileStore(folder.with_name("store")))
    return folder / "index.sqlite"


def rows(index: Path) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(index)
    try:
        return connection.execute(
            "SELECT path, position, revision, date, author, subject FROM revisions "
            "JOIN documents ON documents.id = document_id ORDER BY path, position"
        ).fetchall()
    finally:
        connection.close()


def test_a_version_holds_the_commits_of_each_page(wiki: Path, tmp_path: Path) -> None:
    second, first = git(wiki, "log", "--format=%H").split()
    assert rows(built(wiki, tmp_path / "artifact")) == [
        ("a.md", 1, second, "2026-01-31T23:00:00Z", "Eva Ž", "Say two"),
        ("a.md", 2, first, "2026-01-01T12:00:00Z", "Ana", "change"),
        ("b.md", 1, first, "2026-01-01T12:00:00Z", "Ana", "change"),
    ]


def test_no_address_of_an_author_is_stored(wiki: Path, tmp_path: Path) -> None:
    index = built(wiki, tmp_path / "artifact")
    assert b"Eva" in index.read_bytes()
    assert b"test@example.org" not in index.read_bytes()


def test_a_plain_folder_and_a_shallow_clone_have_no_history(wiki: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth", "1", wiki.as_uri(), "shallow")
    plain = write_pages(tmp_path / "plain", {"a.md": "# A\n\nTwo.\n"})
    assert rows(built(tmp_path / "shallow", tmp_path / "one")) == []
    assert rows(built(plain, tmp_path / "two")) == []
