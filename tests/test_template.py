"""The SAM template against the code that it deploys, and what surrounds each function."""

from __future__ import annotations

import subprocess
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient

from functions.app import CORS_HEADERS
from functions.local import create_local_app
from functions.settings import Settings
from infra.invocations import CASES, FORGE, ORIGIN
from tests.cloudformation import Deployed, read_template

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).parent.parent
WHOLE = Deployed(
    Forge="github",
    ForgeRepository="department/wiki",
    GitHubRepository="department/wiki",
    OidcProviderArn="arn:aws:iam::123456789012:oidc-provider/token.actions.githubusercontent.com",
    AlarmTopicArn="arn:aws:sns:eu-central-1:123456789012:wiki",
    FunctionUrls="true",
)
"""With everything that can be switched on."""
pytestmark = pytest.mark.usefixtures("mangums_loop")


def module_of(function: Mapping[str, Any]) -> str:
    return str(function["Handler"].rpartition(".")[0])


def client_of(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> TestClient:
    """A function without a store, in which case it still answers."""
    monkeypatch.setenv("EDGEWIKI_ALLOW_ANONYMOUS", "true")
    for variable, value in FORGE.items():
        monkeypatch.setenv(variable, value)
    monkeypatch.chdir(tmp_path)
    return TestClient(import_module(module_of(WHOLE.functions[name])).app)


def addresses_of(name: str) -> list[tuple[str, str]]:
    return [
        (event["Properties"]["Path"], event["Properties"]["Method"])
        for event in WHOLE.functions[name]["Events"].values()
    ]


def test_every_handler_is_deployed() -> None:
    handlers = {path.parent.name for path in (ROOT / "functions").glob("*/handler.py")}
    deployed = {module_of(function).split(".")[1] for function in WHOLE.functions.values()}
    assert handlers == deployed


@pytest.mark.parametrize("name", sorted(WHOLE.functions))
def test_a_function_has_a_handler_and_a_way_to_be_built(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    client_of(name, monkeypatch, tmp_path)
    module, _, attribute = WHOLE.functions[name]["Handler"].rpartition(".")
    assert callable(getattr(import_module(module), attribute))
    # Without .pyc, which another test looks at.
    command = ["make", "--silent", f"build-{name}", f"ARTIFACTS_DIR={tmp_path}", "DEPLOYED_PYTHON="]
    subprocess.run(command, cwd=ROOT, check=True)
    assert (tmp_path / f"{module.replace('.', '/')}.py").is_file()
    assert (tmp_path / "index_artifacts" / "rag" / "rules.toml").is_file()


def test_what_is_compiled_is_for_the_deployed_python_alone(tmp_path: Path) -> None:
    command = ["make", "--silent", "build-SearchFunction", f"ARTIFACTS_DIR={tmp_path}"]
    subprocess.run(command, cwd=ROOT, check=True)
    assert {path.name.split(".")[1] for path in tmp_path.rglob("*.pyc")} <= {"cpython-312"}
    # PEP 552: bit 0 for hash-based, bit 1 for "look at the source".
    flags = {path.read_bytes()[4] for path in tmp_path.rglob("*.pyc")}
    assert flags <= {1}


def test_other_parameters_are_another_code_so_that_they_are_published(tmp_path: Path) -> None:
    command = ["make", "--silent", "build-SearchFunction", f"ARTIFACTS_DIR={tmp_path}"]
    subprocess.run(command, cwd=ROOT, check=True)
    summed = subprocess.run(
        ["cksum"], input=(ROOT / "samconfig.toml").read_bytes(), capture_output=True, check=True
    )
    assert (tmp_path / "parameters.cksum").read_bytes() == summed.stdout


@pytest.mark.parametrize("name", sorted(WHOLE.functions))
def test_every_address_of_a_function_is_one_that_it_answers(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    client = client_of(name, monkeypatch, tmp_path)
    for path, method in addresses_of(name):
        if method != "OPTIONS":
            response = client.request(method, path)
            assert '"reason":"Not Found"' not in response.text, (path, method)


def test_every_operation_is_deployed_once() -> None:
    paths = create_local_app(Settings(allow_anonymous=True)).openapi()["paths"]
    operations = {(path, method.upper()) for path, item in paths.items() for method in item}
    schemas = {("/openapi.json", "GET"), ("/openapi-tools.json", "GET")}
    addresses = [
        # API Gateway writes a path inside of a path with a plus.
        (path.replace("+}", "}"), method)
        for name in WHOLE.functions
        for path, method in addresses_of(name)
    ]
    assert operations | schemas <= set(addresses)
    assert len(addresses) == len(set(addresses))


def test_a_browser_that_asks_first_is_answered_for_every_address() -> None:
    answering = [name for name in WHOLE.functions if ("/{proxy+}", "OPTIONS") in addresses_of(name)]
    assert answering == ["SchemaFunction"]
    # What the schema function is, with the setting of the template.
    client = TestClient(create_local_app(Settings(allow_anonymous=True, cors_origins=ORIGIN)))
    for name in WHOLE.functions:
        for path, method in addresses_of(name):
            if method != "OPTIONS":
                asked = {
                    "Origin": ORIGIN,
                    "Access-Control-Request-Method": method,
                    "Access-Control-Request-Headers": ",".join(CORS_HEADERS),
                }
                answer = client.options(path, headers=asked)
                assert answer.status_code == 200, (path, method)
                assert answer.headers["access-control-allow-origin"] == ORIGIN


@pytest.mark.parametrize("name", WHOLE.functions)
def test_a_function_has_a_log_that_is_forgotten_in_time(name: str) -> None:
    logging = WHOLE.functions[name]["LoggingConfig"]
    assert logging["LogFormat"] == "JSON"
    log = WHOLE.resources[logging["LogGroup"]["Ref"]]
    assert log["Type"] == "AWS::Logs::LogGroup"
    assert log["Properties"]["RetentionInDays"] == WHOLE.parameters["LogDays"] == "30"
    names = [each["LogGroupName"] for each in WHOLE.of_type("AWS::Logs::LogGroup").values()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", WHOLE.functions)
def test_a_function_has_alarms_on_errors_throttles_slowness_and_failed_refreshes(
    name: str,
) -> None:
    given = surroundings(WHOLE)[name]
    around = Deployed("infra/function.yaml", **given)
    alarms = around.of_type("AWS::CloudWatch::Alarm").values()
    assert {(alarm["Namespace"], alarm["MetricName"]) for alarm in alarms} == {
        ("AWS/Lambda", "Errors"),
        ("AWS/Lambda", "Throttles"),
        ("AWS/Lambda", "Duration"),
        ("edgewiki", "RefreshFailed"),
    }
    topic = WHOLE.parameters["AlarmTopicArn"]
    for alarm in alarms:
        assert alarm["AlarmActions"] == alarm["OKActions"] == [topic]
        assert [each["Value"] for each in alarm["Dimensions"]] == [name]
        assert alarm["TreatMissingData"] == "notBreaching"  # a quiet wiki is no fault
    assert {alarm.get("ExtendedStatistic") for alarm in alarms} == {None, "p95"}


@pytest.mark.parametrize("name", WHOLE.functions)
def test_a_function_url_leads_to_the_published_alias_and_may_be_called(name: str) -> None:
    around = Deployed("infra/function.yaml", **surroundings(WHOLE)[name])
    (url,) = around.of_type("AWS::Lambda::Url").values()
    assert (url["TargetFunctionArn"], url["Qualifier"]) == (name, "live")
    permissions = around.of_type("AWS::Lambda::Permission").values()
    actions = {permission["Action"] for permission in permissions}
    assert actions == {"lambda:InvokeFunctionUrl", "lambda:InvokeFunction"}
    assert {permission["FunctionName"] for permission in permissions} == {f"{name}.Alias"}
    assert f"{name}Url" in WHOLE.outputs


def surroundings(deployed: Deployed) -> dict[str, dict[str, str]]:
    """Parameters of the stack around each function, references as names."""
    stacks = deployed.of_type("AWS::CloudFormation::Stack").values()
    assert {stack["TemplateURL"] for stack in stacks} == {"infra/function.yaml"}
    given = [
        {key: value["Ref"] if isinstance(value, dict) else value for key, value in each.items()}
        for each in (stack["Parameters"] for stack in stacks)
    ]
    return {each["FunctionName"]: each for each in given}


def test_without_alarms_and_function_urls_nothing_surrounds_a_function() -> None:
    bare = Deployed(Alarms="false")
    assert not bare.of_type("AWS::CloudFormation::Stack")
    assert not bare.of_type("AWS::CloudWatch::Alarm")
    assert not [name for name in bare.outputs if name.endswith("FunctionUrl")]


def test_answers_of_500_and_events_that_nobody_took_raise_alarms_too() -> None:
    alarms = WHOLE.of_type("AWS::CloudWatch::Alarm").values()
    assert {(alarm["Namespace"], alarm["MetricName"]) for alarm in alarms} == {
        ("AWS/ApiGateway", "5xx"),
        ("AWS/SQS", "ApproximateNumberOfMessagesVisible"),
    }


def test_every_function_is_tried_by_check_infra_with_events_that_exist() -> None:
    assert set(CASES) == set(WHOLE.functions)
    events = {path.stem for path in (ROOT / "tests" / "events").glob("*.json")}
    assert {name for cases in CASES.values() for name, _, _ in cases} <= events


def test_make_can_build_every_function_and_the_layer() -> None:
    makefile = (ROOT / "Makefile").read_text()
    built = {
        name
        for name, resource in read_template()["Resources"].items()
        if resource.get("Metadata", {}).get("BuildMethod") == "makefile"
    }
    assert built == {*WHOLE.functions, "RuntimeLayer"}
    assert not [name for name in built if makefile.count(f"build-{name}") < 2]  # .PHONY too
