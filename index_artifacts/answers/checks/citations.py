"""Citations: each number exists, in whatever form it is written, and no link dresses one up."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from index_artifacts.answers.typography import plain_characters, unescaped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from index_artifacts.answers.claims import Claim
    from index_artifacts.answers.grounds import Grounds

# [1], [1, 2], [1–3], [^1], [[1]], 【1†source】. Four digits number no evidence: [2019] is a year,
# and (1) may number a list.
_BRACKETED = re.compile(
    r"\\?[\[【〔]\s*[\^#]?\s*(\d{1,3}(?:\s*(?:[,;–—-]|and|a|i|и|&)\s*\d{1,3})*)(?:\s*[†:][^\]】〕\[]{0,40})?\s*\\?[\]】〕]"
)
# A power stands on a digit, a bracket or a short unit: 10², (x)², cm³.
_RAISED = re.compile(
    r"(?:(?<=[^\W\d_]{4})|(?<=[.,;:!?\"”“»])|(?<=\s)|^)\^(\d{1,3})\^?|<sup>\W*(\d{1,3})\W*</sup>",
    re.IGNORECASE,
)
_CIRCLED = re.compile("[①-⑳⑴-⒛⓪-⓾⓫-⓴⓵-⓾❶-➓㉑-㉟㊱-㊿🄀-🄊]")
_KEYCAP = re.compile("(\\d)\ufe0f?\u20e3")
_WORDED = re.compile(
    r"\b(?:sources?|evidence|passages?|footnotes?|references?|refs?\.|citations?|zdroj\w{0,3}|podklad\w{0,3}|"
    r"úryv\w{1,4}|pozn\.|poznámk\w|citáci\w|źródł\w{0,2}|materiał\w{0,2}|przypis\w{0,2}|источник\w{0,2}|"
    r"сноск\w|материал\w{0,2})\s*:?\s*(?:č\.|no\.|nr\.?|№|#|number|číslo)?\s*"
    r"(\d{1,3}(?:\s*(?:[,–—-]|and|a|i|и|&)\s*\d{1,3})*)(?![\d%]|[.,:]\d|\s?k?[WVA]\b)",
    re.IGNORECASE,
)
_LINKS = re.compile(
    r"\]\s*\([^()\s]*(?:\([^()]*\)[^()\s]*)*\)?|\]\s*\[[^\]]+\]|</?[a-z!][^>]*>?|"
    r"\b(?:https?|ftp|file)\s*:\s*/[^\s)\]>]*|\b(?:javascript|vbscript|mailto)\s*:\s*\S+|"
    r"\bdata\s*:\s*\w+/\S+|\bwww\.[^\s)\]>]+",
    re.IGNORECASE,
)


def check_citations(claim: Claim, grounds: Grounds) -> str:
    """Why the claim's citations are not sound; empty where they are."""
    if not claim.citations:
        return "it cites no evidence"
    source = "\n".join(window.source_text for window in grounds.windows(claim))
    written = "\n".join([source, " ".join(source.split()), grounds.support(claim)])
    footnotes = plain_characters(unescaped(written))
    # What a page writes so is its own footnote or text; `without_citations` takes it out.
    own = [number for form, number in written_citations(claim.text) if form not in footnotes]
    for number in (*claim.citations, *own):
        if grounds.source(number) is None:
            return f"it cites [{number}], and there is no evidence of that number"
    if undeclared := set(own) - set(claim.citations):
        return f"its text cites [{min(undeclared)}], its list of citations does not"
    for link in (*_LINKS.finditer(claim.text), *_LINKS.finditer(unescaped(claim.text))):
        if link.group().rstrip(".,;:!?") not in written:
            return f"it holds a link or markup that its evidence does not: {link.group()[:60]!r}"
    return ""


def without_citations(text: str) -> str:
    """``text`` without the citations written in it: those that were checked are put back."""
    plain = unescaped(text)
    plain = re.sub(rf"\(\s*(?:{_WORDED.pattern})\s*\)", "", plain, flags=re.IGNORECASE)
    for pattern in (r"\[\s*" + _BRACKETED.pattern + r"\s*\]", _BRACKETED, _CIRCLED, _KEYCAP):
        plain = re.sub(pattern, "", plain)
    plain = re.sub(r"<sup>\W*\d{1,3}\W*</sup>", "", plain, flags=re.IGNORECASE)
    plain = re.sub(r"(?:(?<=[^\W\d_]{4})|(?<=[.,;:!?\"”“»])|(?<=\s)|^)[⁰¹²³⁴-⁹]+", "", plain)
    return re.sub(r"\s+([.,;:!?])", r"\1", " ".join(plain.split())).strip()


def written_citations(text: str) -> Iterator[tuple[str, int]]:
    """Each citation in ``text``, whatever it is dressed as: as written, and a number it gives."""
    plain = plain_characters(unescaped(text))
    for pattern in (_BRACKETED, _WORDED):
        for match in pattern.finditer(plain):
            yield from ((match.group(), number) for number in _numbers(match.group(1)))
    for match in _RAISED.finditer(plain):
        yield match.group(), int(match.group(1) or match.group(2))
    for match in _CIRCLED.finditer(plain):
        yield match.group(), int(unicodedata.numeric(match.group()))
    for match in _KEYCAP.finditer(plain):
        yield match.group(), int(match.group(1))


def _numbers(inside: str) -> Iterator[int]:
    for part in re.split(r"[,;&]|and|[aiи]", inside):
        ends = [int(digits) for digits in re.findall(r"\d+", part)]
        if len(ends) == 2 and 0 < ends[1] - ends[0] < 50:
            yield from range(ends[0], ends[1] + 1)
        else:
            yield from ends
