"""A scripted OpenAI-compatible server on a real socket, and the replies to script it with.

    def test_something(llm_server):
        llm_server.script(status(429), claims(claim("Port 8080.", 1)), hang())
        llm_server.script(lambda request: text("1" if "port" in request.text else "2"))
        … EDGEWIKI_LLM_URL = llm_server.url …
        assert llm_server.requests[0].body["model"] == "m"

A reply is one of what the functions below make, or a function from the request to one. When the
script is over, ``llm_server.default`` answers, for as long as anybody asks.
"""

from __future__ import annotations

import json
import select
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

LONGEST = 60.0  # seconds that a reply may hang or drip: a test that is stuck must end
STEP = 0.01


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked. Header names are lower-case; ``body`` is the JSON."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def text(self) -> str:
        """Every message's content, so that a reply can be made of the evidence."""
        return "\n\n".join(str(message["content"]) for message in self.body.get("messages", []))


@dataclass(frozen=True, slots=True)
class Reply:
    """Bytes for the client.

    ``sending`` is ``whole``, ``half``, ``drip``, ``drip-head`` or ``hang``; a drip is a byte every
    ``pause`` seconds.
    """

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    sending: str = "whole"
    pause: float = 0.05

    def head(self) -> bytes:
        headers = {"Content-Type": "application/json", "Content-Length": str(len(self.body))}
        lines = [f"{name}: {value}" for name, value in {**headers, **self.headers}.items()]
        start = f"HTTP/1.1 {self.status} Scripted"
        return "\r\n".join([start, *lines, "Connection: close", "", ""]).encode("latin-1")


Scripted = Reply | Callable[[Request], Reply]


def text(content: Any, finish: str | None = "stop", tokens: tuple[int, int] = (20, 10)) -> Reply:
    """A completion; ``tokens`` are those of the prompt and of the completion."""
    message = {"role": "assistant", "content": content}
    usage = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}
    return completion({"index": 0, "message": message, "finish_reason": finish}, usage=usage)


def completion(*choices: Any, **fields: Any) -> Reply:
    """A completion of these choices, with any more fields."""
    return raw({"id": "c", "object": "chat.completion", "model": "m", "choices": choices, **fields})


def claim(said: str, *citations: int, quote: str = "", **fields: Any) -> dict[str, Any]:
    """One claim as the prompt asks for it; ``fields`` are added."""
    return {"text": said, "citations": list(citations), "quote": quote, **fields}


def claims(*made: Mapping[str, Any], **fields: Any) -> Reply:
    """A completion with the JSON object of these claims."""
    return as_json({"claims": made, **fields})


def as_json(value: Any) -> Reply:
    """A completion whose text is JSON."""
    return text(json.dumps(value, ensure_ascii=False))


def prose(words: str = "The server listens on port 8080, as far as I know.") -> Reply:
    """A completion that is no JSON."""
    return text(words)


def broken_json(start: str = '{"claims": [{"text": "Port 8080.", "cit') -> Reply:
    """JSON that closes nowhere, of a model that says it is finished."""
    return text(start)


def unclosed(start: str = '{"claims": [{"text": "Port 80') -> Reply:
    """JSON that was cut at the token limit."""
    return text(start, finish="length")


def filtered() -> Reply:
    """A completion that a content filter withheld."""
    return text(None, finish="content_filter")


def null_content(**fields: Any) -> Reply:
    """A completion without content; ``fields`` are added to its message."""
    message = {"role": "assistant", "content": None, **fields}
    return completion({"index": 0, "message": message, "finish_reason": "stop"})


def no_choices() -> Reply:
    """A completion whose list of choices is empty."""
    return completion()


