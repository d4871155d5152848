"""An entity in the middle, its neighbours in a column on either side: where everything is drawn.

Two columns, since names are long: on a circle they would lie on each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from functions.ui.entities import Entity, Group, Neighbour

WIDTH = 960
_ROW, _MARGIN = 26, 20
_COLUMNS = (330, 630)
"""x of the dots on the left and on the right; their names stand on the outer side."""
_LONGEST = 37
_MOST_OF_A_KIND = 12


@dataclass(frozen=True, slots=True)
class Dot:
    """A neighbour at ``x``, ``y``; ``curve`` is the path to it from the middle."""

    neighbour: Neighbour
    label: str
    x: int
    y: int
    curve: str


@dataclass(frozen=True, slots=True)
class Heading:
    """What the neighbours below it are, and how many of them are not drawn."""

    called: str
    x: int
    y: int
    left_out: int


@dataclass(frozen=True, slots=True)
class Picture:
    """All in the units of an SVG that is `WIDTH` wide and ``height`` high."""

    height: int
    middle: tuple[int, int]
    name: str
    dots: list[Dot]
    headings: list[Heading]


def draw(entity: Entity) -> Picture:
    """Place an entity's groups of neighbours, each in the column that is shorter so far."""
    columns: tuple[list[Group], list[Group]] = ([], [])
    rows = [0, 0]
    for group in sorted(entity.groups, key=lambda group: -len(group.neighbours)):
        side = 0 if rows[0] < rows[1] else 1
        columns[side].append(group)
        rows[side] += 1 + min(len(group.neighbours), _MOST_OF_A_KIND)
    height = max(*rows, 4) * _ROW + 2 * _MARGIN
    middle = (WIDTH // 2, height // 2)
    dots: list[Dot] = []
    headings: list[Heading] = []
    for groups, used, x in zip(columns, rows, _COLUMNS, strict=True):
        y = middle[1] - used * _ROW // 2 + _ROW // 2
        for group in groups:
            left_out = max(0, len(group.neighbours) - _MOST_OF_A_KIND)
            headings.append(Heading(group.called, x, y, left_out))
            for neighbour in group.neighbours[:_MOST_OF_A_KIND]:
                y += _ROW
                dots.append(Dot(neighbour, _label(neighbour), x, y, _curve(middle, x, y)))
            y += _ROW
    return Picture(height, middle, _shortened(entity.name), dots, headings)


def _label(neighbour: Neighbour) -> str:
    more = f" ({neighbour.more})" if neighbour.more else ""
    return _shortened(neighbour.name, _LONGEST - len(more)) + more


def _shortened(name: str, longest: int = _LONGEST) -> str:
    return name if len(name) <= longest else name[: longest - 1].rstrip() + "…"


def _curve(middle: tuple[int, int], x: int, y: int) -> str:
    bend = (middle[0] + x) // 2
    return f"M{middle[0]} {middle[1]}C{bend} {middle[1]} {bend} {y} {x} {y}"
