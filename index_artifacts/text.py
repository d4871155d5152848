"""Text analysis, shared by the build and by queries: fold, then split into words.

Both sides must agree to the letter, so everything here is pure and `ANALYZER` names it in
the manifest: change any rule and the name changes with it.
"""

from __future__ import annotations

import re
import unicodedata

ANALYZER = "nfc-fold-words/1"

# Letters that Unicode does not decompose into a base and a mark, though readers type the base.
_STROKES = {
    "ł": "l", "đ": "d", "ð": "d", "ø": "o", "ħ": "h", "ŧ": "t", "ß": "ss", "æ": "ae", "œ": "oe",
    "ı": "i", "þ": "th", "ŀ": "l", "ŋ": "n", "ĸ": "k",
}  # fmt: skip
# й is a letter of its own, unlike ё, which Russian prints as е.
_KEPT = {"й"}
# Invisible characters that editors leave inside words: soft hyphen, joiners, BOM.
_IGNORED = dict.fromkeys([0x00AD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF], "")
_FIRST_MARK, _LAST_MARK = "\u0300", "\u036f"

# Marks that are part of a word in scripts whose words Python's \w would cut.
_MARKS = (
    "\u0483-\u0487\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670"
    "\u0900-\u0963\u0966-\u0d7f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
)
# A letter with its marks has to be composed before it is folded: й may come as two characters.
_CLUSTER = re.compile(rf".[{_FIRST_MARK}-{_LAST_MARK}]*", re.DOTALL)
# "c++" and "c#" are words; an underscore separates.
_WORD = re.compile(rf"[a-z](?:\+\+|#)(?!\w)|(?:[^\W_]|[{_MARKS}])+")


def _fold_character(character: str) -> str:
    lower = character.casefold()
    if lower in _KEPT:
        return lower
    decomposed = unicodedata.normalize("NFD", lower)
    bare = "".join(c for c in decomposed if not _FIRST_MARK <= c <= _LAST_MARK)
    return "".join(_STROKES.get(c, c) for c in unicodedata.normalize("NFC", bare))


class _FoldTable(dict[int, str]):
    """A `str.translate` table that works each character out once."""

    def __missing__(self, code: int) -> str:
        folded = _fold_character(chr(code))
        self[code] = folded
        return folded


_TABLE = _FoldTable(_IGNORED)


def fold(text: str) -> str:
    """Fold case, diacritics and strokes: ``Łódź`` → ``lodz``, ``Ёлка`` → ``елка``."""
    return unicodedata.normalize("NFC", text).translate(_TABLE)


def words(text: str) -> list[str]:
    """Return the folded words of ``text`` in order; most punctuation is dropped."""
    return _WORD.findall(fold(text))


def word_spans(text: str) -> list[tuple[str, int, int]]:
    """Return (folded word, start, end) with offsets into ``text`` itself."""
    if all(len(_TABLE[ord(character)]) == 1 for character in set(text)):  # offsets agree
        return [(m.group(), m.start(), m.end()) for m in _WORD.finditer(text.translate(_TABLE))]
    spans = []
    for match in re.finditer(r"\S+", text):
        folded, origin = _fold_with_offsets(match.group(), match.start())
        spans += [
            (m.group(), origin[m.start()][0], origin[m.end() - 1][1])
            for m in _WORD.finditer(folded)
        ]
    return spans


def _fold_with_offsets(text: str, start: int) -> tuple[str, list[tuple[int, int]]]:
    """The folded text, and for each of its characters the span it comes from."""
    folded: list[str] = []
    origin: list[tuple[int, int]] = []
    for match in _CLUSTER.finditer(text):
        piece = fold(match.group())
        folded.append(piece)
        origin += [(start + match.start(), start + match.end())] * len(piece)
    return "".join(folded), origin


def trigrams(word: str) -> list[str]:
    """Character trigrams of a folded word with its ends marked: ``at`` → ``_at``, ``at_``."""
    padded = f"_{word}_"
    return [padded[i : i + 3] for i in range(max(1, len(padded) - 2))]


def is_plain(text: str) -> bool:
    """True where no letter carries a diacritic: its writer may have left them out."""
    return unicodedata.normalize("NFC", text).casefold() == fold(text)
