"""Telling what a mail says itself from what it quotes and from its signature."""

from __future__ import annotations

import re
from dataclasses import dataclass

from index_artifacts.text import fold

_QUOTE = re.compile(r" ?>")
_SIGNATURE = re.compile(r"--\s?")
_RULE = re.compile(r"[_=-]{20,}\s*")
_LIST_FOOTER = re.compile(r".*(?:mailing list|listinfo|unsubscribe|you received this message).*")
_LONGEST_SIGNATURE = 15
# "On Monday, Ján wrote:" in five languages, folded.
_WROTE = re.compile(
    r"\b(?:wrote|writes|napisal\w*(?:\(a\))?|napsal\w*(?:\(a\))?|pise|pisze|писал\w*|написал\w*"
    r"|пишет)\s*:$"
)
_LONGEST_ATTRIBUTION = 300
_ORIGINAL = re.compile(
    r"\s*-{2,}\s*(?:original message|original appointment|povodna sprava|puvodni zprava"
    r"|(?:oryginalna wiadomosc|wiadomosc oryginalna)|исходное сообщение)\s*-{2,}\s*"
)
_FROM = re.compile(r"\s*\*?(?:from|od|от|von)\s*:\*?\s.*")
_SENT = re.compile(
    r"\s*\*?(?:sent|date|odoslane|datum|odeslano|wyslano|data|отправлено|дата)\s*:\*?\s.*"
)


@dataclass(frozen=True, slots=True)
class Folded:
    """``text`` is what the mail says itself; ``folded`` what it quotes, and its signature."""

    text: str
    folded: str


def fold_quotes(text: str, *, is_reply: bool) -> Folded:
    """Take quotes, their "X wrote:" lines and the signature out of ``text``.

    Below "Original Message" everything is a quote in a reply; a mail that is passed on keeps it.
    """
    lines = text.split("\n")
    folded = [bool(_QUOTE.match(line)) for line in lines]
    _mark_attributions(lines, folded)
    if is_reply:
        _mark_original(lines, folded)
    _mark_signature(lines, folded)
    _mark_list_footer(lines, folded)
    return Folded(_kept(lines, folded, wanted=False), _kept(lines, folded, wanted=True))


def _kept(lines: list[str], folded: list[bool], *, wanted: bool) -> str:
    """The lines marked ``wanted``; where others stood between them there is a blank line."""
    kept: list[str] = []
    for line, mark in zip(lines, folded, strict=True):
        if mark == wanted:
            kept.append(line.rstrip())
        elif kept and kept[-1]:
            kept.append("")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip("\n")


def _mark_attributions(lines: list[str], folded: list[bool]) -> None:
    for number in range(1, len(lines)):
        if not folded[number] or folded[number - 1]:
            continue
        last = number - 1
        while last > 0 and not lines[last].strip():
            last -= 1
        if not folded[last] and (length := _attribution_lines(lines, last)):
            first = last + 1 - length
            folded[first:number] = [True] * (number - first)


def _attribution_lines(lines: list[str], last: int) -> int:
    """How many lines up to ``last`` say whose the quote is: 0, 1, or 2 where it was broken."""
    line = lines[last].rstrip()
    if not line.endswith(":") or len(line) > _LONGEST_ATTRIBUTION:
        return 0
    before = lines[last - 1].rstrip() if last else ""
    if before and before[-1] not in ".!?:>" and not _is_dated(line):
        whole = f"{before} {line}"
        if _is_dated(whole) and len(whole) <= _LONGEST_ATTRIBUTION:
            return 2
    return int(_is_dated(line) or bool(_WROTE.search(fold(line))))


def _is_dated(line: str) -> bool:
    """True for "On 3 Feb, Ján <jan@example.org> wrote:", in any language."""
    return ("<" in line or "@" in line) and any(character.isdigit() for character in line)


def _mark_original(lines: list[str], folded: list[bool]) -> None:
    plain = [fold(line) for line in lines]
    for number, line in enumerate(plain):
        following = plain[number + 1 : number + 4]
        header = _FROM.fullmatch(line) and any(_SENT.fullmatch(other) for other in following)
        if header or _ORIGINAL.fullmatch(line):
            first = number
            if number and _RULE.fullmatch(plain[number - 1]):
                first -= 1
            folded[first:] = [True] * (len(lines) - first)
            return


def _mark_signature(lines: list[str], folded: list[bool]) -> None:
    for number, line in enumerate(lines):
        if folded[number] or not _SIGNATURE.fullmatch(line):
            continue
        end = next((n for n in range(number, len(lines)) if folded[n]), len(lines))
        said = sum(bool(line.strip()) for line in lines[number + 1 : end])
        if said <= _LONGEST_SIGNATURE:
            folded[number:end] = [True] * (end - number)


def _mark_list_footer(lines: list[str], folded: list[bool]) -> None:
    """What a mailing list puts below every mail, from a line of underscores on."""
    for number in range(max(0, len(lines) - 12), len(lines)):
        below = lines[number + 1 :]
        if _RULE.fullmatch(lines[number]) and any(
            _LIST_FOOTER.fullmatch(fold(line)) for line in below
        ):
            folded[number:] = [True] * (len(lines) - number)
            return
