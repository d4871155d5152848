"""``edgewiki serve`` with a local runner: from a push to an answer, over HTTP."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from functions.sync.ledger import Ledger
from index_artifacts.store import open_store
from tests.functions.sync.conftest import GITHUB_SECRET, SYNC_KEY, github, push, sent
from tests.s3_server import unused_port

if TYPE_CHECKING:
    from tests.functions.sync.pushed_wiki import Wiki

pytestmark = pytest.mark.slow
KEY = {"X-API-Key": SYNC_KEY}


def test_a_push_is_answered_from_by_the_server_that_built_it(
    built_wiki: Wiki, tmp_path: Path
) -> None:
    port = unused_port()
    environ = {
        **os.environ,
        "EDGEWIKI_CACHE_DIR": str(tmp_path / "cache"),
        "EDGEWIKI_REFRESH_SECONDS": "0",
        "EDGEWIKI_SYNC_KEY": SYNC_KEY,
        "EDGEWIKI_WEBHOOK_SECRET_GITHUB": GITHUB_SECRET,
        "EDGEWIKI_SYNC_RUNNER": "local",
        "EDGEWIKI_WIKI_DIR": str(built_wiki.clone),
        "EDGEWIKI_GIT_ORIGIN": built_wiki.url,
        "EDGEWIKI_FORGE_REPOSITORY": "noll/wiki",
        "EDGEWIKI_PUBLIC_URL": f"http://127.0.0.1:{port}",
    }
    store = (tmp_path / "store").as_uri()
    command = ["serve", str(built_wiki.clone), "--store", store, "--port", str(port)]
    process = subprocess.Popen(
        [sys.executable, "-m", "edgewiki", *command],
        env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    url = f"http://127.0.0.1:{port}"
    try:
        wait_for(process, url)
        revision = built_wiki.push({"new.md": "# Walrus\n\nA walrus arrived at the harbour.\n"})
        body = sent(push(after=revision))
        taken = httpx.post(f"{url}/webhook/github", content=body, headers=github(body)).json()
        assert taken["status_url"].startswith(url)
        job = followed(taken["status_url"])
        assert (job["state"], job["error"]) == ("succeeded", "")
        hit = httpx.post(f"{url}/search", json={"query": "walrus"}).json()["hits"][0]
        assert hit["document"]["id"] == "new.md"
        status = httpx.get(f"{url}/sync/status", headers=KEY).json()
        assert status["index_version"] == job["version"]
    finally:
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=60)
    assert "Traceback" not in err


def test_a_server_that_is_stopped_takes_its_build_with_it(built_wiki: Wiki, tmp_path: Path) -> None:
    slow, seen = tmp_path / "slow", tmp_path / "pid"
    slow.write_text(f"#!/bin/sh\necho $$ > {seen}.half; mv {seen}.half {seen}; exec sleep 600\n")
    slow.chmod(0o755)
    code = (
        "import sys, time\n"
        "from functions.settings import load_settings\n"
        "from functions.sync.jobs import Request\n"
        "from functions.sync.service import SyncService\n"
        f"sys.executable = {str(slow)!r}\n"
        "SyncService(load_settings()).request(Request('push', pull=False))\n"
        "import signal; signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))\n"
        "time.sleep(600)\n"
    )
    environ = {
        **os.environ,
        "EDGEWIKI_STORE": (tmp_path / "store").as_uri(),
        "EDGEWIKI_CACHE_DIR": str(tmp_path / "cache"),
        "EDGEWIKI_ALLOW_ANONYMOUS": "true",
        "EDGEWIKI_SYNC_RUNNER": "local",
        "EDGEWIKI_WIKI_DIR": str(built_wiki.clone),
    }
    process = subprocess.Popen([sys.executable, "-c", code], env=environ)
    for _ in range(600):
        if seen.exists():
            break
        time.sleep(0.1)
    child = int(seen.read_text())
    assert Path(f"/proc/{child}").exists()
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=60) == 0
    assert not Path(f"/proc/{child}/exe").exists()
    job = Ledger(open_store(environ["EDGEWIKI_STORE"]), 3600.0).queue().active
    assert job is not None
    assert (job.state, job.error) == ("running", "")  # no failure: it will be tried again


def wait_for(process: subprocess.Popen[str], url: str) -> None:
    for _ in range(300):
        assert process.poll() is None, process.stderr and process.stderr.read()
        try:
            httpx.get(f"{url}/openapi.json")
            return
        except httpx.TransportError:
            time.sleep(0.1)


def followed(status_url: str) -> dict[str, str]:
    for _ in range(600):
        job: dict[str, str] = httpx.get(status_url, headers=KEY).json()
        if job["state"] in {"succeeded", "failed"}:
            return job
        time.sleep(0.1)
    raise AssertionError(job)
