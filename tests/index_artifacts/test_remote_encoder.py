"""The remote encoder against a real server that does what servers do on bad days."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from index_artifacts.encoders import open_encoder
from index_artifacts.errors import InputTooLongError, ModelError
from index_artifacts.onnx_encoder import OnnxEncoder
from index_artifacts.remote_encoder import RemoteEncoder, estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

Answer = tuple[int, Any]


def embed(text: str) -> list[float]:
    """Three numbers that tell texts apart, and are not of length 1."""
    return [float(len(text)), float(text.count("a")), 2.0]


def honest(inputs: list[str]) -> Answer:
    rows = [{"index": n, "embedding": embed(text)} for n, text in enumerate(inputs)]
    return 200, {"data": rows[::-1], "model": "m"}  # in any order, as the protocol allows


class Server:
    """Answers with the scripted answers first, then honestly; remembers every request."""

    def __init__(self) -> None:
        self.script: list[Callable[[list[str]], Answer]] = []
        self.requests: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.keys: list[str | None] = []
        self.headers: dict[str, str] = {}
        self.url = ""

    def answer(self, path: str, key: str | None, body: dict[str, Any]) -> Answer:
        self.paths.append(path)
        self.keys.append(key)
        self.requests.append(body)
        reply = self.script.pop(0) if self.script else honest
        return reply(body["input"])


@pytest.fixture
def server() -> Iterator[Server]:
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, answer = state.answer(self.path, self.headers["Authorization"], body)
            data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            for name, value in state.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: object) -> None:
            """Say nothing: the test reads the error, not the log."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        running.daemon_threads = True
        running.block_on_close = False
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        state.url = f"http://127.0.0.1:{running.server_port}"
        yield state
        running.shutdown()
        thread.join()


@pytest.fixture
def encoder(server: Server) -> Iterator[RemoteEncoder]:
    opened = RemoteEncoder(server.url, "m", "secret", dimension=3, backoff=0.001)
    yield opened
    opened.close()


def failing(status: int, text: str = "busy") -> Callable[[list[str]], Answer]:
    return lambda inputs: (status, {"error": text, "inputs": len(inputs)})


def rows(*embeddings: Any) -> Callable[[list[str]], Answer]:
    data = [{"index": n, "embedding": row} for n, row in enumerate(embeddings)]
    return lambda inputs: (200, {"data": data, "inputs": len(inputs)})


def test_passages_go_in_batches_and_come_back_in_order(
    server: Server, encoder: RemoteEncoder
) -> None:
    texts = ["a" * n for n in range(70)]
    vectors = encoder.encode_passages(texts)
    assert [len(request["input"]) for request in server.requests] == [32, 32, 6]
    expected = np.array([embed("passage: " + text) for text in texts], np.float32)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert vectors == pytest.approx(expected, abs=1e-6)
    assert encoder.encode_passages([]).shape == (0, 3)


def test_a_query_has_its_own_prefix_and_the_key_goes_along(
    server: Server, encoder: RemoteEncoder
) -> None:
    assert encoder.encode_query("kde je server").shape == (1, 3)
    assert server.requests == [{"model": "m", "input": ["query: kde je server"]}]
    assert (server.paths, server.keys) == (["/v1/embeddings"], ["Bearer secret"])


@pytest.mark.parametrize("suffix", ["/v1", "/v1/", "/"])
def test_a_base_url_may_end_in_v1(server: Server, suffix: str) -> None:
    encoder = RemoteEncoder(server.url + suffix, "m", dimension=3)
    encoder.encode_query("x")
    encoder.close()
    assert (server.paths, server.keys) == (["/v1/embeddings"], [None])


def test_the_dimension_is_asked_for_and_is_part_of_the_fingerprint(server: Server) -> None:
    found = RemoteEncoder(server.url, "m")
    told = RemoteEncoder("http://elsewhere.invalid", "m", dimension=3)
    other = RemoteEncoder(server.url, "m", dimension=3, query_prefix="q: ")
    assert found.dimension == 3
    assert found.fingerprint == told.fingerprint != other.fingerprint
    for encoder in (found, told, other):
        encoder.close()


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_again(server: Server, encoder: RemoteEncoder, status: int) -> None:
    server.script = [failing(status)] * 3
    server.headers = {"Retry-After": "0"}
    assert encoder.encode_query("x").shape == (1, 3)
    assert len(server.requests) == 4


def test_after_three_retries_the_servers_words_are_passed_on(
    server: Server, encoder: RemoteEncoder
) -> None:
    server.script = [failing(503, "out of memory")] * 9
    with pytest.raises(ModelError, match=r"answered 503.*out of memory"):
        encoder.encode_query("x")
    assert len(server.requests) == 4


def test_a_refusal_is_not_repeated_and_shows_no_key(server: Server) -> None:
    url = server.url.replace("//", "//user:password@")
    encoder = RemoteEncoder(url, "m", "secret", dimension=3)
    server.script = [failing(401, "bad key")]
    with pytest.raises(ModelError, match=r"answered 401.*bad key") as refused:
        encoder.encode_query("x")
    assert len(server.requests) == 1
    assert "secret" not in str(refused.value)
    assert "password" not in str(refused.value)
    encoder.close()


