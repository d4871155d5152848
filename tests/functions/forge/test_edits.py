"""Edits are commits in a real repository, and nobody's is lost."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from index_artifacts.errors import ForgeConflictError, ForgeError
from tests.functions.forge.conftest import ANA, BOB, PAGE

if TYPE_CHECKING:
    from collections.abc import Callable

    from functions.forge import Forge
    from tests.forge_server import ForgeServer


def test_a_file_is_read_with_the_hash_that_git_gives_it(forge: Forge, server: ForgeServer) -> None:
    file = forge.read(PAGE)
    assert file is not None
    assert file.content == b"# Nov\xc3\xa9\n"
    entry = server.repository.entry("main", PAGE)
    assert entry is not None
    assert (file.path, file.sha) == (PAGE, entry.sha)
    assert forge.read("nowhere.md") is None


def test_a_file_is_read_as_it_was_in_a_commit(forge: Forge, server: ForgeServer) -> None:
    before = server.repository.head
    server.repository.commit({"index.md": b"# Other\n"})
    then = forge.read("index.md", before)
    assert then is not None
    assert then.content == b"# Wiki\n"
    assert forge.read("index.md", "0" * 40) is None


def test_a_folder_is_listed_and_is_no_file(forge: Forge) -> None:
    assert forge.names("") == {"index.md", "poznámky"}
    assert forge.names("poznámky") == {PAGE.rpartition("/")[2]}
    assert forge.names("nowhere") == frozenset()
    with pytest.raises(ForgeConflictError, match="no file"):
        forge.read("poznámky")


def test_a_file_too_large_to_be_listed_is_read_whole(forge: Forge, server: ForgeServer) -> None:
    large = b"0123456789abcde\n" * 700_000
    server.repository.commit({"large.md": large})
    file = forge.read("large.md")
    assert file is not None
    assert file.content == large


def test_a_new_file_is_a_commit_of_its_author(forge: Forge, server: ForgeServer) -> None:
    path = "guides/#1 žltá?.md"
    commit = forge.write(path, "# Žltá\n".encode(), message="Add a guide\n\nwhy", author=ANA)
    assert server.repository.head == commit.sha
    assert server.repository.show(path) == "# Žltá\n".encode()
    logged = server.repository.log(path)[0]
    assert (logged.author, logged.email) == (ANA.name, ANA.email)
    assert logged.message.strip() == "Add a guide\n\nwhy"
    assert commit.url.endswith(commit.sha)
    again = forge.read(path)
    assert again is not None
    assert again.sha == commit.blob
    assert server.repository.show("index.md") == b"# Wiki\n"


def test_a_file_is_replaced_and_removed_by_its_hash(forge: Forge, server: ForgeServer) -> None:
    file = forge.read("index.md")
    assert file is not None
    commit = forge.write("index.md", b"# Next\n", message="Next", author=ANA, sha=file.sha)
    assert server.repository.show("index.md") == b"# Next\n"
    gone = forge.delete("index.md", message="Gone", author=BOB, sha=commit.blob)
    assert gone.blob == ""
    assert server.repository.show("index.md") is None
    assert [c.message.strip() for c in server.repository.log("index.md")][:2] == ["Gone", "Next"]


def test_a_stale_hash_changes_nothing(forge: Forge, server: ForgeServer) -> None:
    file = forge.read("index.md")
    assert file is not None
    server.repository.commit({"index.md": b"# Somebody's\n"})
    head = server.repository.head
    changes: list[Callable[[], object]] = [
        lambda: forge.write("index.md", b"# Mine\n", message="m", author=ANA, sha=file.sha),
        lambda: forge.write("index.md", b"# Mine\n", message="m", author=ANA),
        lambda: forge.delete("index.md", message="m", author=ANA, sha=file.sha),
        lambda: forge.write("gone.md", b"# Mine\n", message="m", author=ANA, sha=file.sha),
        lambda: forge.delete("gone.md", message="m", author=ANA, sha=file.sha),
    ]
    for change in changes:
        with pytest.raises(ForgeConflictError, match="changed by somebody else"):
            change()
    assert server.repository.head == head


def test_of_two_writers_of_a_page_one_is_told(server: ForgeServer, forge: Forge) -> None:
    file = forge.read("index.md")
    assert file is not None
    results: dict[str, object] = {}
    together = threading.Barrier(2)

    def write(name: str) -> None:
        together.wait()
        try:
            results[name] = forge.write(
                "index.md", f"# {name}\n".encode(), message=name, author=ANA, sha=file.sha
            )
        except ForgeError as error:
            results[name] = error

    threads = [threading.Thread(target=write, args=(name,)) for name in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (loser,) = [name for name in results if isinstance(results[name], ForgeConflictError)]
    (winner,) = set(results) - {loser}
    assert server.repository.show("index.md") == f"# {winner}\n".encode()
    assert len(server.repository.log("index.md")) == 2


def test_writers_of_different_pages_all_get_through(server: ForgeServer, forge: Forge) -> None:
    paths = [f"page-{number}.md" for number in range(4)]
    threads = [
        threading.Thread(
            target=forge.write, args=(path, b"# New\n"), kwargs={"message": path, "author": ANA}
        )
        for path in paths
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(server.repository.show(path) == b"# New\n" for path in paths)
    assert all(len(server.repository.log(path)) == 1 for path in paths)


def test_a_branch_that_moves_on_under_an_edit_does_not_lose_it(
    server: ForgeServer, forge: Forge
) -> None:
    file = forge.read("index.md")
    assert file is not None
    server.api.before_commit = lambda: server.repository.commit({"other.md": b"# Other\n"})
    forge.write("index.md", b"# Mine\n", message="mine", author=ANA, sha=file.sha)
    assert server.repository.show("index.md") == b"# Mine\n"
    assert server.repository.show("other.md") == b"# Other\n"


def test_a_page_that_changes_under_an_edit_wins(server: ForgeServer, forge: Forge) -> None:
    file = forge.read("index.md")
    assert file is not None
    server.api.before_commit = lambda: server.repository.commit({"index.md": b"# Theirs\n"})
    with pytest.raises(ForgeConflictError):
        forge.write("index.md", b"# Mine\n", message="mine", author=ANA, sha=file.sha)
    assert server.repository.show("index.md") == b"# Theirs\n"


def test_a_page_belongs_to_whoever_brought_it(forge: Forge) -> None:
    assert forge.creator("nowhere.md") is None
    forge.write("mine.md", b"# Mine\n", message="m", author=ANA)
    for number in range(3):
        file = forge.read("mine.md")
        assert file is not None
        forge.write("mine.md", b"%d\n" % number, message="m", author=BOB, sha=file.sha)
    assert forge.creator("mine.md") == ANA


def test_a_page_that_came_again_is_not_the_first_ones(forge: Forge) -> None:
    first = forge.write("x.md", b"# Ana's\n", message="m", author=ANA)
    forge.delete("x.md", message="m", author=ANA, sha=first.blob)
    second = forge.write("x.md", b"# Bob's\n", message="m", author=BOB)
    forge.write("x.md", b"# Ana's again\n", message="m", author=ANA, sha=second.blob)
    assert forge.creator("x.md") == BOB


def test_a_page_with_a_long_history_is_nobodys_rather_than_somebody_elses(
    forge: Forge, server: ForgeServer
) -> None:
    stream = ""
    for number in range(101):
        who = ANA if number % 2 else BOB
        base = "from refs/heads/main^0\n" if number == 0 else ""
        then = f"{1_700_000_000 + number} +0000"
        stream += (
            f"commit refs/heads/main\nauthor {who.name} <{who.email}> {then}\n"
            f"committer Forge <forge@example.org> {then}\ndata 1\nm\n{base}"
            f"M 100644 inline long.md\ndata {len(str(number))}\n{number}\n"
        )
    server.repository.git("fast-import", "--quiet", data=stream.encode())
    assert forge.creator("long.md") is None


def test_a_forge_that_lists_few_commits_at_once_makes_nobody_the_creator(
    forge: Forge, server: ForgeServer
) -> None:
    for who in (ANA, BOB, BOB):
        names = {"GIT_AUTHOR_NAME": who.name, "GIT_AUTHOR_EMAIL": who.email}
        server.repository.commit(
            {"page.md": who.email.encode() + b"%d" % len(server.requests)}, **names
        )
        forge.read("page.md")
    assert forge.creator("page.md") == ANA
    server.api.most_at_once = 2
    assert forge.creator("page.md") is None


def test_a_commit_too_large_to_be_listed_whole_makes_nobody_the_creator(
    forge: Forge, server: ForgeServer
) -> None:
    """Else whoever had the page long ago would be taken for who has it now."""
    first = forge.write("x.md", b"# Ana's\n", message="m", author=ANA)
    forge.delete("x.md", message="m", author=ANA, sha=first.blob)
    server.repository.commit({"x.md": b"# Official\n", "a.md": b"# A\n"})
    assert forge.creator("x.md") not in (None, ANA)
    server.api.most_files = 1
    assert forge.creator("x.md") is None


def test_no_path_leads_out_of_the_contents(forge: Forge, server: ForgeServer) -> None:
    for path in ("../branches/main", "a/../../commits", "."):
        with pytest.raises(ForgeError, match="no path"):
            forge.read(path)
    assert server.requests == []


def test_a_workflow_is_started_with_its_inputs(
    forge: Forge, server: ForgeServer, client: Callable[..., Forge]
) -> None:
    forge.start_workflow({"job": "j1"})
    assert server.started == [{"ref": "main", "inputs": {"job": "j1"}}]
    with pytest.raises(ForgeError, match="EDGEWIKI_FORGE_WORKFLOW"):
        client(workflow="other.yml").start_workflow({})
