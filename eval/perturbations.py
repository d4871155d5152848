"""What people do to a question: seeded, pure functions from text to text.

The same (text, language, severity, seed, question id) always gives the same text. A harder
severity changes what the milder one changed, and more. Numbers (whatever is written together
with a digit) and quoted phrases are left alone by all but ``layout`` and ``yz``, whose whole
point is that every key was typed on another keyboard; ``case`` and ``diacritics`` may touch
phrases, because a search folds both.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from rapidfuzz.distance import OSA

from eval import keyboards
from eval.fillers import FILLERS
from eval.word_forms import Forms, other_forms
from index_artifacts import keyboards as layouts
from index_artifacts.text import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

SHORTEST = 4
"""Words with fewer letters get no typos and no other forms: they are mostly particles."""
_TRIES = 20

_PIECE = re.compile(
    r"""(?P<kept>"[^"]*"|„[^“”"]*[“”"]|“[^”]*”|«[^»]*»|»[^«]*«|\S*\d\S*)"""
    r"|(?P<word>(?:[^\W\d_][\u0300-\u036f]*)+)|(?P<other>.)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Setting:
    """The language of a text, the key of its random choices, its words' other forms."""

    lang: str
    key: str
    forms: Forms

    def random(self, name: object = "") -> Random:
        """A generator of its own for each ``name``, so that one choice does not move another."""
        return Random(f"{self.key}:{name}")


@dataclass(frozen=True, slots=True)
class Perturbation:
    """``severities`` say what each severity does, from 1 on, mildest first."""

    name: str
    description: str
    severities: tuple[str, ...]
    edit: Callable[[str, int, Setting], str]


def perturb(
    name: str,
    text: str,
    lang: str,
    severity: int = 1,
    *,
    seed: int = 0,
    question_id: str = "",
    forms: Forms | None = None,
) -> str:
    """Return ``text`` perturbed. It comes back unchanged where there is nothing to change.

    ``forms`` saves ``inflected`` from reading the dictionary for this text alone.
    Raises `KeyError` for an unknown name, `ValueError` for a severity that there is not.
    """
    perturbation = PERTURBATIONS[name]
    if not 1 <= severity <= len(perturbation.severities):
        raise ValueError(f"{name} has no severity {severity}: 1 to {len(perturbation.severities)}")
    if forms is None:
        forms = other_forms(lang, long_words([text])) if name == "inflected" else {}
    setting = Setting(lang, f"{seed}:{name}:{question_id}", forms)
    return perturbation.edit(unicodedata.normalize("NFC", text), severity, setting)


def long_words(texts: Iterable[str]) -> set[str]:
    """The words of ``texts``, in lower case, that are long enough to be edited."""
    found = {word.lower() for text in texts for kind, word in _pieces(text) if kind == "word"}
    return {word for word in found if len(word) >= SHORTEST}


def _pieces(text: str) -> list[tuple[str, str]]:
    """(kind, piece) pairs whose pieces add up to ``text``: kept, word or other."""
    return [(str(match.lastgroup), match.group()) for match in _PIECE.finditer(text)]


def _edit_words(
    text: str,
    count: int | None,
    setting: Setting,
    edit: Callable[[str, Random], str],
    shortest: int = 1,
) -> str:
    """Edit ``count`` randomly chosen words (None is all) among those that ``edit`` changes."""
    pieces = _pieces(text)
    edited = {
        number: better
        for number, (kind, piece) in enumerate(pieces)
        if kind == "word" and len(piece) >= shortest
        if (better := edit(piece, setting.random(number))) != piece
    }
    chosen = sorted(edited)
    setting.random("words").shuffle(chosen)
    places = set(chosen[:count])
    return "".join(
        edited[number] if number in places else piece for number, (_, piece) in enumerate(pieces)
    )


def _share(severity: int) -> int | None:
    return 1 if severity == 1 else None


def _no_diacritics(text: str, severity: int, setting: Setting) -> str:
    if severity == 1:
        return _edit_words(text, 1, setting, lambda word, _: _without_marks(word))
    return _without_marks(text)


def _without_marks(text: str) -> str:
    return "".join(_bare(character) for character in text)


def _bare(character: str) -> str:
    """Only letters lose their marks: quotes, emoji and ß keep their looks."""
    folded = fold(character)
    if not character.isalpha() or len(folded) != 1:
        return character
    return folded.upper() if character.isupper() else folded


_TYPOS = ((1, 1), (2, 1), (1, 2), (2, 2))  # (words, edits in each)


def _typos(text: str, severity: int, setting: Setting) -> str:
    count, edits = _TYPOS[severity - 1]
    return _edit_words(
        text, count, setting, lambda word, random: mistype(word, edits, setting.lang, random),
        SHORTEST,
    )  # fmt: skip


def mistype(word: str, edits: int, lang: str, random: Random) -> str:
    """``word`` with ``edits`` slips; they never cancel each other out."""
    typed = word
    for number in range(edits):
        for _ in range(_TRIES):
            slipped = random.choice(_SLIPS)(typed, random.randrange(len(typed)), lang, random)
            if OSA.distance(word, slipped) == number + 1:
                typed = slipped
                break
    return typed


def _neighbour(word: str, at: int, lang: str, random: Random) -> str:
    near = keyboards.neighbours(word[at], lang)
    if not near:
        return word
    key = random.choice(near)
    return word[:at] + (key.upper() if word[at].isupper() else key) + word[at + 1 :]


def _transpose(word: str, at: int, _lang: str, _random: Random) -> str:
    return word[:at] + word[at : at + 2][::-1] + word[at + 2 :]


def _delete(word: str, at: int, _lang: str, _random: Random) -> str:
    return word[:at] + word[at + 1 :]


def _double(word: str, at: int, _lang: str, _random: Random) -> str:
    return word[: at + 1] + word[at:]


_SLIPS = (_neighbour, _transpose, _delete, _double)


def _case(text: str, severity: int, setting: Setting) -> str:
    if severity < 3:
        return text.lower() if severity == 1 else text.upper()
    random = setting.random()
    return "".join(random.choice((c.lower(), c.upper())) for c in text)


def _punctuation(text: str, severity: int, setting: Setting) -> str:
    """Marks go at the end, then between words, then around them; never inside a phrase."""
    random = setting.random()
    pieces = [piece for _, piece in _pieces(text.rstrip("?!. "))]
    end = random.choice(("", "??", "?!", "...", " ?"))
    for number, piece in enumerate(pieces):
        mark, around = random.choice((",", ".", " -", ";", "/", "…")), random.choice(("()", "**"))
        if severity >= 2 and piece == " ":
            pieces[number] = mark + " "
        elif severity >= 3 and piece.isalpha() and number % 4 == 0:
            pieces[number] = around[0] + piece + around[1]
    return "".join(pieces) + end


def _irrelevant(text: str, severity: int, setting: Setting) -> str:
    fillers = FILLERS.get(setting.lang, FILLERS["en"])
    random = setting.random()
    before, after = random.choice(fillers.before), random.choice(fillers.after)
    story = random.choice(fillers.stories)
    parts = {1: (before, text), 2: (before, text, after), 3: (story, before, text, after)}
    return " ".join(parts[severity])


def _order(text: str, severity: int, setting: Setting) -> str:
    """A phrase moves as one; the mark at the end stays there."""
    body = text.rstrip("?!. ")
    tokens = re.findall(r'"[^"]*"\S*|„[^“”"]*[“”"]\S*|“[^”]*”\S*|«[^»]*»\S*|\S+', body)
    random = setting.random()
    if len(tokens) < 2:
        return text
    at = random.randrange(len(tokens) - 1)
    tokens[at : at + 2] = tokens[at + 1], tokens[at]
    if severity == 2:
        random.shuffle(tokens)
    return " ".join(tokens) + text[len(body) :]


def _layout(text: str, severity: int, setting: Setting) -> str:
    table = layouts.TO_LATIN if keyboards.is_cyrillic(text) else layouts.TO_CYRILLIC
    if severity == 2:
        return text.translate(table)
    return _edit_words(text, 1, setting, lambda word, _: word.translate(table), SHORTEST)


def _yz(text: str, severity: int, setting: Setting) -> str:
    swapped = text.translate(layouts.SWAPPED_YZ)
    return swapped.translate(layouts.DIGIT_ROW.get(setting.lang, {})) if severity > 1 else swapped


def _inflected(text: str, severity: int, setting: Setting) -> str:
    def other(word: str, random: Random) -> str:
        forms = setting.forms.get(word.lower())
        if not forms:
            return word
        form = random.choice(forms)
        return form.capitalize() if word[0].isupper() else form

    return _edit_words(text, _share(severity), setting, other, SHORTEST)


def _mixed(text: str, severity: int, setting: Setting) -> str:
    looks = layouts.LOOKS_LATIN if keyboards.is_cyrillic(text) else layouts.LOOKS_CYRILLIC

    def one_letter(word: str, random: Random) -> str:
        places = [at for at, letter in enumerate(word) if ord(letter) in looks]
        if not places:
            return word
        at = random.choice(places)
        return word[:at] + word[at].translate(looks) + word[at + 1 :]

    if severity == 1:
        return _edit_words(text, 1, setting, one_letter)
    return _edit_words(text, None, setting, lambda word, _: word.translate(looks))


def _registry(rows: Sequence[Perturbation]) -> dict[str, Perturbation]:
    return {row.name: row for row in rows}


PERTURBATIONS: dict[str, Perturbation] = _registry((
    Perturbation("diacritics", "diacritics left out",
                 ("in one word", "in all"), _no_diacritics),
    Perturbation("typos", "neighbouring key, transposition, deletion or doubling",
                 ("1 in one word", "1 in each of two words", "2 in one word",
                  "2 in each of two words"), _typos),
    Perturbation("case", "letters in another case",
                 ("lower", "upper", "random"), _case),
    Perturbation("punctuation", "punctuation that says nothing",
                 ("at the end", "between words", "around words"), _punctuation),
    Perturbation("irrelevant", "words around the question that ask for nothing",
                 ("before", "before and after", "a story"), _irrelevant),
    Perturbation("order", "words in another order", ("two swapped", "all shuffled"), _order),
    Perturbation("layout", "typed with the other alphabet's keyboard layout on",
                 ("one word", "all"), _layout),
    Perturbation("yz", "QWERTZ and QWERTY taken for each other",
                 ("y and z", "y, z and the row of digits"), _yz),
    Perturbation("inflected", "words in another form of the same lemma",
                 ("one word", "all"), _inflected),
    Perturbation("mixed", "letters that look alike taken from the other alphabet",
                 ("one letter", "all"), _mixed),
))  # fmt: skip
