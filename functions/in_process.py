"""The functions' settings and state, for a command that runs their code in its own process."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from functions.asker import Asker
from functions.settings import load_settings
from functions.state import State

if TYPE_CHECKING:
    from functions.settings import Settings


_GUARDED = ("EDGEWIKI_API_KEYS", "EDGEWIKI_JWT_ISSUER", "EDGEWIKI_OIDC_ISSUER", "EDGEWIKI_SECRETS")


def allow_on_loopback(host: str) -> None:
    """Let anybody on this machine ask where ``host`` is the loopback and no key is set."""
    loopback = host in {"127.0.0.1", "::1", "localhost"}
    if loopback and not any(os.environ.get(name) for name in _GUARDED):
        os.environ.setdefault("EDGEWIKI_ALLOW_ANONYMOUS", "true")


def settings_of(store: str, channel: str) -> Settings:
    """The settings of the environment, but for the store and the channel."""
    os.environ["EDGEWIKI_STORE"], os.environ["EDGEWIKI_CHANNEL"] = store, channel
    return load_settings()


def owner_of(store: str, channel: str) -> Asker:
    """What ``channel`` of ``store`` serves: whoever has the store may read it without a key."""
    os.environ.setdefault("EDGEWIKI_ALLOW_ANONYMOUS", "true")
    # Whoever sits at a terminal would rather wait for a long download than ask again.
    os.environ.setdefault("EDGEWIKI_OPEN_WAIT_SECONDS", "3600")
    return Asker.owner(State(settings_of(store, channel)))
