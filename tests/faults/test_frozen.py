"""A process that is frozen between two requests, as Lambda does, and thawed later."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING, Any

import pytest

from eval.lambda_runtime import LambdaProcess, lambda_process
from tests.faults.conftest import FaultyStore, until
from tests.functions.conftest import KEY
from tests.functions.test_lambda import body_of, load
from tests.keys import one_key

if TYPE_CHECKING:
    from pathlib import Path

    from index_artifacts.artifact import Artifact


def environ(faulty: FaultyStore, tmp_path: Path, **settings: str) -> dict[str, str]:
    return {
        **faulty.environ(),
        "EDGEWIKI_STORE": faulty.url,
        "EDGEWIKI_CACHE_DIR": str(tmp_path / "cache"),
        "EDGEWIKI_API_KEYS": one_key(KEY),
        **settings,
    }


def answered(function: LambdaProcess) -> str:
    answer: dict[str, Any] = function.invoke(load("http-api"))
    assert answer["statusCode"] == 200, answer
    return str(body_of(answer)["index_version"])


@pytest.mark.slow
def test_a_process_thawed_with_an_old_pointer_answers_from_the_new_version(
    faulty: FaultyStore, versions: list[Artifact], tmp_path: Path
) -> None:
    """Time passes for a frozen process, too, and its connections are gone when it wakes."""
    old = faulty.publish(versions[0])
    settings = environ(faulty, tmp_path, EDGEWIKI_REFRESH_SECONDS="0.5")
    with lambda_process(tmp_path, settings) as function:
        assert answered(function) == old
        os.kill(function.pid, signal.SIGSTOP)
        new = faulty.publish(versions[1])
        faulty.way.stop()
        faulty.way.start()
        time.sleep(0.6)
        os.kill(function.pid, signal.SIGCONT)
        assert answered(function) == new
        assert answered(function) == new


@pytest.mark.slow
def test_a_process_frozen_in_the_middle_of_a_refresh_finishes_it_later(
    faulty: FaultyStore, versions: list[Artifact], tmp_path: Path
) -> None:
    """The request was answered from the old version; the download stood still and was cut off."""
    old = faulty.publish(versions[0])
    settings = environ(
        faulty, tmp_path, EDGEWIKI_REFRESH_SECONDS="0", EDGEWIKI_REFRESH_WAIT_SECONDS="0.2"
    )
    with lambda_process(tmp_path, settings) as function:
        assert answered(function) == old
        new = faulty.publish(versions[1])
        faulty.way.slow_down(100_000)
        assert answered(function) == old
        until(lambda: bool(halves(tmp_path)), "the download has begun")
        os.kill(function.pid, signal.SIGSTOP)
        faulty.way.stop()
        faulty.way.start()
        os.kill(function.pid, signal.SIGCONT)
        until(lambda: answered(function) == new, "the new version is served in the end")
        assert not halves(tmp_path)


def halves(tmp_path: Path) -> list[Path]:
    return list((tmp_path / "cache" / "objects").glob(".*"))
