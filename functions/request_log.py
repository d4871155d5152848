"""A line of the log for every request, with its metrics in it where they are wanted.

The metrics are CloudWatch's embedded metric format: members of the line, and one member ``_aws``
that names them. aws-lambda-powertools writes the same, for a sixth more of what importing fastapi
and mangum takes at a cold start, and 7.6 MB.
"""

from __future__ import annotations

import logging
import re
import threading
import time
import uuid
from typing import TYPE_CHECKING, Any

from functions.health import age_of
from functions.logs import facts_of_request

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from functions.state import State

logger = logging.getLogger("edgewiki.requests")

NAMESPACE = "edgewiki"
METRICS = {
    "Latency": "Milliseconds",
    "Errors": "Count",
    "RefreshFailed": "Count",
    "ColdStart": "Count",
}
DIMENSIONS = [["function"], ["function", "route"]]

_SANE_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")


class RequestLog:
    """Writes the line once the answer is sent, and gives the answer its ``X-Request-Id``."""

    def __init__(self, app: ASGIApp, function: str, state: State, *, metrics: bool) -> None:
        """``function`` is empty where a process has several: then a route's tag is its name."""
        self._app, self._function, self._state = app, function, state
        self._metrics = metrics
        self._lock = threading.Lock()
        self._cold = True
        self._failures_told = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on and note what comes of it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        facts: dict[str, Any] = {"request_id": _request_id(scope)}
        scope.setdefault("state", {})["log"] = facts
        name = (b"x-request-id", facts["request_id"].encode())
        status = 500

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], name]
            await send(message)

        began = time.perf_counter()
        token = facts_of_request.set(facts)
        try:
            await self._app(scope, receive, noting)
        finally:
            milliseconds = round((time.perf_counter() - began) * 1000, 1)
            self._write({**self._described(scope), "status": status, **facts}, milliseconds)
            facts_of_request.reset(token)

    def _described(self, scope: Scope) -> dict[str, Any]:
        """What the request was, by the names of this program: nothing that the caller wrote."""
        route = scope.get("route")
        tags = getattr(route, "tags", None) or ["none"]
        caller = scope["state"].get("caller")
        served = self._state.served
        return {
            "function": self._function or str(tags[0]),
            "route": getattr(route, "path", "none"),
            "method": _method(scope),
            "caller": getattr(caller, "name", ""),
            "index_version": served.name if served else "",
            "version_age_seconds": age_of(served.pointer.published_at) if served else -1,
        }

    def _write(self, line: dict[str, Any], milliseconds: float) -> None:
        with self._lock:
            cold, self._cold = self._cold, False
            failures = self._state.refresh_failures - self._failures_told
            self._failures_told += failures
        line |= {"milliseconds": milliseconds, "cold_start": cold}
        if self._metrics:
            line |= {
                "Latency": milliseconds,
                "Errors": int(line["status"] >= 500),
                "RefreshFailed": failures,
                "ColdStart": int(cold),
                "_aws": _embedded(),
            }
        logger.info(
            "%s %s %d", line["method"], line["route"], line["status"], extra={"fields": line}
        )


def _embedded() -> dict[str, Any]:
    """The member that makes metrics of others."""
    metrics = [{"Name": name, "Unit": unit} for name, unit in METRICS.items()]
    described = {"Namespace": NAMESPACE, "Dimensions": DIMENSIONS, "Metrics": metrics}
    return {"Timestamp": int(time.time() * 1000), "CloudWatchMetrics": [described]}


def _method(scope: Scope) -> str:
    method = str(scope["method"])
    known = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
    return method if method in known else "other"


def _request_id(scope: Scope) -> str:
    """Lambda's own; else the caller's, where it is one; else a new one."""
    lambda_id = getattr(scope.get("aws.context"), "aws_request_id", None)
    if lambda_id:
        return str(lambda_id)
    for name, value in scope["headers"]:
        if name == b"x-request-id" and _SANE_ID.fullmatch(value.decode("latin-1")):
            return str(value.decode("latin-1"))
    return uuid.uuid4().hex
