"""New versions under load: no request fails, and nobody is taken back to an older one."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from eval.editions import make_editions
from eval.served_process import served_process
from eval.steady_load import SteadyLoad, steady_load
from eval.workload import LoadQuery

if TYPE_CHECKING:
    from pathlib import Path

    from index_artifacts.artifact import Artifact
    from tests.faults.conftest import FaultyStore

LOAD = SteadyLoad(per_second=50, seconds=20)
VERSIONS = 6
QUESTIONS = [
    LoadQuery(text, mode, mode=mode)
    for text in ("Na akom porte počúva server?", "strojový preklad", "How do I use the cluster?")
    for mode in ("lexical", "hybrid")
]


@pytest.mark.slow
def test_versions_are_swapped_under_load_without_a_failed_request(
    faulty: FaultyStore, small_artifact: Artifact, tmp_path: Path
) -> None:
    """The real model, lexical and hybrid questions in turn, a server process of its own."""
    artifacts = make_editions(small_artifact, tmp_path, VERSIONS)
    published = [faulty.publish(artifacts[0])]
    environ = {**faulty.environ(), "EDGEWIKI_REFRESH_SECONDS": "0.5"}
    with (
        served_process(tmp_path, faulty.url, environ) as process,
        ThreadPoolExecutor(1) as pool,
    ):
        load = pool.submit(asyncio.run, steady_load(process.url, QUESTIONS, LOAD))
        for artifact in artifacts[1:]:
            time.sleep(LOAD.seconds / (VERSIONS + 1))
            published.append(faulty.publish(artifact))
        answers = load.result()
    assert len(answers) == LOAD.per_second * LOAD.seconds
    assert [answer for answer in answers if answer.failure] == []
    order = {version: number for number, version in enumerate(published)}
    seen = {answer.version for answer in answers}
    assert seen <= set(published)
    assert len(seen) > VERSIONS // 2  # on a busy machine, one may be replaced before its turn
    for one, other in pairwise(answers):
        if one.connection == other.connection:
            assert order[one.version] <= order[other.version], (one, other)
