"""What Git tells of a wiki, asked of real repositories."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from build.git import ANCESTORS, Repository, open_repository
from index_artifacts.records import Revision
from index_artifacts.schema import MAX_REVISIONS
from tests.wiki import commit_all, git, write_pages

if TYPE_CHECKING:
    from pathlib import Path


def opened(folder: Path) -> Repository:
    repository = open_repository(folder)
    assert repository is not None
    return repository


def last_changes(folder: Path) -> dict[str, tuple[str, str]]:
    """Date and author of each file's newest commit."""
    history = opened(folder).history()
    return {path: (commits[0].date, commits[0].author) for path, commits in history.items()}


def test_a_source_is_the_commit_its_date_in_utc_and_its_ancestors(tmp_path: Path) -> None:
    write_pages(tmp_path, {"a.md": "1"})
    first = commit_all(tmp_path, date="2026-01-01T12:00:00Z")
    second = commit_all(tmp_path, date="2026-02-01T12:00:00Z")
    third = commit_all(tmp_path, date="2026-03-01T01:30:00+02:00")
    source = opened(tmp_path).source()
    assert source.revision == third
    assert source.committed_at == "2026-02-28T23:30:00Z"
    assert source.ancestors == (second, first)
    assert not source.dirty


def test_what_was_merged_is_an_ancestor_too(tmp_path: Path) -> None:
    first = commit_all(write_pages(tmp_path, {"a.md": "1"}))
    git(tmp_path, "checkout", "-q", "-b", "side")
    side = commit_all(write_pages(tmp_path, {"b.md": "1"}))
    git(tmp_path, "checkout", "-q", "main")
    main = commit_all(write_pages(tmp_path, {"c.md": "1"}))
    git(tmp_path, "merge", "-q", "side", "-m", "merge")
    source = opened(tmp_path).source()
    assert set(source.ancestors) == {first, side, main}


def test_ancestors_of_a_long_history_are_the_nearest(tmp_path: Path) -> None:
    first = commit_all(write_pages(tmp_path, {"a.md": "1"}))
    stream = f"reset refs/heads/long\nfrom {first}\n\n" + "".join(
        f"commit refs/heads/long\ncommitter A <a@b> {1767300000 + n} +0000\ndata 1\nx\n\n"
        for n in range(ANCESTORS + 20)
    )
    command = ["git", "-C", str(tmp_path), "fast-import", "--quiet"]
    subprocess.run(command, input=stream.encode(), check=True)
    git(tmp_path, "checkout", "-q", "long")
    source = opened(tmp_path).source()
    assert len(source.ancestors) == ANCESTORS
    assert source.ancestors[0] == git(tmp_path, "rev-parse", "HEAD^")
    assert first not in source.ancestors


@pytest.mark.parametrize("change", ["edited", "untracked", "staged", "deleted"])
def test_a_changed_work_tree_is_dirty(tmp_path: Path, change: str) -> None:
    commit_all(write_pages(tmp_path, {"a.md": "1", "b.md": "1"}))
    if change == "deleted":
        (tmp_path / "b.md").unlink()
    else:
        write_pages(tmp_path, {"new.md" if change == "untracked" else "a.md": "2"})
    if change == "staged":
        git(tmp_path, "add", ".")
    assert opened(tmp_path).source().dirty


def test_what_a_build_leaves_in_the_wiki_does_not_make_it_dirty(tmp_path: Path) -> None:
    commit_all(write_pages(tmp_path, {"a.md": "1"}))
    write_pages(tmp_path, {".edgewiki/artifact/manifest.json": "{}", ".edgewiki/store/x": ""})
    assert not opened(tmp_path).source().dirty


def test_changes_elsewhere_in_the_repository_do_not_make_a_subfolder_dirty(tmp_path: Path) -> None:
    commit_all(write_pages(tmp_path, {"wiki/a.md": "1", "code.py": "1"}))
    write_pages(tmp_path, {"code.py": "2"})
    assert not opened(tmp_path / "wiki").source().dirty
    assert opened(tmp_path).source().dirty


def test_each_page_has_the_date_and_author_of_its_own_last_commit(tmp_path: Path) -> None:
    commit_all(
        write_pages(tmp_path, {"a.md": "1", "žltý kôň/ř.md": "1"}),
        author="Božena Němcová",
        date="2026-01-01T12:00:00+01:00",
    )
    commit_all(write_pages(tmp_path, {"a.md": "2"}), author="Ivan", date="2026-02-01T12:00:00Z")
    commit_all(write_pages(tmp_path, {"other.txt": ""}), date="2026-03-01T12:00:00Z")
    changes = last_changes(tmp_path)
    assert changes["a.md"] == ("2026-02-01T12:00:00Z", "Ivan")
    assert changes["žltý kôň/ř.md"] == ("2026-01-01T11:00:00Z", "Božena Němcová")


