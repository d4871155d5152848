"""How the graph is asked: through the same code as the HTTP tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from functions.asker import Asker
from functions.tools import graph
from functions.tools.query import checked_body
from index_artifacts.graph.model import ATTRIBUTES

if TYPE_CHECKING:
    from eval.graph_runner import Ask, Response
    from functions.state import State

_NUMBERS = frozenset(["count", *(name for name, kind in ATTRIBUTES.items() if kind is int)])


def graph_of(state: State) -> Ask:
    """Ask the graph of the version that ``state`` serves.

    What it gives raises `QueryError` for a question that no request may hold.
    """

    def ask(question: str) -> Response:
        body = checked_body(graph.GraphSearchBody, query=question)
        return _typed(graph.run(body, Asker.owner(state)).model_dump(mode="json"))

    return ask


def _typed(response: dict[str, Any]) -> Response:
    """The response with the values that HTTP gives as text in their own types."""
    for answer in response["answers"]:
        answer["value"] = _value(answer["type"], answer["value"])
    for fact in response["facts"]:
        fact["value"] = _value(fact["attribute"], fact["value"])
    return response


def _value(kind: str, text: str) -> bool | int | str:
    if kind == "boolean":
        return text == "true"
    return int(text) if kind in _NUMBERS else text
