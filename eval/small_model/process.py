"""Running the small model's server in its own environment, as a child process."""

from __future__ import annotations

import os
import select
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from index_artifacts.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

ENVIRONMENT = Path(".edgewiki/small-model")
CREATE = "make small-model-environment"
NAME = "gemma-3-270m"
CONTEXT_TOKENS = 8_192

_SERVER = Path(__file__).parent / "server.py"
_READY_SECONDS = 120


@contextmanager
def running_small_model(
    environment: Path = ENVIRONMENT, context_tokens: int = CONTEXT_TOKENS, threads: int = 1
) -> Iterator[str]:
    """The base URL of the model's OpenAI-compatible API, until the block ends.

    ``context_tokens`` are those of a prompt and its completion together. One of ``threads`` that
    waits for a core makes the others wait, too: as many as there are cores is a tenth of the speed
    of a single one as soon as anything else runs. Raises `ConfigError` without the environment,
    `RuntimeError` where the server does not start.
    """
    python = environment / "bin" / "python"
    if not python.exists():
        raise ConfigError(f"{environment} has no small model: create it with `{CREATE}`")
    model = environment.resolve() / f"{NAME}.gguf"
    command = [str(python), str(_SERVER), str(model), str(context_tokens), str(threads)]
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
            env={**os.environ, "PYTHONPATH": ""},
        )  # fmt: skip
        try:
            yield _address(process, log) + "/v1"
        finally:
            process.kill()
            process.communicate()


def _address(process: subprocess.Popen[bytes], log: IO[bytes]) -> str:
    """The line that the server prints once it answers."""
    output = process.stdout
    assert output
    ready, _, _ = select.select([output], [], [], _READY_SECONDS)
    address = output.readline().decode().strip() if ready else ""
    if not address.startswith("http://"):
        log.seek(0)
        said = log.read().decode(errors="replace")[-2_000:]
        raise RuntimeError(f"the small model does not start: {said or address}")
    return address
