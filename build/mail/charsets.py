"""From the bytes of a mail to text, whatever character set it claims to be in."""

from __future__ import annotations

import codecs
import re

# Codecs of Python's that no mail is written in; some take quadratic time.
_NO_CHARSETS = frozenset(
    {"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape", "mbcs", "oem"}
)
# What programs of the eighties and nineties call them.
_ALIASES = {"iso-8859-8-i": "iso-8859-8", "cp-1250": "cp1250", "cp-1251": "cp1251"}
# Mail that says it is Latin-1 or ASCII holds what Windows wrote.
_WINDOWS = {"iso8859-1": "cp1252", "ascii": "cp1252"}
_UNSEEN = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f"
    r"\u00ad\u034f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)


def decode_text(data: bytes, charset: str, fallback: str) -> tuple[str, bool]:
    """Return the text of ``data``, and whether no charset could read all of it.

    Tried in turn: UTF-8 where the charset says ASCII or nothing, ``charset``, UTF-8,
    ``fallback``.
    """
    declared = _known(charset)
    order = [_WINDOWS.get(declared, declared), "utf-8", _known(fallback)]
    if declared in {"", "ascii"}:
        order = ["utf-8", _known(fallback) or "cp1252"]
    for name in filter(None, order):
        try:
            return seen(data.decode(name)), False
        except (UnicodeError, ValueError):
            continue
    return seen(data.decode(declared or "utf-8", errors="replace")), True


def seen(text: str) -> str:
    """``text`` without what cannot be seen and without lone surrogates; lines end with ``\\n``."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x85", "\n")
    return _UNSEEN.sub("", text).encode(errors="replace").decode()


def one_line(text: str) -> str:
    """``text`` on one line, with no character that a terminal or a model would obey."""
    shown = "".join(c if c.isprintable() else " " for c in seen(text))
    return " ".join(shown.split())


def _known(charset: str) -> str:
    """Python's name of a charset, or nothing where it knows none."""
    name = charset.strip().strip("\"'").lower()
    try:
        found = codecs.lookup(_ALIASES.get(name, name))
    except (LookupError, ValueError, UnicodeError):
        return ""
    # bytes.decode refuses what is no text encoding, such as base64.
    text = getattr(found, "_is_text_encoding", True)
    return found.name if text and found.name.replace("-", "_") not in _NO_CHARSETS else ""