def raw(body: Any, status: int = 200, **headers: str) -> Reply:
    """Bytes as they are, anything else as JSON. ``Retry_After`` names the header Retry-After."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Reply(data, status, {name.replace("_", "-"): value for name, value in headers.items()})


def empty_body() -> Reply:
    """Status 200 and nothing."""
    return raw(b"")


def status(code: int, message: str = "no", kind: str | None = None, **headers: str) -> Reply:
    """An error as the protocol words it; ``kind`` is its ``code``."""
    error = {"message": message, "type": "scripted", "param": None, "code": kind}
    return raw({"error": error}, code, **headers)


def hang() -> Reply:
    """Nothing at all, until the client goes."""
    return Reply(b"", sending="hang")


def drip(reply: Reply, pause: float = 0.05, *, head: bool = False) -> Reply:
    """``reply``, a byte every ``pause`` seconds: of its body, or from its first header on."""
    return replace(reply, sending="drip-head" if head else "drip", pause=pause)


def half(reply: Reply) -> Reply:
    """The first half of the body of ``reply``; then the connection is closed."""
    return replace(reply, sending="half")


class LlmServer:
    """What the test sees of the server. Safe for requests at the same time."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.requests: list[Request] = []
        self.default: Scripted = text('{"claims": []}')
        self.hung_up = threading.Event()
        """Set once a client went while a reply hung or dripped."""
        self.ended = threading.Event()
        self.problems: list[Exception] = []
        """What scripted functions raised; the first is raised again at the test's end."""
        self._lock = threading.Lock()
        self._script: deque[Scripted] = deque()

    def script(self, *replies: Scripted) -> None:
        """Add replies to the script."""
        with self._lock:
            self._script.extend(replies)

    @property
    def left(self) -> int:
        """Scripted replies that nobody has asked for yet."""
        return len(self._script)

    def answer(self, request: Request) -> Reply:
        """The next reply; the request is remembered."""
        with self._lock:
            self.requests.append(request)
            scripted = self._script.popleft() if self._script else self.default
        if isinstance(scripted, Reply):
            return scripted
        try:
            return scripted(request)
        except Exception as error:  # an assertion of the test, which is in another thread
            self.problems.append(error)
            return status(418, "the script failed")

    def send(self, reply: Reply, client: socket.socket) -> None:
        """Send ``reply`` in its way, until the client goes or the test is over."""
        head, body = reply.head(), reply.body
        if reply.sending == "whole":
            client.sendall(head + body)
        elif reply.sending == "half":
            client.sendall(head + body[: len(body) // 2])
        elif reply.sending == "hang":
            self._wait(client, LONGEST)
        else:
            whole = 0 if reply.sending == "drip-head" else len(head)
            client.sendall((head + body)[:whole])
            self._drip((head + body)[whole:], reply.pause, client)

    def _drip(self, data: bytes, pause: float, client: socket.socket) -> None:
        for byte in data[: int(LONGEST / pause)]:
            if not self._wait(client, pause):
                return
            client.sendall(bytes([byte]))

    def _wait(self, client: socket.socket, seconds: float) -> bool:
        """Whether the client is still there after ``seconds``; False when the test is over."""
        for _ in range(max(1, round(seconds / STEP))):
            if self.ended.wait(STEP):
                return False
            if _is_gone(client):
                self.hung_up.set()
                return False
        return True


def _is_gone(client: socket.socket) -> bool:
    if not select.select([client], [], [], 0)[0]:
        return False
    with suppress(OSError):
        return client.recv(1, socket.MSG_PEEK) == b""
    return True


@pytest.fixture
def llm_server() -> Iterator[LlmServer]:
    """A running server; its threads end with the test."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.close_connection = True
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            reply = server.answer(Request(self.path, headers, body))
            try:
                server.send(reply, self.connection)
            except OSError:
                server.hung_up.set()

        def log_message(self, *args: object) -> None:
            """Say nothing: the test reads the error, not the log."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        running.daemon_threads = False  # so that closing waits for every one of them
        server = LlmServer(f"http://127.0.0.1:{running.server_port}/v1")
        thread = threading.Thread(target=running.serve_forever, args=(STEP,))
        thread.start()
        try:
            yield server
        finally:
            server.ended.set()
            running.shutdown()
            thread.join()
    if server.problems:
        raise server.problems[0]
