"""Cutting prose into sentences, in five languages full of abbreviations."""

from __future__ import annotations

import re

# A full stop ends a sentence where a space and no small letter follow: "prof. Ing." goes on
# for its next word is a title, "21. septembra" for it begins small.
_END = re.compile(r"[.!?…]+[\"'»”“’)\]*_`]*(?=\s+[^\sa-zа-яёáäčďéíĺľňóôŕšťúýžąćęłńśźżěřů])")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(„\"'*_])(?:[^\W\d_]|prof|doc|odb|as|ing|arch|mgr|mudr|phdr|paeddr|rndr|judr|thdr|dr|bc|"
    r"csc|drsc|phd|ph|ph\.d|msc|mba|dipl|inž|inż|hab|lek|med|akad|проф|доц|акад|napr|např|tzv|resp|tzn|"
    r"t\. ?j|tj|t\. ?č|apod|písm|čl|kol|vyd|nar|zom|nám|ul|tel|cca|np|m\.in|zob|por|wg|pkt|tys|tyś|"
    r"им|ул|рис|т\. ?е|т\. ?к|т\. ?п|т\. ?д|напр|см|др|гг|тыс|млн|e\.g|i\.e|vs|cf|al|approx|dept|"
    r"mr|mrs|ms|st|jr|sr)$",
    re.IGNORECASE,
)
# Before a number alone: "č. 12", but "The answer is no."
_BEFORE_NUMBER = re.compile(
    r"(?:^|[\s(])(?:č|str|obr|tab|kap|odd|ods|min|max|rys|стр|no|nr|fig|eq|pp|vol|sec|ch)$",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"(?:^|[\s(–—-])\d{1,2}$")


def sentences(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The spans of the sentences in ``text[start:end]``, in order; they cover all its words."""
    spans, begin = [], start
    for match in _END.finditer(text, start, end):
        before = text[begin : match.start()]
        if text[match.start() : match.end()] == "." and _goes_on(before, text[match.end() : end]):
            continue
        if before.strip():
            spans.append((begin, match.end()))
            begin = match.end()
    if text[begin:end].strip():
        spans.append((begin, end))
    return spans


def _goes_on(before: str, after: str) -> bool:
    """True where a full stop between the two belongs to an abbreviation or an ordinal."""
    if _ABBREVIATION.search(before):
        return True
    if ordinal := _ORDINAL.search(before):  # unless it is counted: "no. 12."
        return not _BEFORE_NUMBER.search(before[: ordinal.start()].removesuffix("."))
    return after.lstrip()[:1].isdigit() and bool(_BEFORE_NUMBER.search(before))
