"""The queue's rules, one by one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from functions.sync.jobs import (
    FAILED,
    QUEUED,
    SUCCEEDED,
    Outcome,
    Queue,
    Request,
    parse_job,
    parse_queue,
)
from functions.sync.transitions import (
    MAX_ATTEMPTS,
    Report,
    add,
    claim,
    expire,
    report,
)
from index_artifacts.errors import JobConflictError, JobNotFoundError, StoreError

LEASE = 100.0
PUSH = Request("push", revision="a" * 40, requested_by="ada")


def with_running(now: float = 0.0) -> Queue:
    """A queue whose job ``one`` is run by ``ann``."""
    queue, _ = add(Queue(), PUSH, "one", now)
    queue, job = claim(queue, "ann", now, LEASE)
    assert job is not None
    return queue


def test_requests_that_wait_share_a_job_and_keep_what_any_of_them_asked() -> None:
    queue, _ = add(Queue(), Request("by hand", pull=False, revision="old"), "one", 1.0)
    queue, (job_id, is_new) = add(queue, Request("push", requested_by="ada"), "two", 2.0)
    assert (job_id, is_new) == ("one", True)
    queue, _ = add(queue, Request("again", pull=False, revision="new"), "three", 3.0)
    job = queue.active
    assert job is not None
    assert job.reasons == ("by hand", "push", "again")
    assert (job.pull, job.revision, job.requested_by) == (True, "new", ("ada",))
    assert queue.waiting is None


def test_pushes_during_a_build_make_one_job_that_follows_it() -> None:
    queue = with_running()
    for number in range(5):
        queue, (job_id, _) = add(queue, Request(f"push {number}"), f"after-{number}", 1.0)
        assert job_id == "after-0"
    assert queue.active is not None
    assert queue.active.reasons == ("push",)
    queue, _ = report(queue, "one", Report(SUCCEEDED), 2.0, LEASE, "ann")
    queue, job = claim(queue, "bob", 3.0, LEASE)
    assert job is not None
    assert (job.id, len(job.reasons)) == ("after-0", 5)
    assert queue.waiting is None


def test_an_edit_and_the_push_that_tells_of_it_are_one_build() -> None:
    queue = with_running()
    queue, (job_id, is_new) = add(queue, replace(PUSH, reason="webhook"), "two", 1.0)
    assert (job_id, is_new, queue.waiting) == ("one", True, None)
    queue, (job_id, _) = add(queue, replace(PUSH, revision="b" * 40), "three", 2.0)
    assert job_id == "three"
    interrupted = expire(queue, LEASE, LEASE)
    _, (job_id, _) = add(interrupted, PUSH, "four", LEASE)
    assert job_id == "three"


def test_only_one_holds_the_lease_and_whoever_asks_twice_has_it_once() -> None:
    queue = with_running()
    assert claim(queue, "bob", 1.0, LEASE) == (queue, None)
    again, job = claim(queue, "ann", 1.0, LEASE)
    assert again == queue
    assert job is not None
    assert job.attempts == 1


def test_a_report_renews_the_lease_and_silence_ends_it() -> None:
    queue = with_running()
    queue, job = report(queue, "one", Report(phase="building", detail="3/9"), 90.0, LEASE, "ann")
    assert (job.phase, job.detail, job.expires_at) == ("building", "3/9", 190.0)
    assert expire(queue, 189.0, LEASE) == queue
    active = expire(queue, 190.0, LEASE).active
    assert active is not None
    assert (active.state, active.attempts, active.owner) == (QUEUED, 1, "")
    assert active.error == "try 1 of 3 ended without a word while building"


def test_three_silent_tries_are_a_failure_that_stays() -> None:
    queue, now = with_running(), 0.0
    queue, _ = add(queue, Request("push 2"), "two", 1.0)
    for _ in range(MAX_ATTEMPTS - 1):
        now += LEASE
        queue, job = claim(expire(queue, now, LEASE), "next", now, LEASE)
        assert job is not None
        assert job.id == "one"  # before what waits behind it
    queue = expire(queue, now + LEASE, LEASE)
    failed = queue.last_failure
    assert failed is not None
    assert (failed.id, failed.state, failed.attempts) == ("one", FAILED, 3)
    assert "try 3 of 3" in failed.error
    queue, job = claim(queue, "last", now + LEASE, LEASE)
    assert job is not None
    assert job.id == "two"
    queue, _ = report(queue, "two", Report(SUCCEEDED), now + LEASE, LEASE)
    assert queue.last_failure == failed


def test_a_push_after_an_interrupted_try_does_not_share_its_last_tries() -> None:
    queue = expire(with_running(), LEASE, LEASE)
    queue, (job_id, _) = add(queue, Request("push 2"), "two", LEASE)
    assert job_id == "two"


def test_whoever_lost_the_lease_is_told_so() -> None:
    queue, _ = claim(expire(with_running(), LEASE, LEASE), "bob", LEASE, LEASE)
    for said in (Report(), Report(SUCCEEDED), Report(FAILED)):
        with pytest.raises(JobConflictError, match="another runner's"):
            report(queue, "one", said, LEASE, LEASE, "ann")


def test_a_workflow_that_reports_late_is_still_believed() -> None:
    queue = expire(with_running(), LEASE, LEASE)
    outcome = Outcome("v1", {"pages": 3}, 4.5, 2, 1)
    queue, job = report(queue, "one", Report(SUCCEEDED, outcome=outcome), 150.0, LEASE)
    assert (job.state, job.outcome) == (SUCCEEDED, outcome)
    assert queue.active is None


def test_a_job_that_is_over_or_has_not_begun_takes_no_report() -> None:
    queue, _ = add(with_running(), Request("push 2"), "two", 1.0)
    with pytest.raises(JobConflictError, match="has not begun"):
        report(queue, "two", Report(), 1.0, LEASE)
    with pytest.raises(JobNotFoundError):
        report(queue, "three", Report(), 1.0, LEASE)
    queue, done = report(queue, "one", Report(SUCCEEDED), 2.0, LEASE)
    assert report(queue, "one", Report(SUCCEEDED), 3.0, LEASE)[0] == queue
    for said in (Report(), Report(FAILED)):
        with pytest.raises(JobConflictError, match="succeeded already"):
            report(queue, "one", said, 3.0, LEASE)
    assert done.finished_at == 2.0


@pytest.mark.parametrize("ahead", [1e3, 1e9])
def test_a_lease_that_a_fast_clock_wrote_ends_a_lease_after_it_is_seen(ahead: float) -> None:
    seen = expire(with_running(now=ahead), 0.0, LEASE)
    assert expire(seen, LEASE - 1, LEASE) == seen
    gone = expire(seen, LEASE, LEASE).active
    assert gone is not None
    assert gone.state == QUEUED


def test_clocks_that_differ_by_seconds_change_nothing() -> None:
    queue = with_running(now=3.0)
    assert expire(queue, 0.0, LEASE) == queue


def test_a_queue_is_read_as_it_was_written() -> None:
    queue = with_running()
    queue, _ = add(queue, Request("push 2", deliveries=("d1", "d2")), "two", 1.0)
    said = Report(FAILED, "building", error="no", outcome=Outcome("v1", {"pages": 1}))
    queue, _ = report(queue, "one", said, 2.0, LEASE)
    assert parse_queue(queue.to_json()) == queue
    assert parse_job(queue.finished[0].to_json()) == queue.finished[0]


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"7", b'{"active": 1}', b'{"seen": [3]}'])
def test_what_is_no_ledger_says_what_to_do(data: bytes) -> None:
    with pytest.raises(StoreError, match="move it away"):
        parse_queue(data)


def test_fields_of_a_later_release_are_passed_over() -> None:
    data = with_running().to_json().replace(b'"attempts":1', b'"attempts":1,"mood":"fine"')
    assert b"mood" in data
    assert parse_queue(data) == with_running()
