"""Pages that are added, changed and removed: each is a commit, and nobody's edit is lost."""

from __future__ import annotations

import threading
import unicodedata
from typing import TYPE_CHECKING

import pytest

from tests.forge_server import Fault
from tests.functions.documents.conftest import PAGES, publish_from

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.functions.documents.conftest import Installation


@pytest.fixture(params=["github", "gitea"])
def wiki(request: pytest.FixtureRequest, install: Callable[..., Installation]) -> Installation:
    return install(request.param)


def test_a_page_is_added_changed_and_removed_by_its_author(wiki: Installation) -> None:
    page = "guides/Nová stránka.md"
    added = wiki.put("ana", page, "# Nová\r\n\r\nText.\r\n", message="Add a page\n\nbody")
    assert added.status_code == 201, added.text
    first = added.json()
    assert (first["status"], first["path"], first["collection"]) == ("created", page, "wiki")
    assert wiki.text(page) == "# Nová\r\n\r\nText.\r\n"
    assert first["sha"] == wiki.sha(page)
    assert added.headers["etag"] == f'"{first["sha"]}"'
    assert (first["job_id"], first["status_url"]) == ("job-1", "/sync/jobs/job-1")
    assert first["url"].endswith(first["commit"])

    changed = wiki.put("ana", page, "# Next\n", sha=first["sha"])
    assert changed.status_code == 200, changed.text
    assert changed.json()["status"] == "changed"
    removed = wiki.ask("ana", "DELETE", f"/documents/{page}?sha={changed.json()['sha']}")
    assert removed.status_code == 200, removed.text
    assert (removed.json()["status"], removed.json()["sha"]) == ("deleted", "")
    assert wiki.text(page) is None

    logged = wiki.forge.repository.log(f"pages/{page}")
    titles = [commit.message.splitlines()[0] for commit in logged]
    assert titles == [f"Delete {page}", f"Change {page}", "Add a page"]
    assert {(c.author, c.email) for c in logged} == {("ana", "ana@edgewiki.invalid")}
    assert [job["revision"] for job in wiki.jobs] == [c.sha for c in reversed(logged)]
    assert {job["requested_by"] for job in wiki.jobs} == {"ana"}


def test_headers_say_which_state_is_meant_as_well(wiki: Installation) -> None:
    def put(content: str, **headers: str) -> int:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        response = wiki.ask(
            "ana", "PUT", "/documents/new.md", json={"content": content}, headers=named
        )
        return response.status_code

    assert put("# One\n", If_None_Match="*") == 201
    assert put("# Two\n", If_None_Match="*") == 409
    assert put("# Two\n", If_Match=f'"{"0" * 40}"') == 409
    assert put("# Two\n", If_Match="*") == 422
    assert put("# Two\n", If_Match=f'"{wiki.sha("new.md")}"') == 200
    removed = wiki.ask(
        "ana", "DELETE", "/documents/new.md", headers={"If-Match": f'"{wiki.sha("new.md")}"'}
    )
    assert removed.status_code == 200
    assert wiki.ask("ana", "DELETE", "/documents/new.md").status_code == 422


def test_an_edit_of_what_somebody_changed_meanwhile_is_refused(wiki: Installation) -> None:
    seen = wiki.sha("index.md")
    wiki.forge.repository.commit({"pages/index.md": b"# Theirs\n"})
    for answer in (
        wiki.put("root", "index.md", "# Mine\n", sha=seen),
        wiki.put("root", "index.md", "# Mine\n"),
        wiki.ask("root", "DELETE", f"/documents/index.md?sha={seen}"),
        wiki.put("root", "gone.md", "# Mine\n", sha=seen),
    ):
        assert answer.status_code == 409, answer.text
        assert answer.json()["status"] == "conflict"
    assert wiki.text("index.md") == "# Theirs\n"
    assert wiki.jobs == []


def test_of_two_editors_at_once_one_is_told_and_nothing_is_lost(wiki: Installation) -> None:
    seen = wiki.sha("index.md")
    together, statuses = threading.Barrier(2), {}

    def edit(name: str) -> None:
        together.wait()
        statuses[name] = wiki.put("root", "index.md", f"# {name}\n", sha=seen).status_code

    threads = [threading.Thread(target=edit, args=(name,)) for name in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses.values()) == [200, 409]
    winner = min(statuses, key=lambda name: statuses[name])
    assert wiki.text("index.md") == f"# {winner}\n"
    assert len(wiki.forge.repository.log("pages/index.md")) == 2


