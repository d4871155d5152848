"""Asking the graph through the HTTP tool's own code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from eval.graph_opening import graph_of
from functions.settings import load_settings
from functions.state import State
from functions.tools import graph as tool

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


class Body(BaseModel):
    query: str


class Reply(BaseModel):
    outcome: str
    answers: list[dict[str, Any]]
    facts: list[dict[str, Any]]


def test_a_question_goes_through_the_tool_and_its_reply_comes_back_as_json(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def run(body: Body, _state: State) -> Reply:
        answers = [
            {"type": "title", "value": body.query},
            {"type": "count", "value": "3"},
            {"type": "boolean", "value": "true"},
        ]
        facts = [{"attribute": "year", "value": "2024"}, {"attribute": "kind", "value": "master"}]
        return Reply(outcome="answered", answers=answers, facts=facts)

    monkeypatch.setattr(tool, "GraphSearchBody", Body, raising=False)
    monkeypatch.setattr(tool, "run", run)
    state = State(load_settings(store=f"file://{tmp_path}", allow_anonymous=True))
    assert graph_of(state)("Who wrote Wells?") == {
        "outcome": "answered",
        "answers": [
            {"type": "title", "value": "Who wrote Wells?"},
            {"type": "count", "value": 3},
            {"type": "boolean", "value": True},
        ],
        "facts": [
            {"attribute": "year", "value": 2024},
            {"attribute": "kind", "value": "master"},
        ],
    }
