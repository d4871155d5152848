"""Whether a webhook is from the forge: HMAC-SHA256 by a secret that both know."""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from index_artifacts.errors import ForbiddenError, QueryError

if TYPE_CHECKING:
    from starlette.datastructures import Headers

SIGNED_BY = {
    "github": ("x-hub-signature-256",),
    "gitea": (
        "x-gitea-signature", "x-forgejo-signature", "x-gogs-signature", "x-hub-signature-256",
    ),
}  # fmt: skip
"""The headers that a forge may sign in."""

_SIGNATURE = re.compile(r"(?:sha256=)?([0-9a-fA-F]{64})")
_FORM = "application/x-www-form-urlencoded"


def signed_payload(forge: str, headers: Headers, body: bytes, secret: str) -> bytes:
    """The JSON of a webhook whose every signature is right.

    Gitea signs the payload, not the form it may send it in; GitHub signs the body as it is.
    Raises `ForbiddenError` for a signature that is missing, wrong or none, and `QueryError` for
    a form that is no webhook's.
    """
    signatures = _signatures(forge, headers)
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != _FORM:
        _require(signatures, secret, body)
        return body
    if forge == "github":
        _require(signatures, secret, body)
        return _form_payload(body)
    payload = _form_payload(body)
    _require(signatures, secret, payload, body)
    return payload


def _signatures(forge: str, headers: Headers) -> list[bytes]:
    """Every signature that was sent; a header that comes twice is nobody's."""
    found = []
    for name in SIGNED_BY[forge]:
        values = headers.getlist(name)
        if len(values) > 1:
            raise ForbiddenError(f"{name} was sent twice")
        for value in values:
            match = _SIGNATURE.fullmatch(value.strip())
            if match is None:
                raise ForbiddenError(f"{name} holds no HMAC-SHA256 in hex")
            found.append(bytes.fromhex(match[1]))
    if not found:
        raise ForbiddenError(f"sign the webhook: {SIGNED_BY[forge][0]} is missing")
    return found


def _require(signatures: list[bytes], secret: str, *signed: bytes) -> None:
    right = [hmac.new(secret.encode(), each, hashlib.sha256).digest() for each in signed]
    for given in signatures:
        if not sum(hmac.compare_digest(given, digest) for digest in right):
            raise ForbiddenError("the webhook is signed with another secret")


def _form_payload(body: bytes) -> bytes:
    """What the one field ``payload`` of a form holds."""
    try:
        pairs = parse_qsl(
            body.decode("ascii"), strict_parsing=True, errors="strict", max_num_fields=1
        )
    except ValueError:
        pairs = []
    if [name for name, _ in pairs] != ["payload"]:
        raise QueryError("a webhook's form has one field, payload")
    return pairs[0][1].encode()
