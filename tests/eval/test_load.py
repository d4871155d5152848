"""The load runner: against a searcher, the app in process, and a real server."""

from __future__ import annotations

import asyncio
import json
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from eval.golden_set import load_golden
from eval.load import Latency, Limits, Sample, Step, bend, measure, summarise
from eval.load_report import show_load
from eval.load_targets import HttpTarget, SearcherTarget, app_target
from eval.report import terminal
from eval.workload import CLASSES, LoadQuery, make_workload
from functions.local import create_local_app
from functions.settings import Settings
from index_artifacts.errors import ConfigError, QueryError, UnavailableError
from tests.eval.golden_files import ACCOUNT, BASIL, MOON, PORT, write_golden
from tests.keys import one_key
from tests.tiny_wiki import build_and_publish, open_searcher

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from eval.load import LoadRun
    from eval.load_targets import Target
    from index_artifacts.artifact import Artifact

QUERIES = [LoadQuery("which port", "short"), LoadQuery("tomatoes", "hot", limit=50)]
QUICK = Limits(max_concurrency=4, seconds=0.05, requests=12)
KEY = "a-key-of-the-tests-0123456789abcdef"


@pytest.fixture(scope="module")
def artifact(tmp_path_factory: pytest.TempPathFactory) -> Artifact:
    folder = tmp_path_factory.mktemp("load")
    return build_and_publish(folder / "store", folder)


def run(target: Target, queries: list[LoadQuery] = QUERIES, limits: Limits = QUICK) -> LoadRun:
    async def whole() -> LoadRun:
        try:
            return await measure(target, queries, limits)
        finally:
            await target.close()

    return asyncio.run(whole())


class Fake:
    """Answers at once with what it is told to, in turn."""

    name = "a fake"

    def __init__(self, *failures: str) -> None:
        self.failures, self.asked, self.inside, self.most = failures or ("",), 0, 0, 0

    async def ask(self, query: LoadQuery) -> str:
        assert query.text
        self.asked, self.inside = self.asked + 1, self.inside + 1
        self.most = max(self.most, self.inside)
        failure = self.failures[(self.asked - 1) % len(self.failures)]
        await asyncio.sleep(60 if failure == "hang" else 0)
        self.inside -= 1
        return failure

    async def close(self) -> None:
        """Nothing to close."""


def test_a_searcher_is_opened_by_its_first_question(artifact: Artifact) -> None:
    opened: list[int] = []
    target = SearcherTarget(lambda: opened.append(1) or open_searcher(artifact))  # type: ignore[func-returns-value]
    assert not opened
    done = run(target)
    assert opened == [1]
    assert [step.concurrency for step in done.steps][:2] == [1, 2]
    assert {kind for step in done.steps for kind in step.by_class} == {"short", "hot"}
    assert all(step.overall.errors == step.overall.timeouts == 0 for step in done.steps)
    assert done.cold > 0 and done.warm.requests == 20


def test_what_the_searcher_refuses_is_an_error(artifact: Artifact) -> None:
    target = SearcherTarget(lambda: open_searcher(artifact))
    with pytest.raises(UnavailableError, match=QueryError.__name__):
        run(target, [LoadQuery("port", "short", mode="psychic")])


@pytest.mark.parametrize("key", [KEY, "another-key-0123456789-abcdefghijkl"])
def test_the_app_is_asked_in_process(artifact: Artifact, tmp_path: Path, key: str) -> None:
    store = artifact.folder.parent / "store"
    settings = Settings(store=f"file://{store}", cache_dir=tmp_path, api_keys=one_key(KEY))
    target = app_target(create_local_app(settings), key)
    if key == KEY:
        done = run(target)
        assert done.target == "the app in this process"
        assert done.steps[0].overall.errors == 0
    else:
        with pytest.raises(UnavailableError, match="HTTP 401"):
            run(target)


class Recorder(BaseHTTPRequestHandler):
    """A server that keeps what it is sent; every fourth answer is an error."""

    got: list[tuple[str, dict[str, Any], str | None]]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.got.append((self.path, body, self.headers["X-API-Key"]))
        self.send_response(503 if len(self.got) % 4 == 0 else 200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")  # whoever obeys it gets no answer
    Recorder.got = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Recorder) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


def test_a_server_gets_searches_with_the_key_and_its_errors_are_counted(server: str) -> None:
    done = run(HttpTarget(server, KEY))
    assert Recorder.got[0] == (
        "/search", {"query": "which port", "limit": 10, "mode": "hybrid"}, KEY,
    )  # fmt: skip
    assert Recorder.got[1][1]["limit"] == 50
    overall = done.steps[0].overall
    assert 0 < overall.errors < 1
    assert overall.failures.keys() == {"HTTP 503"}


@pytest.mark.parametrize(
    "url", ["http://example.org", "http://10.0.0.7:8080", "https://[2001:db8::1]"]
)
def test_another_machine_is_refused_unless_allowed(url: str) -> None:
    with pytest.raises(ConfigError, match="--allow-remote"):
        HttpTarget(url)
    HttpTarget(url, allow_remote=True)  # nothing is sent before the first question


