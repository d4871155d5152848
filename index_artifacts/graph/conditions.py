"""The conditions that a question sets: by names, by years, and by kinds and states of works."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index_artifacts.graph import query as q
from index_artifacts.graph.query import Condition
from index_artifacts.graph.reading import KINDS
from index_artifacts.graph.vocabulary import group, small

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.graph.mention import Mention
    from index_artifacts.graph.people import Roles
    from index_artifacts.graph.reading import Reading
    from index_artifacts.graph.tables import Node

_COMPARING = small("as", "than")
_POINTING = small("pointing")
_ONLY = small("only")
STATES = group("states")
_TYPES = {
    q.STUDENT: ("Person",), q.SUPERVISOR: ("Person",), q.PAGE_AUTHOR: ("DocumentAuthor",),
    q.WORK: ("Thesis", "Work"), q.KEYWORD: ("Keyword",), q.CATEGORY: ("Category",),
    q.PAGE: ("Document",), q.TOPIC: ("Topic",),
}  # fmt: skip
"""Slot → the types of the entities that stand in it."""

_THESES = ("bachelor", "master", "doctoral")


_IS = frozenset(["je", "jest", "is"])


class UnplacedError(Exception):
    """A name has no place in the question as it is understood; its text is the argument."""


def name_conditions(
    reading: Reading, roles: Roles, table: str, asked: str, form: str
) -> list[Condition]:
    """A condition for each name, one by one. Raises `UnplacedError`."""
    found = []
    for mention in reading.mentions:
        slot = _slot(reading, roles, mention, table, asked, form)
        nodes = _nodes(reading, roles, mention, slot)
        if not slot or not nodes:
            raise UnplacedError(mention.text)
        ids = frozenset(node.id for node in nodes)
        named_before = bool(mention.base) and not _is_description(reading, mention)
        ordered = form == q.WHETHER or form in q.COMPARISONS  # "than X" leaves nobody out
        denied = not ordered and not named_before and _is_denied(reading, mention, slot)
        found.append(Condition(slot, ids, negated=denied, at=mention.first))
    return found


def _is_description(reading: Reading, mention: Mention) -> bool:
    """True for "autor práce T"; of "okrem T … jej autor" T itself is the mention."""
    return reading.tokens[mention.first].has("author", "student", "supervisor", "teacher", "who")


def _slot(
    reading: Reading, roles: Roles, mention: Mention, table: str, asked: str, form: str
) -> str:
    if mention.role:
        return mention.role
    if mention.is_person:
        if table == q.PAGES:
            return _slot_on_page(reading, mention, asked)
        if form in q.COMPARISONS and asked in {q.STUDENT, q.SUPERVISOR}:
            return asked
        if _is_author_of_page(reading, mention):
            return q.PAGE_AUTHOR
        return roles.slot(mention, reading, asked)
    if mention.of("Thesis", "Work") and not _is_cued(reading, mention, "keyword", "category"):
        return q.WORK
    if mention.of("Keyword") and _is_cued(reading, mention, "keyword"):
        return q.KEYWORD
    if mention.of("Category") and _is_cued(reading, mention, "category"):
        return q.CATEGORY
    if table == q.PAGES and mention.of("Document"):
        return q.PAGE
    about = reading.before(mention.first, "about", "topic", "deal", reach=4)
    if mention.of("Topic") and table == q.WORKS and about:
        return q.TOPIC
    return q.KEYWORD if mention.of("Keyword") and reading.has("keyword") else ""


def _slot_on_page(reading: Reading, mention: Mention, asked: str) -> str:
    """Whether somebody wrote pages, or has one: "the author of the page of X"."""
    has_page = asked in {q.PAGE_AUTHOR, q.KEYWORD, q.CATEGORY} and mention.of("Person")
    wrote = reading.before(mention.first, "write", "author", reach=2)
    wrote = wrote and not reading.before(mention.first, "page", reach=1)
    if has_page and not (wrote and mention.of("DocumentAuthor")):
        return q.PAGE
    return q.PAGE_AUTHOR if mention.of("DocumentAuthor") else ""


def _is_author_of_page(reading: Reading, mention: Mention) -> bool:
    """True for "has a page written by X", of works and their people."""
    if not mention.of("DocumentAuthor") or not reading.has("page"):
        return False
    if reading.before(mention.first, "page", "at", reach=1):
        return False  # "who wrote at X" wrote with their help
    return reading.before(mention.first, "author", "write", reach=4)


def _is_cued(reading: Reading, mention: Mention, *tags: str) -> bool:
    """True where the noun for what it is stands before or right behind it, or before its twin."""
    near = range(mention.last + 1, mention.last + 4)
    behind = [at for at in near if at in reading.free]
    if any(reading.tokens[at].has(*tags) for at in behind):
        return True
    first = mention.first
    for other in reversed(reading.mentions):  # "kľúčové slovo cloud aj docker"
        if other.last < first and first - other.last <= 2:
            first = other.first
    return reading.before(first, *tags, reach=4)


def _nodes(reading: Reading, roles: Roles, mention: Mention, slot: str) -> tuple[Node, ...]:
    if slot == q.PAGE and mention.of("Person"):
        return roles.pages(mention.of("Person"))
    nodes = mention.of(*_TYPES[slot]) if slot else ()
    return roles.narrowed(nodes, reading) if slot == q.STUDENT else nodes


def _is_denied(reading: Reading, mention: Mention, slot: str) -> bool:
    """True where what has this name is to be left out: "ktoré neviedol X", "okrem X"."""
    excepted = 1 if reading.before(mention.first, *KINDS, reach=1) else 2
    if reading.before(mention.first, "except", reach=excepted):
        return True  # but "co kromě diplomky X obhájil" leaves out a thesis of theirs
    if reading.before(mention.first, "not", reach=2 if slot != q.SUPERVISOR else 3):
        return True
    clause = reading.clause(mention.first)
    for at in reading.where("except", "not"):  # "okrem tých, ktoré viedol X"
        following = reading.tokens[at + 1] if at + 1 < len(reading.tokens) else None
        if following is not None and following.word == "from":  # "apart from those"
            following = reading.tokens[at + 2] if at + 2 < len(reading.tokens) else None
        pointing = following is not None and (following.word in _POINTING or following.has("work"))
        apart = pointing and at < mention.first
        if apart and reading.clause(at) + (not reading.tokens[at].has("except")) <= clause:
            return True
    if slot in {q.KEYWORD, q.CATEGORY}:
        having = [at for at in reading.where("have") if reading.clause(at) == clause]
        before = [at for at in having if at < mention.first]
        return any(
            reading.tokens[at].negated or reading.before(at, "not", reach=2)
            for at in (before[-1:] or having)
        ) or reading.before(mention.first, "not", reach=4)
    if slot != q.SUPERVISOR:
        return False
    if _is_another(reading, mention):
        return True
    verbs = ("supervise", "supervisor", "have", "write", "defend", "finish", "deal")
    near = [
        at
        for at in reading.where(*verbs)
        if reading.clause(at) == clause and not _is_of_another(reading, mention, at)
    ]
    before = [at for at in near if at < mention.first]
    if any(reading.tokens[at].has("supervise") for at in before):
        # Of "viedol ho X a neviedol ho Y" the nearest verb says it.
        near = [at for at in before if at >= before[-1] - 1]  # "nemal na starosti"
    return any(
        reading.tokens[at].negated
        # "Nigdy nie był jego promotorem": a noun has its verb in between.
        or reading.before(at, "not", reach=3 if reading.tokens[at].has("supervisor") else 2)
        for at in near
    )


def _is_of_another(reading: Reading, mention: Mention, at: int) -> bool:
    """True for "diplomanti X nemajú kľúčové slovo K": what is denied there is K."""
    following = [other for other in reading.mentions if other.first > at]
    return at > mention.last and reading.tokens[at].has("have") and bool(following)


def _is_another(reading: Reading, mention: Mention) -> bool:
    """True for "iného vedúceho ako X", "u niekoho iného než X"."""
    at = mention.first - 1
    # "Než u X", "než je X".
    while at >= 0 and (len(reading.tokens[at].word) == 1 or reading.tokens[at].word in _IS):
        at -= 1
    compared = at >= 0 and (
        reading.tokens[at].word in _COMPARING or reading.tokens[at].has("except")
    )
    return compared and reading.before(at, "else", reach=3) and not reading.has("same")


def kind_conditions(
    reading: Reading, names: Sequence[Condition], *, of_people: bool
) -> list[Condition]:
    """A condition for each kind of work that is named; one that is denied is negated.

    ``of_people``: a verb may deny that somebody has a work of the kind, but where its clause is
    about one of ``names`` who supervised.
    """
    led = {reading.clause(c.at) for c in names if c.slot in {q.SUPERVISOR, q.KEYWORD}}
    found: dict[tuple[str, bool], Condition] = {}
    for kind in KINDS:
        for at in reading.where(kind):
            if _is_only_a_noun(reading, at, kind):
                continue
            owned = of_people and reading.clause(at) not in led
            denied = _is_kind_denied(reading, at) or (owned and _has_none(reading, at))
            found.setdefault(
                (kind, denied), Condition(q.KIND, frozenset([kind]), negated=denied, at=at)
            )
            if of_people and not denied and _is_only(reading, at):
                others = frozenset(_THESES) - {kind}
                found["others", True] = Condition(q.KIND, others, negated=True, at=at)
    return sorted(found.values(), key=lambda condition: condition.at)


def _is_only(reading: Reading, at: int) -> bool:
    """True for "iba bakalársku prácu": no other thesis."""
    return any(token.word in _ONLY for token in reading.tokens[max(0, at - 2) : at])


def _is_only_a_noun(reading: Reading, at: int, kind: str) -> bool:
    """True for "бакалаврский диплом", a thesis of another kind than the noun alone is."""
    others = [other for other in KINDS if other != kind]
    return reading.tokens[at].has("work") and reading.before(at, *others, reach=1)


def _is_kind_denied(reading: Reading, at: int) -> bool:
    """True for "okrem bakalárskych", "bez diplomovky", "diplomovú nie"."""
    if reading.before(at, "not", reach=2) or reading.before(at, "except", reach=4):
        return True
    if at and reading.tokens[at - 1].word in _COMPARING and reading.before(at - 1, "else", reach=3):
        return True  # "inú prácu ako bakalársku"
    following = at + 1
    while following in reading.free and reading.tokens[following].has("work", "fillers"):
        following += 1
    denied = following in reading.free and reading.tokens[following].has("not")
    if denied and "_" not in reading.tokens[following].word:  # not "bez toho, aby"
        alone = following == len(reading.tokens) - 1
        return alone or reading.clause(following + 1) > reading.clause(following)
    return False


def _has_none(reading: Reading, at: int) -> bool:
    """True for "nemá diplomovú prácu", "did not write a master thesis"."""
    clause = reading.clause(at)
    verbs = [
        verb
        for verb in reading.where("have", "write", "defend", "finish")
        if reading.clause(verb) == clause
    ]
    denied = [
        verb
        for verb in verbs
        if reading.tokens[verb].negated or reading.before(verb, "not", reach=1)
    ]
    if len(verbs) == len(denied):
        return bool(denied)
    # "Skončil pri bakalárke a diplomovku nenapísal": each verb is about the kind beside it.
    kinds = [kind for kind in reading.where(*KINDS) if reading.clause(kind) == clause]
    return any(min(kinds, key=lambda kind: abs(kind - verb)) == at for verb in denied)


def state_conditions(reading: Reading) -> list[Condition]:
    """A condition for the states of works that are named."""
    states = frozenset(state for state in STATES if reading.has(state))
    return [Condition(q.STATE, states, at=reading.first(*states))] if states else []
