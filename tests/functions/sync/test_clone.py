"""The clone of a local runner, with real repositories on both sides."""

from __future__ import annotations

import os
import shlex
import subprocess
from typing import TYPE_CHECKING

import pytest

from functions.sync.clone import Clone, git_environment
from functions.sync.process import Ended
from index_artifacts.errors import SourceError
from tests.functions.sync.pushed_wiki import Wiki, ran
from tests.wiki import commit_all, git, write_pages

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from functions.settings import Settings


@pytest.fixture
def wiki(tmp_path: Path, sync_settings: Callable[..., Settings]) -> Wiki:
    return Wiki(tmp_path, sync_settings)


def test_a_push_arrives(wiki: Wiki) -> None:
    revision = wiki.push({"c/d.md": "# D\n", "a.md": "# A\n\nChanged.\n"})
    assert wiki.pull() == revision
    head, files = wiki.snapshot()
    assert (head, files["c/d.md"], files["a.md"]) == (revision, b"# D\n", b"# A\n\nChanged.\n")
    assert wiki.pull() == revision


def test_a_removed_page_is_gone_and_a_page_renamed_by_case_has_its_new_name(wiki: Wiki) -> None:
    git(wiki.desk, "rm", "-q", "b.md")
    git(wiki.desk, "mv", "a.md", "A.md")
    wiki.push({})
    wiki.pull()
    assert sorted(wiki.snapshot()[1]) == [".gitignore", "A.md"]
    assert wiki.pull()


def test_a_rename_by_case_arrives_where_git_takes_cases_for_equal(wiki: Wiki) -> None:
    git(wiki.clone, "config", "core.ignorecase", "true")
    git(wiki.desk, "mv", "a.md", "A.md")
    revision = wiki.push({})
    assert wiki.pull() == revision
    assert "A.md" in wiki.snapshot()[1]
    assert wiki.pull() == revision  # and is clean after that


def test_a_branch_that_was_rewritten_is_refused_and_left_alone(wiki: Wiki) -> None:
    wiki.push({"c.md": "# C\n"})
    wiki.pull()
    git(wiki.desk, "reset", "-q", "--hard", "HEAD~1")
    wiki.push({"other.md": "# Other\n"}, "--force")
    wiki.refuses("was rewritten")


def test_a_branch_that_was_wound_back_is_refused(wiki: Wiki) -> None:
    wiki.push({"c.md": "# C\n"})
    wiki.pull()
    git(wiki.desk, "reset", "-q", "--hard", "HEAD~1")
    wiki.push({}, "--force")
    git(wiki.desk, "push", "-q", "--force", "origin", "HEAD~1:refs/heads/main")
    wiki.refuses("was rewritten")


def test_commits_that_the_forge_does_not_have_are_refused(wiki: Wiki) -> None:
    write_pages(wiki.clone, {"mine.md": "# Mine\n"})
    commit_all(wiki.clone)
    wiki.refuses("has commits of its own")


def test_a_shallow_clone_becomes_whole(
    tmp_path: Path, sync_settings: Callable[..., Settings]
) -> None:
    wiki = Wiki(tmp_path, sync_settings)
    for number in range(3):
        wiki.push({"a.md": f"# A\n\n{number}\n"})
    git(tmp_path, "clone", "-q", "--depth=1", wiki.url, str(tmp_path / "shallow"))
    wiki.clone = tmp_path / "shallow"
    assert git(wiki.clone, "rev-list", "--count", "HEAD") == "1"
    revision = wiki.push({"new.md": "# New\n"})
    assert wiki.pull() == revision
    assert git(wiki.clone, "rev-list", "--count", "HEAD") == "5"
    assert git(wiki.clone, "rev-parse", "--is-shallow-repository") == "false"


def test_a_rewritten_branch_is_refused_in_a_shallow_clone_too(
    tmp_path: Path, sync_settings: Callable[..., Settings]
) -> None:
    wiki = Wiki(tmp_path, sync_settings)
    wiki.push({"c.md": "# C\n"})
    git(tmp_path, "clone", "-q", "--depth=1", wiki.url, str(tmp_path / "shallow"))
    wiki.clone = tmp_path / "shallow"
    git(wiki.desk, "commit", "-q", "--amend", "-m", "rewritten")
    git(wiki.desk, "push", "-q", "--force", "origin", "HEAD:refs/heads/main")
    wiki.refuses("was rewritten")


