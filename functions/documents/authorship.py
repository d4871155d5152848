"""Whom a commit is by, and what it says."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from functions.forge import Author

if TYPE_CHECKING:
    from functions.access import Caller

MOST_SUBJECT = 200
_MOST_LOCAL = 64  # octets of an address before its @, by RFC 5321

# Git strips these from both ends of a name.
_CRUD = " .,:;<>\"\\'"
# Words by which a commit keeps a forge from running its workflows.
_SKIP = re.compile(r"[\[(*]+((?:skip|no)[ _-](?:ci|actions)|(?:ci|actions)[ _-]skip)[\])*]+", re.I)
# "Fixes #7" in a commit closes an issue, on behalf of whoever owns the token.
_ISSUE = re.compile(r"(?:#|\bGH-|!)(?=\d)", re.IGNORECASE)
_LINK = re.compile(r"https?://\S+", re.IGNORECASE)
_PERSON = re.compile(r"@(?=\w)")


def author_of(caller: Caller, domain: str) -> Author:
    """The author of what ``caller`` writes. Two callers never have the same address."""
    name = "".join(c if c.isprintable() else " " for c in caller.shown)
    shown = " ".join(name.replace("<", " ").replace(">", " ").split()).strip(_CRUD)
    return Author(shown or "somebody", f"{_local_part(caller.name)}@{domain}")


def commit_message(given: str, otherwise: str, caller: Caller) -> str:
    """A title of one line, and below it through what it came.

    The caller's words are the title alone, so that they can be no trailer, and they neither
    command the forge nor call people.
    """
    first = next((line for line in given.splitlines() if line.strip()), "")
    title = _plain(first) or _plain(otherwise)
    if len(title) > MOST_SUBJECT:
        title = title[: MOST_SUBJECT - 1].rstrip() + "…"
    return f"{title}\n\nThrough edgewiki, by {_plain(caller.shown)[:MOST_SUBJECT] or 'somebody'}.\n"


def _plain(text: str) -> str:
    shown = "".join(c if c.isprintable() else " " for c in text)
    shown = _LINK.sub("(link)", _SKIP.sub(r"\1", shown))
    shown = _PERSON.sub("@ ", _ISSUE.sub(lambda match: f"{match[0]} ", shown))
    return " ".join(shown.split()).lstrip("#")


def _local_part(name: str) -> str:
    """``name`` as the part of an address before its @: no two names have the same.

    What is not a letter, digit, dash, dot or underscore is written as =XX, and so is a dot that
    Git would strip. A long name is its hash, after an = that no other part has there.
    """
    written = quote(name.encode(errors="surrogatepass"), safe="").replace("%", "=")
    written = written.replace("~", "=7E")
    if written.startswith("."):
        written = f"=2E{written[1:]}"
    if len(written) <= _MOST_LOCAL:
        return written
    return f"=sha256={hashlib.sha256(name.encode(errors='surrogatepass')).hexdigest()[:40]}"
