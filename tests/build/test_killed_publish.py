"""A publish that is killed, in a real process, at every step that a disk can see."""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from build.publish import publish
from index_artifacts.file_store import FileStore
from index_artifacts.version_store import (
    channel_key,
    read_pointer,
)
from tests.fake_artifact import artifact, served

if TYPE_CHECKING:
    from pathlib import Path


PAUSED_PUBLISH = """
import os, sys
from pathlib import Path
from build.publish import publish
from index_artifacts.file_store import FileStore

def paused(step):
    def run(*arguments, **options):
        print(step.__name__, flush=True)
        sys.stdin.readline()
        return step(*arguments, **options)
    return run

os.link, os.replace, os.fsync = paused(os.link), paused(os.replace), paused(os.fsync)
publish(Path(sys.argv[1]), FileStore(Path(sys.argv[2])))
"""


def publish_until(folder: Path, store: FileStore, steps: int) -> list[str]:
    """Publish in a process that is killed before its step ``steps``; return the steps begun."""
    begun: list[str] = []
    with subprocess.Popen(
        [sys.executable, "-c", PAUSED_PUBLISH, str(folder), str(store.folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line in process.stdout:
            begun.append(line.strip())
            if len(begun) > steps:
                process.kill()
                break
            process.stdin.write("\n")
    return begun


@pytest.mark.slow
def test_a_publish_killed_at_any_step_leaves_the_channel(tmp_path: Path) -> None:
    """The steps are every sync, link and rename: what makes bytes visible or lasting."""
    original = FileStore(tmp_path / "original")
    publish(artifact(tmp_path, "v1"), original)
    before = original.read(channel_key("latest"))
    folder = artifact(tmp_path, "v2")
    whole = publish_until(folder, FileStore(shutil.copytree(original.folder, tmp_path / "w")), 999)
    swap = whole.index("replace")
    assert 10 < len(whole) < 60
    for step in range(len(whole)):
        store = FileStore(shutil.copytree(original.folder, tmp_path / f"store-{step}"))
        assert len(publish_until(folder, store, step)) == step + 1
        if step <= swap:
            assert store.read(channel_key("latest")) == before
            assert served(store).version == "v1"
        else:
            assert served(store).version == "v2"
        publish(folder, store)
        assert served(store).version == "v2"
        assert read_pointer(store, "latest")[0].previous == ("v1",)
