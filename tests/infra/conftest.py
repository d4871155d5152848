"""The Pipe as Open WebUI loads it, beside a wiki service that answers as it is told."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import types
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = (Path(__file__).parents[2] / "infra" / "openwebui" / "pipe.py").read_text()
KEY = "key-of-the-wiki-4711"
QUESTION = "Who wrote about machine translation?"
ANSWER: dict[str, Any] = {
    "status": "ok",
    "answer": "Eva Nová wrote about it. [1]\n\n1. Theses",
    "accepted_for_delivery": True,
    "outcome": "answered",
    "claims": [{"text": "Eva Nová wrote about it.", "citations": [1], "quote": "Author: Eva Nová"}],
    "sources": [
        {
            "number": 1, "title": "Theses", "authors": ["Eva Nová"], "path": "theses.md",
            "heading": "Translation", "source_url": "https://wiki.example/theses", "published": "",
        }
    ],
}  # fmt: skip


class Service(ThreadingHTTPServer):
    """A wiki service. ``status``, ``body`` and ``headers`` are its answer, ``habit`` its manner."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), ServiceHandler)
        self.status, self.headers, self.habit = 200, {}, "answers"  # type: int, dict[str, str], str
        self.body: Any = ANSWER
        self.paths: list[str] = []
        self.keys: list[str | None] = []
        self.asked: list[Any] = []
        self.released = threading.Event()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_port}"


class ServiceHandler(BaseHTTPRequestHandler):
    server: Service

    def do_POST(self) -> None:
        service = self.server
        service.paths.append(self.path)
        service.keys.append(self.headers.get("X-API-Key"))
        service.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        if service.habit == "hangs":
            service.released.wait(20)
        elif service.habit != "hangs up":
            self._answer(service)

    def _answer(self, service: Service) -> None:
        body = service.body
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(service.status)
        for name, value in service.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if service.habit == "drips":
            for _ in range(100):
                service.released.wait(0.05)
                self.wfile.write(b" ")
                self.wfile.flush()
        self.wfile.write(body[:-9] if service.habit == "stops half-way" else body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def service() -> Iterator[Service]:
    """A running service, which accepts what it is asked and answers `ANSWER`."""
    with Service() as server:
        server.handle_error = lambda *_: None  # type: ignore[method-assign]
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.released.set()
        server.shutdown()
        thread.join()


@pytest.fixture
def pipe(service: Service, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The Pipe, loaded from its source and set up for ``service``."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    module = types.ModuleType("function_edgewiki_0815")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(SOURCE, module.__name__, "exec"), module.__dict__)
    monkeypatch.delitem(sys.modules, module.__name__)  # Open WebUI takes it out as well
    loaded = module.__dict__["Pipe"]()
    loaded.valves = loaded.Valves(BACKEND_URL=service.url, BACKEND_API_KEY=KEY, TIMEOUT_SECONDS=5)
    return loaded


class Chat:
    """A reader's side of one conversation: what the Pipe said, and every event it sent."""

    def __init__(self, pipe: Any) -> None:
        self.pipe, self.events = pipe, []  # type: Any, list[dict[str, Any]]

    def ask(self, *messages: Any, model: str = "wiki.checked-rag", **given: Any) -> str:
        """Send messages, each a question or a whole message; return the one string."""
        written = [{"role": "user", "content": m} if isinstance(m, str) else m for m in messages]
        body = {"model": model, "messages": written, "stream": given.pop("stream", True)}
        return self.send(body, **given)

    def send(self, body: dict[str, Any], **given: Any) -> str:
        """Send the body of a request as it is."""
        said = asyncio.run(self.pipe.pipe(body, __event_emitter__=self.emit, **given))
        assert isinstance(said, str)
        return said

    async def emit(self, event: dict[str, Any]) -> None:
        """Take an event, as a browser would."""
        self.events.append(event)

    def of(self, kind: str) -> list[dict[str, Any]]:
        """The data of the events of one kind."""
        return [event["data"] for event in self.events if event["type"] == kind]


@pytest.fixture
def chat(pipe: Any) -> Chat:
    """A fresh conversation."""
    return Chat(pipe)
