"""Which files of a wiki are its pages, and why each other one is left out."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from build.git import open_repository
from build.pages import find_pages
from build.report import Report
from index_artifacts.errors import SourceError
from tests.wiki import commit_all, git, write_pages

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def pages_of(root: Path, *exclude: str) -> tuple[list[str], dict[str, str]]:
    """The paths found, and each other path's finding code."""
    report = Report()
    pages = find_pages(root, open_repository(root), exclude, report)
    assert all(page.file.is_file() for page in pages)
    return [page.path for page in pages], {row["path"]: row["code"] for row in report.rows()}


@pytest.fixture(params=["folder", "repository"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def lay_out(root: Path, pages: Mapping[str, str | bytes], kind: str) -> Path:
    write_pages(root, pages)
    if kind == "repository":
        commit_all(root)
    return root


def test_pages_are_sorted_markdown_files_of_any_depth(tmp_path: Path, kind: str) -> None:
    names = ["b.md", "a/c.markdown", "A.MD", "žltý/kôň.md", "with space/x.mkd"]
    lay_out(tmp_path, dict.fromkeys([*names, "logo.png", "notes.txt", "md"], "text"), kind)
    found, findings = pages_of(tmp_path)
    assert found == sorted(names)
    assert findings == {}


IGNORED = {
    ".gitignore": "*.draft.md\nbuild/\n/top.md\nlog/*\n!log/keep.md\n# a comment\n\n",
    "a.md": "", "a.draft.md": "", "top.md": "", "sub/top.md": "", "build/x.md": "",
    "log/a.md": "", "log/keep.md": "",
    "notes/.gitignore": "!b.draft.md\n/private.md\n",
    "notes/b.draft.md": "", "notes/c.draft.md": "", "notes/private.md": "",
    "notes/deep/private.md": "", "notes/deep/b.draft.md": "",
    "white/.gitignore": "*\n!*/\n!yes.md\n", "white/yes.md": "", "white/no.md": "",
    "white/in/yes.md": "", "white/in/no.md": "",
}  # fmt: skip


def test_a_gitignore_means_in_a_folder_what_it_means_to_git(tmp_path: Path) -> None:
    visible = [
        "a.md", "log/keep.md", "notes/b.draft.md", "notes/deep/b.draft.md",
        "notes/deep/private.md", "sub/top.md", "white/in/yes.md", "white/yes.md",
    ]  # fmt: skip
    folder = write_pages(tmp_path / "folder", IGNORED)
    repository = write_pages(tmp_path / "repository", IGNORED)
    commit_all(repository)
    assert pages_of(repository)[0] == visible
    assert pages_of(folder)[0] == visible


def test_the_report_says_how_many_pages_a_gitignore_hides(tmp_path: Path, kind: str) -> None:
    pages = {".gitignore": "x*.md\nout/\n", "x1.md": "", "out/a.md": ""}
    lay_out(tmp_path, {**pages, "a.md": ""}, kind)
    report = Report()
    find_pages(tmp_path, open_repository(tmp_path), (), report)
    (row,) = report.rows()
    assert (row["severity"], row["code"]) == ("note", "ignored")
    assert "hides 2" in row["reason"]
    assert "x1.md" in row["reason"]
    assert "out/" in row["reason"]


def test_a_pattern_that_git_cannot_read_hides_nothing(tmp_path: Path, kind: str) -> None:
    lay_out(tmp_path, {".gitignore": "!\n\\\nb.md\n", "a.md": "", "b.md": ""}, kind)
    assert pages_of(tmp_path)[0] == ["a.md"]


def test_a_gitignore_with_a_byte_order_mark_still_hides(tmp_path: Path, kind: str) -> None:
    lay_out(tmp_path, {".gitignore": b"\xef\xbb\xbfb.md\n", "a.md": "", "b.md": ""}, kind)
    assert pages_of(tmp_path)[0] == ["a.md"]


def test_untracked_pages_count_and_ignored_ones_do_not(tmp_path: Path) -> None:
    lay_out(tmp_path, {".gitignore": "local.md\n", "a.md": ""}, "repository")
    write_pages(tmp_path, {"new.md": "", "local.md": ""})
    assert pages_of(tmp_path)[0] == ["a.md", "new.md"]


def test_a_tracked_page_stays_one_though_a_pattern_fits_it(tmp_path: Path) -> None:
    lay_out(tmp_path, {"a.md": ""}, "repository")
    write_pages(tmp_path, {".gitignore": "a.md\n"})
    assert pages_of(tmp_path)[0] == ["a.md"]


def test_a_page_deleted_from_disk_alone_is_reported(tmp_path: Path) -> None:
    lay_out(tmp_path, {"a.md": "", "gone.md": ""}, "repository")
    (tmp_path / "gone.md").unlink()
    assert pages_of(tmp_path) == (["a.md"], {"gone.md": "not-a-file"})


def test_hidden_pages_are_left_out_and_do_not_spoil_a_strict_build(
    tmp_path: Path, kind: str
) -> None:
    hidden = [".github/PULL_REQUEST.md", ".obsidian/x.md", "notes/.draft.md"]
    lay_out(tmp_path, dict.fromkeys(["a.md", *hidden], ""), kind)
    report = Report()
    found = find_pages(tmp_path, open_repository(tmp_path), (), report)
    assert [page.path for page in found] == ["a.md"]
    assert {row["path"]: row["code"] for row in report.rows()} == dict.fromkeys(hidden, "hidden")
    assert report.spoils_strict_build() == []


def test_pages_excluded_by_the_settings_are_named(tmp_path: Path, kind: str) -> None:
    lay_out(tmp_path, {"a.md": "", "templates/t.md": "", "templates/keep.md": ""}, kind)
    found, findings = pages_of(tmp_path, "templates/*", "!templates/keep.md")
    assert found == ["a.md", "templates/keep.md"]
    assert findings == {"templates/t.md": "excluded-by-config"}


def test_no_symbolic_link_is_read(tmp_path: Path, kind: str) -> None:
    outside = write_pages(tmp_path / "outside", {"secret.md": "", "folder/x.md": ""})
    root = lay_out(tmp_path / "wiki", {"a.md": "", "sub/b.md": ""}, kind)
    links: dict[str, str | Path] = {
        "leaves.md": outside / "secret.md",
        "relative.md": "../outside/secret.md",
        "broken.md": "nowhere.md",
        "loop.md": "loop.md",
        "inside.md": "a.md",
        "folder": outside / "folder",
        "sub/up": "..",
    }
    for name, target in links.items():
        (root / name).symlink_to(target)
    if kind == "repository":
        commit_all(root)
    found, findings = pages_of(root)
    assert found == ["a.md", "sub/b.md"]
    assert findings == dict.fromkeys(links, "symlink")


def test_a_tracked_folder_that_became_a_link_leads_nowhere(tmp_path: Path) -> None:
    outside = write_pages(tmp_path / "outside", {"b.md": "secret"})
    root = lay_out(tmp_path / "wiki", {"a.md": "", "sub/b.md": ""}, "repository")
    (root / "sub" / "b.md").unlink()
    (root / "sub").rmdir()
    (root / "sub").symlink_to(outside)
    found, findings = pages_of(root)
    assert found == ["a.md"]
    assert findings["sub/b.md"] == "symlink"


def test_a_wiki_that_is_reached_by_a_link_is_read(tmp_path: Path, kind: str) -> None:
    lay_out(tmp_path / "wiki", {"a.md": ""}, kind)
    (tmp_path / "link").symlink_to("wiki")
    assert pages_of(tmp_path / "link")[0] == ["a.md"]


def test_a_submodule_is_named_and_not_read(tmp_path: Path) -> None:
    module = lay_out(tmp_path / "module", {"inner.md": ""}, "repository")
    root = lay_out(tmp_path / "wiki", {"a.md": ""}, "repository")
    allow = ("-c", "protocol.file.allow=always")
    git(root, *allow, "submodule", "--quiet", "add", str(module), "docs")
    commit_all(root)
    lay_out(root / "nested", {"n.md": ""}, "repository")
    found, findings = pages_of(root)
    assert found == ["a.md"]
    assert findings == {"docs": "submodule", "nested/": "submodule"}


def test_a_name_that_is_no_utf8_is_reported_in_a_form_that_can_be_printed(
    tmp_path: Path, kind: str
) -> None:
    names = [b"p\xf8\xedklad.md", b".skryt\xfd.md", b"vyl\xfa\xe8en\xe9.md"]
    for name in names:
        (tmp_path / os.fsdecode(name)).write_text("text")
    (tmp_path / os.fsdecode(b"odk\xe1z.md")).symlink_to("a.md")
    lay_out(tmp_path, {"a.md": ""}, kind)
    report = Report()
    excluded = os.fsdecode(names[2])
    found = find_pages(tmp_path, open_repository(tmp_path), (excluded,), report)
    assert [page.path for page in found] == ["a.md"]
    rows = report.rows()
    assert sorted(row["code"] for row in rows) == [
        "excluded-by-config", "file-name", "file-name", "hidden",
    ]  # fmt: skip
    for row in rows:
        assert "\ufffd" in row["path"]
        row["path"].encode()


def test_a_root_that_is_no_folder_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="nowhere is not a folder"):
        find_pages(tmp_path / "nowhere", None, (), Report())
