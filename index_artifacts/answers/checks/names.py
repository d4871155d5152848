"""Names and titles: who and what a claim names stands in its evidence, in whatever case."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from index_artifacts.answers.checks.citations import without_citations
from index_artifacts.answers.dates import without_dates
from index_artifacts.answers.declension import alike
from index_artifacts.answers.markdown import visible_text
from index_artifacts.answers.sentences import sentences
from index_artifacts.answers.transliteration import latin
from index_artifacts.text import word_spans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.answers.claims import Claim
    from index_artifacts.answers.grounds import Grounds
    from index_artifacts.answers.lemmas import Words

_QUOTED = re.compile(r"[„“\"«»”]([^„“\"«»”]{3,120})[“”\"»«]")
# The parts of a name that is asked for stand so near to each other.
_NEAR = 3
# Something stands before, and no end of a sentence, colon or opening mark after it.
_MID_SENTENCE = re.compile(r"[^\s\"'„“«(\[*•–:;.?!-][\s\"'„“«(\[*•–-]*$")
_OPENING = " \n\"'„“«([*•–-"
# "Strojové videnie" is one name, though its second word is small.
_ADJECTIVE_ENDS = "éí"
# Between the parts of one person's name at most an initial, a title or a second name stands.
_BETWEEN = 1
_LONGEST_ABBREVIATION, _LONGEST_TITLE = 5, 4
# What stands between two names; no word folds to it.
_APART = "|"
_FEMALE, _MALE = re.compile(r"á$"), re.compile(r"(?:[ýí]|ého|ému|ým|ího|ímu|ím)$")


@dataclass(frozen=True, slots=True)
class Name:
    """Capitalised words in a row, as written and folded; ``begins`` a sentence or not."""

    written: str
    words: tuple[str, ...]
    begins: bool = False

    @property
    def certain(self) -> bool:
        """False for what may be no name: a sentence's first word, or an abbreviation."""
        alone = len(self.words) == 1
        short = self.written.isupper() and len(self.written) <= _LONGEST_ABBREVIATION
        return not (alone and (self.begins or short))


def check_names(claim: Claim, grounds: Grounds) -> str:
    """Name the first name of the claim that its evidence does not hold; else empty."""
    return unsupported_name(without_citations(claim.text), grounds.support(claim), grounds.lemmas)


def unsupported_name(text: str, support: str, lemmas: Words) -> str:
    """Name the first name in ``text`` that ``support`` does not hold, in any case; else empty."""
    there = _words_apart(support)
    for name in names(without_dates(text), lemmas, first_words=True):
        # One capitalised word begins any sentence: `check_wording` asks for it as for others.
        if name.begins and len(name.words) == 1 and not name.written.isupper():
            continue
        wanted = _without_first_word(name, support)
        held = holds_name(wanted, there, lemmas, exact=True)
        if not held or _of_other_sex(name.written, support):
            return f"{name.written!r} does not stand in its evidence"
    return ""


def check_titles(claim: Claim, grounds: Grounds) -> str:
    """Name the first text in quotation marks that its evidence does not hold word for word."""
    return unsupported_title(claim.text, grounds.support(claim))


def unsupported_title(text: str, support: str) -> str:
    """Name the first text in quotation marks that ``support`` does not hold; else empty."""
    there = " ".join(word for word, _, _ in word_spans(support))
    for match in _QUOTED.finditer(text):
        title = " ".join(word for word, _, _ in word_spans(visible_text(match.group(1))))
        if f" {title} " not in f" {there} ":
            return f"the quoted {match.group(1)!r} does not stand in its evidence"
    return ""


def names(text: str, lemmas: Words, *, first_words: bool = False) -> list[Name]:
    """The names in ``text``: capitalised words in a row.

    A sentence's first word is left out where a dictionary has it, but with ``first_words``.
    """
    found: list[Name] = []
    run: list[tuple[str, int, int]] = []
    previous_end = 0
    for word, start, end in [*word_spans(text), ("", len(text), len(text))]:
        between = text[previous_end:start]
        if run and (not _is_name(text[start:end]) or not _joins(run[-1][0], between)):
            if _completes(text, run, between) and not lemmas.is_function(word):
                run.append((word, start, end))
            found += _name(text, run, lemmas, first_words=first_words)
            run = []
        if _is_name(text[start:end]):
            run.append((word, start, end))
        previous_end = end
    return found


def name_words(text: str) -> list[str]:
    """The folded words of ``text`` to look names up in; a lone small letter is no initial."""
    return [
        "" if end - start == 1 and text[start].islower() else word
        for word, start, end in word_spans(text)
    ]


