"""The SAM template against the code that it deploys."""

from __future__ import annotations

import subprocess
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml
from fastapi.testclient import TestClient

from functions.local import create_local_app
from functions.settings import Settings

ROOT = Path(__file__).parent.parent


class _Template(yaml.SafeLoader):
    """Reads CloudFormation's short forms as what they are applied to."""


def _value(loader: _Template, _: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.ScalarNode):
        return loader.construct_scalar(node)
    assert isinstance(node, yaml.SequenceNode)
    return loader.construct_sequence(node)


_Template.add_multi_constructor("!", _value)
TEMPLATE = yaml.load((ROOT / "template.yaml").read_text(), _Template)
FUNCTIONS = {
    name: resource["Properties"]
    for name, resource in TEMPLATE["Resources"].items()
    if resource["Type"] == "AWS::Serverless::Function"
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_has_a_handler_and_a_way_to_be_built(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("EDGEWIKI_ALLOW_ANONYMOUS", "true")
    module, _, attribute = FUNCTIONS[name]["Handler"].rpartition(".")
    assert callable(getattr(import_module(module), attribute))
    command = ["make", "--silent", f"build-{name}", f"ARTIFACTS_DIR={tmp_path}"]
    subprocess.run(command, cwd=ROOT, check=True)
    assert (tmp_path / f"{module.replace('.', '/')}.py").is_file()
    assert (tmp_path / "index_artifacts" / "rag" / "rules.toml").is_file()
    assert not list(tmp_path.rglob("__pycache__"))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_address_of_a_function_is_one_that_it_answers(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("EDGEWIKI_ALLOW_ANONYMOUS", "true")
    monkeypatch.chdir(tmp_path)  # without a store, in which case it still answers
    client = TestClient(import_module(FUNCTIONS[name]["Handler"].rpartition(".")[0]).app)
    for event in FUNCTIONS[name]["Events"].values():
        address = event["Properties"]
        response = client.request(address["Method"], address["Path"])
        assert response.json().get("reason") != "Not Found", address


def test_every_operation_is_deployed_once() -> None:
    paths = create_local_app(Settings(allow_anonymous=True)).openapi()["paths"]
    operations = {(path, method.upper()) for path, item in paths.items() for method in item}
    schemas = {("/openapi.json", "GET"), ("/openapi-tools.json", "GET")}
    addresses = [
        # API Gateway writes a path inside of a path with a plus.
        (event["Properties"]["Path"].replace("+}", "}"), event["Properties"]["Method"])
        for function in FUNCTIONS.values()
        for event in function["Events"].values()
    ]
    assert operations | schemas <= set(addresses)
    assert len(addresses) == len(set(addresses))


def test_functions_may_read_versions_and_nothing_else() -> None:
    # The schema function opens no version.
    policies = [function.get("Policies", []) for function in FUNCTIONS.values()]
    assert all(each in ([], ["ReadVersions"]) for each in policies)
    assert ["ReadVersions"] in policies
    policy = TEMPLATE["Resources"]["ReadVersions"]["Properties"]["PolicyDocument"]
    actions = {statement["Action"] for statement in policy["Statement"]}
    assert actions == {"s3:GetObject", "s3:ListBucket"}
