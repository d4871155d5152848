"""Who may do what, and what those do not learn who may not."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from tests.functions.documents.conftest import KEYS
from tests.functions.documents.test_paths import NEVER

if TYPE_CHECKING:
    from tests.functions.documents.conftest import Installation

ABSENT, PRESENT = "secret/none.md", "secret/plan.md"


def test_a_guest_reads_and_writes_nothing(wiki: Installation) -> None:
    assert wiki.ask("guest", "GET", "/documents/index.md").status_code == 200
    for answer in (
        wiki.put("guest", "new.md", "# New\n"),
        wiki.put("guest", "index.md", "# X\n", sha=wiki.sha("index.md")),
        wiki.ask("guest", "DELETE", f"/documents/index.md?sha={wiki.sha('index.md')}"),
        wiki.ask("guest", "POST", "/documents/upload", files={"file": ("a.md", b"# A\n")}),
        wiki.ask("guest", "PUT", "/collections/x", json={"path": "x"}),
        wiki.ask("guest", "POST", "/reload"),
    ):
        assert (answer.status_code, answer.json()["status"]) == (403, "forbidden")
    assert wiki.forge.requests == []


def test_nobody_writes_without_a_key(wiki: Installation) -> None:
    client = wiki.clients["all"]
    assert client.put("/documents/new.md", json={"content": "# New\n"}).status_code == 401
    assert client.get("/documents").status_code == 401
    assert client.get("/stats").status_code == 401


def test_a_user_changes_own_pages_and_nobody_elses(wiki: Installation) -> None:
    first = wiki.put("ana", "hers.md", "# Ana's\n").json()["sha"]
    for page, sha in (("hers.md", first), ("index.md", wiki.sha("index.md"))):
        for answer in (
            wiki.put("bob", page, "# Bob's\n", sha=sha),
            wiki.put("bob", page, "# Bob's\n"),
            wiki.ask("bob", "DELETE", f"/documents/{page}?sha={sha}"),
        ):
            assert answer.status_code == 403, answer.text
            assert "somebody else's" in answer.json()["reason"]
    by_admin = wiki.put("root", "hers.md", "# Root's\n", sha=first)
    assert by_admin.status_code == 200
    again = wiki.put("ana", "hers.md", "# Ana's\n", sha=by_admin.json()["sha"])
    assert again.status_code == 200  # it is hers still
    assert wiki.text("hers.md") == "# Ana's\n"


def test_a_page_that_came_again_is_not_its_first_authors(wiki: Installation) -> None:
    first = wiki.put("ana", "page.md", "# Ana's\n").json()["sha"]
    assert wiki.ask("root", "DELETE", f"/documents/page.md?sha={first}").status_code == 200
    second = wiki.put("root", "page.md", "# Official\n").json()["sha"]
    assert wiki.put("ana", "page.md", "# Ana's\n", sha=second).status_code == 403
    assert wiki.text("page.md") == "# Official\n"


def test_a_user_deletes_an_own_page(wiki: Installation) -> None:
    sha = wiki.put("bob", "his.md", "# Bob's\n").json()["sha"]
    assert wiki.ask("bob", "DELETE", f"/documents/his.md?sha={sha}").status_code == 200


@pytest.mark.parametrize("caller", ["clerk", "chief"])
def test_a_page_in_a_hidden_collection_is_as_good_as_absent(
    wiki: Installation, caller: str
) -> None:
    """Same status, same words but for the path, and the forge is not asked at all."""

    def told(page: str) -> list[tuple[int, str]]:
        sha = "0" * 40
        real = wiki.sha(page) or sha
        answers = [
            wiki.ask(caller, "GET", f"/documents/{page}"),
            wiki.ask(caller, "GET", f"/documents/{page}?published_only=false"),
            wiki.ask(caller, "GET", f"/documents/{page}?offset=5000"),
            wiki.ask(caller, "GET", f"/documents?prefix={page}"),
            wiki.put(caller, page, "# Mine\n"),
            wiki.put(caller, page, "# Mine\n", sha=sha),
            wiki.put(caller, page, "# Mine\n", sha=real),
            wiki.put(caller, page.upper().replace(".MD", ".md"), "# Mine\n"),
            wiki.ask(caller, "DELETE", f"/documents/{page}?sha={real}"),
            wiki.ask(
                caller, "POST", "/documents/upload",
                files={"file": ("x.md", b"# Mine\n")}, data={"path": page},
            ),
        ]  # fmt: skip
        stem = page.removesuffix(".md")
        return [
            (a.status_code, a.text.replace(stem, "PAGE").replace(stem.upper(), "PAGE"))
            for a in answers
        ]

    assert told(PRESENT) == told(ABSENT)
    assert [status for status, _ in told(PRESENT)] == [
        404,
        404,
        404,
        200,
        403,
        403,
        403,
        403,
        403,
        403,
    ]
    assert wiki.forge.requests == []
    assert wiki.text(PRESENT) is not None


def test_a_caller_of_some_collections_sees_these_alone(wiki: Installation) -> None:
    listed = wiki.ask("clerk", "GET", "/documents").json()
    assert "secret/plan.md" not in [page["id"] for page in listed["documents"]]
    assert listed["total"] == 3
    unknown = wiki.ask("clerk", "GET", "/documents?collections=nowhere")
    hidden = wiki.ask("clerk", "GET", "/documents?collections=secret")
    assert unknown.status_code == hidden.status_code == 422
    assert unknown.text.replace("nowhere", "x") == hidden.text.replace("secret", "x")
    collections = wiki.ask("clerk", "GET", "/collections").json()["collections"]
    assert [(c["name"], c["documents"]) for c in collections] == [("wiki", 3)]
    mine, all_of_it = (wiki.ask(who, "GET", "/stats").json() for who in ("clerk", "guest"))
    assert (mine["documents"], mine["collections"], mine["words"]) == (3, 1, 25)
    assert (all_of_it["documents"], all_of_it["collections"]) == (4, 2)
    assert mine["tokens"] < all_of_it["tokens"]
    assert wiki.put("clerk", "own.md", "# Own\n").status_code == 201


def test_an_admin_of_some_collections_does_not_open_the_others(wiki: Installation) -> None:
    answer = wiki.ask("chief", "PUT", "/collections/wiki", json={"path": "secret"})
    assert answer.status_code == 403
    assert wiki.ask("chief", "GET", "/collections").json()["sha"] == ""
    assert wiki.forge.requests == []


def test_no_request_with_a_bad_path_reaches_the_forge(wiki: Installation) -> None:
    for path in NEVER:
        if path and "\ud800" not in path:  # neither of which a URL can hold
            quoted = quote(path, safe="").replace(".", "%2E")
            assert wiki.put("root", quoted, "# X\n").status_code in {404, 405, 422}, path
        if not path or path.endswith(("/", ".txt")) or "\ud800" in path:
            continue  # a folder for a file, and a text that becomes a page
        form = {"data": {"path": path}, "files": {"file": ("x.md", b"# X\n")}}
        assert wiki.ask("root", "POST", "/documents/upload", **form).status_code == 422, path
    assert wiki.forge.requests == []


def test_keys_are_in_no_answer_and_no_commit(wiki: Installation) -> None:
    answer = wiki.put("ana", "new.md", "# New\n")
    everything = answer.text + str(wiki.forge.repository.log()) + str(wiki.jobs)
    assert not [key for key in KEYS.values() if key in everything]
