"""The template's parameters: what they may be, what they change, and that the README has them."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import pytest

from tests.cloudformation import ROOT, Deployed, read_template

PARAMETERS: dict[str, dict[str, Any]] = read_template()["Parameters"]
README = (ROOT / "README.md").read_text()
STARTED_OFTEN = {
    "SearchFunction", "RagFunction", "GraphFunction", "AnswerFunction", "McpFunction",
    "UiFunction",
}  # fmt: skip


def row(name: str) -> str:
    """A parameter's row in the README's table."""
    parameter = PARAMETERS[name]
    default = f"`{parameter['Default']}`" if parameter["Default"] != "" else ""
    allowed = parameter.get("AllowedValues", [])
    choice = ""
    if parameter["Type"] == "String" and allowed and "true" not in allowed:
        choice = f" ({', '.join(f'`{value}`' for value in allowed if value)})"
    return f"| `{name}` | {default} | {parameter['Description']}{choice} |"


def test_every_parameter_is_in_the_readme_with_its_default_and_meaning() -> None:
    rows = ["| parameter | default | meaning |", "|---|---|---|", *map(row, PARAMETERS)]
    assert "\n".join(rows) in README, "put into README.md:\n" + "\n".join(rows)


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_parameter_says_what_it_means_and_has_a_default(name: str) -> None:
    assert PARAMETERS[name]["Description"].endswith(".")
    assert "Default" in PARAMETERS[name]


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_parameter_is_used(name: str) -> None:
    text = json.dumps({k: v for k, v in read_template().items() if k != "Parameters"})
    assert re.search(rf'"Ref": "{name}"|\$\{{{name}\}}', text)


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_default_is_one_of_the_values_that_are_allowed(name: str) -> None:
    parameter = PARAMETERS[name]
    default = parameter["Default"]
    assert default in parameter.get("AllowedValues", [default])
    assert re.fullmatch(parameter.get("AllowedPattern", ".*"), str(default))
    if parameter["Type"] == "Number":
        assert parameter.get("MinValue", default) <= default <= parameter.get("MaxValue", default)


def test_samconfig_names_parameters_that_exist_and_no_secret() -> None:
    config = tomllib.loads((ROOT / "samconfig.toml").read_text())["default"]
    assert config["build"]["parameters"]["build_in_source"] is True
    given = dict(each.split("=") for each in config["deploy"]["parameters"]["parameter_overrides"])
    assert not Deployed(**given).broken_rules()
    assert given["Architecture"] == PARAMETERS["Architecture"]["Default"]


@pytest.mark.parametrize(
    ("wrong", "right", "says"),
    [
        ({"GitHubRepository": "a/b"}, {"OidcProviderArn": "arn"}, "OidcProviderArn is empty"),
        ({"Forge": "github"}, {"ForgeRepository": "a/b"}, "ForgeRepository is empty"),
        (
            {"Forge": "gitea", "ForgeRepository": "a/b"},
            {"ForgeUrl": "https://git.example.org/api/v1"},
            "ForgeUrl is empty",
        ),
        ({"LlmUrl": "https://llm.example.org/v1"}, {"LlmModel": "m"}, "LlmModel is empty"),
        ({"OidcIssuer": "https://id.example.org"}, {"OidcClientId": "w"}, "OidcClientId is empty"),
        (
            {"SnapStart": "PublishedVersions", "ProvisionedConcurrency": "1"},
            {"ProvisionedConcurrency": "0"},
            "exclude each other",
        ),
        (
            {"SnapStart": "PublishedVersions", "EphemeralStorage": "1024"},
            {"EphemeralStorage": "512"},
            "EphemeralStorage of 512",
        ),
    ],
)
def test_parameters_that_do_not_go_together_stop_the_deployment(
    wrong: dict[str, str], right: dict[str, str], says: str
) -> None:
    (broken,) = Deployed(**wrong).broken_rules()
    assert says in broken
    assert not Deployed(**{**wrong, **right}).broken_rules()


def test_concurrency_is_limited_by_class_and_only_where_a_number_is_given() -> None:
    assert not [
        name
        for name, function in Deployed(Forge="github").functions.items()
        if "ReservedConcurrentExecutions" in function
    ]
    limited = Deployed(
        Forge="github", ReadersConcurrency="20", AnswersConcurrency="3", WritersConcurrency="2"
    )
    limits = {
        name: function["ReservedConcurrentExecutions"]
        for name, function in limited.functions.items()
    }
    assert limits == {
        "SearchFunction": "20", "RagFunction": "20", "GraphFunction": "20", "SchemaFunction": "20",
        "UiFunction": "20",
        "AnswerFunction": "3", "McpFunction": "3", "DocumentsFunction": "2", "SyncFunction": "2",
    }  # fmt: skip


def test_snapshots_and_warm_instances_are_for_what_is_asked_often() -> None:
    kept = Deployed(ProvisionedConcurrency="2").functions
    warm = {name for name, each in kept.items() if "ProvisionedConcurrencyConfig" in each}
    snapped = {
        name
        for name, each in Deployed(SnapStart="PublishedVersions").functions.items()
        if each.get("SnapStart") == {"ApplyOn": "PublishedVersions"}
    }
    assert warm == snapped == STARTED_OFTEN
    plain = Deployed().functions.values()
    assert not [each for each in plain if "ProvisionedConcurrencyConfig" in each]
    assert {each.get("SnapStart", {}).get("ApplyOn", "None") for each in plain} == {"None"}


def test_a_version_is_published_for_every_change_of_code_layer_or_property() -> None:
    for function in Deployed(Forge="github").functions.values():
        assert function["AutoPublishAlias"] == "live"
        assert function["AutoPublishAliasAllProperties"] is True
        assert function["VersionDeletionPolicy"] == "Delete"  # an old one's snapshot would cost
    layer = Deployed().resources["RuntimeLayer"]["Properties"]
    assert layer["PublishLambdaVersion"] is True


@pytest.mark.parametrize("architecture", ["x86_64", "arm64"])
def test_functions_run_on_either_processor(architecture: str) -> None:
    deployed = Deployed(Architecture=architecture)
    for function in deployed.functions.values():
        assert function["Architectures"] == [architecture]
        assert function["Runtime"] == "python3.12"
    layer = deployed.resources["RuntimeLayer"]["Properties"]
    assert architecture in layer["CompatibleArchitectures"]


def test_the_api_lets_through_fewer_answers_than_other_requests() -> None:
    api = Deployed(RequestsPerSecond="7", AnswersPerSecond="2").resources["Api"]["Properties"]
    assert api["DefaultRouteSettings"]["ThrottlingRateLimit"] == "7"
    assert api["RouteSettings"]["POST /answer"]["ThrottlingRateLimit"] == "2"
    assert int(PARAMETERS["AnswersPerSecond"]["Default"]) < int(
        PARAMETERS["RequestsPerSecond"]["Default"]
    )


def test_the_api_logs_request_ids_and_nothing_of_what_was_asked() -> None:
    settings = Deployed().resources["Api"]["Properties"]["AccessLogSettings"]
    logged = re.findall(r"\$context\.([A-Za-z.]+)", settings["Format"])
    assert "requestId" in logged
    assert not {"path", "queryString", "identity.sourceIp", "identity.userAgent"} & set(logged)
    assert set(json.loads(settings["Format"]).values()) == {f"$context.{name}" for name in logged}


def test_an_event_that_fails_three_times_is_kept_encrypted() -> None:
    deployed = Deployed(Forge="github")
    config = deployed.functions["SyncFunction"]["EventInvokeConfig"]
    assert config["MaximumRetryAttempts"] == 2
    failed = config["DestinationConfig"]["OnFailure"]
    assert failed["Type"] == "SQS"
    queue = deployed.resources[failed["Destination"]["Fn::GetAtt"][0]]
    assert queue["Properties"]["SqsManagedSseEnabled"] is True
    (denied,) = deployed.statements("FailedEventsPolicy")
    assert denied["Effect"] == "Deny"


def test_traces_and_origins_of_browsers_are_chosen() -> None:
    chosen = Deployed(Tracing="Active", CorsOrigins="https://a.org,https://b.org")
    assert chosen.functions["SearchFunction"]["Tracing"] == "Active"
    origins = {name: chosen.variables(name)["EDGEWIKI_CORS_ORIGINS"] for name in STARTED_OFTEN}
    assert set(origins.values()) == {"https://a.org,https://b.org"}
    assert Deployed().functions["SearchFunction"]["Tracing"] == "Disabled"


def test_the_address_of_webhooks_is_told_where_there_are_any() -> None:
    outputs = Deployed(Forge="gitea").outputs
    assert outputs["WebhookUrl"]["Value"].endswith("/webhook/gitea")
    told = set(Deployed().outputs)
    assert {"BucketName", "Url", "McpUrl", "PublisherPolicyArn"} == told
