"""A forge's runner, small: it runs a workflow of infra/ci step by step, with bash and Git.

Steps that `run` are run; of those that `use` an action, ours is opened, the checkout is done, and
the others are held to the inputs that they have.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tests.infra.forge_expressions import Expressions

CI = Path(__file__).parents[2] / "infra" / "ci"
# The actions of others that ours may use, and the inputs that they have.
ACTIONS = {
    "actions/checkout@v5": {"fetch-depth", "persist-credentials"},
    "actions/setup-python@v6": {"python-version"},
    "actions/cache@v5": {"path", "key"},
    "aws-actions/configure-aws-credentials@v5": {"role-to-assume", "aws-region"},
}
_SECONDS = 300


def load(name: str) -> dict[str, Any]:
    """A YAML file of infra/ci; ``on`` is a word here, not the boolean of YAML 1.1."""
    content = yaml.safe_load((CI / name).read_text(encoding="utf-8"))
    assert isinstance(content, dict)
    return {"on" if key is True else key: value for key, value in content.items()}


@dataclass
class Ran:
    """What a job left: its status, what each named step ended as, and the whole log."""

    status: str = "success"
    steps: dict[str, str] = field(default_factory=dict)
    used: dict[str, dict[str, str]] = field(default_factory=dict)
    outputs: dict[str, str] = field(default_factory=dict)
    log: str = ""


@dataclass
class Forge:
    """One repository and its settings; ``folder`` is for what runs leave behind."""

    origin: Path
    folder: Path
    with_: dict[str, str]
    """Inputs of the action that a wiki sets in its copy of the workflow."""
    secrets: dict[str, str] = field(default_factory=dict)
    vars: dict[str, str] = field(default_factory=dict)
    environ: dict[str, str] = field(default_factory=dict)
    runs: int = 0

    def run(
        self,
        workflow: str = "github.yml",
        *,
        event: str = "push",
        payload: dict[str, Any] | None = None,
        inputs: dict[str, Any] | None = None,
        ref: str = "main",
    ) -> Ran:
        """Run the workflow's only job for an event, on a fresh clone of ``ref``."""
        self.runs += 1
        return _Run(self, payload or {}, event, inputs or {}, ref).job(load(workflow))


