"""Requests and responses of the sync function at the HTTP edge: flat, and never null."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from functions.sync.jobs import Job, Outcome
from functions.sync.transitions import Report

_MANY = 1 << 53  # the most that every reader of JSON counts to
_LINK = re.compile(r"https?://[!-~]{1,500}")
# 3.0 is a whole number too, says JSON Schema.
Count = Annotated[int, Field(ge=0, le=_MANY, strict=False)]
Counts = Annotated[dict[Annotated[str, Field(max_length=64)], Count], Field(max_length=100)]


class SyncBody(BaseModel):
    """A wish for a version of the wiki as it is now."""

    model_config = ConfigDict(extra="forbid", strict=True)

    pull: bool = Field(True, description="A local runner fetches the branch before it builds.")
    reason: str = Field("", max_length=500, description="Kept with the job.")
    revision: str = Field("", max_length=64, description="The commit that is to be built.")
    requested_by: str = Field("", max_length=100, description="On whose behalf.")


class BuildOutcome(BaseModel):
    """What ``edgewiki build --json`` printed; of that, what is kept. The rest is passed over."""

    model_config = ConfigDict(extra="ignore", strict=True)

    version: str = Field("", max_length=128)
    counts: Counts = {}
    seconds: float = Field(0.0, ge=0, le=1e9, allow_inf_nan=False, strict=False)
    embeddings: Counts = {}

    def outcome(self) -> Outcome:
        """As the ledger keeps it."""
        return Outcome(
            version=self.version,
            counts=self.counts,
            seconds=self.seconds,
            embeddings_computed=self.embeddings.get("computed", 0),
            embeddings_reused=self.embeddings.get("reused", 0),
        )


class ReportBody(BaseModel):
    """What the workflow says of its job; every report renews its lease.

    A wiki's workflow may be of another release than this function: what is unknown is passed
    over, what is too long is cut, so that no end of a job gets lost.
    """

    model_config = ConfigDict(extra="ignore", strict=True)

    state: Literal["running", "succeeded", "failed"] = "running"
    phase: str = Field(
        "", pattern=r"^[a-z0-9_-]{0,40}$", description="Such as building; empty: as before."
    )
    detail: str = Field("", description="How far the phase is; 200 characters are kept.")
    error: str = Field("", description="Why it failed; 4,000 characters are kept.")
    run_url: str = Field("", description="The run at the forge, for people to look at.")
    result: BuildOutcome = BuildOutcome()

    def report(self) -> Report:
        """As the ledger takes it."""
        told = "result" in self.model_fields_set
        return Report(
            state=self.state,
            phase=self.phase,
            detail=self.detail[:200],
            error=self.error[:4000],
            run_url=self.run_url if _LINK.fullmatch(self.run_url) else "",
            outcome=self.result.outcome() if told else None,
        )


class AcceptedResponse(BaseModel):
    """What became of a webhook or a request."""

    status: str = Field(description="accepted, duplicate (of a delivery before), or ignored.")
    reason: str = Field(description="Why it is ignored; else empty.")
    job_id: str = Field(description="The job that will build it; empty where it is ignored.")
    status_url: str = Field(description="Where that job is described; empty as well.")


class JobResponse(BaseModel):
    """A job: one build, for one request or several."""

    job_id: str
    state: str = Field(description="queued, running, succeeded or failed.")
    phase: str = Field(description="What it is doing, such as fetching, building, publishing.")
    detail: str = Field(description="How far the phase is; may be empty.")
    reasons: list[str] = Field(description="Of every request that it answers.")
    requested_by: list[str]
    revision: str = Field(description="The newest commit that was named; may be empty.")
    pull: bool
    attempts: int = Field(description="How often it was begun, three times at most.")
    requested_at: str
    started_at: str = Field(description="The last attempt; empty before the first.")
    finished_at: str = Field(description="Empty until it has succeeded or failed.")
    error: str = Field(description="What went wrong last; may be empty.")
    run_url: str = Field(description="The run at the forge; empty where none was told.")
    version: str = Field(description="The version that was built; may be empty.")
    counts: dict[str, int] = Field(description="What is in that version.")
    seconds: float = Field(description="How long the build took, as it says.")
    embeddings_computed: int
    embeddings_reused: int
    status_url: str


class StatusResponse(BaseModel):
    """Where the installation stands. Each list holds one job, or none."""

    running: list[JobResponse] = Field(description="What runs, or is to be tried again.")
    waiting: list[JobResponse] = Field(description="What follows it.")
    last_success: list[JobResponse]
    last_failure: list[JobResponse]
    index_version: str = Field(description="What the channel serves; empty for nothing yet.")
    published_at: str
    age_seconds: int = Field(description="Since that was published; -1 where nothing is.")


def described(job: Job, status_url: str) -> JobResponse:
    """A job for its reader."""
    return JobResponse(
        job_id=job.id,
        state=job.state,
        phase=job.phase,
        detail=job.detail,
        reasons=list(job.reasons),
        requested_by=list(job.requested_by),
        revision=job.revision,
        pull=job.pull,
        attempts=job.attempts,
        requested_at=_stamp(job.requested_at),
        started_at=_stamp(job.started_at),
        finished_at=_stamp(job.finished_at),
        error=job.error,
        run_url=job.run_url,
        version=job.outcome.version,
        counts=job.outcome.counts,
        seconds=job.outcome.seconds,
        embeddings_computed=job.outcome.embeddings_computed,
        embeddings_reused=job.outcome.embeddings_reused,
        status_url=status_url,
    )


def _stamp(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds") if seconds else ""
