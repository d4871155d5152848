"""Requests to a forge's API: with a time limit, repeated where that is safe, no secret in an error.

One request is in one of three states. It was answered: a `Reply`. It was not taken: a `Failure`
that was not `sent`. Or nobody knows: a `Failure` that was sent, after which only looking helps.
"""

from __future__ import annotations

import json
import logging
import random
import ssl
import time
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import httpx

from index_artifacts.deadline import Connection, Deadline, within
from index_artifacts.errors import ForgeError
from index_artifacts.loopback import is_loopback
from index_artifacts.retry_after import retry_after

if TYPE_CHECKING:
    from collections.abc import Mapping

REQUEST_SECONDS = 8.0
"""One request takes no longer."""
CALL_SECONDS = 12.0
"""Nor do all requests and waits of one call: an edit makes several, and has 29 s on Lambda."""
MOST_RETRIES = 4
MOST_BYTES = 32_000_000
_BUSY = {429, 500, 502, 503, 504}
_LONGEST_WORDS = 200

logger = logging.getLogger("edgewiki")


@dataclass(frozen=True, slots=True)
class Reply:
    """What the forge answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def ok(self) -> bool:
        """True for the 200s."""
        return 200 <= self.status < 300

    def data(self) -> Any:
        """The body's JSON; raises `ForgeError`."""
        try:
            return json.loads(self.body)
        except ValueError:
            raise ForgeError(
                "the forge answered something else than JSON: is EDGEWIKI_FORGE_URL its API?"
            ) from None

    @property
    def words(self) -> str:
        """What the forge says of an error, on one line."""
        try:
            said = str(json.loads(self.body)["message"])
        except (ValueError, LookupError, TypeError):
            return ""
        shown = "".join(c if c.isprintable() else " " for c in said)
        return " ".join(shown.split())[:_LONGEST_WORDS]


class Failure(Exception):  # noqa: N818  it never leaves this package
    """A request without an answer to rely on. ``cause`` continues "the forge …".

    ``sent``: it may have been done. ``asked``: seconds that the forge wants to be left alone.
    """

    def __init__(self, cause: str, *, sent: bool, asked: float = 0.0) -> None:
        super().__init__(cause)
        self.cause, self.sent, self.asked = cause, sent, asked


class Retries:
    """The tries of one call: how many, how far apart, and until when."""

    def __init__(self, seconds: float, backoff: float) -> None:
        self.deadline = Deadline(seconds)
        self._backoff, self._failed = backoff, 0

    def wait(self, failure: Failure) -> None:
        """Wait before the next try; `ForgeError` where there will be none."""
        self._failed += 1
        longest = self._backoff * 2 ** (self._failed - 1)
        pause = max(longest * random.uniform(0.5, 1.0), failure.asked)
        if self._failed > MOST_RETRIES or pause >= self.deadline.left:
            asks = f" and asks to wait {failure.asked:g} s" if failure.asked else ""
            times = "" if self._failed == 1 else f", at try {self._failed}"
            raise ForgeError(f"the forge {failure.cause}{asks}{times}") from None
        logger.debug("the forge %s; again in %.1f s", failure.cause, pause)
        time.sleep(pause)


