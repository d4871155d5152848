"""The ledger in real stores: raced for, restarted, and kept small."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from functions.sync.jobs import FAILED, QUEUE_KEY, QUEUED, RUNNING, SUCCEEDED, Request, job_key
from functions.sync.ledger import Ledger
from functions.sync.transitions import KEPT_DELIVERIES, KEPT_JOBS, Report
from index_artifacts.errors import JobConflictError, JobNotFoundError, StoreError
from index_artifacts.file_store import FileStore
from index_artifacts.store import open_store
from tests.functions.sync.conftest import START, Clock

if TYPE_CHECKING:
    from pathlib import Path

    from index_artifacts.store import Store
    from tests.s3_server import S3Server

LEASE = 900.0
RACERS = 8


@pytest.fixture(params=["file", "s3"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty store, in a folder and on a real S3 server."""
    if request.param == "file":
        return (tmp_path / "store").as_uri()
    server: S3Server = request.getfixturevalue("s3_server")
    for name, value in server.environ("admin").items():
        request.getfixturevalue("monkeypatch").setenv(name, value)
    return f"s3://{request.getfixturevalue('s3_bucket')}/wiki"


@pytest.fixture
def store(store_url: str) -> Store:
    return open_store(store_url)


def test_threads_that_race_for_a_job_get_it_once(store: Store) -> None:
    ledgers = [Ledger(store, LEASE) for _ in range(RACERS)]
    start = threading.Barrier(RACERS)

    def race(number: int) -> int:
        won = 0
        start.wait()
        for _ in range(5):
            ledgers[number].request(Request(f"push {number}"))
            if job := ledgers[number].claim(f"runner-{number}", LEASE):
                time.sleep(0.01)
                ledgers[number].report(job.id, Report(SUCCEEDED), owner=job.owner)
                won += 1
        return won

    with ThreadPoolExecutor(RACERS) as pool:
        won = sum(pool.map(race, range(RACERS)))
    last = ledgers[0].claim("last", LEASE)
    queue = ledgers[0].queue()
    assert won == len(queue.finished) or len(queue.finished) == KEPT_JOBS
    assert {job.attempts for job in queue.finished} == {1}
    assert last is None or last.owner == "last"
    if last:
        ledgers[0].report(last.id, Report(SUCCEEDED), owner="last")
    assert ledgers[0].claim("nobody", LEASE) is None  # nothing was lost, nothing is left


RACE = """
import sys
from functions.sync.ledger import Ledger
from index_artifacts.store import open_store

ledger = Ledger(open_store(sys.argv[1]), 900.0)
sys.stdout.write("ready\\n")
sys.stdout.flush()
sys.stdin.readline()
job = ledger.claim(sys.argv[2], 900.0)
sys.stdout.write(job.owner if job else "nothing")
"""


def test_processes_that_race_for_a_job_get_it_once(store: Store, store_url: str) -> None:
    ledger = Ledger(store, LEASE)
    job_id, _ = ledger.request(Request("push"))
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", RACE, store_url, f"process-{number}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(RACERS)
    ]
    for racer in racers:
        assert racer.stdout is not None
        assert racer.stdout.readline() == "ready\n"
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.write("go\n")
        racer.stdin.flush()
    said = [racer.communicate(timeout=60)[0] for racer in racers]
    winners = [word for word in said if word != "nothing"]
    assert len(winners) == 1
    job = ledger.job(job_id)
    assert (job.owner, job.attempts) == (winners[0], 1)


def test_another_process_goes_on_where_the_first_one_ended(store: Store, store_url: str) -> None:
    clock = Clock()
    first = Ledger(store, LEASE, clock)
    job_id, _ = first.request(Request("push", deliveries=("d-1",)))
    assert first.claim("gone", LEASE)
    first.request(Request("push 2"))

    after = Ledger(open_store(store_url), LEASE, clock)
    assert after.job(job_id).state == RUNNING
    assert after.claim("new", LEASE) is None
    assert after.request(Request("push", deliveries=("d-1",))) == (job_id, False)
    clock.now += LEASE
    assert after.job(job_id).state == QUEUED
    again = after.claim("new", LEASE)
    assert again is not None
    assert (again.id, again.attempts) == (job_id, 2)
    assert after.queue().waiting is not None


