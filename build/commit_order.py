"""Which of two commits is the older one, told without their repository."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from index_artifacts.manifest import Source


def why_older(live: Source, new: Source) -> str | None:
    """Say why ``new`` must not follow ``live``; None where it may."""
    if live.revision is None or new.revision is None or live.revision == new.revision:
        return None  # a plain folder has no order, and one commit may be built twice
    if live.revision in new.ancestors:
        return None
    if new.revision in live.ancestors:
        return "is an ancestor of it"
    live_moment, new_moment = _moment(live.committed_at), _moment(new.committed_at)
    if live_moment is None or new_moment is None:
        return "is not related to it, and one of them has no date to compare"
    if new_moment < live_moment:
        return f"is not related to it and older ({new.committed_at} < {live.committed_at})"
    return None


def _moment(text: str | None) -> datetime | None:
    """Parse ISO 8601, as UTC where no zone is given; None where it is no moment."""
    try:
        moment = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
