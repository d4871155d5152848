"""Names in their cases: whether two folded words can be forms of one name, in five languages.

No dictionary holds every name, so the endings decide: Nováka is a case of Novák, Nový is somebody
else. What a fold hides stays hidden: Jana is Jana, and Ján in the genitive.
"""

from __future__ import annotations

import re

from index_artifacts.answers.measures import numeral

_SHORTEST_STEM = 2
# Hruška and Hrušková are two people: the ending that makes the difference is no case. Of Петров
# and Петрова that cannot be said: the second is also a case of the first.
_FEMININE = re.compile(r"ov(?:a|ej|oj|u|ou|e|y)$|ow(?:a|ej)$")
# Each line: the endings of one declension.
_DECLENSIONS = tuple(
    frozenset(line.replace("-", "").split(","))
    for line in """
-,a,ovi,u,om,em,e,y,i,ove,ovia,ov,ovou,owi,iem,ie,owie,ow,ami,ach,och,ech,um,mi
a,y,e,u,ou,oj,i,o,ie,ii,iu,ou,am,ach,ami,-,ovi,om,ov,ovia,owi,ia,iou
a,ej,oj,u,ou,e,aja,uju,ych,ym,ymi
y,eho,emu,ogo,oho,omu,om,ym,ymi,ych,em,iego,iemu,ego,i,im,ich,a
i,eho,emu,om,im,ich,iho,imu,iego,iemu,ego,y
o,a,ovi,om,u,em,owi,i,e
e,a,i,u,om,em,et,ete
-,а,у,ом,ем,е,ы,и,ым,ых,ами,ах,ов
а,ы,и,е,у,ой,ою,ей,ам,ами,ах,-
я,и,е,ю,ей,ёй,ии
ь,я,ю,ем,е,и,ью
й,я,ю,ем,е,и
а,ой,у,ою
ая,ой,ую,ою,ей
ий,ый,ой,ого,его,ому,ему,ым,им,ом,ем,ых,их
""".strip().splitlines()
)
_CYRILLIC = tuple(e for e in _DECLENSIONS if any("а" <= o <= "я" for o in "".join(e)))
_LATIN = tuple(e for e in _DECLENSIONS if e not in _CYRILLIC)
_LONGEST_ENDING = 4
# Vrabec → Vrabca, Marek → Marka, Hanka → cs. Hance.
_FLEETING = re.compile(r"([^aeiouy])[eo]([cklrnt])$")
_SOFTENED = {"c": "k", "z": "h", "s": "ch", "dz": "g"}


def alike(word: str, other: str) -> bool:
    """True where two folded words can be forms of one name, or of one word no dictionary has."""
    if word == other:
        return True
    if not (word.isalpha() and other.isalpha()) or numeral(word) or numeral(other):
        return False
    if bool(_FEMININE.search(word)) != bool(_FEMININE.search(other)):
        return False
    return _declined(word, other) or any(
        _declined(a, b)
        for a, b in (
            (_without_fleeting(word), other),
            (word, _without_fleeting(other)),
            (_hardened(word), other),
            (word, _hardened(other)),
        )
        if a and b
    )


def case_forms(word: str) -> list[str]:
    """A folded word and every form of it that `alike` takes for one, of those that exist."""
    stems = {word, _without_fleeting(word), *_softened(word)} - {""}
    cyrillic = any("а" <= letter <= "я" for letter in word)
    found = {word}
    for stem in stems:
        for endings in _CYRILLIC if cyrillic else _LATIN:
            for ending in endings:
                if stem.endswith(ending) and len(stem) - len(ending) >= _SHORTEST_STEM:
                    base = stem[: len(stem) - len(ending)]
                    found |= {base + other for other in endings}
    return sorted(form for form in found if alike(word, form))


def _softened(word: str) -> set[str]:
    """Hanka → Hance: the stem that Czech and Polish soften before -e."""
    for soft, hard in _SOFTENED.items():
        if word[:-1].endswith(hard) and word.endswith("a"):
            return {word[: -1 - len(hard)] + soft + "e"}
    return set()


def _declined(word: str, other: str) -> bool:
    stem = 0
    for a, b in zip(word, other, strict=False):
        if a != b:
            break
        stem += 1
    longest = max(len(word), len(other))
    for cut in range(stem, max(_SHORTEST_STEM, longest - _LONGEST_ENDING) - 1, -1):
        pair = {word[cut:], other[cut:]}
        if any(pair <= endings for endings in _DECLENSIONS):
            return True
    return False


def _without_fleeting(word: str) -> str:
    """The stem of the other cases: vrabec → vrabc."""
    short = _FLEETING.sub(r"\1\2", word)
    return short if short != word and len(short) > _SHORTEST_STEM else ""


def _hardened(word: str) -> str:
    """hance → hanke: Czech and Polish soften before -e."""
    if not word.endswith("e"):
        return ""
    for soft, hard in _SOFTENED.items():
        if word[:-1].endswith(soft):
            return word[: -1 - len(soft)] + hard + "e"
    return ""
