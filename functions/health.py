"""``GET /health``: what is ready, which version, how old, and whether a refresh failed."""

from __future__ import annotations

from datetime import UTC, datetime

from fastapi import APIRouter, Request, Response

from functions.models import HealthResponse
from functions.state import State
from index_artifacts.encoder_router import READY, REFUSED, UNASKED
from index_artifacts.errors import EdgewikiError

router = APIRouter()


@router.get(
    "/health",
    summary="Whether the service can answer, and from which index version",
    response_model=HealthResponse,
    tags=["health"],
)
def get_health(request: Request, response: Response) -> HealthResponse:
    """Open the version if need be and describe it; 503 where there is none to serve."""
    state: State = request.app.state.version_state
    channel = request.app.state.settings.channel
    try:
        served = state.version()
    except EdgewikiError as error:
        response.status_code = 503
        return HealthResponse(
            status="unavailable",
            reason=f"no version can be served: {type(error).__name__}",
            ready=[],
            index_version="",
            channel=channel,
            published_at="",
            age_seconds=-1,
            encoder="",
            encoders={},
            refresh_error="",
        )
    failed = bool(state.refresh_error)
    verdicts = served.router.verdicts
    reasons = ["the last refresh failed; the version before it is served"] if failed else []
    reasons += _of_encoders(verdicts)
    return HealthResponse(
        status="degraded" if reasons else "ok",
        reason="; ".join(reasons),
        ready=["index", "encoder"] if READY in verdicts.values() else ["index"],
        index_version=served.name,
        channel=channel,
        published_at=served.pointer.published_at,
        age_seconds=age_of(served.pointer.published_at),
        encoder=served.artifact.manifest.encoder["fingerprint"],
        encoders=verdicts,
        refresh_error="refresh failed; see the log" if failed else "",
    )


def _of_encoders(verdicts: dict[str, str]) -> list[str]:
    """What whoever runs this has to mend; what is only down may come back by itself."""
    reasons = [
        f"the {name} encoder is another model than the version's: it is never asked"
        for name, verdict in verdicts.items()
        if verdict == REFUSED
    ]
    if verdicts and not {READY, UNASKED} & set(verdicts.values()):
        reasons.append("no encoder answers: words alone are searched")
    return reasons


def age_of(published_at: str) -> int:
    """Seconds since then, never below 0; -1 where it is no moment."""
    try:
        then = datetime.fromisoformat(published_at)
    except ValueError:
        return -1
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    # Another machine's clock wrote it, and that may be ahead of this one's.
    return max(0, int((datetime.now(UTC) - then).total_seconds()))