def test_an_answer_to_a_claim_that_got_lost_is_given_again(store: Store) -> None:
    ledger = Ledger(store, LEASE)
    ledger.request(Request("push"))
    assert ledger.claim("ann", LEASE) == ledger.claim("ann", LEASE)


def test_looking_writes_nothing_unless_a_lease_has_ended(tmp_path: Path) -> None:
    store, clock = FileStore(tmp_path), Clock()
    ledger = Ledger(store, LEASE, clock)
    assert ledger.queue().active is None
    assert list(store.list("")) == []
    ledger.request(Request("push"))
    ledger.claim("ann", LEASE)
    before = store.read(QUEUE_KEY)
    clock.now += LEASE - 1
    ledger.queue()
    assert ledger.claim("bob", LEASE) is None
    assert store.read(QUEUE_KEY) == before
    clock.now += 1
    ledger.queue()
    assert store.read(QUEUE_KEY) != before


def test_the_queue_stays_small_and_what_it_drops_has_objects_of_its_own(tmp_path: Path) -> None:
    store, clock = FileStore(tmp_path), Clock()
    ledger = Ledger(store, LEASE, clock)
    ids = []
    for number in range(2 * KEPT_JOBS):
        clock.now += 1
        deliveries = tuple(f"{number}-{part}-{'0' * 24}" for part in range(25))
        job_id, _ = ledger.request(Request(f"push {number}", deliveries=deliveries))
        ledger.claim("ann", LEASE)
        ledger.report(job_id, Report(FAILED if number == 3 else SUCCEEDED), owner="ann")
        ids.append(job_id)
    queue = ledger.queue()
    assert len(queue.finished) == KEPT_JOBS
    assert len(queue.seen) == KEPT_DELIVERIES
    assert queue.last_failure is not None
    assert queue.last_failure.id == ids[3]
    assert len(store.read(QUEUE_KEY).data) < 80_000
    assert [job.key for job in store.list("jobs/2")] == [job_key(each) for each in ids[:KEPT_JOBS]]
    for number, job_id in enumerate(ids):
        assert ledger.job(job_id).reasons == (f"push {number}",)
    assert ledger.report(ids[0], Report(SUCCEEDED)).state == SUCCEEDED
    with pytest.raises(JobConflictError, match="succeeded already"):
        ledger.report(ids[0], Report(FAILED))


@pytest.mark.parametrize("job_id", ["index", "", "../index", "20260202-000000-zz", "é", "x" * 500])
def test_what_is_no_job_is_not_found(tmp_path: Path, job_id: str) -> None:
    ledger = Ledger(FileStore(tmp_path), LEASE)
    ledger.request(Request("push"))
    with pytest.raises(JobNotFoundError):
        ledger.job(job_id)
    with pytest.raises(JobNotFoundError):
        ledger.report(job_id, Report())


def test_a_ledger_that_is_none_is_not_overwritten(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    store.write_new(QUEUE_KEY, b"what is this?")
    with pytest.raises(StoreError, match="move it away"):
        Ledger(store, LEASE).request(Request("push"))
    assert store.read(QUEUE_KEY).data == b"what is this?"


def test_a_bucket_that_only_reads_refuses_a_request(s3_server: S3Server, s3_bucket: str) -> None:
    with s3_server.store(s3_bucket, identity="reader") as store:
        ledger = Ledger(store, LEASE)
        assert ledger.queue().active is None
        with pytest.raises(StoreError):
            ledger.request(Request("push"))


def test_ids_sort_by_time_and_the_queue_is_plain_json(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    job_id, _ = Ledger(store, LEASE, Clock()).request(Request("push"))
    assert job_id.startswith(time.strftime("%Y%m%d-%H%M%S-", time.gmtime(START)))
    assert json.loads(store.read(QUEUE_KEY).data)["active"]["id"] == job_id
