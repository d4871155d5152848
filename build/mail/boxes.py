"""The messages in a file: of an mbox, of a Maildir, or one alone, and which of them to leave."""

from __future__ import annotations

import codecs
import mailbox
import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from build.decoding import is_lfs_pointer
from build.mail.message import has_headers
from build.sources import FOREIGN_MAIL, is_maildir

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from build.pages import Page
    from build.report import Report

_FROM = b"From "
_BOM = codecs.BOM_UTF8
_ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)
_STATUS = re.compile(rb"(?im)^(?:x-)?status:[ \t]*(\w+)[ \t]*\r?$")
_MOZILLA = re.compile(rb"(?im)^x-mozilla-status:[ \t]*([0-9a-f]{4})[ \t]*\r?$")
_EXPUNGED = 0x0008
_OWN_FILE = re.compile(r"[^:;!]+[:;!]2,(?P<flags>[A-Za-z]*)")


@dataclass(frozen=True, slots=True)
class RawMail:
    """The bytes of a message, and where it lies: ``number`` counts the messages of an mbox."""

    path: str
    number: int
    data: bytes

    @property
    def place(self) -> str:
        """What the report calls it, beside its file."""
        return f"message {self.number}" if self.number else "the message"


def raw_mails(page: Page, report: Report) -> Iterator[RawMail]:
    """The messages of a file in their order; whatever else is in it is in the report."""
    try:
        with page.file.open("rb") as stream:
            start = stream.read(1000)
        if why := _left_out(page.path, start):
            severity, code, reason = why
            report.add(severity, code, page.path, reason)
        elif _is_mbox(page.path, start):
            yield from _from_mbox(page, report)
        else:
            data = page.file.read_bytes().removeprefix(_BOM)
            yield RawMail(page.path, 0, data.lstrip(b"\r\n"))
    except OSError as error:
        report.add("skipped", "unreadable", page.path, f"cannot be read: {error.strerror}")


def _left_out(path: str, start: bytes) -> tuple[str, str, str] | None:
    """Severity, code and reason where a whole file is left out; ``start`` are its first bytes."""
    if not is_maildir(path) and PurePosixPath(path).suffix.lower() in FOREIGN_MAIL:
        reason = "a format of its own: export it as mbox or .eml, unpacked"
        return "skipped", "mail-format", reason
    if is_lfs_pointer(start):
        return "skipped", "lfs-pointer", "a Git LFS pointer, not the mail: git lfs pull"
    if not start.strip():
        return "skipped", "empty", "the file is empty"
    flags = _flags(path)
    if "T" in flags:
        return "excluded", "deleted", "flagged as trash"
    if "D" in flags:
        return "excluded", "draft", "flagged as a draft"
    if start.startswith(_BOM + _FROM):
        reason = "a byte order mark stands before its first message: save it without"
        return "skipped", "encoding", reason
    if not _is_mbox(path, start) and not _is_one(path, start):
        reason = "no mail: neither an mbox, nor a message of a Maildir, nor an .eml file"
        return "excluded", "not-mail", reason
    return None


def _is_mbox(path: str, start: bytes) -> bool:
    return start.lstrip().startswith(_FROM) and not is_maildir(path)


def _is_one(path: str, start: bytes) -> bool:
    named = is_maildir(path) or PurePosixPath(path).suffix.lower() == ".eml"
    return named or has_headers(start)


def _flags(path: str) -> str:
    """The flags in the name of a Maildir's file, such as S for seen."""
    match = _OWN_FILE.fullmatch(PurePosixPath(path).name) if is_maildir(path) else None
    return match["flags"] if match else ""


def _from_mbox(page: Page, report: Report) -> Iterator[RawMail]:
    number = 0
    for data in _whole(_pieces(page.file), page.path, report):
        number += 1
        head = re.split(rb"\r?\n\r?\n", data, maxsplit=1)[0]
        mozilla = _MOZILLA.search(head)
        deleted = any(b"D" in match[1] for match in _STATUS.finditer(head))
        if deleted or (mozilla and int(mozilla[1], 16) & _EXPUNGED):
            report.add("excluded", "deleted", page.path, f"message {number}: deleted in its box")
            continue
        yield RawMail(page.path, number, _ESCAPED.sub(rb"\1", data))


def _pieces(file: Path) -> Iterator[bytes]:
    """What stands between lines that begin with ``From ``, these lines included."""
    box = mailbox.mbox(file, create=False)
    try:
        for key in box.iterkeys():
            yield box.get_bytes(key, from_=True)
    finally:
        box.close()


def _whole(pieces: Iterator[bytes], path: str, report: Report) -> Iterator[bytes]:
    """The messages: a piece without headers is the rest of a message that says "From here on"."""
    open_mail: bytes | None = None
    number = 0
    for piece in pieces:
        content = piece.partition(b"\n")[2]
        if open_mail is not None and not has_headers(content):
            reason = f'message {number}: a line of its text begins with "From ", unescaped'
            report.add("repaired", "mbox-from-line", path, reason)
            open_mail += b"\n\n" + piece
            continue
        if open_mail is not None:
            yield open_mail
        open_mail, number = content, number + 1
    if open_mail is not None:
        yield open_mail
