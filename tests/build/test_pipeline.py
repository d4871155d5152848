"""Whole builds: the same in is the same out, and a build that fails leaves what there was."""

from __future__ import annotations

import shutil
import sqlite3
from typing import TYPE_CHECKING

import pytest

from build.artifact_folder import read_artifact
from build.config import load_config
from build.pipeline import BuildResult, build_version
from index_artifacts.errors import ModelMissingError, SourceError, StrictBuildError
from index_artifacts.file_store import FileStore
from tests.wiki import commit_all, git, write_pages

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


SETTINGS = '[wiki]\nlanguages = ["en"]\n[model]\nkind = "cooccurrence"\n'
PAGES: dict[str, str | bytes] = {
    "edgewiki.toml": SETTINGS,
    "README.md": "# Home\n\nThe [servers](servers.md) of the department are described here.\n",
    "servers.md": "---\ntags: [server, network]\nauthor: Jana\n---\n# Servers\n\nA server listens "
    "on a port. The port is set in a file.\n\n## Ports\n\nPort 8080 is used by the proxy.\n",
    "cooking.md": "# Soup\n\nBoil potatoes in water. Add salt and mushrooms.\n",
}


def build(
    wiki: Path, output: Path, store: Path, *, strict: bool = False, phases: list[str] | None = None
) -> BuildResult:
    seen = phases if phases is not None else []
    return build_version(
        wiki, output, load_config(wiki), FileStore(store), strict=strict,
        progress=lambda phase, *_: seen.append(phase),
    )  # fmt: skip


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by its path."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def titles(artifact: Path) -> set[str]:
    connection = sqlite3.connect(artifact / "index.sqlite")
    try:
        return {title for (title,) in connection.execute("SELECT title FROM documents")}
    finally:
        connection.close()


@pytest.fixture
def wiki(tmp_path: Path) -> Path:
    return write_pages(tmp_path / "wiki", PAGES)


def test_a_build_writes_a_whole_artifact_and_its_phases_in_order(
    wiki: Path, tmp_path: Path
) -> None:
    phases: list[str] = []
    result = build(wiki, tmp_path / "new" / "out", tmp_path / "store", phases=phases)
    assert list(dict.fromkeys(phases)) == [
        "reading", "splitting", "analysing", "embedding", "writing",
    ]  # fmt: skip
    manifest = read_artifact(result.folder)
    assert manifest.to_json() == result.manifest.to_json()
    assert manifest.version.startswith("folder-")
    names = {entry.name for entry in manifest.files}
    assert {"index.sqlite", "graph.pickle", "model/encoder.json"} <= names
    assert names | {"manifest.json"} == contents(result.folder).keys()
    assert manifest.counts["documents"] == manifest.counts["pages_found"] == 3
    assert titles(result.folder) == {"Home", "Servers", "Soup"}
    assert [path.name for path in result.folder.parent.iterdir()] == ["out"]


def test_a_second_build_computes_nothing_and_writes_the_same_bytes(
    wiki: Path, tmp_path: Path
) -> None:
    first = build(wiki, tmp_path / "1", tmp_path / "store")
    second = build(wiki, tmp_path / "2", tmp_path / "store")
    assert first.embeddings_computed > 0
    assert (second.embeddings_computed, second.embeddings_reused) == (
        0,
        first.embeddings_computed,
    )
    assert contents(tmp_path / "1") == contents(tmp_path / "2")


def test_another_folder_and_a_lost_cache_change_no_byte(wiki: Path, tmp_path: Path) -> None:
    build(wiki, tmp_path / "1", tmp_path / "store")
    elsewhere = tmp_path / "some" / "other place"
    shutil.copytree(wiki, elsewhere)
    again = build(elsewhere, tmp_path / "2", tmp_path / "empty store")
    assert again.embeddings_computed > 0
    assert contents(tmp_path / "1") == contents(tmp_path / "2")


def test_a_damaged_cache_changes_no_byte_and_is_reported(wiki: Path, tmp_path: Path) -> None:
    build(wiki, tmp_path / "1", tmp_path / "store")
    for pack in (tmp_path / "store").rglob("*.pack"):
        data = bytearray(pack.read_bytes())
        data[60] ^= 0xFF
        pack.write_bytes(data)
    again = build(wiki, tmp_path / "2", tmp_path / "store")
    assert again.cache_entries_damaged >= 1
    assert again.summary()["embeddings"]["damaged_cache_entries"] >= 1
    assert again.embeddings_reused > 0
    assert contents(tmp_path / "1") == contents(tmp_path / "2")


