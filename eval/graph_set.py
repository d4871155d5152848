"""Golden sets of the graph: which typed answers a question has, and when two are the same.

Beside the usual keys (`eval.golden_set`) a question has these:

| key | value |
|---|---|
| outcome | one of `OUTCOMES` |
| expected | a list of answers, {type, value} and, of people, documents and topics, page |
| candidates | where the outcome is ambiguous: the namesakes, as in expected |
| complete | what the answer has to say of itself; null is not compared |
| mentions | names of people as they stand in the question |

An answer may have ``names``, further spellings of its value. The order of answers says nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from index_artifacts.errors import ConfigError
from index_artifacts.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from eval.golden_set import Question

ANSWERED, NO_FACTS, NOT_UNDERSTOOD = "answered", "no_facts", "not_understood"
OUTCOMES = (ANSWERED, NO_FACTS, "ambiguous", "unknown_entity", NOT_UNDERSTOOD)
HAVE_PAGES = ("Person", "Document", "Topic")
"""Types that are told apart by their page where both sides name one, else by their name."""

Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Expected:
    """What is expected of the response to a question; ``complete`` None: anything."""

    outcome: str
    answers: tuple[Answer, ...]
    candidates: tuple[Answer, ...]
    complete: bool | None
    mentions: tuple[str, ...]


def expected_of(question: Question) -> Expected:
    """The keys of a graph set; raises `ConfigError` that names the question."""
    extra = question.extra
    if (outcome := extra.get("outcome")) not in OUTCOMES:
        raise _wrong(question, "outcome", outcome, f"one of {', '.join(OUTCOMES)}")
    complete = extra.get("complete")
    if complete not in (None, True, False):
        raise _wrong(question, "complete", complete, "true, false or null")
    mentions = extra.get("mentions", [])
    if not isinstance(mentions, list) or not all(isinstance(one, str) for one in mentions):
        raise _wrong(question, "mentions", mentions, "a list of strings")
    return Expected(
        outcome=str(outcome),
        answers=_answers(question, "expected"),
        candidates=_answers(question, "candidates"),
        complete=complete,
        mentions=tuple(mentions),
    )


def _answers(question: Question, key: str) -> tuple[Answer, ...]:
    values = question.extra.get(key, [])
    if not isinstance(values, list) or not all(
        isinstance(one, dict) and {"type", "value"} <= one.keys() for one in values
    ):
        raise _wrong(question, key, values, "a list of answers, {type, value, page}")
    return tuple(values)


def _wrong(question: Question, key: str, value: object, wanted: str) -> ConfigError:
    return ConfigError(f"question {question.id}: {key!r} = {value!r} is not {wanted}")


def same(expected: Mapping[str, Any], given: Mapping[str, Any]) -> bool:
    """Whether a response's answer or entity is the one that a golden set names.

    An entity has its spelling in ``name``, an answer in ``value``. Numbers and truth values are
    compared with their type: 1 is not true.
    """
    if expected["type"] != given.get("type"):
        return False
    pages = expected.get("page"), given.get("page")
    if expected["type"] in HAVE_PAGES and all(pages):
        return pages[0] == pages[1]
    value = given.get("value", given.get("name"))
    return any(_equal(one, value) for one in (expected["value"], *expected.get("names", ())))


def _equal(one: object, other: object) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return fold(" ".join(one.split())) == fold(" ".join(other.split()))
    return type(one) is type(other) and one == other


def missing(
    expected: Iterable[Mapping[str, Any]], given: Sequence[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """What is expected and not given."""
    return [one for one in expected if not any(same(one, other) for other in given)]


def unexpected(
    expected: Sequence[Mapping[str, Any]], given: Iterable[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """What is given and not expected."""
    return [other for other in given if not any(same(one, other) for one in expected)]
