"""A language model behind any OpenAI-compatible endpoint.

The ``openai`` package builds the request and knows the protocol's errors; it is imported by the
first question, since importing it takes as long as a cold start. Retries are our own: the
package's neither know of a deadline nor see that a server drips.
"""

from __future__ import annotations

import logging
import random
import re
import ssl
import time
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from index_artifacts.deadline import Connection, Deadline, within
from index_artifacts.errors import LanguageModelError
from index_artifacts.language_model_dialect import SCHEMA, Dialect
from index_artifacts.language_model_reply import read_completion
from index_artifacts.loopback import is_loopback
from index_artifacts.retry_after import retry_after

if TYPE_CHECKING:
    from collections.abc import Sequence

    import httpx2
    import openai

    from index_artifacts.answers.chat_model import Completion, Message

RETRIED = {408, 409, 429, 500, 502, 503, 504}
LONGEST_BACKOFF = 8.0
MOST_BYTES = 4_000_000

# An error's code is a word of the protocol. Its message may quote what was asked: never shown.
_CODE = re.compile(r"[a-z][a-z_]{2,40}")

logger = logging.getLogger("edgewiki")


class _RequestError(Exception):
    """One request failed. ``cause`` continues "the language model …" and is fit to be shown.

    ``complaint`` is what a server says of a request that it does not take; ``asked`` is how many
    seconds it wants to be left alone.
    """

    def __init__(
        self, cause: str, *, again: bool = False, asked: float = 0.0, complaint: str = ""
    ) -> None:
        super().__init__(cause)
        self.cause, self.again, self.asked, self.complaint = cause, again, asked, complaint


class LanguageModel:
    """A `ChatModel` that asks a server; one serves all threads.

    It remembers which dialect the server took. Nothing is kept open between requests: they are
    seconds apart, and a function that was frozen meanwhile would find its connections dead.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str = "",
        *,
        timeout: float = 20.0,
        retries: int = 2,
        max_tokens: int = 1024,
        json: str = SCHEMA,
        temperature: float = 0.0,
        backoff: float = 0.5,
    ) -> None:
        """Asks for nothing yet. ``timeout`` and ``backoff`` are seconds of one request and of
        the first wait, which doubles. ``base_url`` ends where ``/chat/completions`` follows;
        where it has no path, that is ``/v1``.
        """
        self._url = _completions_root(base_url)
        self._model, self._key = model, api_key
        self._timeout, self._retries, self._backoff = timeout, retries, backoff
        self._max_tokens = max_tokens
        self._dialect = Dialect(json, temperature)

    @property
    def name(self) -> str:
        """The model's name, as its server knows it."""
        return self._model

    def complete(
        self, messages: Sequence[Message], schema: dict[str, Any], seconds: float
    ) -> Completion:
        """Complete ``messages`` with JSON of ``schema``, within ``seconds`` from now in all.

        Whether the text is JSON, let alone of the schema, is for the caller to see. Raises
        `LanguageModelError`, which names a cause but no host, key or text.
        """
        deadline, dialect = Deadline(seconds), self._dialect
        failures: list[_RequestError] = []
        sent = 0
        while True:
            sent += 1
            try:
                body = dialect.body(self._model, messages, schema, self._max_tokens)
                reply = self._ask(body, deadline)
            except _RequestError as failure:
                if simpler := dialect.without(failure.complaint):
                    dialect = simpler
                    continue
                failures.append(failure)
                self._pause(failures, deadline)
            else:
                self._dialect = dialect
                return read_completion(reply, sent)

    def _pause(self, failures: Sequence[_RequestError], deadline: Deadline) -> None:
        """Wait before the next request; `LanguageModelError` where there will be none."""
        last = failures[-1]
        if not last.again or len(failures) > self._retries:
            raise LanguageModelError(_sentence(failures)) from None
        longest = min(self._backoff * 2 ** (len(failures) - 1), LONGEST_BACKOFF)
        wait = max(longest * random.uniform(0.5, 1.0), last.asked)
        if wait >= deadline.left:
            asks = f" and asks to wait {last.asked:g} s" if last.asked else ""
            raise LanguageModelError(
                f"{_sentence(failures)}{asks}; of {deadline.seconds:g} s too few are left"
            ) from None
        logger.debug("the language model %s; again in %.1f s", last.cause, wait)
        time.sleep(wait)

    def _ask(self, body: dict[str, Any], deadline: Deadline) -> bytes:
        """Send one request; raises `_RequestError`.

        A request that took its whole time and gave nothing would need as much again, so it is
        repeated only where that much is left.
        """
        seconds = min(self._timeout, deadline.left)
        try:
            if seconds <= 0:
                raise TimeoutError
            return within(seconds, lambda connection: self._send(body, seconds, connection))
        except TimeoutError:
            shown = self._timeout if seconds == self._timeout else deadline.seconds
            again = deadline.left > self._timeout
            raise _RequestError(f"did not answer within {shown:g} s", again=again) from None

    def _send(self, body: dict[str, Any], seconds: float, connection: Connection) -> bytes:
        """The body of a reply of status 200. Raises `_RequestError` or `TimeoutError`."""
        import httpx2
        import openai

        try:
            with self._client(seconds, connection) as client:
                return self._read(client, body)
        except (_RequestError, TimeoutError):
            raise
        except openai.APIStatusError as error:
            raise _refused(error) from None
        except (openai.APITimeoutError, httpx2.TimeoutException):
            raise TimeoutError from None
        except (openai.APIConnectionError, httpx2.TransportError) as error:
            raise _unreachable(error) from None
        except Exception as error:  # a proxy's URL, a key that no header can hold, …
            raise _RequestError(f"cannot be asked ({type(error).__name__})") from None

    def _client(self, seconds: float, connection: Connection) -> openai.OpenAI:
        """A client for one request. A redirect is an error: it would take a key elsewhere."""
        import httpx2
        import openai

        def watch(request: httpx2.Request) -> None:
            request.extensions["trace"] = connection.watch

        http = httpx2.Client(
            timeout=seconds,
            verify=self._certificates,
            trust_env=not is_loopback(self._url),
            follow_redirects=False,
            event_hooks={"request": [watch]},
        )
        client = openai.OpenAI(
            base_url=self._url, api_key=self._key or "none", http_client=http, max_retries=0
        )
        client.organization = client.project = None  # of OPENAI_…, and meant for another server
        return client

    def _read(self, client: openai.OpenAI, body: dict[str, Any]) -> bytes:
        import openai

        without_key = {} if self._key else {"Authorization": openai.Omit()}
        completions = client.chat.completions.with_streaming_response
        read = bytearray()
        with completions.create(**body, extra_headers=without_key) as response:
            for part in response.iter_bytes():
                read += part
                if len(read) > MOST_BYTES:
                    raise _RequestError(f"sent more than {MOST_BYTES // 1_000_000} MB")
        return bytes(read)

    @cached_property
    def _certificates(self) -> ssl.SSLContext:
        import httpx2

        return httpx2.create_ssl_context()


