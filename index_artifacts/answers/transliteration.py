"""Cyrillic names in Latin letters, folded, as Slavic languages write them."""

from __future__ import annotations

_LATIN = str.maketrans(
    dict(
        zip(
            "абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґ",
            [
                "a",
                "b",
                "v",
                "g",
                "d",
                "e",
                "z",
                "z",
                "i",
                "j",
                "k",
                "l",
                "m",
                "n",
                "o",
                "p",
                "r",
                "s",
                "t",
                "u",
                "f",
                "ch",
                "c",
                "c",
                "s",
                "sc",
                ".",
                "y",
                ".",
                "e",
                "ju",
                "ja",
                "i",
                "ji",
                "je",
                "g",
            ],
            strict=True,
        )
    )
    | {"ъ": "", "ь": ""}
)


def latin(word: str) -> str:
    """A folded Cyrillic word in folded Latin letters; any other as it is."""
    return word.translate(_LATIN)
