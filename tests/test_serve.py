"""``edgewiki serve``: a real server on the loopback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from eval.served_process import served_process
from tests.keys import one_key
from tests.s3_server import unused_port
from tests.tiny_wiki import build_and_publish

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def served_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of a store with a tiny wiki, in a folder of its own."""
    for name in [name for name in os.environ if name.startswith("EDGEWIKI_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("EDGEWIKI_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    build_and_publish(tmp_path / "store", tmp_path)
    return f"file://{tmp_path / 'store'}"


@contextmanager
def serving(*arguments: str) -> Iterator[str]:
    """A real ``edgewiki serve``; ended by its process id."""
    port = unused_port()
    process = subprocess.Popen(
        [Path(sys.executable).with_name("edgewiki"), "serve", *arguments, "--port", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            assert process.poll() is None, process.stderr and process.stderr.read()
            try:
                httpx.get(f"{url}/openapi.json")
                break
            except httpx.TransportError:
                time.sleep(0.1)
        yield url
    finally:
        os.kill(process.pid, signal.SIGTERM)
        _, err = process.communicate(timeout=60)
        assert "Traceback" not in err


def test_serve_answers_over_http(served_store: str) -> None:
    with serving("--store", served_store) as url:
        health = httpx.get(f"{url}/health").json()
        assert health["status"] == "ok"
        found = httpx.post(f"{url}/search", json={"query": "printer toner"}).json()
        assert found["hits"][0]["document"]["id"] == "printer.md"
        assert found["index_version"] == health["index_version"]
        assert httpx.get(f"{url}/search", params={"q": "printer"}).status_code == 200


def test_serve_asks_for_a_key_where_one_is_set(
    served_store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "a-key-of-the-tests-0123456789abcdef"
    monkeypatch.setenv("EDGEWIKI_API_KEYS", one_key(key))
    with serving("--store", served_store) as url:
        assert httpx.get(f"{url}/search?q=printer").status_code == 401
        assert httpx.get(f"{url}/search?q=printer", headers={"X-API-Key": key}).is_success


def test_serve_asks_who_somebody_is_where_people_can_log_in(
    served_store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDGEWIKI_OIDC_ISSUER", "http://127.0.0.1:9")
    monkeypatch.setenv("EDGEWIKI_OIDC_CLIENT_ID", "wiki")
    monkeypatch.setenv("EDGEWIKI_SESSION_KEY", "a-session-key-of-the-tests-0123456789")
    with serving("--store", served_store) as url:
        assert httpx.get(f"{url}/search?q=printer").status_code == 401
        assert httpx.get(f"{url}/login").status_code == 503


def test_serve_for_the_whole_network_needs_keys(served_store: str) -> None:
    program = Path(sys.executable).with_name("edgewiki")
    refused = subprocess.run(
        [program, "serve", "--store", served_store, "--host", "0.0.0.0"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused.returncode == 2
    assert refused.stderr.startswith("edgewiki: EDGEWIKI_API_KEYS is empty")
    assert refused.stderr.count("\n") == 1


def test_serve_prints_a_line_of_json_for_each_request(served_store: str, tmp_path: Path) -> None:
    with served_process(tmp_path, served_store, {}, "--log", "json") as process:
        httpx.get(f"{process.url}/search", params={"q": "printer"})
        # The line is written once the answer is on its way.
        for _ in range(100):
            printed = process.log.read_text().splitlines()
            lines = [json.loads(line) for line in printed if line.endswith("}")]
            if asked := [line["route"] for line in lines if line.get("route") == "/search"]:
                break
            time.sleep(0.1)
    assert asked == ["/search"]
    assert "_aws" not in lines[-1]