def test_two_clones_of_a_commit_give_one_version(wiki: Path, tmp_path: Path) -> None:
    revision = commit_all(wiki)
    git(tmp_path, "clone", "-q", str(wiki), "clone")
    first = build(wiki, tmp_path / "1", tmp_path / "store-1")
    build(tmp_path / "clone", tmp_path / "2", tmp_path / "store-2")
    assert first.manifest.source.revision == revision
    assert first.manifest.version.startswith(f"{revision[:12]}-")
    assert contents(tmp_path / "1") == contents(tmp_path / "2")


def test_building_inside_the_wiki_again_and_again_is_the_same_version(wiki: Path) -> None:
    commit_all(wiki)
    output, store = wiki / ".edgewiki" / "artifact", wiki / ".edgewiki" / "store"
    first = build(wiki, output, store)
    before = contents(output)
    second = build(wiki, output, store)
    assert not second.manifest.source.dirty
    assert first.manifest == second.manifest
    assert contents(output) == before


def test_a_new_commit_or_a_new_word_is_a_new_version(wiki: Path, tmp_path: Path) -> None:
    commit_all(wiki, date="2026-01-01T12:00:00Z")
    first = build(wiki, tmp_path / "out", tmp_path / "store").manifest
    commit_all(wiki, date="2026-01-02T12:00:00Z")
    second = build(wiki, tmp_path / "out", tmp_path / "store").manifest
    assert second.version != first.version
    assert second.source.ancestors[0] == first.source.revision
    write_pages(wiki, {"new.md": "# New\n"})
    third = build(wiki, tmp_path / "out", tmp_path / "store").manifest
    assert third.source.dirty
    assert third.version not in {first.version, second.version}


ODD: dict[str, str | bytes] = {
    "good.md": "# Good\n\nA page about servers and their ports.\n",
    "bom.md": b"\xef\xbb\xbf---\ntitle: Mark\n---\nText of a page.\n",
    "crlf.md": "---\r\ntitle: Windows\r\n---\r\nText of a page.\r\n",
    "rule.md": "---\n\nA paragraph.\n\n---\n\nAnother.\n",
    "dates.md": "---\ntitle: Dates\ncreated: 2026-02-30\n2024: x\n---\nText.\n",
    "broken.md": "---\ntitle: a: b\ntags: [x\n---\nThe body of the broken page.\n",
    "cp1250.md": "kůň".encode("cp1250"),
    "empty.md": "",
    "nul.md": "a\0b",
    "bare.md": "---\ntitle: Bare\n---\n",
    "unpublished.md": "---\npublished: false\n---\nText.\n",
    "pointer.md": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
    "drafts/d.md": "A draft.\n",
    ".hidden/h.md": "Hidden.\n",
    "line.md": "# Line\n\n" + ",".join(f"0x{n:04x}" for n in range(4000)),
    "links.md": "[home](/) [up](..) [here](.) [[#x]] [x](http://[) [[]] [](<>) ![[]]\n",
    "long.md": "# Long\n\n" + "A sentence about the server. " * 400 + "lastword\n",
}


def test_every_page_is_in_the_index_or_in_the_report(tmp_path: Path) -> None:
    settings = SETTINGS.replace("[model]", 'exclude = ["drafts/"]\n[model]')
    wiki = write_pages(tmp_path / "wiki", {**ODD, "edgewiki.toml": settings})
    (wiki / "link.md").symlink_to("/etc/hostname")
    result = build(wiki, tmp_path / "out", tmp_path / "store")
    connection = sqlite3.connect(result.folder / "index.sqlite")
    indexed = {path for (path,) in connection.execute("SELECT path FROM documents")}
    last = connection.execute(
        "SELECT path FROM exact_1 JOIN chunks ON chunks.id = exact_1.rowid "
        "JOIN documents ON documents.id = document_id WHERE exact_1 MATCH 'lastword'"
    ).fetchall()
    connection.close()
    left_out = {
        row["path"]: row["code"]
        for row in result.manifest.report
        if row["severity"] in {"skipped", "excluded"}
    }
    assert left_out == {
        ".hidden/h.md": "hidden", "cp1250.md": "encoding", "drafts/d.md": "excluded-by-config",
        "empty.md": "empty", "link.md": "symlink", "pointer.md": "lfs-pointer",
        "unpublished.md": "unpublished",
    }  # fmt: skip
    pages = {name for name in contents(wiki) if name.endswith(".md")}
    assert indexed | left_out.keys() == pages
    assert not indexed & left_out.keys()
    assert last == [("long.md",)]
    rows = {(row["path"], row["line"], row["code"]) for row in result.manifest.report}
    assert {
        ("dates.md", 3, "front-matter-value"), ("dates.md", 4, "front-matter-key"),
        ("broken.md", 2, "front-matter"), ("nul.md", 1, "nul"), ("bare.md", 0, "no-text"),
    } <= rows  # fmt: skip


