"""`make check-infra`: everything about a deployment that can be tried without an account.

Validates and builds the template, adds up sizes, and runs each built handler under Lambda's
runtime client over a small published wiki.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from eval.lambda_runtime import InvocationError
from infra.built import (
    CARRIED,
    MAX_MB,
    BuiltFunction,
    pure_part,
    read_build,
    runs_here,
)
from infra.invocations import CASES, FORBIDDEN, TIMES, Interpreter, imported_too_much, invoke
from infra.slim_layer import size_of

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
BUILD = ROOT / ".aws-sam" / "build"
TEMPLATES = ("template.yaml", "infra/function.yaml")


class CheckFailedError(Exception):
    """Something about the deployment is wrong; the message says what."""


def main() -> None:
    """Run every check in order and stop at the first one that fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sam", type=Path, required=True, help="the AWS SAM command line")
    parser.add_argument("--python", type=Path, help="the deployed Python, with awslambdaric")
    given = parser.parse_args()
    try:
        check(given.sam.absolute(), given.python)
    except (CheckFailedError, InvocationError) as error:
        sys.exit(f"check-infra: {error}")


def check(sam: Path, deployed: Path | None) -> None:
    """Raise `CheckFailedError` or `InvocationError` where something is wrong."""
    for template in TEMPLATES:
        for lint in ([], ["--lint"]):
            run_sam(sam, "validate", "--template", template, *lint)
    run_sam(sam, "build")
    functions = read_build(BUILD)
    check_sizes(functions)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        interpreter = choose(deployed, functions[0].layer, folder)
        with timed("publish a small wiki"):
            store = publish_wiki(folder)
        check_handlers(functions, interpreter, store, folder)


def run_sam(sam: Path, *arguments: str) -> None:
    """Run one command, which needs neither an account nor a container engine."""
    environ = {"AWS_DEFAULT_REGION": "eu-central-1", **os.environ, "SAM_CLI_TELEMETRY": "0"}
    with timed(f"sam {' '.join(arguments)}"):
        ran = subprocess.run(
            [sam, *arguments], cwd=ROOT, env=environ, capture_output=True, text=True, check=False
        )
        if ran.returncode:
            raise CheckFailedError(f"sam {' '.join(arguments)}:\n{ran.stdout}{ran.stderr}")


def check_sizes(functions: list[BuiltFunction]) -> None:
    """Every function has room below Lambda's limit, and carries its own code alone."""
    print(f"    the layer: {size_of(functions[0].layer) / 1e6:.1f} MB unpacked")
    for function in functions:
        carried = {path.name for path in function.folder.iterdir()}
        if carried != CARRIED:
            raise CheckFailedError(f"{function.name} carries {sorted(carried)}, not {CARRIED}")
        size = function.megabytes
        print(f"    {function.name}: {size:.1f} MB with its layer")
        if size > MAX_MB:
            raise CheckFailedError(
                f"{function.name} has {size:.1f} MB with its layer, over {MAX_MB}"
            )


def choose(deployed: Path | None, layer: Path, folder: Path) -> Interpreter:
    """The deployed Python where it and the layer run here, else this one; says which it is."""
    if deployed is not None and runs_here(layer):
        print(f"    handlers run under the deployed Python, {deployed}, with the whole layer")
        return Interpreter(deployed.absolute(), layer / "python")
    missing = "the layer is for another machine" if deployed else "the deployed Python is missing"
    print(
        f"    NOT under the deployed Python ({missing}): handlers run under "
        f"{sys.version.split()[0]} with the layer's pure packages; compiled ones come from .venv"
    )
    return Interpreter(Path(sys.executable), pure_part(layer, folder / "pure"))


def publish_wiki(folder: Path) -> str:
    """Compile a wiki of three pages with the real model, publish it, and return the store."""
    from tests.tiny_wiki import build_and_publish

    build_and_publish(folder / "store", folder, model="onnx")
    return f"file://{folder / 'store'}"


def check_handlers(
    functions: list[BuiltFunction], interpreter: Interpreter, store: str, folder: Path
) -> None:
    """Import and invoke each handler as it was built."""
    for function in functions:
        with timed(f"{function.name}: {len(CASES[function.name])} events, {TIMES} times"):
            if names := imported_too_much(function, interpreter, folder):
                raise CheckFailedError(f"{function.name} imports {', '.join(names)} of {FORBIDDEN}")
            if wrong := invoke(function, interpreter, store, folder / function.name):
                raise CheckFailedError(f"{function.name}: {wrong[0]}")


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Say how long ``what`` took, once it has succeeded."""
    started = time.monotonic()
    yield
    print(f"ok  {what} ({time.monotonic() - started:.1f} s)", flush=True)


if __name__ == "__main__":
    main()
