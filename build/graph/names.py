"""Names of people: as they are read off a line, and when two spellings are one person's."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from index_artifacts.answers.declension import alike
from index_artifacts.text import fold, words

if TYPE_CHECKING:
    from collections.abc import Iterator

_TITLES = frozenset((
    "ing", "bc", "mgr", "mga", "mgra", "prof", "doc", "dr", "rndr", "judr", "mudr", "mddr", "mvdr",
    "phdr", "paeddr", "pharmdr", "thdr", "thlic", "artd", "msc", "bsc", "mba", "phd", "csc", "drsc",
    "dsc", "dis", "hab", "inz", "lic", "mr", "mrs", "ms", "доц", "проф", "акад", "канд", "докт",
    "асс", "преп", "инж",
))  # fmt: skip
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*\.?")
_PARENTHESES = re.compile(r"\([^()]*\)")
_AND = frozenset({"a", "aj", "and", "i", "oraz", "и", "&"})
_LONGEST = 4


def full_names(text: str) -> list[str]:
    """The people that a value names: their names without titles; none where it names nobody.

    ``doc. Ing. Jana Malá, PhD. (od roku 2020) a Peter Veľký`` are Jana Malá and Peter Veľký.
    """
    return [" ".join(name) for name in _names(_PARENTHESES.sub(" ", text)) if _is_name(name)]


def name_words(text: str) -> tuple[str, ...]:
    """The folded words of a name in order, titles left out."""
    kept = [word for word in words(text) if word not in _TITLES]
    return tuple(kept or words(text))


def looks_like_name(text: str) -> bool:
    """True where the whole text has the shape of one person's name, titles aside."""
    bare = _PARENTHESES.sub(" ", text).strip()
    found = full_names(bare)
    if len(found) != 1 or any(letter.isdigit() for letter in bare):
        return False
    written = [word for word in words(bare) if word not in _TITLES]
    return len(written) == len(words(found[0]))


def one_person(name: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """True where two names, folded, can be one person's, in whatever case or with an initial.

    In another case both the first and the last word change: Jana Kováč is not Ján Kováč.
    """
    if name == other:
        return True
    if len(name) != len(other) or len(name) < 2:
        return False
    if _is_initial(name[0]) or _is_initial(other[0]):
        same_last = name[-1] == other[-1] or alike(name[-1], other[-1])
        return name[0][0] == other[0][0] and same_last
    changed = [a != b for a, b in zip(name, other, strict=True)]
    if not (changed[0] and changed[-1]):
        return False
    return all(_alike(a, b) for a, b in zip(name, other, strict=True))


def has_initial(name: tuple[str, ...]) -> bool:
    """True for P. Novák."""
    return len(name) > 1 and _is_initial(name[0])


@lru_cache(maxsize=100_000)
def _alike(word: str, other: str) -> bool:
    return alike(word, other)


def _is_initial(word: str) -> bool:
    return len(word) == 1


def _names(text: str) -> Iterator[list[str]]:
    """Runs of capitalised words; a title, a comma or an "and" may stand between two names."""
    name: list[str] = []
    for token in text.replace("/", " , ").replace(",", " , ").replace(";", " , ").split():
        word = _WORD.match(token)
        if word and fold(word.group()).rstrip(".") in _TITLES:
            continue
        if token == "," or token in _AND:
            if name:
                yield name
            name = []
        elif word and word.group()[0].isupper() and _only(token, word):
            name.append(word.group() if _is_initial(word.group()[:-1]) else word.group().strip("."))
            if token.endswith(".") and not _is_initial(token[:-1]) and len(name) > 1:
                break  # the sentence ends here
        elif re.fullmatch(r"(?:[^\W\d_]{1,3}\.)+[^\W\d_]*\.?", token):
            continue  # Ph.D., к.т.н.
        else:
            break
    if name:
        yield name


def _only(token: str, word: re.Match[str]) -> bool:
    return word.end() == len(token) or not token[word.end() :].strip('.:!?"“”»)')


def _is_name(name: list[str]) -> bool:
    long = [word for word in name if len(word.strip(".")) > 1]
    return 2 <= len(name) <= _LONGEST and bool(long)
