"""What a run of a forge's CI is about."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from build.forge_run import ForgeRun, read_run
from index_artifacts.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path


def environ(folder: Path, event: dict[str, Any], **others: str) -> dict[str, str]:
    (folder / "event.json").write_text(json.dumps(event))
    return {
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_EVENT_PATH": str(folder / "event.json"),
        "GITHUB_REPOSITORY": "dept/wiki",
        **others,
    }


def opened(source: str | None) -> dict[str, Any]:
    repository = {"full_name": source} if source else None
    return {"action": "opened", "number": 7, "pull_request": {"head": {"repo": repository}}}


def test_outside_of_a_forge_a_run_is_of_nothing() -> None:
    run = read_run({})
    assert run == ForgeRun()
    assert run.preview is None
    run.write_outputs(version="v1")
    run.write_summary(["# done"])


def test_a_pull_request_has_a_preview(tmp_path: Path) -> None:
    run = read_run(environ(tmp_path, opened("dept/wiki")))
    assert (run.preview, run.closed) == ("preview-7", False)


@pytest.mark.parametrize("source", ["stranger/wiki", None])
def test_a_fork_is_refused_even_where_the_workflow_lets_it_in(
    tmp_path: Path, source: str | None
) -> None:
    with pytest.raises(ConfigError, match="a fork's pages are never published"):
        read_run(environ(tmp_path, opened(source)))


def test_an_event_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="names no number"):
        read_run(environ(tmp_path, {"action": "opened"}))
    given = environ(tmp_path, {})
    (tmp_path / "event.json").write_text("{")
    with pytest.raises(ConfigError, match=r"event\.json.*is not JSON"):
        read_run(given)


def test_a_push_of_a_forge_has_a_page_and_files_to_write_to(tmp_path: Path) -> None:
    given = environ(
        tmp_path, {}, GITHUB_EVENT_NAME="push", GITHUB_SERVER_URL="https://forge.example",
        GITHUB_RUN_ID="4711", GITHUB_RUN_NUMBER="12", GITHUB_OUTPUT=str(tmp_path / "out"),
        GITHUB_STEP_SUMMARY=str(tmp_path / "summary"),
    )  # fmt: skip
    run = read_run(given)
    assert run.url == "https://forge.example/dept/wiki/actions/runs/4711"
    assert read_run({**given, "GITEA_ACTIONS": "true"}).url.endswith("/runs/12")
    run.write_outputs(version="v1", channel="latest")
    run.write_summary(["Channel `latest`", "", "- 3 pages"])
    assert (tmp_path / "out").read_text() == "version=v1\nchannel=latest\n"
    assert (tmp_path / "summary").read_text() == "Channel `latest`\n\n- 3 pages\n"
