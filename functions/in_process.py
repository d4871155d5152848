"""The functions' settings and state, for a command that runs their code in its own process."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from functions.settings import load_settings
from functions.state import State

if TYPE_CHECKING:
    from functions.settings import Settings


def settings_of(store: str, channel: str) -> Settings:
    """The settings of the environment, but for the store and the channel."""
    os.environ["EDGEWIKI_STORE"], os.environ["EDGEWIKI_CHANNEL"] = store, channel
    return load_settings()


def state_of(store: str, channel: str) -> State:
    """What ``channel`` of ``store`` serves: whoever has the store may read it without a key."""
    os.environ.setdefault("EDGEWIKI_ALLOW_ANONYMOUS", "true")
    return State(settings_of(store, channel))
