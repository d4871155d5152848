"""A build in a process of its own: killed at every step, or under another hash seed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from build.config import load_config
from build.pipeline import build_version
from build.publish import publish
from index_artifacts.file_store import FileStore
from index_artifacts.version_store import channel_key
from tests.wiki import commit_all, write_pages

if TYPE_CHECKING:
    from pathlib import Path

PAGES = {
    "edgewiki.toml": '[wiki]\nlanguages = ["en"]\n[model]\nkind = "cooccurrence"\n',
    "servers.md": "---\ntags: [server, network]\nauthor: Jana\n---\n# Servers\n\nA server listens "
    "on a port. See [soup](cooking.md).\n\n## Ports\n\nPort 8080 is used by the proxy.\n",
    "cooking.md": "# Soup\n\nBoil potatoes in water. Add salt and mushrooms.\n",
}


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by its path."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def build(wiki: Path, output: Path, store: Path) -> None:
    """Build in this very process."""
    build_version(wiki, output, load_config(wiki), FileStore(store))


COMMAND = """
import os, signal, sys
from pathlib import Path
import build.pipeline as pipeline
import edgewiki

last, whole = sys.argv.pop(1), pipeline.build_version

def killed(*arguments, progress, **options):
    def watched(phase, done, total):
        if phase == last:
            os.kill(os.getpid(), signal.SIGKILL)
        progress(phase, done, total)
    return whole(*arguments, progress=watched, **options)

def killed_before(step):
    def run(*arguments):
        if step.__name__ == last:
            os.kill(os.getpid(), signal.SIGKILL)
        return step(*arguments)
    return run

pipeline.build_version = killed
pipeline.dump_graph = killed_before(pipeline.dump_graph)
pipeline._put_in_place = killed_before(pipeline._put_in_place)
edgewiki.main()
"""


def run_build(wiki: Path, output: Path, store: Path, last: str = "", seed: str = "0") -> int:
    """Run ``edgewiki build`` in a process of its own, killed when it comes to ``last``."""
    arguments = ["build", str(wiki), "--output", str(output), "--store", store.as_uri()]
    result = subprocess.run(
        [sys.executable, "-c", COMMAND, last, *arguments],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        check=False,
    )
    return result.returncode


STEPS = ("reading", "splitting", "analysing", "embedding", "writing", "dump_graph", "_put_in_place")


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ``wiki``, its artifact ``out`` and a ``store`` that serves it."""
    folder = tmp_path_factory.mktemp("published")
    write_pages(folder / "wiki", PAGES)
    build(folder / "wiki", folder / "out", folder / "store")
    publish(folder / "out", FileStore(folder / "store"))
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("last", STEPS)
def test_a_build_killed_at_any_step_leaves_the_artifact_and_the_channel(
    published: Path, tmp_path: Path, last: str
) -> None:
    here = shutil.copytree(published, tmp_path / "here")
    wiki, output, store = here / "wiki", here / "out", here / "store"
    artifact, stored = contents(output), contents(store)
    write_pages(wiki, {"new.md": "# New\n\nAnother page about another server.\n"})
    assert run_build(wiki, output, store, last) == -signal.SIGKILL
    assert contents(output) == artifact
    after = contents(store)
    assert after[channel_key("latest")] == stored[channel_key("latest")]
    assert {name: data for name, data in after.items() if not name.startswith("cache/")} == {
        name: data for name, data in stored.items() if not name.startswith("cache/")
    }
    build(wiki, output, store)
    assert contents(output)["manifest.json"] != artifact["manifest.json"]


@pytest.mark.slow
def test_another_process_with_another_hash_seed_writes_the_same_bytes(
    tmp_path: Path,
) -> None:
    wiki = write_pages(tmp_path / "wiki", PAGES)
    commit_all(wiki)
    for seed in ("1", "77"):
        assert run_build(wiki, tmp_path / seed, tmp_path / f"store-{seed}", seed=seed) == 0
    assert contents(tmp_path / "1") == contents(tmp_path / "77")


def test_what_a_killed_build_left_behind_a_day_ago_is_removed(tmp_path: Path) -> None:
    wiki = tmp_path / "wiki"
    write_pages(wiki, PAGES)
    old, new = tmp_path / ".artifact-old", tmp_path / ".artifact-new"
    for folder in (old, new):
        folder.mkdir()
    os.utime(old, (0, 0))
    build(wiki, tmp_path / "artifact", tmp_path / "store")
    assert not old.exists()
    assert new.exists()
