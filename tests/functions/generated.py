"""Requests generated from an app's own schema: those that fit it and those that do not."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed
from hypothesis import settings as hypothesis_settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastapi import FastAPI

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


def send_generated(app: FastAPI, keys: Sequence[str], cases: int) -> int:
    """Send about ``cases`` requests with ``keys`` in turn, and how many; what fails is raised.

    No answer may be 5xx, and each has to be one that the schema knows.
    """
    schema = schemathesis.openapi.from_asgi("/openapi.json", app)
    operations = [cast("Any", found).ok() for found in schema.get_all_operations()]
    # One of them, /health, has but one request that can be sent.
    each = -(-cases // (2 * (len(operations) - 1)))
    return sum(
        _send(operation, mode, keys, each)
        for operation in operations
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
    )


def _send(operation: Any, mode: GenerationMode, keys: Sequence[str], cases: int) -> int:
    sent = 0

    @seed(20_26)
    @hypothesis_settings(
        max_examples=cases,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def send(case: Any) -> None:
        nonlocal sent
        headers = {"X-API-Key": keys[sent % len(keys)]}
        sent += 1
        case.call_and_validate(checks=CHECKS, headers=headers)

    with suppress(Unsatisfiable):  # without parameters, nothing can be sent that does not fit
        send()
    return sent
