"""What is installed, what is imported, and what the locks pin."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

from tests.functions.conftest import KEY
from tests.keys import one_key

ROOT = Path(__file__).parent.parent
OTHERS = ROOT / "eval" / "side_by_side" / "requirements.txt"
OF_SAM = sorted((ROOT / "infra" / "sam").glob("*.txt"))
LOCKS = [*sorted((ROOT / "infra" / "locks").glob("*.txt")), *OF_SAM, OTHERS]
BUILD_ONLY = [
    "sqlite_utils", "simplemma", "onnx", "markdown_it", "rich", "typer", "py3langid", "pathspec",
    "yaml", "uvicorn", "build", "edgewiki",
]  # fmt: skip
NOT_BEFORE_THE_FIRST_QUESTION = ["boto3", "onnxruntime", "tokenizers", "networkx", "httpx"]
FOR_TESTS_ALONE = ["mcp", "mcp_types", "jsonschema", "pytest"]
HANDLERS = sorted((ROOT / "functions").glob("*/handler.py"))


def test_build_is_our_package_and_not_the_one_on_pypi() -> None:
    with pytest.raises(PackageNotFoundError):
        distribution("build")
    for name in ("build", "functions", "index_artifacts", "eval", "edgewiki"):
        module = importlib.import_module(name)
        assert module.__file__ is not None
        assert Path(module.__file__).is_relative_to(ROOT)


@pytest.mark.parametrize("handler", HANDLERS, ids=lambda path: path.parent.name)
def test_a_handler_loads_nothing_that_it_does_not_need(handler: Path) -> None:
    names = [*BUILD_ONLY, *NOT_BEFORE_THE_FIRST_QUESTION, *FOR_TESTS_ALONE]
    code = (
        f"import sys, functions.{handler.parent.name}.handler;"
        f"print([name for name in {names} if name in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True,
        env={"EDGEWIKI_API_KEYS": one_key(KEY)},
    )  # fmt: skip
    assert ran.stdout.strip() == "[]"


def script(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command."""
    return subprocess.run(
        [Path(sys.executable).with_name("edgewiki"), *arguments],
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_installed_command_works_and_fails_in_one_sentence() -> None:
    assert "Usage: edgewiki" in script("--help").stdout
    wrong = script("search", "x", "--store", "ftp://host/x")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("edgewiki: store 'ftp://host/x'")
    assert wrong.stderr.count("\n") == 1
    assert script("no-such-command").returncode == 2


def test_help_loads_nothing_heavy() -> None:
    heavy = ["numpy", "pydantic", "onnxruntime", "boto3", "fastapi", "networkx", "sqlite_utils"]
    code = (
        "import sys; from typer.testing import CliRunner; import edgewiki;"
        "assert CliRunner().invoke(edgewiki.app, ['--help']).exit_code == 0;"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "[]"


def test_the_engines_beside_edgewiki_stay_out_of_its_own_locks() -> None:
    others = ("bm25s", "lancedb", "pystemmer", "tantivy")
    pinned = {lock.name: lock.read_text() for lock in LOCKS if lock != OTHERS}
    assert not [(n, o) for n, text in pinned.items() for o in others if f"\n{o}==" in f"\n{text}"]
    assert all(f"\n{other}==" in f"\n{OTHERS.read_text()}" for other in others)
    assert "\nbuild==" not in f"\n{OTHERS.read_text()}"


def test_there_is_a_lock_for_running_and_one_for_development() -> None:
    assert {"dev.txt", "runtime.txt"} <= {lock.name for lock in LOCKS}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_pins_every_requirement_by_hash_and_names_no_index(lock: Path) -> None:
    text = lock.read_text()
    assert not re.search(r"https?://|--(extra-)?index-url|--find-links|--trusted-host", text)
    requirements = re.split(r"\n(?=[A-Za-z0-9])", re.sub(r"^\s*#.*\n", "", text, flags=re.M))
    assert len(requirements) > 2
    for requirement in requirements:
        assert re.match(r"[A-Za-z0-9._\[\]-]+==[^\s;]+", requirement), requirement[:80]
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", requirement), requirement[:80]
