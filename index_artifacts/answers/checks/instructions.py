"""Instructions in a page: text that talks to a model is no evidence of anything."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from index_artifacts.answers.units import ROW
from index_artifacts.text import fold, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from index_artifacts.answers.claims import Claim
    from index_artifacts.answers.grounds import Grounds
    from index_artifacts.answers.quotations import Quotable, Window
    from index_artifacts.answers.units import Unit

_MARKS = re.compile(
    r"(?:^|[\s>*_|(\[])(?:SYSTEM|ASSISTANT|SYSTÉM|СИСТЕМА|AI|USER|DEVELOPER)\s*(?:PROMPT|MESSAGE)?\s*:"
    r"|\[/?INST\]|<<?/?SYS>?>|<\|[a-z_]+\|>|</?(?:evidence|system|instructions?)\b|⟦",
)
_QUOTED = re.compile(r"[„“\"«»”][^„“\"«»”]*[“”\"»«]")
_WORDS_AROUND = 3


def check_instruction(claim: Claim, grounds: Grounds) -> str:
    """Say where a claim stands on text that tells a model what to do, or on what follows it."""
    for window in grounds.windows(claim):
        source = grounds.source(window.number)
        if source and any(is_instruction(text) for text in _read_before(source, window)):
            return "its evidence is an instruction to a model, no statement"
    return ""


def is_instruction(text: str) -> bool:
    """True for text that talks to a model: a role's mark, an order, or a machine's duty.

    An order in quotation marks inside a sentence is only mentioned.
    """
    if _MARKS.search(text):
        return True
    outside = _QUOTED.sub(" ", text)
    spoken = outside if len(words(outside)) >= _WORDS_AROUND else text
    return bool(_orders().search(" ".join(fold(re.sub(r"[*_`]", "", spoken)).split())))


def _read_before(source: Quotable, window: Window) -> Iterator[str]:
    """The quote's own text, and the sentences of its paragraph before it: the order comes first."""
    yield window.source_text
    yield window.quoted
    if not window.units:
        return
    units = source.units
    for number in range(units.index(window.units[0]), 0, -1):
        if not _in_one_paragraph(source.passage.text, units[number - 1], units[number]):
            break
        yield units[number - 1].text


def _in_one_paragraph(text: str, one: Unit, other: Unit) -> bool:
    between = text[one.end : other.start]
    return (
        one.kind == other.kind != ROW
        and not between.strip("> \t\n")
        and not re.search(r"\n[> \t]*\n", between)
    )


@cache
def _orders() -> re.Pattern[str]:
    file = Path(__file__).with_name("instructions.toml")
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    return re.compile("|".join(f"(?:{p.format(**table['words'])})" for p in table["patterns"]))
