"""From a page's bytes to its text, with every repair reported."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from build.report import Report

MAX_BYTES = 16 * 1024 * 1024

_LFS_POINTER = re.compile(
    rb"version https://git-lfs\.github\.com/spec/v1\r?\n(?:[a-z0-9.-]+ .*\n?)*"
)
_WIDE = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


def decode(path: str, data: bytes, fallback: str, report: Report) -> str | None:
    """Return the page's text with ``\\n`` line ends, or None where it has to be skipped.

    ``fallback`` is the encoding to try where the page is not UTF-8; empty for none.
    """
    if len(data) > MAX_BYTES:
        report.add("skipped", "too-large", path, f"{len(data)} bytes; the limit is {MAX_BYTES}")
        return None
    if is_lfs_pointer(data):
        report.add("skipped", "lfs-pointer", path, "a Git LFS pointer, not the page: git lfs pull")
        return None
    text = _to_text(path, data, fallback, report)
    if text is None:
        return None
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        report.add("repaired", "nul", path, "NUL characters became U+FFFD", line)
        text = text.replace("\0", "\ufffd")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        report.add("skipped", "empty", path, "the file is empty")
        return None
    return text


def is_lfs_pointer(data: bytes) -> bool:
    """True where Git LFS left a pointer instead of the file."""
    return data.startswith(b"version https://git-lfs") and bool(_LFS_POINTER.fullmatch(data))


def _to_text(path: str, data: bytes, fallback: str, report: Report) -> str | None:
    for mark, encoding in _WIDE.items():
        if data.startswith(mark):
            report.add("repaired", "encoding", path, "UTF-16 by its byte order mark; save as UTF-8")
            return data.decode(encoding, errors="replace")
    try:
        return data.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        return _decode_fallback(path, data, fallback, line, report)


def _decode_fallback(
    path: str, data: bytes, fallback: str, line: int, report: Report
) -> str | None:
    if not fallback:
        reason = "not UTF-8: save it as UTF-8, or set [wiki] fallback_encoding, such as cp1250"
        report.add("skipped", "encoding", path, reason, line)
        return None
    try:
        text = data.decode(fallback)
    except UnicodeDecodeError:
        report.add("skipped", "encoding", path, f"neither UTF-8 nor {fallback}", line)
        return None
    report.add("repaired", "encoding", path, f"not UTF-8: read as {fallback}", line)
    return text
