"""Generated requests to a documents function that has a forge to write to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from functions.app import create_app
from functions.documents.routes import body_limits, routers
from tests.functions.documents.conftest import KEYS
from tests.functions.generated import send_generated

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.functions.documents.conftest import Installation

CASES = 400


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["github", "gitea"])
def test_edits_are_answered_as_the_schema_says_whatever_is_sent(
    install: Callable[..., Installation], kind: str
) -> None:
    settings = install(kind).settings
    app = create_app(*routers, settings=settings, body_limits=body_limits(settings))
    keys = [KEYS[name] for name in ("root", "ana", "root", "clerk")]
    assert send_generated(app, keys, CASES) >= CASES
