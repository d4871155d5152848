"""One message: from its bytes to what a document is made of. Nothing in it stops a build."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from email import message_from_bytes
from typing import TYPE_CHECKING

from build.mail.charsets import decode_text, one_line, seen
from build.mail.headers import Headers
from build.mail.quotes import fold_quotes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from email.message import Message

MAX_BYTES = 64 * 1024 * 1024
MAX_TEXT = 1_000_000
_MAX_PARTS = 1000

_REPLY = re.compile(r"\s*(?:re|aw|odp|odpoved|sv|на)\s*(?:\[\d+\])?\s*:", re.IGNORECASE)
_FORWARD = re.compile(r"\s*(?:fwd?|wg|pd|preposlane|vs)\s*:", re.IGNORECASE)
_ENCRYPTED = re.compile(
    r"-----BEGIN PGP MESSAGE-----.*?(?:-----END PGP MESSAGE-----|\Z)", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Attachment:
    """A part that is not the text. ``size`` is in bytes, decoded."""

    name: str
    type: str
    size: int


@dataclass(frozen=True, slots=True)
class Mail:
    """A message. ``text`` is what it says itself, ``folded`` what it quotes and its signature.

    ``message_id`` is its own or made of its content; ``parents`` are the ids of what it answers,
    the nearest first. ``problems`` are (severity, code, reason) for the build report.
    """

    message_id: str
    subject: str
    sender: tuple[str, str]
    recipients: tuple[tuple[str, str], ...]
    date: datetime | None
    parents: tuple[str, ...]
    text: str
    folded: str
    attachments: tuple[Attachment, ...] = ()
    problems: tuple[tuple[str, str, str], ...] = ()


class NoMailError(ValueError):
    """The bytes are no message; says why."""


def read_mail(data: bytes, fallback: str) -> Mail:
    """Read a message. Raises `NoMailError`, and nothing else, where it is none."""
    if len(data) > MAX_BYTES:
        raise NoMailError(f"{len(data)} bytes; the limit is {MAX_BYTES}")
    try:
        return _Reader(message_from_bytes(data), fallback).mail()
    except (NoMailError, ImportError):
        raise
    # The standard library's parser can raise almost anything on a message made to break it.
    except Exception as error:
        raise NoMailError(f"its MIME cannot be read: {type(error).__name__}: {error}") from error


def has_headers(data: bytes) -> bool:
    """True where ``data`` begins with headers that every message has."""
    head = re.split(rb"\r?\n\r?\n", data[:100_000], maxsplit=1)[0]
    return bool(re.search(rb"(?im)^(?:from|date|message-id|subject|received|to)[ \t]*:", head))


class _Reader:
    def __init__(self, message: Message, fallback: str) -> None:
        self._message, self._fallback = message, fallback
        self._headers = Headers(message, fallback)
        self._problems: list[tuple[str, str, str]] = []
        self._attachments: list[Attachment] = []

    def mail(self) -> Mail:
        headers = self._headers
        if not any(name in headers for name in ("from", "date", "subject", "message-id", "to")):
            raise NoMailError("it has neither From, To, Date, Subject nor Message-ID")
        subject, date = headers.text("subject"), headers.date()
        if date is None:
            self._problem("note", "mail-date", "no date that can be read: it has no year")
        senders = headers.addresses("from") or headers.addresses("sender")
        written = self._written()
        parents = tuple(
            dict.fromkeys((*headers.ids("in-reply-to"), *reversed(headers.ids("references"))))
        )
        is_reply = bool(parents or _REPLY.match(subject)) and not _FORWARD.match(subject)
        said = fold_quotes(written, is_reply=is_reply)
        text, folded = said.text, said.folded
        if not text and not is_reply:  # what somebody passes on without a word is what it says
            text, folded = folded, ""
        sender = senders[0] if senders else ("", "")
        stable = "\n".join((*sender, subject, date.isoformat() if date else "", written))
        made = f"no-id-{hashlib.sha256(stable.encode()).hexdigest()[:24]}"
        return Mail(
            message_id=headers.message_id() or made,
            subject=subject,
            sender=sender,
            recipients=headers.addresses("to", "cc"),
            date=date,
            parents=parents,
            text=text,
            folded=folded,
            attachments=tuple(self._attachments),
            problems=tuple(dict.fromkeys(self._problems)),
        )

    def _problem(self, severity: str, code: str, reason: str) -> None:
        self._problems.append((severity, code, reason))

    def _written(self) -> str:
        """The text of all parts that are read one after another."""
        texts = [text for text in self._texts(self._message, [_MAX_PARTS]) if text.strip()]
        whole = _ENCRYPTED.sub(self._locked, "\n\n".join(text.strip("\n") for text in texts))
        if len(whole) > MAX_TEXT:
            reason = f"{len(whole)} characters of text: what follows the first {MAX_TEXT} is lost"
            self._problem("degraded", "too-long", reason)
        return whole[:MAX_TEXT]

    def _locked(self, _: object = None) -> str:
        self._problem("degraded", "encrypted", "encrypted: only its headers are read")
        return ""

    def _texts(self, part: Message, budget: list[int]) -> Iterator[str]:
        budget[0] -= 1
        if budget[0] < 0:
            self._problem(
                "degraded", "mail-parts", f"more than {_MAX_PARTS} parts: the rest is lost"
            )
            return
        kind = part.get_content_type()
        parts = _parts(part)
        if kind == "multipart/encrypted" or self._is_enveloped(part, kind):
            self._locked()
        elif kind.startswith("message/") or self._is_attached(part):
            self._attach(part, kind)
        elif kind == "multipart/alternative" and parts:
            yield self._best(parts, budget)
        elif parts:
            for inner in parts:
                yield from self._texts(inner, budget)
        elif kind == "text/html":
            from build.mail.html_text import html_to_text  # a wiki without mail needs no parser

            yield seen(html_to_text(self._decoded(part)[:MAX_TEXT]))
        elif kind in {"text/plain", "text/enriched"} or kind.startswith("multipart/"):
            # A multipart without its border is read as it stands.
            text = self._decoded(part)
            yield _unflow(part, text)
        else:
            self._attach(part, kind)

    def _best(self, parts: list[Message], budget: list[int]) -> str:
        """Of alternatives the plain text, where it holds more than a hint to read the other."""
        kinds: dict[str, str] = {}
        for part in parts:
            key = "plain" if part.get_content_type() == "text/plain" else "other"
            kinds[key] = f"{kinds.get(key, '')}\n\n".lstrip() + "\n\n".join(
                self._texts(part, budget)
            )
        plain, other = kinds.get("plain", ""), kinds.get("other", "")
        return other if len(other) > 200 and len(plain.strip()) * 8 < len(other) else plain or other

    def _decoded(self, part: Message) -> str:
        data = part.get_payload(decode=True)
        raw = data if isinstance(data, bytes) else b""
        charset = part.get_param("charset", "")
        named = charset[2] if isinstance(charset, tuple) else charset
        text, lossy = decode_text(raw, str(named or ""), self._fallback)
        if lossy:
            shown = one_line(str(named)) or "none"
            reason = f"charset {shown!r} does not fit its bytes: some became U+FFFD"
            self._problem("degraded", "charset", reason)
        return text

    def _is_attached(self, part: Message) -> bool:
        if part.is_multipart():
            return False
        attached = part.get_content_disposition() == "attachment"
        is_text = part.get_content_maintype() == "text"
        return attached or bool(self._name(part) and not (is_text and part is self._message))

    def _is_enveloped(self, part: Message, kind: str) -> bool:
        smime = kind in {"application/pkcs7-mime", "application/x-pkcs7-mime"}
        return smime and part.get_param("smime-type") != "certs-only"

    def _name(self, part: Message) -> str:
        name = part.get_filename() or ""
        return self._headers.decoded(name) if name else ""

    def _attach(self, part: Message, kind: str) -> None:
        if inner := next(iter(_parts(part)), None):  # a message in the message
            name = self._name(part) or Headers(inner, self._fallback).text("subject")
            size = 0  # it was taken apart: nobody knows how long it was
        else:
            data = part.get_payload(decode=True)
            name, size = self._name(part), len(data) if isinstance(data, bytes) else 0
        if kind in {"application/pgp-signature", "application/pkcs7-signature"}:
            return
        is_picture = "content-id" in part and kind.startswith("image/")
        if not is_picture or part.get_content_disposition() == "attachment":
            self._attachments.append(Attachment(name or one_line(kind), one_line(kind), size))


def _parts(part: Message) -> list[Message]:
    # Of a part that has none, get_payload would decode the text, by whatever charset it names.
    payload = part.get_payload() if part.is_multipart() else ()
    return [inner for inner in payload if not isinstance(inner, str)]


def _unflow(part: Message, text: str) -> str:
    """Join the lines that ``format=flowed`` broke for narrow screens (RFC 3676)."""
    if str(part.get_param("format", "")).lower() != "flowed":
        return text
    together = str(part.get_param("delsp", "")).lower() == "yes"
    lines: list[str] = []
    open_line = False
    for line in text.split("\n"):
        quoted = line.startswith(">")
        said = line if quoted else line.removeprefix(" ")
        if open_line and not quoted and said != "-- ":
            lines[-1] = (lines[-1].removesuffix(" ") if together else lines[-1]) + said
        else:
            lines.append(said)
        open_line = said.endswith(" ") and said != "-- " and not quoted
    return "\n".join(lines)
