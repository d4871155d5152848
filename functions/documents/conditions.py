"""Which state of a file an edit is meant for, by a field or by HTTP's own headers."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import Header

from functions.documents.models import SHA
from index_artifacts.errors import QueryError

_MOST = 200

IfMatch = Annotated[
    str,
    Header(alias="If-Match", max_length=_MOST, description="The blob that is replaced, in quotes."),
]
IfNoneMatch = Annotated[
    str,
    Header(alias="If-None-Match", max_length=_MOST, description="* for a page that is new."),
]


def expected_blob(sha: str, if_match: str = "", if_none_match: str = "") -> str:
    """The blob that is replaced, empty for a new file. Raises `QueryError` for two answers."""
    blob = if_match.strip().removeprefix("W/").strip('"')
    if if_match and (not blob or not re.fullmatch(SHA, blob)):
        raise QueryError('If-Match: send the sha of the file in quotes, as "1a2b…"')
    if if_none_match and if_none_match.strip() != "*":
        raise QueryError("If-None-Match: only * is understood, for a page that is new")
    if if_none_match and (blob or sha):
        raise QueryError("If-None-Match: * is for a new page, which replaces no sha")
    if blob and sha and blob != sha:
        raise QueryError("If-Match and sha are not the same")
    return blob or sha


def etag(sha: str) -> dict[str, str]:
    """The header that a client sends back as If-Match; none without a sha."""
    return {"ETag": f'"{sha}"'} if sha else {}