class Exchange:
    """Speaks to one API. Nothing is kept open between requests; one serves all threads."""

    def __init__(
        self,
        root: str,
        headers: Mapping[str, str],
        *,
        request_seconds: float = REQUEST_SECONDS,
        call_seconds: float = CALL_SECONDS,
        backoff: float = 0.3,
    ) -> None:
        self._root, self._headers = root.rstrip("/"), {"User-Agent": "edgewiki", **headers}
        self._request_seconds, self._call_seconds = request_seconds, call_seconds
        self._backoff = backoff

    def retries(self) -> Retries:
        """The tries of a call that begins now."""
        return Retries(self._call_seconds, self._backoff)

    def get(self, path: str, parameters: Mapping[str, str] | None = None) -> Reply:
        """Read; repeated while the forge is busy. A 404 is an answer, a refusal an error."""
        return self.repeat("GET", path, parameters=parameters)

    def repeat(
        self,
        method: str,
        path: str,
        *,
        parameters: Mapping[str, str] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> Reply:
        """Ask for what may be done twice, until it is answered."""
        retries = self.retries()
        while True:
            try:
                return self.once(method, path, retries.deadline, parameters=parameters, body=body)
            except Failure as failure:
                retries.wait(failure)

    def once(
        self,
        method: str,
        path: str,
        deadline: Deadline,
        *,
        parameters: Mapping[str, str] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> Reply:
        """Send one request. Raises `Failure`; `ForgeError` where the forge knows no such caller."""
        seconds = min(self._request_seconds, deadline.left)
        try:
            if seconds <= 0:
                raise Failure("did not answer in time", sent=False)
            reply = within(
                seconds, lambda c: self._send(method, path, parameters, body, seconds, c)
            )
        except TimeoutError:
            raise Failure(f"did not answer within {seconds:.3g} s", sent=True) from None
        return _usable(reply)

    def _send(
        self,
        method: str,
        path: str,
        parameters: Mapping[str, str] | None,
        body: Mapping[str, Any] | None,
        seconds: float,
        connection: Connection,
    ) -> Reply:
        # A redirect is an error: it would take the token elsewhere. Nor is a proxy of use to reach
        # this machine itself.
        client = httpx.Client(
            headers=self._headers,
            timeout=seconds,
            verify=self._certificates,
            trust_env=not is_loopback(self._root),
            follow_redirects=False,
        )
        try:
            with (
                client,
                client.stream(
                    method,
                    self._root + path,
                    params=parameters,
                    json=body,
                    extensions={"trace": connection.watch},
                ) as response,
            ):
                return Reply(response.status_code, response.headers, _read(response))
        except httpx.ConnectTimeout:
            raise Failure("cannot be reached in time", sent=False) from None
        except httpx.TimeoutException:
            raise TimeoutError from None
        except (httpx.ConnectError, httpx.ProxyError):
            raise Failure("cannot be reached; see EDGEWIKI_FORGE_URL", sent=False) from None
        except httpx.HTTPError as error:
            cause = f"broke off the connection ({type(error).__name__})"
            raise Failure(cause, sent=True) from None

    @cached_property
    def _certificates(self) -> ssl.SSLContext | bool:
        """What a certificate is checked against, read once; nothing where there is no TLS."""
        return self._root.startswith("https://") and httpx.create_ssl_context()


def _read(response: httpx.Response) -> bytes:
    body = bytearray()
    for part in response.iter_bytes():
        body += part
        if len(body) > MOST_BYTES:
            raise ForgeError(f"the forge sent more than {MOST_BYTES // 1_000_000} MB")
    return bytes(body)


def _usable(reply: Reply) -> Reply:
    """``reply``, where it is about what was asked and not about who asked, or how often."""
    asked = _asked_to_wait(reply)
    if reply.status == 429 or (reply.status == 403 and asked):
        raise Failure(f"limits how often it is asked ({reply.status})", sent=False, asked=asked)
    if reply.status in _BUSY:
        raise Failure(f"answered {reply.status}", sent=True, asked=asked)
    if reply.status == 401:
        raise ForgeError("the forge does not take EDGEWIKI_FORGE_TOKEN (401)")
    if reply.status == 403:
        raise ForgeError(
            f"EDGEWIKI_FORGE_TOKEN may not do this (403: {reply.words}): it needs the repository's "
            "contents and workflows, and a branch that it may write to"
        )
    if 300 <= reply.status < 400:
        raise ForgeError(
            f"the forge answered {reply.status}, for the repository has moved: see "
            "EDGEWIKI_FORGE_URL and EDGEWIKI_FORGE_REPOSITORY"
        )
    return reply


def _asked_to_wait(reply: Reply) -> float:
    """Seconds until more requests are taken, by either way in which a forge says so."""
    if asked := retry_after(reply.headers):
        return asked
    if reply.headers.get("x-ratelimit-remaining") != "0":
        return 0.0
    try:
        return max(float(reply.headers.get("x-ratelimit-reset", "")) - time.time(), 1.0)
    except ValueError:
        return 1.0