class _Run:
    def __init__(
        self, forge: Forge, payload: dict[str, Any], event: str, inputs: dict[str, Any], ref: str
    ) -> None:
        self.forge, self.ref, self.inputs, self.event = forge, ref, inputs, event
        self.folder = forge.folder / f"run-{forge.runs}"
        self.workspace, self.temp = self.folder / "wiki", self.folder / "temp"
        self.temp.mkdir(parents=True)
        self.workspace.mkdir()
        (self.folder / "event.json").write_text(json.dumps({**payload, "inputs": inputs}))
        self.github = {
            "event_name": event, "event": payload, "repository": "dept/wiki",
            "action_path": str(CI), "run_id": "4711", "run_number": str(forge.runs),
            "server_url": "https://forge.example",
        }  # fmt: skip
        self.environment: dict[str, str] = {}
        self.path: list[str] = []
        self.ran = Ran()

    def job(self, workflow: dict[str, Any]) -> Ran:
        (job,) = workflow["jobs"].values()
        declared = dict.fromkeys(workflow["on"]["workflow_dispatch"]["inputs"])
        contexts = {
            "github": self.github, "secrets": self.forge.secrets, "vars": self.forge.vars,
            "inputs": {**declared, **self.inputs},
        }  # fmt: skip
        if not Expressions(contexts).condition(job.get("if")):
            self.ran.status = "skipped"
            return self.ran
        expressions = Expressions(contexts)
        expressions.filled(workflow["concurrency"]["group"])
        for step in job["steps"]:
            assert re.fullmatch(r"\S+/edgewiki/infra/ci@main", step["uses"]), step["uses"]
            given = {name: expressions.filled(value) for name, value in step["with"].items()}
            env = {name: expressions.filled(value) for name, value in step["env"].items()}
            self._action(load("action.yml"), {**given, **self.forge.with_}, env)
        return self.ran

    def _action(self, action: dict[str, Any], given: dict[str, str], env: dict[str, str]) -> None:
        assert action["runs"]["using"] == "composite"
        assert not given.keys() - action["inputs"].keys()
        inputs = {
            name: given.get(name, one.get("default")) for name, one in action["inputs"].items()
        }
        assert None not in inputs.values(), "a required input is missing"
        results: dict[str, Any] = {}
        contexts = {
            "inputs": inputs, "github": self.github, "steps": results,
            "runner": {"os": "Linux", "arch": "X64"},
        }  # fmt: skip
        for step in action["runs"]["steps"]:
            expressions = Expressions(contexts, self.ran.status)
            outputs, outcome = Outputs(), "skipped"
            if expressions.condition(step.get("if")):
                outcome = self._step(step, expressions, env, outputs)
            results[step.get("id", "")] = {"outputs": outputs, "outcome": outcome}
            self.ran.steps[step["name"]] = outcome
            if outcome == "failure":
                self.ran.status = "failure"
        for name, output in action["outputs"].items():
            self.ran.outputs[name] = Expressions(contexts).filled(output["value"])

    def _step(
        self, step: dict[str, Any], expressions: Expressions, env: dict[str, str], outputs: Outputs
    ) -> str:
        if "uses" in step:
            given = {name: expressions.filled(value) for name, value in step["with"].items()}
            assert not given.keys() - ACTIONS[step["uses"]], step["uses"]
            self.ran.used[step["uses"]] = given
            if step["uses"].startswith("actions/checkout@"):
                self._check_out(int(given.get("fetch-depth", "1")))
            return "success"
        assert step["shell"] == "bash"
        own = {name: expressions.filled(value) for name, value in step.get("env", {}).items()}
        return self._script(step["run"], {**env, **own}, outputs)

    def _check_out(self, depth: int) -> None:
        shallow = [f"--depth={depth}"] if depth else []
        subprocess.run(
            ["git", "clone", "-q", *shallow, "-b", self.ref, self.forge.origin.as_uri(), "."],
            cwd=self.workspace, check=True, env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull},
        )  # fmt: skip

    def _script(self, script: str, env: dict[str, str], outputs: Outputs) -> str:
        files = {name: self.temp / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_ENV",
                 "GITHUB_PATH", "GITHUB_STEP_SUMMARY")}  # fmt: skip
        for file in files.values():
            file.write_text("")
        (self.temp / "step.sh").write_text(script)
        ended = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(self.temp / "step.sh")],
            cwd=self.workspace, env=self._environ(files) | env, check=False, timeout=_SECONDS,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        self.ran.log += ended.stdout
        outputs.update(_assignments(files["GITHUB_OUTPUT"]))
        self.environment |= _assignments(files["GITHUB_ENV"])
        self.path = [*files["GITHUB_PATH"].read_text().split("\n")[:-1], *self.path]
        self.ran.log += files["GITHUB_STEP_SUMMARY"].read_text()
        return "success" if ended.returncode == 0 else "failure"

    def _environ(self, files: dict[str, Path]) -> dict[str, str]:
        """What a runner gives a step: nothing of this process but where its programs are."""
        path = os.pathsep.join([*self.path, str(Path(sys.executable).parent), os.environ["PATH"]])
        return {
            "PATH": path, "PYTHONPATH": str(CI.parents[1]), "HOME": str(self.folder), "CI": "true",
            "RUNNER_TEMP": str(self.temp),
            "GITHUB_EVENT_NAME": self.event, "GITHUB_REPOSITORY": "dept/wiki",
            "GITHUB_SERVER_URL": "https://forge.example", "GITHUB_RUN_ID": "4711",
            "GITHUB_RUN_NUMBER": str(self.forge.runs),
            "GITHUB_EVENT_PATH": str(self.folder / "event.json"),
            **{name: str(file) for name, file in files.items()},
            **self.environment, **self.forge.environ,
        }  # fmt: skip


class Outputs(dict[str, str]):
    """Outputs of a step: one that was not written is empty, as on a forge."""

    def __contains__(self, name: object) -> bool:
        return True

    def __missing__(self, name: str) -> str:
        return ""


def _assignments(file: Path) -> dict[str, str]:
    """``name=value`` lines; the form for several lines is not used."""
    lines = file.read_text(encoding="utf-8").splitlines()
    assert all(re.match(r"[A-Za-z_]\w*=", line) for line in lines), lines
    return dict(line.split("=", 1) for line in lines)