def _refused(error: openai.APIStatusError) -> _RequestError:
    status, response = error.status_code, error.response
    complaint = response.text[:10_000] if status in (400, 422) else ""
    logger.debug("the language model answered %d: %s", status, response.text[:1_000])
    code = error.code if isinstance(error.code, str) and _CODE.fullmatch(error.code) else ""
    return _RequestError(
        f"answered {status} ({code})" if code else f"answered {status}",
        again=status in RETRIED,
        asked=retry_after(response.headers),
        complaint=complaint,
    )


def _unreachable(error: BaseException) -> _RequestError:
    """The reason lies down the chain of what each library made of the error before."""
    chain: list[BaseException] = []
    at: BaseException | None = error
    while at and at not in chain:
        chain.append(at)
        at = at.__cause__ or at.__context__
    if any(isinstance(one, ssl.SSLCertVerificationError) for one in chain):
        return _RequestError("has a certificate that is not trusted here")
    names = {type(one).__name__ for one in chain}
    if "ProxyError" in names:
        return _RequestError("cannot be reached through the proxy", again=True)
    if "ConnectError" in names:
        return _RequestError("cannot be reached", again=True)
    return _RequestError("broke off the connection", again=True)


def _sentence(failures: Sequence[_RequestError]) -> str:
    """The causes in their order, with how often each came in a row."""
    parts = []
    for cause, run in groupby(failure.cause for failure in failures):
        times = len(list(run))
        often = {1: "", 2: " twice", 3: " three times"}.get(times, f" {times} times")
        parts.append(cause + often)
    return "the language model " + ", then ".join(parts)


def _completions_root(base_url: str) -> str:
    """Where ``/chat/completions`` follows."""
    root = base_url.strip().rstrip("/").removesuffix("/chat/completions")
    return root if urlsplit(root).path else root + "/v1"
