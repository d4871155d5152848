"""Every path that must not be written, and those that may."""

from __future__ import annotations

import unicodedata

import pytest

from functions.documents.paths import checked_new_path, checked_path, collision_key
from index_artifacts.errors import QueryError

NEVER = [
    "", "/etc/passwd.md", "/index.md", "//host/share.md", "../index.md", "a/../index.md",
    "a/../../index.md", "./index.md", "a/./b.md", "a//b.md", "a/", "a/b.md/", ".", "..",
    "a\\b.md", "..\\index.md", "C:\\wiki\\x.md", "a\0.md", "a\n.md", "a\t.md", "a\x7f.md",
    "a\u200b.md", "a\u202egpj.md", "a\u2028.md", "\ufeffa.md", "\ud800.md", "\ue000.md",
    ".git/config.md", ".git/hooks/post.md", ".GIT/x.md", ".Git /x.md", ".git./x.md", ".git. ./x.md",
    "a/.git/x.md", ".g\u200cit/x.md", "\u200c.git/x.md", ".git::$INDEX_ALLOCATION/x.md",
    "git~1/x.md", "GIT~1/x.md", "a/git~2/x.md", "gi7eba~1/x.md", " .git/x.md",
    ".github/workflows/x.md", ".gitea/x.md", ".forgejo/x.md", ".hidden.md", "a/.x/b.md", ".md",
    "edgewiki.toml", "golden.jsonl", "a/edgewiki.toml", "index", "index.html", "index.md.exe",
    "notes.txt", "a.md ", "a.md.", "x" * 252 + ".mdx", "x" * 253 + ".md", "ž" * 127 + ".md",
    "/".join(["folder"] * 200) + "/x.md",
]  # fmt: skip
NOT_NEW = [
    "con.md", "a/NUL.md", "com1/x.md", "aux.a.md", "what?.md", "a:b.md", "a*.md", "<a>.md",
    'say "x".md', "a|b.md", " a.md", "a /b.md", "a./b.md",
]  # fmt: skip
GOOD = [
    "index.md", "a/b/c.md", "Žltá kniha.md", "Стол/план.markdown", "a.b.c.MD", "a b.mkd",
    "100 % sure.md", "#1.md", "x & y (2024).mdown", "git.md", "digit~1.md", "a..b.md", "日本.md",
    "x" * 252 + ".md", "Icon.md", "console.md",
]  # fmt: skip


@pytest.mark.parametrize("path", NEVER)
def test_a_path_that_leads_elsewhere_or_hides_is_refused(path: str) -> None:
    with pytest.raises(QueryError):
        checked_path(path)


@pytest.mark.parametrize("path", NOT_NEW)
def test_a_new_page_needs_a_name_for_every_system(path: str) -> None:
    assert checked_path(path) == path  # one that is there already can still be repaired
    with pytest.raises(QueryError):
        checked_new_path(path)


@pytest.mark.parametrize("path", GOOD)
def test_ordinary_paths_in_any_script_are_fine(path: str) -> None:
    assert checked_new_path(path) == path


def test_a_new_path_is_composed() -> None:
    assert checked_new_path(unicodedata.normalize("NFD", "Žltá.md")) == "Žltá.md"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Žltá.md", unicodedata.normalize("NFD", "žltá.md"), True),
        ("STRASSE.md", "straße.md", True),
        ("a.md", "a.MD", True),
        ("zlta.md", "žltá.md", False),
        ("a/b.md", "a-b.md", False),
    ],
)
def test_paths_collide_by_case_and_composition_alone(one: str, other: str, same: bool) -> None:
    assert (collision_key(one) == collision_key(other)) is same
