"""What `make check-infra` and `make deploy` are made of."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import shutil
import subprocess
import sys
from pathlib import Path

import botocore
import pytest

from infra.built import CARRIED, BuiltFunction, pure_part, read_build, runs_here
from infra.check import CheckFailedError, check_sizes
from infra.invocations import EVENTS, FORGE, Interpreter, imported_too_much
from infra.slim_layer import AWS_SERVICES, size_of, slim
from tests.cloudformation import ROOT


def built(folder: Path, code: str = "handler = None\n") -> BuiltFunction:
    """A function of one module, and a layer with one package."""
    task = folder / "task"
    for name in CARRIED - {"parameters.cksum"}:
        (task / name).mkdir(parents=True)
        (task / name / "__init__.py").write_text("")
    (task / "parameters.cksum").write_text("1 2\n")
    (task / "functions" / "tried.py").write_text(code)
    (folder / "layer" / "python" / "pure").mkdir(parents=True)
    (folder / "layer" / "python" / "pure" / "__init__.py").write_text("")
    return BuiltFunction("TriedFunction", "functions.tried.handler", task, folder / "layer")


def test_a_slim_layer_still_makes_every_client_that_edgewiki_makes(tmp_path: Path) -> None:
    package = Path(botocore.__file__).parent
    shutil.copytree(package, tmp_path / "botocore", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "boto3" / "data").mkdir(parents=True)
    before = size_of(tmp_path)
    freed = slim(tmp_path)
    assert before - freed == size_of(tmp_path)
    assert freed > 10e6
    shutil.rmtree(tmp_path / "boto3")
    code = (
        "import boto3.session, botocore; session = boto3.session.Session(region_name='eu-west-1');"
        f"[session.client(name) for name in {sorted(AWS_SERVICES)}];"
        "print(botocore.__file__, session.get_available_services() and len(session."
        "get_available_services()))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    where, services = ran.stdout.split()
    assert Path(where).is_relative_to(tmp_path)
    assert int(services) == len(AWS_SERVICES)


def test_what_engines_and_their_tests_bring_along_is_left_out(tmp_path: Path) -> None:
    gone = [
        "onnxruntime/capi/libonnxruntime.so.1.32.0", "onnxruntime/tools/x.py", "bin/f2py",
        "numpy/_core/tests/test_x.py", "networkx/classes/tests/tests/x.py", "hf_xet/x.so",
    ]  # fmt: skip
    kept = ["onnxruntime/capi/onnxruntime_pybind11_state.so", "numpy/testing/__init__.py"]
    for name in [*gone, *kept, "botocore/data/s3/x", "boto3/data/s3/x"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    slim(tmp_path)
    assert not [name for name in gone if (tmp_path / name).exists()]
    assert all((tmp_path / name).exists() for name in kept)


@pytest.mark.parametrize("module", ["sqlite_utils", "build.report", "eval.metrics"])
def test_a_handler_that_imports_what_writes_or_measures_is_found(
    tmp_path: Path, module: str
) -> None:
    function = built(tmp_path, f"import sys\nsys.path.append({str(ROOT)!r})\nimport {module}\n")
    interpreter = Interpreter(Path(sys.executable), function.layer / "python")
    found = imported_too_much(function, interpreter, tmp_path)
    assert module.split(".")[0] in found
    quiet = built(tmp_path / "quiet", "import json\n")
    assert imported_too_much(quiet, interpreter, tmp_path) == []


def test_a_function_that_is_too_large_or_carries_more_than_its_code_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    function = built(tmp_path)
    check_sizes([function])
    (function.folder / "big").write_bytes(b"x" * 3000)
    with pytest.raises(CheckFailedError, match="TriedFunction carries"):
        check_sizes([function])
    (function.folder / "big").rename(function.folder / "functions" / "big")
    monkeypatch.setattr("infra.check.MAX_MB", 0.002)
    with pytest.raises(CheckFailedError, match="MB with its layer, over"):
        check_sizes([function])


def test_another_python_gets_the_packages_of_a_layer_that_are_not_compiled(tmp_path: Path) -> None:
    function = built(tmp_path)
    compiled = function.layer / "python" / "engine" / "core.cpython-312-s390x-linux-gnu.so"
    compiled.parent.mkdir()
    compiled.write_bytes(b"")
    (function.layer / "python" / "pure-1.0.dist-info").mkdir()
    pure = pure_part(function.layer, tmp_path / "pure")
    assert [path.name for path in pure.iterdir()] == ["pure"]
    assert not runs_here(function.layer)


def test_the_result_of_a_build_is_read_from_its_template(tmp_path: Path) -> None:
    template = {
        "Resources": {
            "L": {"Type": "AWS::Serverless::LayerVersion", "Properties": {"ContentUri": "L"}},
            "F": {
                "Type": "AWS::Serverless::Function",
                "Properties": {"CodeUri": "F", "Handler": "functions.f.handler.handler"},
            },
            "Bucket": {"Type": "AWS::S3::Bucket"},
        }
    }
    (tmp_path / "template.yaml").write_text(json.dumps(template))  # JSON is YAML
    (function,) = read_build(tmp_path)
    assert (function.folder, function.layer) == (tmp_path / "F", tmp_path / "L")
    assert function.module == "functions.f.handler"


@pytest.mark.parametrize(
    ("event", "header", "secret"),
    [
        ("webhook-github", "x-hub-signature-256", "EDGEWIKI_WEBHOOK_SECRET_GITHUB"),
        ("webhook-gitea", "x-gitea-signature", "EDGEWIKI_WEBHOOK_SECRET_GITEA"),
    ],
)
def test_webhooks_among_the_events_are_signed_over_the_decoded_body(
    event: str, header: str, secret: str
) -> None:
    given = json.loads((EVENTS / f"{event}.json").read_text())
    assert given["isBase64Encoded"] is True
    body = base64.b64decode(given["body"])
    signature = hmac.new(FORGE[secret].encode(), body, hashlib.sha256).hexdigest()
    assert given["headers"][header].removeprefix("sha256=") == signature
    assert int(given["headers"]["content-length"]) == len(body)


def test_deploying_without_sam_says_what_is_missing() -> None:
    ran = subprocess.run(
        ["make", "deploy", "SAM="], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode
    assert "make deploy needs the AWS SAM command line" in ran.stderr
    assert "make sam-environment" in ran.stderr


@pytest.mark.parametrize(("architecture", "wheels"), [("arm64", "aarch64"), ("x86_64", "x86_64")])
def test_the_layer_is_built_for_the_processor_that_is_asked_for(
    architecture: str, wheels: str
) -> None:
    command = ["make", "-n", "build-RuntimeLayer", f"ARCHITECTURE={architecture}"]
    ran = subprocess.run(
        [*command, "ARTIFACTS_DIR=x"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert f"--platform manylinux_2_28_{wheels}" in ran.stdout
