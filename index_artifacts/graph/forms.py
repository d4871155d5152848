"""In which form an answer is asked for: a list, a count, yes or no, an extreme, a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index_artifacts.graph import query as q
from index_artifacts.graph.reading import KINDS, NOUNS, VERBS

if TYPE_CHECKING:
    from index_artifacts.graph.reading import Reading
    from index_artifacts.graph.tokens import Token

_TWO = frozenset(["dvojice", "dvojici", "dvojica", "dwojga", "two", "двух"])


def claims_an_order(reading: Reading) -> bool:
    """True for "Did X finish earlier than Y?", which asks for yes or no."""
    alternatives = reading.has("or") and not _seeks_consent(reading)
    return not alternatives and _is_yes_or_no(reading)


def form_of(reading: Reading) -> str:
    """How the answer is put: a list, a count, yes or no, the most, the first, a comparison."""
    if _names_several(reading):
        for form in (q.EARLIER, q.LATER, q.MORE, q.FEWER):
            if reading.has(form):
                return form
        if any(reading.before(m.first, "before", reach=1) for m in reading.mentions):
            return q.EARLIER  # "Did X finish before Y?"
        if reading.has("or") or any(token.word in _TWO for token in reading.tokens):
            for form, compared in ((q.FIRST, q.EARLIER), (q.LAST, q.LATER)):
                if reading.has(form):
                    return compared
    if reading.has("most"):
        return q.MOST
    if reading.has("least"):
        return q.LEAST
    if _is_yes_or_no(reading):
        return q.WHETHER
    if _counts(reading):
        return q.COUNT
    for form in (q.FIRST, q.LAST):
        if reading.has(form):
            return form
    return q.FIRST if _asks_since_when(reading) else q.LIST


def _names_several(reading: Reading) -> bool:
    """True where there are two of something to compare."""
    years = sum(years.first == years.last for years in reading.years)
    kinds = len({kind for kind in KINDS if reading.has(kind)}) if reading.has("or") else 0
    return len(reading.mentions) > 1 or years > 1 or (kinds > 1 and reading.has("more", "fewer"))


def _asks_since_when(reading: Reading) -> bool:
    """True for "od ktorého roku vedie X práce": the first of several years."""
    at = reading.asking
    since = at > 0 and reading.tokens[at - 1].has("since")
    return since and reading.has("supervise", "write") and not reading.has("begin", "study")


def _counts(reading: Reading) -> bool:
    if reading.asking < 0:
        return reading.has("count")
    token = reading.tokens[reading.asking]
    if token.has("which"):  # "Aký je počet prác …"
        following = reading.tokens[reading.asking + 1 : reading.asking + 4]
        return any(near.has("count") for near in following)
    return token.has("count") or (token.has("how") and reading.has("count"))


def _is_yes_or_no(reading: Reading) -> bool:
    if reading.asking >= 0 or not reading.tokens or reading.has("imperative"):
        return False
    if reading.tokens[0].has("confirm"):
        return True
    if "?" not in reading.question:
        return False
    if reading.has("same") and len(reading.mentions) > 1:
        return True  # "A и B начали учиться в одном году?"
    if reading.has("whether") or _seeks_consent(reading):
        return True
    if 0 not in reading.free:
        # "Peter Zelenák viedol Jána Kvetoňa?", but not "Ján Kvetoň študuje od roku?"
        return reading.has(*VERBS) and (
            bool(reading.years) or not reading.tokens[-1].has("year", "supervisor", "title")
        )
    opening = next(
        (at for at in reading.free if not _is_polite(reading.tokens[at])), reading.free[0]
    )
    first = reading.tokens[opening]
    return first.has("auxiliary") or (first.has(*VERBS) and not first.has(*NOUNS, *KINDS))


def _seeks_consent(reading: Reading) -> bool:
    """True for a statement that ends in "…, right?"."""
    comma = reading.question.rfind(",")
    tail = [token for token in reading.tokens if token.start > comma]
    return comma >= 0 and bool(tail) and all(token.has("consent") for token in tail)


def _is_polite(token: Token) -> bool:
    """True for words that a question may begin with and that do not ask: "prosím", "please"."""
    return token.has("fillers") and not token.has("auxiliary") and not token.has(*VERBS)
