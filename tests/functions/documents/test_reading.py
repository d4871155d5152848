"""Pages as they are read: from the version, and for editors from the branch too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.forge_server import Fault
from tests.functions.documents.conftest import PAGES
from tests.tiny_wiki import build_and_publish

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.functions.documents.conftest import Installation


def test_pages_are_listed_and_filtered(wiki: Installation) -> None:
    listed = wiki.ask("guest", "GET", "/documents").json()
    assert [page["id"] for page in listed["documents"]] == sorted(PAGES)
    some = wiki.ask("guest", "GET", "/documents?prefix=guides/&limit=1").json()
    assert (len(some["documents"]), some["total"], some["next_offset"]) == (1, 2, 1)
    secret = wiki.ask("guest", "GET", "/documents?collections=secret").json()
    assert [page["id"] for page in secret["documents"]] == ["secret/plan.md"]
    assert wiki.ask("guest", "GET", "/documents?limit=0").status_code == 422
    assert wiki.ask("guest", "GET", "/documents?colour=red").status_code == 422
    assert wiki.forge.requests == []


def test_a_page_is_read_with_its_history_and_a_reader_asks_no_forge(wiki: Installation) -> None:
    page = wiki.ask("guest", "GET", "/documents/index.md").json()
    assert page["document"]["title"] == "Start"
    assert page["text"].strip() == "The server listens on port 8080 and hums all night."
    assert [r["subject"] for r in page["revisions"]] == ["The wiki"]
    assert (page["sha"], page["source"], page["newer"]) == ("", "", False)
    assert wiki.forge.requests == []
    assert wiki.ask("guest", "GET", "/documents/guides/nothing.md").status_code == 404


def test_an_editor_gets_the_file_with_its_front_matter(wiki: Installation) -> None:
    answer = wiki.ask("ana", "GET", "/documents/index.md")
    page = answer.json()
    assert page["source"] == PAGES["index.md"]
    assert (page["sha"], page["newer"]) == (wiki.sha("index.md"), False)
    assert answer.headers["etag"] == f'"{page["sha"]}"'


def test_a_page_that_was_edited_since_the_build_says_so(wiki: Installation) -> None:
    edited = PAGES["index.md"].replace("Start", "Begin")  # in the front matter alone
    wiki.forge.repository.commit({"pages/index.md": edited.encode()})
    page = wiki.ask("ana", "GET", "/documents/index.md").json()
    assert (page["source"], page["newer"]) == (edited, True)
    assert page["document"]["title"] == "Start"
    wiki.forge.repository.commit({"pages/index.md": None})
    page = wiki.ask("ana", "GET", "/documents/index.md").json()
    assert (page["source"], page["sha"], page["newer"]) == ("", "", True)


def test_a_version_without_history_is_compared_by_its_text(
    install: Callable[..., Installation], tmp_path: Path
) -> None:
    pages = {"index.md": PAGES["index.md"], "long.md": "# Long\n\n" + "A line of words.\n" * 50}
    build_and_publish(tmp_path / "plain-store", tmp_path / "plain", pages)
    wiki = install(store=f"file://{tmp_path / 'plain-store'}")
    page = wiki.ask("ana", "GET", "/documents/index.md").json()
    assert (page["newer"], page["revisions"]) == (False, [])
    wiki.forge.repository.commit({"pages/index.md": b"# Other\n"})
    assert wiki.ask("ana", "GET", "/documents/index.md").json()["newer"] is True

    first = wiki.ask("guest", "GET", "/documents/long.md?max_characters=100").json()
    assert (first["truncated"], first["truncation_reasons"]) == (True, ["max_characters"])
    rest = wiki.ask("guest", "GET", f"/documents/long.md?offset={first['next_offset']}").json()
    assert first["text"] + rest["text"] == pages["long.md"]
    assert wiki.ask("guest", "GET", "/documents/long.md?offset=5000").status_code == 422


def test_a_forge_that_is_down_takes_the_edit_away_not_the_page(wiki: Installation) -> None:
    wiki.forge.fail(Fault(status=401))
    page = wiki.ask("ana", "GET", "/documents/index.md").json()
    assert "port 8080" in page["text"]
    assert (page["sha"], page["complete"]) == ("", False)
    assert "cannot be edited now" in page["reason"]


def test_a_wiki_in_a_folder_of_its_repository_is_edited_there(
    install: Callable[..., Installation],
) -> None:
    wiki = install(forge_folder="docs/wiki")
    files = {"docs/wiki/edgewiki.toml": b"[wiki]\nroot = './text/'\n"}
    wiki.forge.repository.commit({**files, "docs/wiki/text/index.md": b"# Elsewhere\n"})
    assert wiki.ask("ana", "GET", "/documents/index.md").json()["source"] == "# Elsewhere\n"
    assert wiki.put("ana", "new.md", "# New\n").status_code == 201
    assert wiki.forge.repository.show("docs/wiki/text/new.md") == b"# New\n"


def test_a_wiki_without_a_forge_is_for_reading(install: Callable[..., Installation]) -> None:
    wiki = install(forge="", forge_url="", forge_repository="")
    assert wiki.ask("ana", "GET", "/documents/index.md").json()["sha"] == ""
    for answer in (
        wiki.put("root", "new.md", "# New\n"),
        wiki.ask("root", "DELETE", f"/documents/index.md?sha={'0' * 40}"),
        wiki.ask("root", "PUT", "/collections/x", json={"path": "x"}),
    ):
        assert (answer.status_code, answer.json()["status"]) == (403, "forbidden")
        assert "for reading" in answer.json()["reason"]