def test_strict_refuses_a_bad_page_by_file_and_line_and_writes_nothing(
    wiki: Path, tmp_path: Path
) -> None:
    write_pages(wiki, {"sub/dates.md": "---\ntitle: a\ncreated: 2026-02-30\n---\nText.\n"})
    with pytest.raises(StrictBuildError, match=r"1 pages.*sub/dates\.md:3: .*2026-02-30"):
        build(wiki, tmp_path / "out", tmp_path / "store", strict=True)
    assert not (tmp_path / "out").exists()
    build(wiki, tmp_path / "out", tmp_path / "store")


def test_strict_minds_no_page_that_is_left_out_on_purpose(wiki: Path, tmp_path: Path) -> None:
    pages = {
        "a.md": "---\npublished: false\n---\nText.\n",
        ".github/b.md": "Text.",
        "c.md": "[[Nobody]]\n",
    }
    write_pages(wiki, pages)
    report = build(wiki, tmp_path / "out", tmp_path / "store", strict=True).manifest.report
    assert {row["code"] for row in report} == {"unpublished", "hidden", "broken-link"}


@pytest.mark.parametrize(
    ("pages", "words"),
    [
        ({}, "no Markdown page below it"),
        ({"notes.txt": "x"}, "no Markdown page below it"),
        ({"b.md": "", "a.md": b"\xff\xff"}, r"left out \(2\); the first: a.md: "),
        ({".github/a.md": "x"}, "left out .* starts with a dot"),
        ({"a.md": "---\npublished: false\n---\nx"}, "a.md: published: false"),
    ],
)
def test_a_wiki_without_pages_says_why(
    tmp_path: Path, pages: Mapping[str, str | bytes], words: str
) -> None:
    wiki = write_pages(tmp_path / "wiki", {**pages, "edgewiki.toml": SETTINGS})
    with pytest.raises(SourceError, match=words):
        build(wiki, tmp_path / "out", tmp_path / "store")
    assert not (tmp_path / "out").exists()


def test_the_reason_is_a_page_even_in_a_shallow_clone(tmp_path: Path) -> None:
    origin = write_pages(tmp_path / "origin", {"z.md": "", "edgewiki.toml": SETTINGS})
    commit_all(origin)
    commit_all(origin)
    git(tmp_path, "clone", "-q", "--depth", "1", origin.as_uri(), "wiki")
    with pytest.raises(SourceError, match=r"the first: z\.md: the file is empty"):
        build(tmp_path / "wiki", tmp_path / "out", tmp_path / "store")


def test_a_wiki_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="nowhere is not a folder"):
        build(tmp_path / "nowhere", tmp_path / "out", tmp_path / "store")


def test_only_an_artifact_or_an_empty_folder_is_replaced(wiki: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    output.mkdir()
    build(wiki, output, tmp_path / "store")
    (output / "left over").write_text("from an older version")
    build(wiki, output, tmp_path / "store")
    assert not (output / "left over").exists()
    for taken, words in ((tmp_path / "mine", "not empty"), (tmp_path / "file", "is a file")):
        phases: list[str] = []
        if taken.name == "mine":
            write_pages(taken, {"thesis.txt": "years of work"})
        else:
            taken.write_text("years of work")
        with pytest.raises(SourceError, match=words):
            build(wiki, taken, tmp_path / "store", phases=phases)
        assert phases == []
    assert contents(tmp_path / "mine") == {"thesis.txt": b"years of work"}
    assert (tmp_path / "file").read_text() == "years of work"


def test_a_missing_model_is_said_and_the_old_artifact_stays(wiki: Path, tmp_path: Path) -> None:
    build(wiki, tmp_path / "out", tmp_path / "store")
    before = contents(tmp_path / "out")
    config = load_config(wiki, model="onnx", model_dir=tmp_path / "no model")
    with pytest.raises(ModelMissingError, match="edgewiki model"):
        build_version(wiki, tmp_path / "out", config, FileStore(tmp_path / "store"))
    assert contents(tmp_path / "out") == before
