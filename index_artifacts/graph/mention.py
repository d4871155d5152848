"""What a question names: some of its tokens, and the entities that they may stand for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from index_artifacts.graph.model import AUTHOR, PERSON

if TYPE_CHECKING:
    from index_artifacts.graph.tables import Node

NAMED = (PERSON, AUTHOR)
"""Types whose names are people's."""

TITLES = frozenset(
    ["prof", "doc", "ing", "mgr", "bc", "rndr", "phdr", "mudr", "judr", "dr", "hab", "inz", "phd",
     "csc", "drsc", "mba", "pani", "pan"]
)  # fmt: skip
"""What stands before or behind a person's name and is none of it."""


@dataclass(frozen=True, slots=True)
class Mention:
    """Tokens ``first``..``last`` (the last one included) and the entities they may name.

    ``nodes`` are of one type, or people and authors of one name; without any, it is a name that
    nobody in the graph has. ``corrected`` where a slip had to be mended to find them. Of people
    who are described by what they did, ``role`` says how and ``base`` by what.
    """

    first: int
    last: int
    text: str
    nodes: tuple[Node, ...] = ()
    corrected: bool = False
    role: str = ""
    base: tuple[Node, ...] = ()

    def of(self, *types: str) -> tuple[Node, ...]:
        """Those of ``types``."""
        return tuple(node for node in self.nodes if node.type in types)

    @property
    def is_person(self) -> bool:
        """True for a person's name, known or not."""
        return not self.nodes or bool(self.of(*NAMED))

    def covers(self, position: int) -> bool:
        """True where it holds the token at ``position``."""
        return self.first <= position <= self.last
