"""How a function that changed the wiki asks for a job: here, or of another Lambda function."""

from __future__ import annotations

import asyncio
import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest
from mangum import Mangum

from functions.sync import requests, service
from functions.sync.requests import SyncTicket, request_sync
from functions.sync.service import SyncService, service_of
from index_artifacts.errors import ConfigError, UnavailableError
from tests.functions.sync.conftest import REVISION, SYNC_KEY, client_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from functions.settings import Settings
    from tests.functions.sync.conftest import PlayedForge


@contextmanager
def lambda_service(answer: Callable[[str, dict[str, Any]], tuple[bytes, str]]) -> Iterator[str]:
    """AWS's Lambda API: ``answer`` gets a function's name and the event."""

    class Api(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            event = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            body, error = answer(self.path.split("/")[3], event)
            self.send_response(200)
            if error:
                self.send_header("X-Amz-Function-Error", error)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Api) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def _aws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_REGION", "eu-central-1")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")


def test_in_one_process_the_ledger_is_asked(
    sync_settings: Callable[..., Settings], forge: PlayedForge, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = sync_settings(sync_key="")  # nobody outside is asked
    sync = SyncService(settings, forge=lambda _: forge)
    monkeypatch.setitem(service._services, settings, sync)
    ticket = request_sync(settings, "edit of a.md", REVISION, "ada")
    assert ticket == SyncTicket(forge.job_ids[0], f"/sync/jobs/{forge.job_ids[0]}")
    job = sync.job(ticket.job_id)
    assert (job.reasons, job.revision, job.requested_by) == (("edit of a.md",), REVISION, ("ada",))
    assert job.pull


def test_a_process_has_one_service_for_its_settings(
    sync_settings: Callable[..., Settings],
) -> None:
    first = service_of(sync_settings())
    assert service_of(sync_settings()) is first
    assert service_of(sync_settings(channel="preview")) is not first


@pytest.mark.usefixtures("_aws")
@pytest.mark.usefixtures("mangums_loop")
def test_elsewhere_the_sync_function_is_asked_as_an_http_api_would(
    sync: SyncService,
    sync_settings: Callable[..., Settings],
    forge: PlayedForge,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    handler = Mangum(client_of(sync).app, lifespan="off")  # type: ignore[arg-type]
    names: list[str] = []
    loop = asyncio.new_event_loop()

    def invoke(name: str, event: dict[str, Any]) -> tuple[bytes, str]:
        names.append(name)
        asyncio.set_event_loop(loop)  # Lambda's own is that of its main thread
        return json.dumps(handler(event, {})).encode(), ""  # type: ignore[arg-type]

    with lambda_service(invoke) as url:
        monkeypatch.setenv("AWS_ENDPOINT_URL_LAMBDA", url)
        ticket = request_sync(
            sync_settings(sync_function="edgewiki-sync"), "edit of a.md", REVISION, "ada"
        )
    loop.close()
    assert names == ["edgewiki-sync"]
    assert forge.job_ids == [ticket.job_id]
    assert ticket.status_url == f"/sync/jobs/{ticket.job_id}"
    job = sync.job(ticket.job_id)
    assert (job.reasons, job.revision, job.requested_by) == (("edit of a.md",), REVISION, ("ada",))


@pytest.mark.usefixtures("_aws")
@pytest.mark.parametrize(
    ("body", "error", "words"),
    [
        (b'{"statusCode": 401, "body": "{\\"reason\\": \\"send the key\\"}"}', "", "401: send"),
        (b'{"errorMessage": "out of memory"}', "Unhandled", "failed; see its log"),
        (b"null", "", "failed; see its log"),
        (b"{}", "", "like no sync function"),
        (b'{"statusCode": 202, "body": "[]"}', "", "like no sync function"),
        (b"<html>", "", "cannot be asked"),
    ],
)
def test_a_sync_function_that_fails_is_an_error_without_the_key(
    sync_settings: Callable[..., Settings],
    monkeypatch: pytest.MonkeyPatch,
    body: bytes,
    error: str,
    words: str,
) -> None:
    with lambda_service(lambda *_: (body, error)) as url:
        monkeypatch.setenv("AWS_ENDPOINT_URL_LAMBDA", url)
        with pytest.raises(UnavailableError, match=words) as failed:
            request_sync(sync_settings(sync_function="edgewiki-sync"), "edit")
    assert SYNC_KEY not in str(failed.value)


@pytest.mark.usefixtures("_aws")
def test_a_sync_function_that_cannot_be_reached_is_an_error(
    sync_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_LAMBDA", "http://127.0.0.1:9")
    with pytest.raises(UnavailableError, match="cannot be asked"):
        request_sync(sync_settings(sync_function="edgewiki-sync"), "edit")


def test_without_a_sync_key_no_function_is_asked(sync_settings: Callable[..., Settings]) -> None:
    settings = sync_settings(sync_function="edgewiki-sync", sync_key="")
    with pytest.raises(ConfigError, match="EDGEWIKI_SYNC_KEY is empty"):
        request_sync(settings, "edit")


def test_the_event_is_one_of_an_http_api(client_event: dict[str, Any]) -> None:
    made = requests.sync_event({"pull": True}, SYNC_KEY)
    assert set(made) <= set(client_event)
    assert set(made["requestContext"]) <= set(client_event["requestContext"])
    assert set(made["requestContext"]["http"]) == set(client_event["requestContext"]["http"])


@pytest.fixture
def client_event() -> dict[str, Any]:
    """What a real HTTP API sent."""
    from tests.functions.test_lambda import load

    return load("http-api")
