"""Years that a question names: one, several, before or after one, a range, a century."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.graph.tokens import Token

_EARLIEST, _LATEST = 0, 9999
_ROMAN = {"xviii": 18, "xix": 19, "xx": 20, "xxi": 21, "xxii": 22}
# So far before a year its preposition stands.
_REACH = 4


@dataclass(frozen=True, slots=True)
class Years:
    """The years from ``first`` to ``last``, both included; ``at`` is the token that names them."""

    first: int
    last: int
    at: int

    @property
    def open_end(self) -> str:
        """``first`` or ``last`` where there is no such limit, else empty."""
        if self.first == _EARLIEST:
            return "first"
        return "last" if self.last == _LATEST else ""

    def holds(self, year: int) -> bool:
        """True where ``year`` is one of them."""
        return self.first <= year <= self.last


def years_in(tokens: Sequence[Token]) -> tuple[tuple[Years, ...], frozenset[int]]:
    """The years that ``tokens`` name, as alternatives, and the positions of the tokens that do."""
    centuries, used = _centuries(tokens)
    named = [at for at, token in enumerate(tokens) if token.year]
    found: list[Years] = list(centuries)
    while named:
        at = named.pop(0)
        used |= {at, *_around(tokens, at)}
        if named and (last := tokens[named[0]].year) and _is_range(tokens, at, named[0]):
            used |= {*range(at, named[0] + 1), *_around(tokens, named[0])}
            found.append(Years(min(tokens[at].year, last), max(tokens[at].year, last), at))
            named.pop(0)
        else:
            opened = _opened(tokens, at)
            used |= {at + 1, at + 2} if opened else set()
            found.append(opened or _bounded(tokens, at))
    return tuple(found), frozenset(used)


def _opened(tokens: Sequence[Token], at: int) -> Years | None:
    """ "2016 or earlier", "2016 and later"."""
    if at + 2 >= len(tokens) or not (tokens[at + 1].has("or") or tokens[at + 1].word in _AND):
        return None
    if at + 3 < len(tokens) and tokens[at + 3].start - tokens[at + 2].end == 1:
        return None  # "in 2022 and later a master thesis"
    if tokens[at + 2].has("earlier", "before"):
        return Years(_EARLIEST, tokens[at].year, at)
    return Years(tokens[at].year, _LATEST, at) if tokens[at + 2].has("later", "after") else None


def _bounded(tokens: Sequence[Token], at: int) -> Years:
    year, cue = tokens[at].year, _preposition(tokens, at)
    if cue is None:
        return Years(year, year, at)
    inclusive = any(token.word in _INCLUSIVE for token in tokens[at + 1 : at + 3])
    if cue.has("before", "earlier") or (cue.word == "до" and not inclusive):
        return Years(_EARLIEST, year - 1, at)
    until = inclusive or tokens[at - 1].word == "rok"  # "po rok 2023", "po roku 2023"
    if cue.has("after", "later") and cue.word != "по" and not (cue.word == "po" and until):
        return Years(year + 1, _LATEST, at)
    if cue.has("since"):
        return Years(year, _LATEST, at)
    return Years(_EARLIEST, year, at)


def _preposition(tokens: Sequence[Token], at: int) -> Token | None:
    """The word before the year at ``at`` that says on which side; None for the year itself."""
    for token in reversed(tokens[max(0, at - _REACH) : at]):
        if token.has("before", "after", "since", "until", "earlier", "later"):
            return token
        # "Up to 2025": the second of them adds nothing.
        if not token.has("year", "range") and token.word not in _BETWEEN:
            return None
    return None


_AND = frozenset(["a", "and", "и", "i", "aj"])
_INCLUSIVE = frozenset(["включительно", "vratane", "wlacznie", "vcetne", "inclusive"])
# Words that may stand between a preposition and its year: "starší ako z akademického roku 2019".
_BETWEEN = frozenset(
    ["ako", "z", "nez", "niz", "than", "чем", "jako", "and", "including", "the", "v", "ve", "w",
     "в", "in", "akademickym", "akademickeho", "skolskym", "skolniho", "end", "konca"]
)  # fmt: skip


def _around(tokens: Sequence[Token], at: int) -> set[int]:
    """The positions of the words that belong to the year at ``at``."""
    used = set()
    for near in range(at - 1, max(-1, at - 1 - _REACH), -1):
        if tokens[near].has("before", "after", "since", "until", "between", "earlier", "later"):
            used.add(near)
            break
        if not tokens[near].has("year") and tokens[near].word not in _BETWEEN:
            break
        used.add(near)
    if at + 1 < len(tokens) and (tokens[at + 1].has("year") or tokens[at + 1].word in {"g", "r"}):
        used.add(at + 1)
    return used


def _is_range(tokens: Sequence[Token], first: int, second: int) -> bool:
    """True where two years are the ends of a range, and not two of a list."""
    between = tokens[first + 1 : second]
    if any(not token.has("range", "year", "or", "until") for token in between):
        return False
    if any(token.has("or") and not token.has("range") for token in between):
        return False
    before = tokens[max(0, first - _REACH) : first]
    opened = any(token.has("since", "between") for token in before)
    joined = any(token.word in {"az", "do", "to", "until", "till", "through", "po", "по"}
                 for token in between)  # fmt: skip
    return not between or opened or joined


def _centuries(tokens: Sequence[Token]) -> tuple[list[Years], set[int]]:
    found: list[Years] = []
    used: set[int] = set()
    for at, token in enumerate(tokens):
        if at and token.has("century"):
            word = tokens[at - 1].word
            for ending in ("st", "nd", "rd", "th"):
                word = word.removesuffix(ending)
            number = int(word) if word.isdigit() else _ROMAN.get(word, 0)
            if 0 < number < 100:
                found.append(Years(100 * (number - 1) + 1, 100 * number, at))
                used |= {at - 1, at}
    return found, used
