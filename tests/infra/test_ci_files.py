"""What the workflows of infra/ci may do, and how small they are to copy."""

from __future__ import annotations

import re
import subprocess
from typing import Any

import pytest

from tests.infra.forge import ACTIONS, load
from tests.infra.forge_expressions import Expressions, UnknownExpressionError

WORKFLOWS = ["github.yml", "gitea.yml"]
STEPS = load("action.yml")["runs"]["steps"]
SCRIPTS = [step for step in STEPS if "run" in step]


@pytest.mark.parametrize("workflow", WORKFLOWS)
def test_a_copied_workflow_may_read_and_nothing_more(workflow: str) -> None:
    content = load(workflow)
    assert {"contents": "read"}.items() <= content["permissions"].items()
    assert set(content["permissions"].values()) <= {"read", "write"}
    assert [name for name, right in content["permissions"].items() if right == "write"] == (
        ["id-token"] if workflow == "github.yml" else []
    )
    assert "pull_request_target" not in content["on"]
    assert content["concurrency"]["cancel-in-progress"] is False
    assert content["on"]["workflow_dispatch"]["inputs"].keys() == {"job", "reason", "force"}
    assert set(content["on"]["pull_request"]["types"]) >= {"opened", "synchronize", "closed"}


def test_both_forges_run_the_same_job() -> None:
    github, gitea = (load(name) for name in WORKFLOWS)
    for key in ("on", "concurrency"):
        assert github[key] == gitea[key]
    (ours,), (theirs,) = github["jobs"].values(), gitea["jobs"].values()
    assert ours["if"] == theirs["if"]
    assert ours["steps"][0]["with"].items() > theirs["steps"][0]["with"].items()


def test_actions_of_others_are_pinned_by_major_version() -> None:
    used = [step["uses"] for step in STEPS if "uses" in step]
    assert set(used) == set(ACTIONS)
    assert all(re.fullmatch(r"(actions|aws-actions)/[a-z-]+@v\d+", name) for name in used)


def test_the_history_is_fetched_whole_and_no_token_is_left_in_it() -> None:
    (checkout,) = (step for step in STEPS if "checkout" in step.get("uses", ""))
    assert checkout["with"] == {"fetch-depth": 0, "persist-credentials": False}


@pytest.mark.parametrize("step", SCRIPTS, ids=lambda step: step["name"])
def test_no_input_is_pasted_into_a_script(step: dict[str, Any]) -> None:
    """A branch or a reason with a quote in it must not become a command."""
    assert "${{" not in step["run"]
    subprocess.run(["bash", "-n"], input=step["run"], text=True, check=True)


def test_every_input_is_described_and_used() -> None:
    inputs = load("action.yml")["inputs"]
    assert all(one["description"] for one in inputs.values())
    used = {name for step in STEPS for name in re.findall(r"inputs\.([a-z-]+)", str(step))}
    assert used == inputs.keys()


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("github.event_name != 'pull_request' || github.event.number == 'x'", True),
        ("github.event.number || 'latest'", "latest"),
        ("inputs.role != '' && !inputs.force", True),
        ("failure() || always()", True),
        ("(inputs.role == 'It''s') && 'a' || 'b'", "b"),
    ],
)
def test_expressions_mean_what_a_forge_takes_them_for(expression: str, value: object) -> None:
    contexts = {"github": {"event_name": "push", "event": {}}, "inputs": {"role": "r", "force": ""}}
    assert Expressions(contexts).value(expression) == value


@pytest.mark.parametrize(
    "expression",
    [
        "hashFiles('x')",
        "inputs.tpyo",
        "matrix.os",
        "inputs.role > 'x'",
        "'open",
        "inputs.role role",
    ],
)
def test_an_expression_that_is_not_known_is_an_error(expression: str) -> None:
    with pytest.raises(UnknownExpressionError):
        Expressions({"inputs": {"role": "r"}}).value(expression)


def test_a_step_runs_after_a_failure_only_where_it_asks_for_it() -> None:
    failed = Expressions({"inputs": {"job": "j"}}, "failure")
    assert not failed.condition(None)
    assert not failed.condition("inputs.job == 'j'")
    assert failed.condition("failure() && inputs.job == 'j'")
