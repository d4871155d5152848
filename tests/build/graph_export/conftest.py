"""Graphs of a department, and the command that exports them."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import pytest

import edgewiki
from tests.department_graph import department_graph, write_artifact

if TYPE_CHECKING:
    from pathlib import Path

    import networkx as nx


@pytest.fixture
def graph() -> nx.MultiDiGraph[str]:
    """A graph of some sixty entities."""
    return department_graph(9)


@pytest.fixture(scope="session")
def small_department(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An artifact with a graph of some sixty entities."""
    return write_artifact(tmp_path_factory.mktemp("department") / "artifact", department_graph(9))


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Any:
    """Run ``edgewiki graph export …``; return its exit code and what it printed."""
    for name in [name for name in os.environ if name.startswith("EDGEWIKI_")]:
        monkeypatch.delenv(name)

    def call(*arguments: object) -> tuple[int, bytes, str]:
        words = [str(argument) for argument in arguments]
        monkeypatch.setattr(sys, "argv", ["edgewiki", "graph", "export", *words])
        capfdbinary.readouterr()
        with pytest.raises(SystemExit) as ended:
            edgewiki.main()
        out, err = capfdbinary.readouterr()
        return int(ended.value.code or 0), out, err.decode()

    return call
