"""Who looks at the page, and whether they can log in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastapi import Request

    from functions.security import Doorkeeper


@dataclass(frozen=True, slots=True)
class Visitor:
    """``name`` is empty where nobody is logged in."""

    name: str
    can_log_in: bool


def signed_in(request: Request) -> Visitor:
    """The visitor who sent ``request``."""
    doorkeeper: Doorkeeper = request.app.state.doorkeeper
    session = doorkeeper.session(request)
    can_log_in = bool(request.app.state.settings.oidc_issuer)
    return Visitor(session.name if session else "", can_log_in)
