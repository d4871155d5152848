"""The headers of a mail as text: encoded words, addresses, ids and dates, broken ones too."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.errors import HeaderParseError
from email.header import decode_header
from email.utils import formataddr, getaddresses, parsedate_to_datetime
from typing import TYPE_CHECKING

from build.mail.charsets import decode_text, one_line

if TYPE_CHECKING:
    from email.message import Message

_ID = re.compile(r"<\s*([^<>\s]+)\s*>")
_ADDRESS = re.compile(r"[^\s<>,;:()\"@]{1,100}@[^\s<>,;:()\"@]{1,200}")
_MAX_HEADER = 100_000
_YEARS = range(1970, 2101)


class Headers:
    """Looks up the headers of one message. ``fallback`` reads bytes that are no UTF-8."""

    def __init__(self, message: Message, fallback: str) -> None:
        self._fallback = fallback
        self._raw: dict[str, list[str]] = {}
        for name, value in message.raw_items():
            self._raw.setdefault(name.lower(), []).append(self._readable(str(value)))

    def __contains__(self, name: str) -> bool:
        return name in self._raw

    def text(self, name: str) -> str:
        """The first header called ``name``, decoded, on one line."""
        return self.decoded(self._first(name))

    def addresses(self, *names: str) -> tuple[tuple[str, str], ...]:
        """(name, address) of everybody in these headers, each once."""
        found: dict[tuple[str, str], None] = {}
        values = [value for name in names for value in self._raw.get(name, ())]
        # An encoded word may hide a comma: the list is taken apart before it is decoded.
        for name, address in _people(values):
            person = (self.decoded(name).strip("'\" "), one_line(address))
            if any(person):
                found.setdefault(person)
        return tuple(found)

    def ids(self, name: str) -> tuple[str, ...]:
        """The message ids in a header, without their brackets."""
        value = self._first(name)
        return tuple(one_line(found) for found in _ID.findall(value))

    def message_id(self) -> str:
        """The message's own id, or nothing."""
        ids = self.ids("message-id")
        return ids[0] if ids else "".join(one_line(self._first("message-id")).strip("<>").split())

    def date(self) -> datetime | None:
        """When it was sent, in UTC; else when the first server on its way received it."""
        received = [value.rpartition(";")[2] for value in self._raw.get("received", ())]
        for value in (self._first("date"), *reversed(received)):
            if value and (date := parse_date(value)):
                return date
        return None

    def _first(self, name: str) -> str:
        return self._raw.get(name, [""])[0]

    def _readable(self, value: str) -> str:
        raw = value[:_MAX_HEADER].encode("utf-8", "surrogateescape")
        return one_line(decode_text(raw, "", self._fallback)[0])

    def decoded(self, value: str) -> str:
        """``value`` with its encoded words decoded, on one line."""
        if "=?" not in value:
            return one_line(value)
        try:
            parts = decode_header(value)
        except (HeaderParseError, ValueError):
            return one_line(value)
        decoded = one_line("".join(self._part(part, charset) for part, charset in parts))
        return decoded or one_line(value)

    def _part(self, part: bytes | str, charset: str | None) -> str:
        if isinstance(part, str):
            return part
        if charset is None:
            return part.decode("raw_unicode_escape")  # how decode_header made bytes of it
        return decode_text(part, charset, self._fallback)[0]


def parse_date(value: str) -> datetime | None:
    """A date as mail writes it, in UTC; None where it is none. Without a zone it is UTC."""
    try:
        date = parsedate_to_datetime(value)
        date = date.astimezone(UTC) if date.tzinfo else date.replace(tzinfo=UTC)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
    return date if date.year in _YEARS else None


def _people(values: list[str]) -> list[tuple[str, str]]:
    try:
        return getaddresses(values)
    except (RecursionError, IndexError, ValueError):
        return [("", address) for value in values for address in _ADDRESS.findall(value)]


def shown_address(person: tuple[str, str]) -> str:
    """``Name <address>``, or whichever there is."""
    name, address = person
    try:
        return (
            formataddr((name, address), charset="utf-8")
            if name.isascii()
            else (f"{name} <{address}>" if address else name)
        )
    except UnicodeError:  # an address in another script
        return f"{name} <{address}>" if name else address