def test_a_server_that_is_not_there_is_named() -> None:
    with pytest.raises(ModelError, match=r"http://127.0.0.1:9/v1/embeddings does not answer"):
        RemoteEncoder("http://127.0.0.1:9", "m", backoff=0.001)
    for url in ("127.0.0.1:9", "ftp://host", "http://"):
        with pytest.raises(ModelError, match="embeddings URL"):
            RemoteEncoder(url, "m", dimension=3)


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (lambda inputs: (200, b"<html>" * len(inputs)), "no usable embeddings"),
        (lambda inputs: (200, [len(inputs)]), "no usable embeddings"),
        (lambda inputs: (200, {"data": None, "n": len(inputs)}), "no usable embeddings"),
        (rows(), "1 inputs, vectors for"),
        (rows([1, 2, 3], [1, 2, 3]), "1 inputs, vectors for"),
        (rows(["x", "y", "z"]), "no usable embeddings"),
        (rows([]), "no usable embeddings"),
        (rows("base64=="), "no usable embeddings"),
        (rows([1.0, float("nan"), 2.0]), "not a number"),
        (rows([1.0, float("inf"), 2.0]), "not a number"),
        (rows([0, 0, 0]), "zero"),
        (rows([1, None, 3]), "no usable embeddings"),
        (rows([1, 2]), "2 dimensions for m, 3 expected"),
    ],
)
def test_a_malformed_answer_is_an_error_never_a_vector(
    server: Server, encoder: RemoteEncoder, reply: Callable[[list[str]], Answer], said: str
) -> None:
    server.script = [reply]
    with pytest.raises(ModelError, match=said):
        encoder.encode_query("x")


def test_repeated_indexes_are_refused(server: Server, encoder: RemoteEncoder) -> None:
    twice = [{"index": 0, "embedding": [1, 2, 3]}] * 2
    server.script = [lambda inputs: (200, {"data": twice, "inputs": len(inputs)})]
    with pytest.raises(ModelError, match=r"2 inputs, vectors for \[0, 0\]"):
        encoder.encode_passages(["x", "y"])


def test_an_over_long_text_is_refused_before_it_is_sent(
    server: Server, encoder: RemoteEncoder
) -> None:
    with pytest.raises(InputTooLongError, match=r"the 512 .*'slovo slovo"):
        encoder.encode_passages(["slovo " * 1_000])
    assert not server.requests
    text = "slovo " * 1_000
    spans = encoder.split(text, encoder.max_tokens - encoder.overhead())
    assert len(encoder.encode_passages([text[start:end] for start, end in spans])) == len(spans)


def test_it_is_saved_without_its_key_and_opened_with_one(
    server: Server, encoder: RemoteEncoder, tmp_path: Path
) -> None:
    encoder.save(tmp_path)
    assert "secret" not in (tmp_path / "encoder.json").read_text()
    opened = open_encoder(tmp_path, api_key="another")
    assert isinstance(opened, RemoteEncoder)
    opened.encode_query("x")
    opened.close()
    assert server.keys == ["Bearer another"]
    assert (opened.kind, opened.fingerprint) == ("remote", encoder.fingerprint)
    (tmp_path / "encoder.json").write_text('{"kind": "remote", "format": 1, "colour": "red"}')
    with pytest.raises(ModelError, match="colour"):
        open_encoder(tmp_path)


@pytest.fixture(scope="module")
def real_encoder(model_folder: Path) -> OnnxEncoder:
    return OnnxEncoder(model_folder)


@pytest.fixture(scope="module")
def offline() -> Iterator[RemoteEncoder]:
    opened = RemoteEncoder("http://127.0.0.1:9", "m", dimension=3)
    yield opened
    opened.close()


@settings(deadline=None)
@given(text=st.text(max_size=300), most=st.integers(8, 30))
def test_spans_cover_any_text_and_fit(offline: RemoteEncoder, text: str, most: int) -> None:
    encoder = offline
    parts = [text[start:end] for start, end in encoder.split(text, most)]
    assert "".join(parts) == text
    assert all(0 < encoder.count_tokens(part) <= most for part in parts)


@pytest.mark.parametrize(
    "text",
    [
        "Ako si obnovím zabudnuté heslo do školského systému?",
        "Konfigurace webového serveru, databáze a zálohování.",
        "Źródło danych: główny węzeł sieci łączności.",
        "Как восстановить забытый пароль от учётной записи?",
        "a b c d 1 2 3 4 x=y; if(!z){return [1,2,3];}",
        "漢字と仮名 👩‍👩‍👧‍👦 №5 …—“”",
        "SGVsbG8gd29ybGQhIFRoaXMgaXMgYmFzZTY0IHRleHQgZm9yIHRlc3Rpbmc" * 3,
    ],
)
def test_the_estimate_is_never_below_the_real_count(real_encoder: OnnxEncoder, text: str) -> None:
    assert estimate_tokens(text) >= real_encoder.count_tokens(text)
