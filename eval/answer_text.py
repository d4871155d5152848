"""Looking facts and forbidden strings up in the text of an answer."""

from __future__ import annotations

import re
import unicodedata

_SOURCE = re.compile(r"\[\d+\] ")
# Marks that a reader does not see: **40** dní is 40 dní.
_UNSEEN = str.maketrans("", "", "*`\\")


def without_sources(answer: str) -> str:
    """An answer without its list of sources: a last paragraph of lines that begin with [n]."""
    body, _, last = answer.rpartition("\n\n")
    heading, *lines = last.split("\n")
    if heading.endswith(":") and lines and all(_SOURCE.match(line) for line in lines):
        return body
    return answer


def holds(text: str, wanted: str) -> bool:
    """True where ``wanted`` stands in ``text``, as written or as a reader sees it.

    Case and kinds of space do not matter. Where ``wanted`` begins or ends with a digit, no other
    digit may stand right beside it, nor one behind a point or comma: 7 is not in 17, 7.5 or 1,7.
    """
    pattern = _pattern(wanted)
    plain = _pattern(wanted.translate(_UNSEEN))
    # The spaces around it let " yes" be found at the beginning, too.
    return bool(
        pattern.search(f" {_evened(text)} ")
        or plain.search(f" {_evened(text.translate(_UNSEEN))} ")
    )


def _pattern(wanted: str) -> re.Pattern[str]:
    even = _evened(wanted)
    before = r"(?<!\d)(?<!\d[.,])" if even[:1].isdigit() else ""
    after = r"(?!\d)(?![.,]\d)" if even[-1:].isdigit() else ""
    return re.compile(before + re.escape(even) + after)


def _evened(text: str) -> str:
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", text).casefold())