def holds_name(
    wanted: Sequence[str], there: Sequence[str], lemmas: Words, *, exact: bool = False
) -> bool:
    """True where the folded words of a name stand close together in ``there``, in any case.

    With ``exact`` they stand next to each other, and only an initial in ``wanted`` is held by a
    name: "P. Vrabec" may be the Peter Vrabec that is asked for, and may not.
    """
    several = len(wanted) > 1

    def same(part: str, word: str) -> bool:
        if several and (_shortens(part, word) or (not exact and _shortens(word, part))):
            return True
        return alike(part, word) or lemmas.same(part, word) or alike(latin(part), word)

    places = [[n for n, word in enumerate(there) if same(part, word)] for part in wanted]
    if not all(places):
        return False
    first, *rest = places
    if exact and several:
        return any(_together(at, rest, len(wanted), there, lemmas) for at in first)
    return any(
        all(any(abs(at - start) <= _NEAR * len(wanted) for at in row) for row in rest)
        for start in first
    )


def _shortens(initial: str, word: str) -> bool:
    return len(initial) == 1 and word.startswith(initial)


def _words_apart(text: str) -> list[str]:
    """`name_words`, with a mark that is no word where one name cannot go on."""
    found: list[str] = []
    previous_end = 0
    for word, start, end in word_spans(text):
        if found and not _joins(found[-1], text[previous_end:start]):
            found.append(_APART)
        found.append("" if end - start == 1 and text[start].islower() else word)
        previous_end = end
    return found


def _without_first_word(name: Name, support: str) -> tuple[str, ...]:
    """The words of a name, but one that begins a sentence and is nobody's name in the evidence."""
    first = name.words[0]
    named = any(
        _is_name(support[start:end]) and alike(first, word)
        for word, start, end in word_spans(support)
    )
    return name.words if named or not name.begins or len(name.words) == 1 else name.words[1:]


def _together(
    at: int,
    rest: Sequence[Sequence[int]],
    length: int,
    there: Sequence[str],
    lemmas: Words,
) -> bool:
    near = [[n for n in row if abs(n - at) < length + _BETWEEN] for row in rest]
    for chosen in product(*near):
        places = {at, *chosen}
        low, high = min(places), max(places)
        between = [there[n] for n in range(low, high) if n not in places]
        if (
            len(places) == length
            and high - low < length + _BETWEEN
            and not any(
                word == _APART or (len(word) > 1 and lemmas.is_function(word)) for word in between
            )
        ):
            return True
    return False


def _of_other_sex(written: str, support: str) -> bool:
    """True where the evidence only has the same surname of the other sex: Mokrá, and Mokrý."""
    last = written.split()[-1]
    one, other = (_FEMALE, _MALE) if _FEMALE.search(last) else (_MALE, _FEMALE)
    if not one.search(last):
        return False
    stem = one.sub("", last).casefold()
    forms = [w for w in re.findall(r"\w+", support) if w.casefold().startswith(stem)]
    ends = {form.casefold()[len(stem) :] for form in forms}
    opposed = {end for end in ends if other.fullmatch(end)}
    return bool(opposed) and opposed == ends


def _is_name(written: str) -> bool:
    return bool(written) and (
        written[0].isupper() or any(letter.isupper() for letter in written[1:])
    )


def _joins(word: str, between: str) -> bool:
    """True where a name may go on behind ``word``: "Ing. Peter", but not "Obsidian. Windows"."""
    joint = between.strip(" \u00a0")
    short = len(word) <= _LONGEST_TITLE
    return "\n" not in between and (joint in {"", "-"} or (joint == "." and short))


def _completes(text: str, run: Sequence[tuple[str, int, int]], between: str) -> bool:
    """True where the next word is the noun of a name that is one adjective so far."""
    _, start, end = run[0]
    return len(run) == 1 and start > 0 and between == " " and text[end - 1] in _ADJECTIVE_ENDS


def _name(
    text: str, run: Sequence[tuple[str, int, int]], lemmas: Words, *, first_words: bool
) -> list[Name]:
    first, start, end = run[0]
    begins = _begins_sentence(text, start)
    ordinary = lemmas.is_function(first) or (lemmas.is_word(first) and not first_words)
    if begins and ordinary and not any(letter.isupper() for letter in text[start + 1 : end]):
        run = run[1:]
    if not run:
        return []
    written = text[run[0][1] : run[-1][2]]
    return [Name(written, tuple(word for word, _, _ in run), begins and run[0][1] == start)]


def _begins_sentence(text: str, start: int) -> bool:
    if _MID_SENTENCE.search(text[:start]):
        return False
    before = text[:start].rstrip(_OPENING)
    if not before.endswith("."):
        return True
    # Behind an abbreviation the sentence goes on: "prof. Ing. Miloš Haverla".
    return any(len(before) <= at <= start for at, _ in sentences(text, 0, len(text)))