def test_a_changed_page_stops_the_pull(wiki: Wiki) -> None:
    wiki.push({"a.md": "# A\n\nTheirs.\n"})
    write_pages(wiki.clone, {"b.md": "# B\n\nMine.\n"})
    wiki.refuses(r"is not clean \( M b.md\)")


def test_an_untracked_file_stops_the_pull_and_an_ignored_one_does_not(wiki: Wiki) -> None:
    revision = wiki.push({"a.md": "# A\n\nTheirs.\n"})
    write_pages(wiki.clone, {"deep/er/draft.md": "# Draft\n"})
    wiki.refuses(r"\?\? deep/er/draft.md")
    (wiki.clone / "deep/er/draft.md").unlink()
    write_pages(wiki.clone, {"deep/er/notes.tmp": "ignored"})
    assert wiki.pull() == revision
    assert (wiki.clone / "deep/er/notes.tmp").read_text() == "ignored"


def test_a_clone_that_hides_untracked_files_is_not_believed(wiki: Wiki) -> None:
    git(wiki.clone, "config", "status.showUntrackedFiles", "no")
    write_pages(wiki.clone, {"draft.md": "# Draft\n"})
    wiki.refuses("draft.md")


def test_another_branch_and_a_detached_head_are_refused(wiki: Wiki) -> None:
    git(wiki.clone, "checkout", "-q", "-b", "feature/main")
    wiki.refuses("is on feature/main, not on main")
    git(wiki.clone, "checkout", "-q", "--detach")
    wiki.refuses("detached HEAD")


def test_another_origin_is_refused_before_anything_is_fetched(wiki: Wiki, tmp_path: Path) -> None:
    git(wiki.clone, "remote", "set-url", "origin", (tmp_path / "evil.git").as_uri())
    wiki.refuses("evil.git, not file://")
    git(wiki.clone, "remote", "remove", "origin")
    wiki.refuses("No such remote")


def test_an_origin_that_git_is_told_to_replace_is_seen_as_what_it_becomes(wiki: Wiki) -> None:
    git(wiki.clone, "config", "url.file:///elsewhere/.insteadOf", wiki.url.rpartition("/")[0] + "/")
    wiki.refuses("origin is file:///elsewhere/")


@pytest.mark.parametrize(
    ("origin", "fields"),
    [
        ("git@github.com:noll/wiki.git", {}),
        ("https://github.com/Noll/Wiki", {}),
        ("https://token:secret@github.com/noll/wiki.git", {}),
        ("ssh://git@github.com:22/noll/wiki.git", {}),
        ("git@git.example.org:noll/wiki.git",
         {"forge": "gitea", "forge_url": "https://git.example.org/api/v1"}),
    ],
)  # fmt: skip
def test_the_forges_own_addresses_are_known(
    wiki: Wiki, sync_settings: Callable[..., Settings], origin: str, fields: dict[str, str]
) -> None:
    git(wiki.clone, "remote", "set-url", "origin", origin)
    asked: list[str] = []

    def stop_at_fetch(command: list[str], env: Mapping[str, str]) -> Ended:
        asked.append(command[3])
        return Ended(1, "", ("no network here",)) if command[3] == "fetch" else ran(command, env)

    clone = Clone(wiki.clone, sync_settings(**fields), stop_at_fetch)
    with pytest.raises(SourceError, match="no network here"):
        clone.pull()
    assert asked[-1] == "fetch"


@pytest.mark.parametrize(
    "origin",
    [
        "https://github.com.evil.example/noll/wiki", "https://evil.example/github.com/noll/wiki",
        "git@github.com:noll/wiki2.git", "/noll/wiki", "https://user:secret@github.com/eve/wiki",
        "ext::sh -c true", "https://[bad/noll/wiki",
    ],
)  # fmt: skip
def test_other_addresses_are_not(wiki: Wiki, origin: str) -> None:
    git(wiki.clone, "remote", "set-url", "origin", origin)
    wiki.refuses("origin is", git_origin="")
    with pytest.raises(SourceError) as refused:
        wiki.pull(git_origin="")
    assert "secret" not in str(refused.value)


def test_a_locked_index_is_named_and_nothing_is_half_done(wiki: Wiki) -> None:
    revision = wiki.push({"a.md": "# A\n\nTheirs.\n", "c.md": "# C\n"})
    lock = wiki.clone / ".git" / "index.lock"
    lock.touch()
    wiki.refuses("index.lock")
    lock.unlink()
    assert wiki.pull() == revision


