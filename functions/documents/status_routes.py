"""What is served: statistics, and a look at the pointer right now."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from functions.access import Role
from functions.app import VERSION
from functions.documents.models import READING, ReloadResponse, StatsResponse
from functions.documents.reading import Reader, reader_of
from functions.health import age_of
from functions.router import tool_router
from functions.security import require_role
from functions.state import State
from index_artifacts.schema import SCHEMA_VERSION

router = tool_router("status")

Readers = Annotated[Reader, Depends(reader_of)]


@router.get(
    "/stats",
    summary="What is served, how much of it, and how old it is",
    responses={403: READING[403]},
)
def get_statistics(reader: Readers, request: Request) -> StatsResponse:
    """Counts are of what the caller may see."""
    state, served = reader.state, reader.served
    manifest, counts = served.artifact.manifest, reader.counts()
    source, encoder = manifest.source, manifest.encoder
    return StatsResponse(
        engine=f"edgewiki {VERSION}",
        schema_version=SCHEMA_VERSION,
        analyzer=manifest.analyzer,
        index_version=served.name,
        channel=request.app.state.settings.channel,
        revision=source.revision or "",
        committed_at=source.committed_at or "",
        published_at=served.pointer.published_at,
        commit_age_seconds=age_of(source.committed_at or ""),
        age_seconds=age_of(served.pointer.published_at),
        checked_seconds_ago=int(state.checked_seconds_ago),
        refresh_failed=bool(state.refresh_error),
        encoder=encoder["kind"],
        encoder_fingerprint=encoder["fingerprint"],
        encoder_dimension=encoder["dimension"],
        collections=len(reader.seen),
        documents=counts.documents,
        chunks=counts.chunks,
        tokens=counts.tokens,
        words=reader.words(),
        languages=reader.languages(),
    )


@router.post(
    "/reload",
    summary="Look at the channel's pointer now",
    description="Serve the version that the channel names, without waiting for the next look.",
    responses={403: READING[403]},
    dependencies=[Depends(require_role(Role.ADMIN))],
)
def reload_version(request: Request) -> ReloadResponse:
    """Re-check the pointer; what is served goes on where that fails."""
    state: State = request.app.state.version_state
    previous = state.version().name
    now = state.reload().name
    failed = bool(state.refresh_error)
    changed = "unchanged" if now == previous else "changed"
    return ReloadResponse(
        status="failed" if failed else changed,
        reason="the refresh failed, the version before it is served; see the log" if failed else "",
        previous_version=previous,
        index_version=now,
    )