def test_an_edit_whose_answer_the_forge_lost_is_one_commit(wiki: Installation) -> None:
    method = "PUT" if wiki.forge.kind == "github" else "POST"
    wiki.forge.fail(Fault("lost", method=method))
    answer = wiki.put("ana", "new.md", "# New\n")
    assert answer.status_code == 201, answer.text
    assert answer.json()["commit"] == wiki.forge.repository.head
    assert len(wiki.forge.repository.log("pages/new.md")) == 1
    assert len(wiki.forge.asked(method)) == 1


def test_a_page_that_is_so_already_is_no_commit(wiki: Installation) -> None:
    head = wiki.forge.repository.head
    answer = wiki.put("root", "index.md", PAGES["index.md"], sha=wiki.sha("index.md"))
    assert (answer.status_code, answer.json()["status"]) == (200, "unchanged")
    assert (answer.json()["commit"], answer.json()["job_id"]) == ("", "")
    assert wiki.forge.repository.head == head
    assert wiki.jobs == []


def test_a_forge_that_is_down_is_a_502_and_says_nothing_internal(wiki: Installation) -> None:
    wiki.forge.fail(*[Fault(status=401)] * 3)
    answer = wiki.put("ana", "new.md", "# New\n")
    assert (answer.status_code, answer.json()["status"]) == (502, "forge_failed")
    assert "EDGEWIKI" not in answer.text


def test_without_a_rebuild_the_edit_stands(wiki: Installation) -> None:
    def down(*_: object, **__: object) -> None:
        raise OSError("no queue")

    app = wiki.clients["all"].app
    app.state.request_sync = down  # type: ignore[attr-defined]
    answer = wiki.put("ana", "new.md", "# New\n")
    assert answer.status_code == 201
    assert answer.json()["job_id"] == ""
    assert "no rebuild could be asked for" in answer.json()["reason"]
    assert wiki.text("new.md") == "# New\n"


def test_a_name_that_a_checkout_would_lose_is_refused(wiki: Installation) -> None:
    wiki.forge.repository.commit({"pages/guides/Fresh.md": b"# Not in the version yet\n"})
    composed = "guides/Žltá kniha.md"
    for page, other in {
        "guides/PRINTER.md": "guides/printer.md",
        "guides/žltá kniha.md": composed,
        "Guides/printer.md": "guides/printer.md",
        "guides/fresh.md": "guides/Fresh.md",
    }.items():
        answer = wiki.put("ana", page, "# Other\n")
        assert answer.status_code == 409, page
        assert repr(other) in answer.json()["reason"]
    decomposed = wiki.put("ana", unicodedata.normalize("NFD", composed), "# Other\n")
    assert decomposed.status_code == 403  # the page itself, which is not hers
    assert wiki.put("ana", unicodedata.normalize("NFD", "ďalšia.md"), "# X\n").json()["path"] == (
        "ďalšia.md"
    )


def test_what_is_written_is_in_the_next_version(wiki: Installation) -> None:
    """From an edit over a build to an answer, all of it real."""
    page = "guides/walrus.md"
    read = wiki.ask("ana", "GET", f"/documents/{page}")
    assert read.status_code == 404
    made = wiki.put("ana", page, "# Walrus\n\nIts office is room 1234.\n").json()
    version = publish_from(wiki.folder / "wiki.git", wiki.folder / "store", wiki.folder)
    assert wiki.ask("ana", "GET", f"/documents/{page}").status_code == 404
    reloaded = wiki.ask("root", "POST", "/reload").json()
    assert (reloaded["status"], reloaded["index_version"]) == ("changed", version)
    found = wiki.ask("ana", "GET", f"/documents/{page}").json()
    assert "room 1234" in found["text"]
    assert (found["sha"], found["newer"]) == (made["sha"], False)
    assert [(r["revision"], r["author"]) for r in found["revisions"]] == [(made["commit"], "ana")]
    hits = wiki.ask("guest", "GET", "/search?q=walrus office&mode=lexical").json()["hits"]
    assert hits[0]["document"]["id"] == page
