"""Characters that look alike or are not seen at all, brought to plain ones before comparing."""

from __future__ import annotations

import html
import re
import unicodedata

_RAISED = re.compile(r"[⁰¹²³⁴-⁹]+")
_WIDE = re.compile(r"[\uff01-\uff5e]")


def plain_characters(text: str) -> str:
    """``text`` with full-width signs and other scripts' digits as ASCII, invisible ones left out.

    Raised digits become ``^2``: 10² is not 102.
    """
    if text.isascii():
        return text
    seen = "".join(ch for ch in text if unicodedata.category(ch) != "Cf")
    raised = _RAISED.sub(lambda m: "^" + unicodedata.normalize("NFKC", m.group()), seen)
    wide = _WIDE.sub(lambda m: unicodedata.normalize("NFKC", m.group()), raised)
    spaced = re.sub(r"[\u00a0\u2000-\u200a\u202f\u3000]", " ", wide)
    return "".join(_digit(ch) for ch in spaced)


def unescaped(text: str) -> str:
    """``text`` without HTML entities, however deep, and without invisible characters."""
    for _ in range(3):
        plain = html.unescape(text)
        if plain == text:
            break
        text = plain
    return "".join(ch for ch in text if unicodedata.category(ch) != "Cf")


def _digit(character: str) -> str:
    if character.isascii() or not character.isdecimal():
        return character
    return str(unicodedata.decimal(character))
