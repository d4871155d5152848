"""A budget of answers for each caller."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from functions.budget import HOUR, Budget
from index_artifacts.errors import BudgetError
from tests.functions.conftest import KEY, Clock
from tests.functions.rag_wiki import open_client
from tests.keys import entry, ring

if TYPE_CHECKING:
    from collections.abc import Callable

    from functions.settings import Settings

OTHER = "another-key-0123456789abcdef0123456789"


def test_a_caller_spends_its_own_budget_and_gets_it_back_with_time() -> None:
    clock = Clock()
    budget = Budget(3, clock)
    for _ in range(3):
        budget.spend("bot")
    with pytest.raises(BudgetError) as raised:
        budget.spend("bot")
    assert raised.value.seconds == HOUR / 3
    budget.spend("another")
    clock.now += HOUR / 3
    budget.spend("bot")
    with pytest.raises(BudgetError):
        budget.spend("bot")
    clock.now += 100 * HOUR
    for _ in range(3):
        budget.spend("bot")
    with pytest.raises(BudgetError):
        budget.spend("bot")


def test_without_a_budget_anything_goes() -> None:
    budget = Budget(0, Clock())
    for _ in range(1000):
        budget.spend("bot")


def test_an_answer_too_many_is_429_and_searching_goes_on(
    settings: Callable[..., Settings],
) -> None:
    keys = ring(entry(KEY), entry(OTHER, "other"))
    question = {"query": "Where does the server listen?"}
    with open_client(settings(api_keys=keys, answers_per_hour=2)) as client:
        for _ in range(2):
            assert client.post("/answer", json=question).status_code == 200
        refused = client.post("/answer", json=question)
        assert refused.status_code == 429
        assert refused.json()["status"] == "too_many_requests"
        assert 1 <= int(refused.headers["Retry-After"]) <= 1800
        call = {"name": "answer", "arguments": question}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        assert client.post("/mcp", json=message).json()["result"]["isError"]
        assert client.post("/search", json=question).status_code == 200
        other = {"X-API-Key": OTHER}
        assert client.post("/answer", json=question, headers=other).status_code == 200