def test_a_renamed_page_was_last_changed_by_its_renaming(tmp_path: Path) -> None:
    commit_all(write_pages(tmp_path, {"old.md": "a text\n" * 50}), date="2026-01-01T12:00:00Z")
    git(tmp_path, "mv", "old.md", "new.md")
    commit_all(tmp_path, author="Renamer", date="2026-02-01T12:00:00Z")
    assert last_changes(tmp_path)["new.md"] == ("2026-02-01T12:00:00Z", "Renamer")


def test_a_merge_that_changes_nothing_itself_is_nobodys_last_change(tmp_path: Path) -> None:
    commit_all(write_pages(tmp_path, {"a.md": "1", "b.md": "1"}), date="2026-01-01T12:00:00Z")
    git(tmp_path, "checkout", "-q", "-b", "side")
    side = {"author": "Side", "date": "2026-02-01T12:00:00Z"}
    commit_all(write_pages(tmp_path, {"a.md": "side"}), **side)
    git(tmp_path, "checkout", "-q", "main")
    commit_all(write_pages(tmp_path, {"b.md": "main"}), author="Main", date="2026-03-01T12:00:00Z")
    git(tmp_path, "merge", "-q", "side", "-m", "m", author="Merger", date="2026-04-01T12:00:00Z")
    changes = last_changes(tmp_path)
    assert changes["a.md"] == ("2026-02-01T12:00:00Z", "Side")
    assert changes["b.md"] == ("2026-03-01T12:00:00Z", "Main")


def test_whoever_resolves_a_conflict_changed_the_page_last(tmp_path: Path) -> None:
    commit_all(write_pages(tmp_path, {"wiki/a.md": "1", "b.md": "1"}), date="2026-01-01T12:00:00Z")
    git(tmp_path, "checkout", "-q", "-b", "side")
    commit_all(write_pages(tmp_path, {"wiki/a.md": "side"}), date="2026-02-01T12:00:00Z")
    git(tmp_path, "checkout", "-q", "main")
    commit_all(write_pages(tmp_path, {"wiki/a.md": "main"}), date="2026-03-01T12:00:00Z")
    with pytest.raises(subprocess.CalledProcessError):
        git(tmp_path, "merge", "-q", "side")
    write_pages(tmp_path, {"wiki/a.md": "both"})
    commit_all(tmp_path, author="Merger", date="2026-04-01T12:00:00Z")
    merged = ("2026-04-01T12:00:00Z", "Merger")
    assert last_changes(tmp_path)["wiki/a.md"] == merged
    assert last_changes(tmp_path / "wiki")["a.md"] == merged


def test_a_history_is_the_commits_of_a_page_newest_first(tmp_path: Path) -> None:
    commit_all(write_pages(tmp_path, {"a.md": "1", "b.md": "1"}), date="2026-01-01T12:00:00Z")
    write_pages(tmp_path, {"a.md": "2"})
    git(tmp_path, "add", "--all")
    message = "Say which port\n\nBecause it moved.\n"
    git(tmp_path, "commit", "-q", "-m", message, author="Eva", date="2026-02-01T12:00:00Z")
    head = git(tmp_path, "rev-parse", "HEAD")
    history = opened(tmp_path).history()
    assert history["a.md"][0] == Revision(head, "2026-02-01T12:00:00Z", "Eva", "Say which port")
    assert history["a.md"][1:] == history["b.md"]
    assert [commit.subject for commit in history["b.md"]] == ["change"]


def test_a_merge_is_in_the_history_of_what_it_changed_itself(tmp_path: Path) -> None:
    commit_all(write_pages(tmp_path, {"a.md": "1", "b.md": "1"}), date="2026-01-01T12:00:00Z")
    git(tmp_path, "checkout", "-q", "-b", "side")
    commit_all(write_pages(tmp_path, {"a.md": "side"}), author="S", date="2026-02-01T12:00:00Z")
    git(tmp_path, "checkout", "-q", "main")
    commit_all(write_pages(tmp_path, {"b.md": "main"}), author="M", date="2026-03-01T12:00:00Z")
    git(tmp_path, "merge", "-q", "--no-commit", "side")
    write_pages(tmp_path, {"b.md": "both"})
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "-q", "-m", "m", author="Merger", date="2026-04-01T12:00:00Z")
    history = opened(tmp_path).history()
    assert [commit.author for commit in history["a.md"]] == ["S", "Ana"]
    # It differs from the side's b.md and from the main line's.
    assert [commit.author for commit in history["b.md"]] == ["Merger", "M", "Ana"]


def test_a_renamed_page_begins_a_history_of_its_own(tmp_path: Path) -> None:
    commit_all(write_pages(tmp_path, {"old.md": "a text\n" * 50}), date="2026-01-01T12:00:00Z")
    git(tmp_path, "mv", "old.md", "new.md")
    commit_all(tmp_path, author="Renamer", date="2026-02-01T12:00:00Z")
    history = opened(tmp_path).history()
    assert [commit.author for commit in history["new.md"]] == ["Renamer"]
    assert [commit.author for commit in history["old.md"]] == ["Renamer", "Ana"]


