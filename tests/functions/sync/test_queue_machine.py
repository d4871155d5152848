"""No order of requests, runners, crashes and clocks breaks the queue's rules."""

from __future__ import annotations

from typing import Any

from hypothesis import settings, strategies
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from functions.sync.jobs import (
    FAILED,
    FINAL,
    QUEUED,
    RUNNING,
    SUCCEEDED,
    Job,
    Queue,
    Request,
    parse_queue,
)
from functions.sync.transitions import (
    KEPT_DELIVERIES,
    KEPT_JOBS,
    MAX_ATTEMPTS,
    Report,
    add,
    claim,
    expire,
    report,
)
from index_artifacts.errors import JobConflictError

LEASE = 100.0


class Ledgers(RuleBasedStateMachine):
    """Requests, runners that come, work, lie silent or die, and clocks that differ."""

    def __init__(self) -> None:
        super().__init__()
        self.queue = Queue()
        self.now = 1000.0
        self.asked: dict[str, str] = {}
        self.claims: list[tuple[str, Job]] = []
        self.count = 0
        self.before = self.queue

    def change(self, queue: Queue) -> None:
        self.before, self.queue = self.queue, parse_queue(queue.to_json())

    def next(self, what: str) -> str:
        self.count += 1
        return f"{what}-{self.count}"

    @rule(pull=strategies.booleans())
    def ask(self, pull: bool) -> None:
        reason = self.next("reason")
        queue = expire(self.queue, self.now, LEASE)
        running = queue.active if queue.active and queue.active.state == RUNNING else None
        queue, (job_id, is_new) = add(queue, Request(reason, pull), self.next("job"), self.now)
        assert is_new
        job = queue.find(job_id)
        assert job is not None
        assert reason in job.reasons
        assert job.pull or not pull
        assert running is None or job_id != running.id
        self.asked[reason] = job_id
        self.change(queue)

    @rule(seconds=strategies.floats(0, 3 * LEASE))
    def wait(self, seconds: float) -> None:
        self.now += seconds

    @rule(off=strategies.floats(-20, 20))
    def take(self, off: float) -> None:
        owner, now = self.next("owner"), self.now + off
        queue, job = claim(expire(self.queue, now, LEASE), owner, now, LEASE)
        if job is not None:
            self.claims.append((owner, job))
        self.change(queue)

    @precondition(lambda self: self.claims)
    @rule(data=strategies.data(), state=strategies.sampled_from([RUNNING, SUCCEEDED, FAILED]))
    def say(self, data: Any, state: str) -> None:
        owner, job = data.draw(strategies.sampled_from(self.claims))
        queue = expire(self.queue, self.now, LEASE)
        holds = queue.active is not None and queue.active.owner == owner
        try:
            after, _ = report(queue, job.id, Report(state), self.now, LEASE, owner)
        except JobConflictError:
            assert not holds
        else:
            known = queue.find(job.id)
            assert holds or (known is not None and known.state == state)
            self.change(after)

    @rule()
    def look(self) -> None:
        self.change(expire(self.queue, self.now, LEASE))

    @invariant()
    def nothing_waits_while_nothing_runs(self) -> None:
        assert self.queue.active or not self.queue.waiting

    @invariant()
    def nobody_tries_more_than_three_times(self) -> None:
        jobs = (self.queue.active, self.queue.waiting, *self.queue.finished)
        assert all(job.attempts <= MAX_ATTEMPTS for job in jobs if job)

    @invariant()
    def a_lease_has_one_owner_and_an_end(self) -> None:
        job = self.queue.active
        if job and job.state == RUNNING:
            assert job.owner
            assert job.expires_at <= self.now + LEASE + 25
        assert not self.queue.waiting or self.queue.waiting.state == QUEUED

    @invariant()
    def what_is_over_stays_as_it_is(self) -> None:
        for job in self.before.finished:
            found = self.queue.find(job.id)
            assert found in (None, job)
        assert all(job.state in FINAL for job in self.queue.finished)

    @invariant()
    def every_request_is_in_a_job_that_is_known_or_was_over(self) -> None:
        over = len(self.queue.finished) == KEPT_JOBS
        for reason, job_id in self.asked.items():
            job = self.queue.find(job_id)
            assert job is not None or over
            # Of more than twenty reasons the oldest go.
            assert job is None or reason in job.reasons or len(job.reasons) == 20

    @invariant()
    def it_stays_small(self) -> None:
        assert len(self.queue.finished) <= KEPT_JOBS
        assert len(self.queue.seen) <= KEPT_DELIVERIES

    def teardown(self) -> None:
        """Whatever happened, whoever goes on alone gets everything done."""
        for _ in range(10):
            self.now += 2 * LEASE
            queue, job = claim(expire(self.queue, self.now, LEASE), "last", self.now, LEASE)
            if job is None:
                break
            queue, _ = report(queue, job.id, Report(SUCCEEDED), self.now, LEASE, "last")
            self.queue = queue
        assert self.queue.active is None or self.queue.active.owner == ""
        assert self.queue.waiting is None


TestLedgers = Ledgers.TestCase
TestLedgers.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
