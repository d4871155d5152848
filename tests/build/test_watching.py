"""``edgewiki watch``: a real process, real files, and a server that picks up what is written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from typer.testing import CliRunner

from build.sources import SourceConfig
from build.watching import Changes, Watcher, between
from edgewiki import app
from index_artifacts.errors import ConfigError
from index_artifacts.file_store import FileStore
from index_artifacts.version_store import read_pointer
from tests.boxes import mail, write_maildir
from tests.s3_server import unused_port
from tests.tiny_wiki import PAGES, write_pages

if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRAM = str(Path(sys.executable).with_name("edgewiki"))
SETTINGS = '[wiki]\nlanguages = ["en"]\n[model]\nkind = "cooccurrence"\n'
SECONDS = 120


@pytest.fixture
def wiki(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith("EDGEWIKI_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("EDGEWIKI_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("EDGEWIKI_REFRESH_SECONDS", "0")
    monkeypatch.chdir(tmp_path)
    return write_pages(tmp_path / "wiki", {**PAGES, "edgewiki.toml": SETTINGS})


class Watching:
    """A running ``edgewiki watch`` and all it has said, a line each."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.said: list[str] = []

    def until(self, words: str) -> str:
        """The next line that holds ``words``; the deadline of the process ends all waiting."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.said.append(line)
            if words in line:
                return line
        raise AssertionError(f"never said {words!r}: {''.join(self.said)}")


@contextmanager
def running(*arguments: str) -> Iterator[Watching]:
    """A real process: interrupted at the end of the block, killed after `SECONDS` at the latest."""
    with subprocess.Popen(
        [PROGRAM, *arguments],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, bufsize=1,
    ) as process:  # fmt: skip
        deadline = threading.Timer(SECONDS, process.kill)
        deadline.start()
        try:
            yield Watching(process)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(SECONDS)
            deadline.cancel()


@contextmanager
def serving() -> Iterator[str]:
    """A real ``edgewiki serve`` over the default store."""
    port = unused_port()
    with running("serve", "wiki", "--port", str(port)) as server:
        server.until("serving")
        yield f"http://127.0.0.1:{port}"


def found(url: str, query: str) -> str:
    """The first page found, asked until the server has come up; empty for none."""
    for _ in range(300):
        try:
            hits = httpx.get(f"{url}/search", params={"q": query, "mode": "lexical"}).json()["hits"]
            return str(hits[0]["document"]["id"]) if hits else ""
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError("the server does not answer")


@pytest.mark.slow
def test_what_is_saved_is_served_and_a_broken_build_ends_nothing(wiki: Path) -> None:
    with running("watch", "wiki") as watching:
        assert "3 pages" in watching.until("latest serves")
        with serving() as url:
            assert found(url, "toner") == "printer.md"
            assert found(url, "heron") == ""

            write_pages(wiki, {"pond.md": "# Pond\n\nA heron stands here. [Gone](gone.md)\n"})
            watching.until("added pond.md")
            assert "note: " in watching.until("pond.md:3:")  # a link that leads nowhere
            assert "4 pages" in watching.until("latest serves")
            assert found(url, "heron") == "pond.md"

            (wiki / "edgewiki.toml").write_text(f"{SETTINGS}colour = 'red'\n")
            watching.until("changed wiki/edgewiki.toml")
            assert "edgewiki.toml: [model] colour is unknown" in watching.until("failed:")
            assert found(url, "heron") == "pond.md"

            (wiki / "edgewiki.toml").write_text(SETTINGS)
            (wiki / "printer.md").unlink()
            watching.until("removed printer.md")
            assert "3 pages" in watching.until("latest serves")
            assert found(url, "toner") == ""
        watching.process.send_signal(signal.SIGINT)
        watching.until("stopped")
        assert watching.process.wait(30) == 0
    assert "Traceback" not in "".join(watching.said)
    assert read_pointer(FileStore(Path(".edgewiki/store")), "latest")[0].reason == "edgewiki watch"


def test_drafts_are_not_published_to_a_store_elsewhere(wiki: Path) -> None:
    refused = CliRunner().invoke(app, ["watch", str(wiki), "--store", "s3://bucket"])
    assert isinstance(refused.exception, ConfigError)
    assert "watch would publish every draft there" in str(refused.exception)


def test_several_saves_in_a_row_are_one_change(wiki: Path) -> None:
    watcher = Watcher(wiki)
    (wiki / "garden.md").unlink()
    write_pages(wiki, {"notes/pond.md": "# Pond\n", "server.md": "# Another\n", ".hidden.md": "x"})
    write_pages(wiki, {"picture.png": "no page", ".git/description.md": "x"})
    assert watcher.wait() == Changes(("notes/pond.md",), ("server.md",), ("garden.md",))


def test_a_page_that_is_saved_with_the_same_size_has_changed(wiki: Path) -> None:
    watcher = Watcher(wiki)
    before = watcher.look()
    text = (wiki / "garden.md").read_text()
    (wiki / "garden.md").write_text(text.replace("basil", "thyme"))
    os.utime(wiki / "garden.md", ns=(1, 1))
    assert between(before, watcher.look()).changed == ("garden.md",)


def test_mail_that_arrives_is_a_change_where_mail_is_a_source(wiki: Path) -> None:
    sources = (SourceConfig(kind="mail", path="mail"),)
    watchers = Watcher(wiki, sources=sources), Watcher(wiki)
    write_maildir(wiki / "mail" / ".Sent", [(mail(), "S")])
    seen, unseen = ([*watcher.look()] for watcher in watchers)
    assert len(seen) == 1
    assert seen[0].startswith("mail/.Sent/cur/")
    assert set(unseen) == set(PAGES)


def test_settings_that_come_and_go_are_changes(wiki: Path) -> None:
    file = wiki / "crew.toml"
    watcher = Watcher(wiki, [file])
    file.write_text("scope = []\n")
    assert watcher.wait().added == (str(file),)
    file.unlink()
    assert watcher.wait().removed == (str(file),)