def test_a_long_history_keeps_its_newest_commits(tmp_path: Path) -> None:
    commit_all(write_pages(tmp_path, {"a.md": "1"}))
    stream = "".join(
        f"commit refs/heads/main\ncommitter A <a@b> {1767300000 + n} +0000\ndata 3\n{n:03}\n"
        + ("from refs/heads/main^0\n" if n == 0 else "")
        + f"M 100644 inline a.md\ndata 3\n{n:03}\n\n"
        for n in range(MAX_REVISIONS + 5)
    )
    command = ["git", "-C", str(tmp_path), "fast-import", "--quiet"]
    subprocess.run(command, input=stream.encode(), check=True)
    subjects = [commit.subject for commit in opened(tmp_path).history()["a.md"]]
    assert subjects == [f"{n:03}" for n in reversed(range(5, MAX_REVISIONS + 5))]


@pytest.mark.parametrize(
    ("message", "subject"),
    [
        ("\x1b[31mred\x01\u202etxt\tend", "[31mred txt end"),
        ("x" * 300, "x" * 199 + "…"),
        ("Zmeň port → 8080", "Zmeň port → 8080"),
    ],
)
def test_a_subject_is_one_short_line_that_no_terminal_obeys(
    tmp_path: Path, message: str, subject: str
) -> None:
    commit_all(write_pages(tmp_path, {"\x01odd\nname.md": "1"}))
    write_pages(tmp_path, {"\x01odd\nname.md": "2"})
    git(tmp_path, "commit", "-q", "-a", "-m", message)
    history = opened(tmp_path).history()
    assert [commit.subject for commit in history["\x01odd\nname.md"]] == [subject, "change"]


def test_the_users_settings_of_git_do_not_show_in_a_history(tmp_path: Path) -> None:
    write_pages(tmp_path, {"a.md": "1"})
    commit_all(tmp_path, author="Božena")
    before = opened(tmp_path).history()
    for setting, value in (
        ("i18n.logOutputEncoding", "ISO-8859-2"), ("log.showSignature", "true"),
        ("log.date", "relative"), ("diff.renames", "copies"), ("core.quotePath", "true"),
        ("log.decorate", "full"), ("color.ui", "always"),
    ):  # fmt: skip
        git(tmp_path, "config", setting, value)
    assert opened(tmp_path).history() == before


def test_a_wiki_in_a_subfolder_sees_its_own_files_alone(tmp_path: Path) -> None:
    commit_all(write_pages(tmp_path, {"docs/wiki/a.md": "1", "docs/b.md": "1", "a.md": "1"}))
    repository = opened(tmp_path / "docs" / "wiki")
    assert repository.files() == ["a.md"]
    assert repository.history().keys() == {"a.md"}


def test_a_shallow_clone_has_no_dates_rather_than_false_ones(tmp_path: Path) -> None:
    commit_all(write_pages(tmp_path / "origin", {"a.md": "1"}))
    head = commit_all(write_pages(tmp_path / "origin", {"b.md": "1"}))
    url = (tmp_path / "origin").as_uri()
    git(tmp_path, "clone", "-q", "--depth", "1", url, "shallow")
    repository = opened(tmp_path / "shallow")
    assert repository.is_shallow()
    assert repository.history() == {}
    assert repository.source().revision == head
    assert repository.files() == ["a.md", "b.md"]


def test_an_authors_name_that_is_no_utf8_can_still_be_written_down(tmp_path: Path) -> None:
    commit_all(write_pages(tmp_path, {"a.md": "1"}))
    stream = b"commit refs/heads/main\nauthor Ji\xf8\xed <j@x> 1767300000 +0000\n"
    stream += b"committer Ji\xf8\xed <j@x> 1767300000 +0000\ndata 1\nx\n"
    stream += b"from refs/heads/main^0\nM 100644 inline b.md\ndata 1\nx\n\n"
    command = ["git", "-C", str(tmp_path), "fast-import", "--quiet"]
    subprocess.run(command, input=stream, check=True)
    _, author = last_changes(tmp_path)["b.md"]
    assert author.startswith("Ji")
    author.encode()


def test_a_plain_folder_and_an_unborn_repository_are_no_repository(tmp_path: Path) -> None:
    write_pages(tmp_path / "plain", {"a.md": ""})
    assert open_repository(tmp_path / "plain") is None
    write_pages(tmp_path / "unborn", {"a.md": ""})
    git(tmp_path / "unborn", "init", "-q")
    assert open_repository(tmp_path / "unborn") is None


def test_a_folder_that_a_repository_around_it_does_not_track_is_plain(tmp_path: Path) -> None:
    commit_all(write_pages(tmp_path, {"code.py": ""}))
    write_pages(tmp_path / "wiki", {"a.md": ""})
    assert open_repository(tmp_path / "wiki") is None
