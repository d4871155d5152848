"""The extractive engine: an answer of sentences that stand in the evidence word for word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index_artifacts.answers.checks.instructions import is_instruction
from index_artifacts.answers.claims import Claim
from index_artifacts.answers.markdown import read_row, visible_text
from index_artifacts.answers.units import CODE, ITEM, ROW

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from index_artifacts.answers.quotations import Quotable
    from index_artifacts.answers.reading import Candidate
    from index_artifacts.answers.units import Unit

# An answer is this long at most, in units and in characters.
_UNITS = 10
_CHARACTERS = 1_200
# Around the best unit, its neighbours in the same section are read along.
_BEFORE, _AFTER = 2, 3
# A unit of another section belongs to the answer where its score is so near to the best one's.
_NEAR = 3.0


def extract(candidates: Sequence[Candidate], pages: int = 2) -> tuple[Claim, ...]:
    """Claims that quote the best of ``candidates`` (ranked): the best one, then in reading order
    what else its passage says, then the others.

    They come from ``pages`` pages at most: more confuse a reader oftener than they answer. Text
    that talks to a model is never quoted.
    """
    usable = [c for c in candidates if not is_instruction(c.unit.text)]
    if not usable:
        return ()
    chosen: dict[tuple[int, int], tuple[Quotable, Unit]] = {}
    for source, unit in _preferred(usable):
        quoted = {other.passage.document.id for other, _ in chosen.values()}
        further = len({*quoted, source.passage.document.id}) > pages
        if further or is_instruction(unit.text):
            continue
        known = {visible_text(other.text) for _, other in chosen.values()}
        length = sum(len(text) for text in known)
        if len(chosen) == _UNITS or (chosen and length + len(unit.text) > _CHARACTERS):
            break
        if visible_text(unit.text) not in known:
            chosen.setdefault((source.number, unit.start), (source, unit))
    best = next(iter(chosen))  # what answers best is read first
    order = sorted(chosen, key=lambda place: (place != best, place[0] != best[0], place))
    return tuple(_claim(*chosen[place]) for place in order)


def _preferred(ranked: Sequence[Candidate]) -> Iterator[tuple[Quotable, Unit]]:
    """The best unit, then others nearly as good, then what stands around the best."""
    best = ranked[0]
    yield best.source, best.unit
    along = [(c.source, c.unit) for c in ranked[1:_UNITS] if c.score >= best.score - _NEAR]
    along += [(best.source, unit) for unit in _around(best)]
    # What only leads to something else ("Login:") says nothing of its own.
    yield from ((source, unit) for source, unit in along if not unit.text.endswith(":"))


def _around(best: Candidate) -> list[Unit]:
    units = [u for u in best.source.units if u.headings == best.unit.headings]
    at = units.index(best.unit)
    return units[at + 1 : at + 1 + _AFTER] + units[max(0, at - _BEFORE) : at]


def _claim(source: Quotable, unit: Unit) -> Claim:
    return Claim(_said(unit), (source.number,), unit.text)


def _said(unit: Unit) -> str:
    """A unit as a reader reads it: a table's row with its columns' names, an item with its list."""
    if unit.kind == ROW:
        return read_row(unit.header, unit.text)
    if unit.kind == CODE:
        return " ".join(unit.text.split())
    text = visible_text(unit.text)
    return f"{visible_text(unit.intro)} {text}" if unit.kind == ITEM and unit.intro else text
