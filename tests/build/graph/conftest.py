"""Fixtures of the graph's tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest

from build.lemmas import Lemmas
from tests.graph_wiki import DEMO, Built, build_graph
from tests.wiki import write_pages

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Compile(Protocol):
    """Builds the graph of pages given as text by their paths."""

    def __call__(
        self,
        pages: Mapping[str, str | bytes],
        *profiles: str,
        lemmas: Lemmas | None = None,
        reverse: bool = False,
    ) -> Built: ...


@pytest.fixture
def compile_pages(tmp_path: Path) -> Compile:
    def compiled(
        pages: Mapping[str, str | bytes],
        *profiles: str,
        lemmas: Lemmas | None = None,
        reverse: bool = False,
    ) -> Built:
        wiki = write_pages(tmp_path / "wiki", pages)
        chosen = profiles or ("generic", "thesis")
        return build_graph(wiki, chosen, lemmas or Lemmas(), reverse=reverse)

    return compiled


@pytest.fixture(scope="session")
def demo() -> Built:
    """The demo wiki's graph; words stay as they are, no dictionary is loaded."""
    return build_graph(DEMO, ("generic", "thesis"), Lemmas(), root="pages")
