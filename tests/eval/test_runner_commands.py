"""``edgewiki eval robustness`` and ``edgewiki eval load`` as their user meets them."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner, Result

from eval.command import app
from index_artifacts.errors import ConfigError
from tests.eval.golden_files import QUESTIONS, write_golden
from tests.tiny_wiki import build_and_publish

if TYPE_CHECKING:
    from pathlib import Path


STEP = ("--seconds", "0.1", "--max-requests", "8", "--max-concurrency", "2", "--json")


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tiny wiki's ``artifact`` and the ``store`` that serves it."""
    folder = tmp_path_factory.mktemp("published")
    build_and_publish(folder / "store", folder)
    return folder


@pytest.fixture
def golden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith("EDGEWIKI_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("EDGEWIKI_CACHE_DIR", str(tmp_path / "cache"))
    return write_golden(tmp_path / "golden", QUESTIONS)


def call(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_robustness_prints_a_table_or_json(published: Path, golden: Path) -> None:
    common = ("robustness", golden, "--artifact", published / "artifact")
    shown = call(*common, "--perturbation", "order")
    assert shown.exit_code == 0
    assert "golden, hybrid: clean page@1" in shown.stdout
    assert "2: all shuffled" in shown.stdout
    as_json = call(*common, "--perturbation", "order", "--json", "--limit-questions", 1)
    run = json.loads(as_json.stdout)
    assert (run["questions"], run["mode"], run["test_looks"]) == (1, "hybrid", 0)
    assert {drop["perturbation"] for drop in run["drops"]} == {"order"}


def test_a_look_at_test_is_counted(published: Path, golden: Path) -> None:
    common = ("robustness", golden, "--artifact", published / "artifact", "--split", "test")
    assert "looked at 1 times" in call(*common, "--perturbation", "case").stdout
    assert "looked at 2 times" in call(*common, "--perturbation", "case").stdout


@pytest.mark.parametrize("place", ["artifact", "store"])
def test_load_runs_in_process(published: Path, golden: Path, place: str) -> None:
    where = published / place
    target = f"file://{where}" if place == "store" else where
    done = call("load", golden, f"--{place}", target, *STEP)
    assert done.exit_code == 0, done.output
    run = json.loads(done.stdout)
    assert run["steps"][0]["concurrency"] == 1
    assert run["steps"][0]["overall"]["errors"] == 0
    assert run["steps"][0]["overall"]["requests"] <= 8


def test_load_refuses_another_machine_and_two_targets(golden: Path) -> None:
    remote = call("load", golden, "--url", "http://192.0.2.1")
    assert isinstance(remote.exception, ConfigError)
    assert "--allow-remote" in str(remote.exception)
    for places in ((), ("--url", "http://127.0.0.1:1", "--store", "file:///nowhere")):
        result = call("load", golden, *places)
        assert isinstance(result.exception, ConfigError)
        assert "one of them" in str(result.exception)
