"""The files of a plain server, run as they are written."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import httpx

from tests.cloudformation import ROOT, Deployed
from tests.s3_server import unused_port
from tests.tiny_wiki import build_and_publish

if TYPE_CHECKING:
    from collections.abc import Iterator

SERVER = ROOT / "infra" / "server"


def command_of_service(port: int) -> list[str]:
    """What systemd starts, with this environment's program and another port."""
    unit = (SERVER / "edgewiki.service").read_text()
    (line,) = re.findall(r"^ExecStart=(.*)$", unit, re.MULTILINE)
    program, *arguments = line.split()
    assert program.startswith("/opt/edgewiki/.venv/bin/")
    arguments[arguments.index("--port") + 1] = str(port)
    return [str(Path(sys.executable).with_name(Path(program).name)), *arguments]


@contextmanager
def running(command: list[str], environ: dict[str, str], port: int) -> Iterator[str]:
    """Its URL once it answers; ended by its process id."""
    process = subprocess.Popen(
        command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            assert process.poll() is None, process.stdout and process.stdout.read()
            try:
                httpx.get(f"{url}/health", timeout=30)
                break
            except httpx.TransportError:
                time.sleep(0.1)
        yield url
    finally:
        os.kill(process.pid, signal.SIGTERM)
        said, _ = process.communicate(timeout=60)
        assert "Traceback" not in said


def test_several_workers_of_the_service_answer_from_one_store(tmp_path: Path) -> None:
    build_and_publish(tmp_path / "store", tmp_path)
    port = unused_port()
    environ = {
        "PATH": os.environ["PATH"],
        "EDGEWIKI_STORE": f"file://{tmp_path / 'store'}",
        "EDGEWIKI_CACHE_DIR": str(tmp_path / "cache"),
        "EDGEWIKI_ALLOW_ANONYMOUS": "true",
    }
    command = command_of_service(port)
    assert int(command[command.index("--workers") + 1]) > 1
    with running(command, environ, port) as url:
        for _ in range(12):
            found = httpx.post(f"{url}/search", json={"query": "printer toner"}, timeout=30).json()
            assert found["hits"][0]["document"]["id"] == "printer.md"


def test_the_proxy_asks_the_port_of_the_service_and_limits_answers() -> None:
    proxy = (SERVER / "nginx.conf").read_text()
    command = command_of_service(1)
    unit = (SERVER / "edgewiki.service").read_text()
    assert command[command.index("--host") + 1] == "127.0.0.1"  # reached through the proxy alone
    (port,) = re.findall(r"--port (\d+)", unit)
    assert set(re.findall(r"proxy_pass (\S+);", proxy)) == {f"http://127.0.0.1:{port}"}
    assert "location = /answer {" in proxy
    assert proxy.count("limit_req zone=") == proxy.count("location ")


def test_a_local_invocation_changes_variables_that_the_template_has() -> None:
    given = json.loads((ROOT / "infra" / "sam" / "local.json").read_text())["Parameters"]
    assert set(given) <= set(Deployed().variables("SearchFunction"))
    assert Deployed().variables("SearchFunction")["EDGEWIKI_ALLOW_ANONYMOUS"] == "false"


def test_an_event_whose_key_is_left_out_is_still_an_event() -> None:
    lines = (ROOT / "tests" / "events" / "http-api.json").read_text().splitlines()
    event = json.loads("\n".join(line for line in lines if "x-api-key" not in line))
    assert "x-api-key" not in event["headers"]
