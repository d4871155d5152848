"""What is measured side by side: a mode with a fusion, or a single lexical leg, by name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from index_artifacts.errors import ConfigError, ModelError
from index_artifacts.search import FUSIONS, MODES, Searcher, SearchRequest
from index_artifacts.tuning import Tuning

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from index_artifacts.encoder import Encoder
    from index_artifacts.hits import Hit

ALL_SYSTEMS = ("hybrid", "hybrid-rrf", "lexical", "vector", "cascade", "flat", "lemma", "trigram")

# As many as a request may ask for: ten different pages need more than ten chunks.
_DEPTH = 50
_LEXICAL = ("lemma", "trigram")


@dataclass(frozen=True, slots=True)
class System:
    """A way to ask. ``leg`` names the single lexical leg that ranks, ``weights`` make it so.

    A single leg keeps the title anchor of the mode ``lexical``.
    """

    name: str
    mode: str
    fusion: str = "weighted"
    leg: str = ""
    weights: Mapping[str, float] = field(default_factory=dict)

    def ready(self, searcher: Searcher) -> Searcher:
        """The searcher to ask: ``searcher`` itself, or one with this system's weights."""
        if not self.weights:
            return searcher
        alone = Searcher(searcher.index, _no_encoder)
        alone.tuning = Tuning.from_dict({**searcher.tuning.to_dict(), **self.weights})
        return alone

    def ask(self, searcher: Searcher, question: str) -> tuple[tuple[Hit, ...], float, bool]:
        """Hits, best first; milliseconds; and whether every leg ran.

        The time does not count reading the hits: nobody but an evaluation asks for fifty.
        """
        request = SearchRequest(question, limit=_DEPTH, mode=self.mode, fusion=self.fusion)
        result = searcher.search(request)
        hits = result.hits
        if self.leg:  # what only the other leg has found comes after, in no order
            hits = tuple(hit for hit in hits if getattr(hit.scores, self.leg))
        milliseconds = sum(ms for part, ms in result.milliseconds.items() if part != "hits")
        return hits, milliseconds, result.complete


def parse_systems(names: Sequence[str]) -> tuple[System, ...]:
    """Systems by name: a mode, ``MODE-FUSION``, ``lemma`` or ``trigram``.

    Raises `ConfigError` for any other name, a repeated one, or none at all.
    """
    if len(set(names)) < len(names) or not names:
        raise ConfigError(f"systems {', '.join(names)!r}: name each one once")
    return tuple(_parse(name) for name in names)


def _parse(name: str) -> System:
    if name in _LEXICAL:
        weights = {
            f"{prefix}{leg}_weight": float(leg == name)
            for leg in _LEXICAL
            for prefix in ("", "cross_")
        }
        return System(name, "lexical", leg=name, weights=weights)
    mode, _, fusion = name.partition("-")
    if mode not in MODES or (fusion or "weighted") not in FUSIONS:
        raise ConfigError(
            f"system {name!r} is unknown; use {', '.join(MODES)}, one of them with "
            f"{' or '.join(f'-{fusion}' for fusion in FUSIONS)}, or {' or '.join(_LEXICAL)}"
        )
    return System(name, mode, fusion or "weighted")


def _no_encoder() -> Encoder:
    raise ModelError("a lexical leg has asked for an encoder")