@pytest.mark.parametrize("url", ["", "localhost:8080", "ftp://127.0.0.1", "http://"])
def test_what_is_no_url_is_refused(url: str) -> None:
    with pytest.raises(ConfigError, match="is no http"):
        HttpTarget(url, allow_remote=True)


@pytest.mark.parametrize("url", ["http://localhost:1", "http://127.0.0.2:1", "http://[::1]:1"])
def test_a_server_that_is_not_there_is_said_to_be(url: str) -> None:
    with pytest.raises(UnavailableError, match=r"did not answer the first query: ConnectError"):
        run(HttpTarget(url))


def test_the_requests_of_a_step_are_bounded_and_so_many_are_in_flight() -> None:
    target = Fake()
    done = run(target, limits=Limits(max_concurrency=5, seconds=60, requests=30))
    assert all(step.overall.requests == 30 for step in done.steps)
    assert target.asked == 1 + 20 + 30 * len(done.steps)
    assert target.most == done.steps[-1].concurrency <= 4  # the largest power of two up to 5


def test_a_request_that_hangs_is_a_timeout_not_an_error() -> None:
    limits = Limits(max_concurrency=1, seconds=60, requests=8, timeout=0.01)
    done = run(Fake("", "hang", "", "HTTP 500"), limits=limits)
    overall = done.steps[0].overall
    assert (overall.requests, overall.failures) == (8, {"HTTP 500": 2, "timeout": 2})
    assert overall.errors == overall.timeouts == pytest.approx(2 / 8)


def test_percentiles_are_of_the_answered_requests() -> None:
    samples = [Sample("a", float(n)) for n in range(1, 101)] + [Sample("a", 9000.0, "timeout")]
    latency = summarise(samples)
    assert (latency.p50, latency.mean) == (50.5, 50.5)
    assert latency.p99 == pytest.approx(99.01)
    assert summarise([Sample("a", 5.0, "HTTP 500")]).p95 == 0


def step(concurrency: int, per_second: float, p95: float) -> Step:
    latency = Latency(10, 1.0, 1.0, p95, p95, 0.0, 0.0, {})
    return Step(concurrency, 1.0, per_second, latency, {"short": latency})


@pytest.mark.parametrize(
    ("after", "why"),
    [
        (step(2, 190, 11), ""),
        (step(2, 111, 10), ""),
        (step(2, 109, 10), "throughput gained less than 10 %: 100 → 109 requests/s"),
        (step(2, 190, 20), "p95 doubled: 10 → 20 ms"),
    ],
)
def test_where_it_bends(after: Step, why: str) -> None:
    assert bend(step(1, 100, 10), after) == why


def test_the_report_names_the_bend_and_the_classes(capsys: pytest.CaptureFixture[str]) -> None:
    done = replace(
        run(Fake()), steps=(step(1, 100, 10), step(2, 101, 10)), bends_at=2, why="no [gain]"
    )
    show_load(terminal(), done)
    shown = capsys.readouterr().out
    assert "bends at 2 at a time: no [gain]" in shown
    assert "by class, 1 at a time" in shown and "short" in shown
    json.dumps(done.to_dict(), allow_nan=False)


@pytest.mark.parametrize("field", ["max_concurrency", "seconds", "requests", "timeout"])
def test_limits_are_above_zero(field: str) -> None:
    with pytest.raises(ConfigError, match="above zero"):
        Limits(**{field: 0})


def test_no_query_is_no_workload() -> None:
    with pytest.raises(ConfigError, match="holds no query"):
        run(Fake(), [])


def test_a_golden_set_becomes_a_workload_of_every_class(tmp_path: Path) -> None:
    short = {**ACCOUNT, "id": "short", "question": "printer toner"}
    golden = load_golden(write_golden(tmp_path, [PORT, short, BASIL, MOON]))
    queries = make_workload(golden)
    assert queries == make_workload(golden)
    assert queries != make_workload(golden, seed=1)
    by_class = {query.kind: query for query in queries}
    assert by_class.keys() == set(CLASSES)
    assert by_class["large-limit"].limit == 50
    assert by_class["context-heavy"].text.count(BASIL["question"]) == 4  # type: ignore[arg-type]
    assert by_class["no-answer"].text == MOON["question"]
    assert by_class["noisy"].text != by_class["plain"].text == PORT["question"]


def test_a_performance_file_says_itself_what_is_asked(tmp_path: Path) -> None:
    rows = [{**PORT, "class": "hot", "limit": 3, "mode": "lexical"}]
    queries = make_workload(load_golden(write_golden(tmp_path, rows)))
    assert queries == (LoadQuery(str(PORT["question"]), "hot", 3, "lexical"),)


@pytest.mark.parametrize("wrong", [{"limit": 51}, {"limit": "9"}, {"mode": "psychic"}])
def test_a_performance_file_with_a_wrong_field_is_refused(
    tmp_path: Path, wrong: dict[str, object]
) -> None:
    golden = load_golden(write_golden(tmp_path, [{**PORT, **wrong}]))
    with pytest.raises(ConfigError, match="question port: limit"):
        make_workload(golden)
