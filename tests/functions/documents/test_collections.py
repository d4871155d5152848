"""Collections in ``edgewiki.toml``, changed by a commit that touches nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from build.config import load_config
from functions.documents.config_file import with_collection
from index_artifacts.errors import QueryError
from tests.functions.documents.conftest import CONFIG, publish_from

if TYPE_CHECKING:
    from pathlib import Path

    from tests.functions.documents.conftest import Installation


def collections(folder: Path, text: str) -> list[tuple[str, str, str]]:
    """As the build reads them."""
    folder.mkdir(exist_ok=True)
    (folder / "edgewiki.toml").write_text(text)
    return [(c.name, c.path, c.source_url) for c in load_config(folder).collections]


def test_a_new_collection_comes_before_the_one_that_held_its_pages(tmp_path: Path) -> None:
    text, is_new = with_collection(CONFIG, "guides", "./guides/", "https://w.test/{route}")
    assert is_new
    assert collections(tmp_path / "w", text) == [
        ("secret", "secret", ""),
        ("guides", "guides", "https://w.test/{route}"),
        ("wiki", "", ""),
    ]
    block = """[[collections]]
name = "guides"
path = "guides"
source_url = "https://w.test/{route}"

"""
    assert text.replace(block, "") == CONFIG


def test_a_change_keeps_comments_and_order(tmp_path: Path) -> None:
    text, is_new = with_collection(CONFIG, "secret", "private", "")
    assert not is_new
    assert text == CONFIG.replace('path = "secret"', 'path = "private"')
    assert with_collection(text, "secret", "private", "") == (text, False)
    nested, _ = with_collection(CONFIG, "wiki", "secret/open", "")
    assert [name for name, _, _ in collections(tmp_path / "w", nested)] == ["wiki", "secret"]


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("", [("a", "a", ""), ("wiki", "", "")]),
        ('[wiki]\nroot = "."\n', [("a", "a", ""), ("wiki", "", "")]),
        ('collections = [{name = "all"}] # one\n', [("a", "a", ""), ("all", "", "")]),
    ],
)
def test_the_collection_of_all_pages_stays_where_none_was_named(
    before: str, expected: list[Any], tmp_path: Path
) -> None:
    text, _ = with_collection(before, "a", "a", "")
    assert collections(tmp_path / "w", text) == expected


@pytest.mark.parametrize(
    ("name", "path", "source_url", "reason"),
    [
        ("Big", "a", "", "name"),
        ("x" * 65, "a", "", "name"),
        ("", "a", "", "name"),
        ("a", "../a", "", "no folder"),
        ("a", "a\\b", "", "no folder"),
        ("a", "a\nb", "", "no folder"),
        ("a", "secret", "", "'secret' already"),
        ("secret", "", "", "'wiki' already"),
        ("a", "a", "{path.__class__}", "unknown placeholder"),
        ("a", "a", "{}", "unknown placeholder"),
        ("a", "a", "{path", "source_url"),
    ],
)
def test_what_the_build_would_refuse_is_refused(
    name: str, path: str, source_url: str, reason: str
) -> None:
    with pytest.raises(QueryError, match=reason):
        with_collection(CONFIG, name, path, source_url)


def test_a_file_that_is_no_toml_is_left_alone() -> None:
    with pytest.raises(QueryError, match="not valid TOML"):
        with_collection("[wiki\n", "a", "a", "")


def test_an_admin_creates_and_changes_a_collection(wiki: Installation) -> None:
    listed = wiki.ask("root", "GET", "/collections")
    sha = listed.json()["sha"]
    assert listed.headers["etag"] == f'"{sha}"'
    assert [(c["name"], c["path"], c["documents"]) for c in listed.json()["collections"]] == [
        ("secret", "secret", 1), ("wiki", "", 3),
    ]  # fmt: skip
    body = {"path": "guides", "source_url": "https://w.test/{path}", "sha": sha}
    made = wiki.ask("root", "PUT", "/collections/guides", json=body)
    assert made.status_code == 201, made.text
    assert (made.json()["status"], made.json()["job_id"]) == ("created", "job-1")
    logged = wiki.forge.repository.log("edgewiki.toml")[0]
    assert (logged.sha, logged.author) == (made.json()["commit"], "root")
    assert logged.message.startswith("Add the collection guides\n")

    stale = wiki.ask("root", "PUT", "/collections/other", json={"path": "other", "sha": sha})
    assert stale.status_code == 409
    same = wiki.ask("root", "PUT", "/collections/guides", json={**body, "sha": made.json()["sha"]})
    assert (same.status_code, same.json()["status"]) == (200, "unchanged")
    assert len(wiki.jobs) == 1

    publish_from(wiki.folder / "wiki.git", wiki.folder / "store", wiki.folder)
    wiki.ask("root", "POST", "/reload")
    after = wiki.ask("guest", "GET", "/collections").json()
    assert [(c["name"], c["documents"]) for c in after["collections"]] == [
        ("secret", 1), ("guides", 2), ("wiki", 1),
    ]  # fmt: skip
    assert after["sha"] == ""


@pytest.mark.parametrize("caller", ["guest", "ana"])
def test_a_collection_is_an_admins_to_change(wiki: Installation, caller: str) -> None:
    answer = wiki.ask(caller, "PUT", "/collections/x", json={"path": "x"})
    assert answer.status_code == 403
