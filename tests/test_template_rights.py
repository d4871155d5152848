"""Who may do what in a deployment, and where its secrets are."""

from __future__ import annotations

import json
import re
from fnmatch import fnmatch
from typing import TYPE_CHECKING, Any

import pytest

from functions.settings import Settings
from index_artifacts import s3_client
from index_artifacts.store import PROBE_KEY
from index_artifacts.version_store import blob_key, channel_key, manifest_key
from tests.cloudformation import ROOT, Deployed, read_template
from tests.test_template import WHOLE

if TYPE_CHECKING:
    from collections.abc import Iterator

BUCKET = "${Bucket.Arn}"
BLOB, MANIFEST, LATEST = blob_key("0" * 64), manifest_key("1" * 12), channel_key("latest")
PREVIEW = channel_key("preview-7")
VECTORS, JOB = "cache/embeddings/f/p.pack", "jobs/0f3a.json"
KEYS = (BLOB, MANIFEST, LATEST, PREVIEW, VECTORS, PROBE_KEY, JOB)
SECRET_WORDS = re.compile(r"KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)


def may(statements: list[dict[str, Any]], action: str) -> set[str]:
    """Those of `KEYS` that ``action`` is allowed for."""
    patterns = [
        str(resource).removeprefix(f"{BUCKET}/")
        for statement in statements
        if statement["Effect"] == "Allow" and action in statement["Action"]
        for resource in statement["Resource"]
    ]
    return {key for key in KEYS if any(fnmatch(key, pattern) for pattern in patterns)}


def every_policy(deployed: Deployed) -> Iterator[dict[str, Any]]:
    for name in deployed.of_type("AWS::IAM::ManagedPolicy"):
        yield from deployed.statements(name)


@pytest.mark.parametrize("name", WHOLE.functions)
def test_only_the_sync_function_writes_into_the_bucket_and_only_its_ledger(name: str) -> None:
    rights = WHOLE.rights(name)
    assert may(rights, "s3:PutObject") == ({JOB} if name == "SyncFunction" else set())
    assert may(rights, "s3:DeleteObject") == set()


@pytest.mark.parametrize("name", WHOLE.functions)
def test_a_function_reads_versions_and_neither_the_cache_nor_the_ledger(name: str) -> None:
    versions = {BLOB, MANIFEST, LATEST, PREVIEW}
    expected = {
        "SchemaFunction": set(),  # it opens no version
        "SyncFunction": versions | {JOB},
    }
    assert may(WHOLE.rights(name), "s3:GetObject") == expected.get(name, versions)


@pytest.mark.parametrize("name", WHOLE.functions)
def test_a_function_that_reads_may_list_the_bucket_so_that_a_missing_key_is_404(
    name: str,
) -> None:
    rights = WHOLE.rights(name)
    listing = [each for each in rights if each["Action"] == ["s3:ListBucket"]]
    assert bool(listing) == bool(may(rights, "s3:GetObject"))
    # A GET names no prefix: with a condition on one, the right would not count for it.
    assert not [each for each in listing if "Condition" in each]


def test_nobody_has_more_rights_than_these() -> None:
    actions = {action for each in every_policy(WHOLE) for action in each["Action"]}
    assert actions == {
        "s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:ListBucket", "ssm:GetParameter",
        "lambda:InvokeFunction",
    }  # fmt: skip
    assert "*" not in {
        str(resource) for each in every_policy(WHOLE) for resource in each["Resource"]
    }


def test_only_documents_asks_the_sync_function() -> None:
    asking = {
        name: each["Resource"]
        for name in WHOLE.functions
        for each in WHOLE.rights(name)
        if "lambda:InvokeFunction" in each["Action"]
    }
    assert asking == {"DocumentsFunction": [{"Ref": "SyncFunction.Alias"}]}
    named = WHOLE.variables("DocumentsFunction")["EDGEWIKI_SYNC_FUNCTION"]
    assert named == {"Ref": "SyncFunction.Alias"}


def test_ci_publishes_to_every_channel_and_never_over_a_blob() -> None:
    statements = WHOLE.statements("PublishVersions")
    written = {BLOB, MANIFEST, LATEST, PREVIEW, VECTORS, PROBE_KEY}
    assert may(statements, "s3:GetObject") == may(statements, "s3:PutObject") == written
    assert may(statements, "s3:DeleteObject") == {BLOB, MANIFEST, PREVIEW, VECTORS}
    over = [each for each in statements if "s3:PutObject" in each["Action"]]
    unconditional = [each for each in over if "Condition" not in each]
    assert BLOB not in may(unconditional, "s3:PutObject")
    assert (ROOT / "build" / "vector_cache.py").read_text().count('f"cache/') == 1


def test_pull_requests_publish_to_their_own_channels_alone() -> None:
    statements = WHOLE.statements("PublishPreviews")
    assert LATEST not in may(statements, "s3:PutObject") | may(statements, "s3:DeleteObject")
    assert PREVIEW in may(statements, "s3:PutObject") & may(statements, "s3:DeleteObject")
    free = [each for each in statements if "Condition" not in each]
    assert may(free, "s3:PutObject") == {PREVIEW, PROBE_KEY}  # the others it can only add to


@pytest.mark.parametrize(
    ("role", "policy", "subject"),
    [
        ("PublisherRole", "PublishVersions", "repo:department/wiki:ref:refs/heads/main"),
        ("PreviewRole", "PublishPreviews", "repo:department/wiki:pull_request"),
    ],
)
def test_github_gets_a_role_for_one_repository_and_one_purpose(
    role: str, policy: str, subject: str
) -> None:
    properties = WHOLE.resources[role]["Properties"]
    assert properties["ManagedPolicyArns"] == [{"Ref": policy}]
    (trust,) = properties["AssumeRolePolicyDocument"]["Statement"]
    provider = "token.actions.githubusercontent.com"
    assert trust["Condition"]["StringEquals"] == {
        f"{provider}:aud": "sts.amazonaws.com",
        f"{provider}:sub": subject,
    }
    assert role not in Deployed().resources
    assert policy in Deployed().resources  # for a user whose keys another forge has


@pytest.mark.parametrize(
    ("where", "action", "resource"),
    [
        ("ssm", "ssm:GetParameter", "arn:aws:ssm:eu-central-1:123456789012:parameter/a/b"),
        (
            "secretsmanager",
            "secretsmanager:GetSecretValue",
            "arn:aws:secretsmanager:eu-central-1:123456789012:secret:a/b-??????",
        ),
    ],
)
def test_secrets_are_read_from_exactly_the_place_that_the_environment_names(
    where: str, action: str, resource: str
) -> None:
    key = "arn:aws:kms:eu-central-1:123456789012:key/0a1b"
    names = {"SecretsIn": where, "ReaderSecret": "a/b", "WriterSecret": "c/d", "Forge": "github"}
    deployed = Deployed(**names, SecretsKeyArn=key)
    slash = "/" if where == "ssm" else ""
    readers, writers = f"{where}:{slash}a/b", f"{where}:{slash}c/d"
    for name in deployed.functions:
        both = name in ("SyncFunction", "DocumentsFunction")
        expected = f"{readers},{writers}" if both else readers
        assert deployed.variables(name)["EDGEWIKI_SECRETS"] == expected
        rights = deployed.rights(name)
        read = [each["Resource"] for each in rights if each["Action"] == [action]]
        other = [resource.replace("a/b", "c/d")]
        assert read == ([[resource], other] if both else [[resource]])
        decrypting = [each for each in rights if "kms:Decrypt" in each["Action"]]
        (decrypt,) = decrypting
        assert decrypt["Resource"] == [key]
        via = {"kms:ViaService": f"{where}.eu-central-1.amazonaws.com"}
        assert decrypt["Condition"] == {"StringEquals": via}


def test_without_a_forge_nothing_writes_and_its_secret_is_not_read() -> None:
    plain = Deployed()
    assert "SyncFunction" not in plain.functions
    assert may(plain.rights("DocumentsFunction"), "s3:GetObject") == {
        BLOB,
        MANIFEST,
        LATEST,
        PREVIEW,
    }
    variables = plain.variables("DocumentsFunction")
    assert variables["EDGEWIKI_SECRETS"] == "ssm:/edgewiki/readers"
    assert variables["EDGEWIKI_SYNC_FUNCTION"] == ""
    assert "edgewiki/writers" not in json.dumps(plain.rights("DocumentsFunction"))


@pytest.mark.parametrize("name", WHOLE.functions)
def test_no_secret_is_in_the_environment_and_every_variable_is_a_setting(name: str) -> None:
    variables = WHOLE.variables(name)
    named = {variable for variable in variables if SECRET_WORDS.search(variable)}
    assert named == {"EDGEWIKI_SECRETS"}
    settings = {
        str(field.validation_alias or f"EDGEWIKI_{name.upper()}")
        for name, field in Settings.model_fields.items()
    }
    of_stores = set(re.findall(r"EDGEWIKI_S3_\w+", (s3_client.__doc__ or "")))
    assert {each for each in variables if each.startswith("EDGEWIKI_")} <= settings | of_stores


def test_no_parameter_takes_a_secret_or_looks_one_up() -> None:
    for name, parameter in read_template()["Parameters"].items():
        assert "NoEcho" not in parameter, name
        assert "SSM" not in parameter["Type"], name
    text = (ROOT / "template.yaml").read_text()
    assert "{{resolve:" not in text
    assert not re.search(r"ApiKey:|SigningKey:|Token:", text)


def test_the_bucket_is_private_encrypted_versioned_and_outlives_the_stack() -> None:
    bucket = WHOLE.resources["Bucket"]
    properties = bucket["Properties"]
    assert bucket["DeletionPolicy"] == bucket["UpdateReplacePolicy"] == "Retain"
    assert set(properties["PublicAccessBlockConfiguration"].values()) == {True}
    assert len(properties["PublicAccessBlockConfiguration"]) == 4
    assert properties["VersioningConfiguration"] == {"Status": "Enabled"}
    assert "ServerSideEncryptionByDefault" in json.dumps(properties["BucketEncryption"])
    (denied,) = WHOLE.statements("BucketPolicy")
    assert (denied["Effect"], denied["Action"], denied["Principal"]) == ("Deny", ["s3:*"], "*")
    assert denied["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}


def test_the_bucket_forgets_what_was_replaced_and_never_what_is_current() -> None:
    rules = WHOLE.resources["Bucket"]["Properties"]["LifecycleConfiguration"]["Rules"]
    assert {rule["Status"] for rule in rules} == {"Enabled"}
    expiring = {rule["Prefix"] for rule in rules if "ExpirationInDays" in rule}
    assert expiring == {"jobs/2", "probe/"}
    replaced = {rule.get("Prefix") for rule in rules if "NoncurrentVersionExpiration" in rule}
    assert replaced == {"channels/", "versions/", "objects/", "cache/", "jobs/2", "probe/"}
    aborted = [rule for rule in rules if "AbortIncompleteMultipartUpload" in rule]
    assert [rule.get("Prefix") for rule in aborted] == [None]