def test_a_forge_that_is_away_is_said_so(wiki: Wiki) -> None:
    wiki.forge.rename(wiki.forge.with_name("moved.git"))
    wiki.refuses("git fetch failed")


def test_one_branch_comes_and_no_tag(wiki: Wiki) -> None:
    wiki.push({"draft.md": "# Draft\n"}, branch="drafts")
    git(wiki.desk, "tag", "v1")
    git(wiki.desk, "push", "-q", "origin", "v1")
    git(wiki.desk, "reset", "-q", "--hard", "HEAD~1")
    revision = wiki.push({"c.md": "# C\n"})
    assert wiki.pull() == revision
    assert git(wiki.clone, "tag") == ""
    assert "drafts" not in git(wiki.clone, "branch", "--all")


def test_a_branch_and_a_tag_of_one_name_are_not_mistaken(wiki: Wiki) -> None:
    git(wiki.desk, "tag", "main")
    git(wiki.desk, "push", "-q", "origin", "refs/tags/main")
    revision = wiki.push({"c.md": "# C\n"})
    assert wiki.pull() == revision


def test_hooks_and_watchers_of_the_clone_do_not_run(wiki: Wiki, tmp_path: Path) -> None:
    proof = tmp_path / "ran"
    hook = f"#!/bin/sh\ntouch {shlex.quote(str(proof))}\n"
    for name in ("post-merge", "post-checkout", "reference-transaction"):
        file = wiki.clone / ".git" / "hooks" / name
        file.write_text(hook)
        file.chmod(0o755)
    watcher = tmp_path / "watcher"
    watcher.write_text(hook)
    watcher.chmod(0o755)
    git(wiki.clone, "config", "core.fsmonitor", str(watcher))
    revision = wiki.push({"c.md": "# C\n"})
    assert wiki.pull() == revision
    assert not proof.exists()


def test_a_submodule_is_neither_fetched_nor_in_the_way(wiki: Wiki, tmp_path: Path) -> None:
    write_pages(tmp_path / "other", {"x.md": "# X\n"})
    commit_all(tmp_path / "other")
    git(
        wiki.desk, "-c", "protocol.file.allow=always", "submodule", "-q", "add",
        (tmp_path / "other").as_uri(), "sub",
    )  # fmt: skip
    wiki.push({})
    wiki.pull()
    revision = wiki.push({"c.md": "# C\n"})
    assert wiki.pull() == revision
    assert not list((wiki.clone / "sub").iterdir())


def test_variables_of_git_do_not_lead_it_elsewhere(
    wiki: Wiki, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    revision = wiki.push({"c.md": "# C\n"})
    with monkeypatch.context() as patched:
        patched.setenv("GIT_DIR", str(tmp_path / "nowhere"))
        patched.setenv("GIT_WORK_TREE", str(tmp_path))
        patched.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
        assert wiki.pull() == revision


def test_ssh_asks_nobody_trusts_nobody_new_and_uses_one_key(
    sync_settings: Callable[..., Settings], tmp_path: Path
) -> None:
    folder = tmp_path / "my keys 100%"
    settings = sync_settings(git_ssh_key=folder / "id", git_known_hosts=folder / "known_hosts")
    environment = git_environment(settings)
    words = shlex.split(environment["GIT_SSH_COMMAND"])
    assert environment["GIT_TERMINAL_PROMPT"] == "0"
    shown = subprocess.run(
        [*words, "-F", os.devnull, "-G", "git.example.org"],
        capture_output=True,
        text=True,
        check=False,
    )
    if shown.returncode:
        pytest.skip("no ssh here")
    options = dict(line.split(" ", 1) for line in shown.stdout.splitlines() if " " in line)
    assert options["batchmode"] == "yes"
    assert options["stricthostkeychecking"] in {"yes", "true"}
    assert options["identitiesonly"] == "yes"
    # Until it connects, ssh shows names as they were given.
    assert options["identityfile"].replace("%%", "%") == str(folder / "id")
    hosts = options["userknownhostsfile"].strip('"').replace("%%", "%")
    assert hosts == str(folder / "known_hosts")


def test_a_remote_that_runs_a_command_is_refused_by_git_itself(wiki: Wiki, tmp_path: Path) -> None:
    url = f"ext::sh -c 'touch {tmp_path / 'ran'}'"
    git(wiki.clone, "remote", "set-url", "origin", url)
    git(wiki.clone, "config", "protocol.ext.allow", "always")
    wiki.refuses("not allowed", git_origin=url)
    assert not (tmp_path / "ran").exists()
