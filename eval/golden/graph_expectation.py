"""What a question of the graph's golden set expects, as it stands in the file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from eval.golden.graph_truth import PROJECT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from eval.golden.graph_truth import Person, Work

Answer = dict[str, Any]
SERVERS = ("server", "servery")
"""Forms of one word are one keyword, whichever of them names it; the demo wiki has these."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """``docs`` are the pages that prove it; ``complete`` is None where nothing is expected."""

    outcome: str
    answers: tuple[tuple[tuple[str, Any], ...], ...] = ()
    candidates: tuple[tuple[tuple[str, Any], ...], ...] = ()
    complete: bool | None = None
    docs: tuple[str, ...] = ()


def found(
    answers: Iterable[Answer], docs: Iterable[str], complete: bool | None = None
) -> Expectation:
    """Answered with ``answers``, without regard to order; no_facts where there are none."""
    frozen = tuple(dict.fromkeys(tuple(answer.items()) for answer in answers))
    if not frozen:
        return Expectation("no_facts")
    return Expectation("answered", frozen, complete=complete, docs=tuple(dict.fromkeys(docs)))


def person(one: Person) -> Answer:
    return {"type": "Person", "value": one.name, "page": one.page}


def work(one: Work) -> Answer:
    return {"type": "Work" if one.kind == PROJECT else "Thesis", "value": one.title}


def keyword(tag: str) -> Answer:
    """``names`` are further spellings, of which one counts as well."""
    if tag.lower() in SERVERS:
        return {"type": "Keyword", "value": SERVERS[0], "names": SERVERS[1:]}
    return {"type": "Keyword", "value": tag.lower()}


def value(kind: str, content: int | str | bool) -> Answer:
    return {"type": kind, "value": content}
