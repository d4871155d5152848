"""From a question to a query: what is asked for, under which conditions, and in which form."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from index_artifacts.graph import query as q
from index_artifacts.graph.asked import asked_slot
from index_artifacts.graph.comparing import comparison, counted_per, ordered_by, same_as
from index_artifacts.graph.conditions import (
    UnplacedError,
    kind_conditions,
    name_conditions,
    state_conditions,
)
from index_artifacts.graph.dating import year_conditions
from index_artifacts.graph.descriptions import resolve_descriptions
from index_artifacts.graph.forms import claims_an_order, form_of
from index_artifacts.graph.grouping import grouped
from index_artifacts.graph.query import Condition, Query, Understood
from index_artifacts.graph.reading import FINISHED, KINDS
from index_artifacts.graph.unsaid import leaves_out
from index_artifacts.graph.vocabulary import small

if TYPE_CHECKING:
    from index_artifacts.graph.people import Roles
    from index_artifacts.graph.reading import Reading

_COMPARING = small("as", "than")
_WHAT = small("what")
OUTSIDE = "the question asks for something that the graph does not hold"
LEFT_OVER = "the graph does not know what this means: {words}"
UNRELATED = "the question does not say how {name} is meant"

_PAGE_SLOTS = frozenset([q.PAGE, q.PAGE_AUTHOR, q.KEYWORD, q.CATEGORY])
_SOMEBODY = frozenset(["niekoho", "nekoho", "kogos", "somebody", "someone", "niekym", "nekym"])


def understand(reading: Reading, roles: Roles) -> Understood:
    """The query that ``reading`` stands for, or why there is none."""
    if reading.unexplained and not _only_names(reading):
        words = ", ".join(reading.tokens[at].written for at in reading.unexplained)
        return Understood(mentions=reading.mentions, why_not=LEFT_OVER.format(words=words))
    form = form_of(reading)
    asked = _asked(reading, roles, form)
    if not asked:
        return Understood(mentions=reading.mentions, why_not=OUTSIDE)
    table = _table(reading, asked)
    wrong = _unresolved(reading, table, roles)
    if wrong:
        return replace(wrong, mentions=reading.mentions)
    described = resolve_descriptions(reading, roles.works, asked, form)
    try:
        query = _compose(described, roles, table, asked, form)
    except UnplacedError as error:
        why_not = UNRELATED.format(name=error.args[0])
        return Understood(mentions=reading.mentions, why_not=why_not)
    if query is None or leaves_out(described, query) or not _is_enough(described, query):
        return Understood(mentions=reading.mentions, why_not=OUTSIDE)
    return Understood(query, reading.mentions)


def _asked(reading: Reading, roles: Roles, form: str) -> str:
    if form == q.WHETHER and not reading.has("same"):
        return q.WORK
    asked = asked_slot(reading)
    people = [mention for mention in reading.mentions if mention.of("Person")]
    if form in q.COMPARISONS and people and all(roles.only_led(mention) for mention in people):
        return q.SUPERVISOR
    if not asked and form in q.COMPARISONS and people:
        return q.STUDENT  # "which of the two"
    if not asked and form in q.COMPARISONS and reading.mentions:
        return q.WORK  # "which came first"
    return asked or (q.WORK if form == q.WHETHER else "")


def _only_names(reading: Reading) -> bool:
    """True where what is left over belongs to the name of somebody unknown."""
    unknown = [mention for mention in reading.mentions if not mention.nodes]
    return bool(unknown) and all(
        reading.tokens[at].capital and any(at + 1 == m.first or at - 1 == m.last for m in unknown)
        for at in reading.unexplained
    )


def _table(reading: Reading, asked: str) -> str:
    """Pages are asked, unless what is asked of them depends on works or their people."""
    if asked == q.PAGE_AUTHOR:
        return q.PAGES
    if asked not in _PAGE_SLOTS:
        return q.WORKS
    works = reading.has(
        "supervise", "supervisor", "supervision", "work", "defend", "student", *KINDS
    )
    titled = any(mention.of("Thesis", "Work") for mention in reading.mentions)
    people = any(mention.of("Person") for mention in reading.mentions)
    wrote = reading.has("write", "author") and reading.has("page")
    return q.WORKS if works or titled or (people and not wrote) else q.PAGES


def _unresolved(reading: Reading, table: str, roles: Roles) -> Understood | None:
    for mention in reading.mentions:
        if not mention.nodes:
            return Understood(unknown=mention)
        people = mention.of("Person")
        if len(roles.narrowed(people, reading)) > 1:
            return Understood(ambiguous=replace(mention, nodes=people))
        authors = mention.of("DocumentAuthor")
        if table == q.PAGES and not people and len(authors) > 1:
            return Understood(ambiguous=replace(mention, nodes=authors))
    return None


def _compose(reading: Reading, roles: Roles, table: str, asked: str, form: str) -> Query | None:
    names = name_conditions(reading, roles, table, asked, form)
    years = year_conditions(reading)
    kinds = kind_conditions(reading, names, of_people=asked == q.STUDENT)
    titled = [condition for condition in names if condition.slot == q.WORK]
    of_one = len(titled) == len(names) == 1 and not reading.has("who", "by_whom")
    if of_one and len(kinds) > 1 and reading.has("or"):
        asked, form, kinds = q.KIND, q.LIST, []  # "is it a bachelor or a master thesis?"
    if asked == q.KIND:
        kinds = []
    states = state_conditions(reading) if asked != q.STATE else []
    if form == q.WHETHER and states and reading.has("or") and reading.has("defend"):
        asked, form, states = q.STATE, q.LIST, []  # "is it defended or still in progress?"
    if states and asked == q.TOPIC and not names:
        asked = q.WORK  # a topic that is proposed is a thesis that may come to be
    if form == q.WHETHER and (reading.has("all") or _denies(reading)):
        return None  # of every one of them, or whether it is not so, the graph is not asked
    if _compares_supervisors(reading, names):
        return None
    query = Query(
        asked, table, form, excluded=_excluded(reading, asked), finished=reading.has("defend")
    )
    if reading.has("else", "except") and asked in {q.YEAR, q.KIND, q.SUPERVISOR, q.TOPIC}:
        names += _other_works(reading)
    if reading.has("same") and (same := same_as(reading, query, names, [*years, *kinds])):
        return same
    if form in q.COMPARISONS:
        compared = comparison(reading, query, names, [*years, *kinds])
        return compared and replace(compared, claimed=claims_an_order(reading))
    titles = [c for c in names if c.slot == q.WORK and not c.negated]
    students = [c for c in names if c.slot == q.STUDENT]
    if form == q.WHETHER and (len(titles) > 1 or len(students) > 1):
        return None
    own = [c for c in names if c.slot == asked and not c.negated]
    if asked in {q.KEYWORD, q.CATEGORY} and own and len(own) == len(names):
        query = replace(query, asked=q.PAGE, table=q.PAGES)  # "what is in the category C"
    query = grouped(reading, query, [*names, *years, *kinds, *states])
    known = asked == q.WORK and bool(titles)
    if form == q.LIST and known and len(query.everything) > 1 and reading.asking < 0:
        query = replace(query, form=q.WHETHER)  # of T nobody asks which it is
    return _shaped(reading, query)


def _denies(reading: Reading) -> bool:
    return any(reading.tokens[at].negated for at in reading.free) and not reading.has("or")


def _compares_supervisors(reading: Reading, names: list[Condition]) -> bool:
    """True for "another supervisor than for the bachelor thesis", which compares works."""
    named = any(c.slot == q.SUPERVISOR and c.negated for c in names)
    if not named and any(
        at and reading.tokens[at - 1].word in _SOMEBODY for at in reading.where("else")
    ):
        return True
    return not named and any(
        at + 1 in reading.free and reading.tokens[at + 1].has("supervisor")
        for at in reading.where("else")
        if any(token.word in _COMPARING for token in reading.tokens[at + 2 :])
    )


def _other_works(reading: Reading) -> list[Condition]:
    """ "The year of the other thesis of the author of T": not of T itself."""
    return [
        Condition(q.WORK, frozenset([node.id]), negated=True, at=mention.first)
        for mention in reading.mentions
        for node in mention.base
        if node.type in {"Thesis", "Work"} and mention.role == q.STUDENT
    ]


def _excluded(reading: Reading, asked: str) -> frozenset[int]:
    """What "another" and "else" leave out: that by which somebody is described."""
    if not reading.has("else", "except"):
        return frozenset()
    types = {q.WORK: ("Thesis", "Work"), q.STUDENT: ("Person",)}.get(asked, ())
    return frozenset(
        node.id for mention in reading.mentions for node in mention.base if node.type in types
    )


def _shaped(reading: Reading, query: Query) -> Query:
    if query.form in {q.MOST, q.LEAST}:
        return replace(query, per=counted_per(reading, query))
    if query.form in {q.FIRST, q.LAST}:
        return replace(query, by=ordered_by(reading))
    if _denies_a_start(reading, query):
        return replace(query, missing=q.START)
    return query


def _denies_a_start(reading: Reading, query: Query) -> bool:
    if query.asked != q.STUDENT or query.without or reading.years or reading.has(*KINDS):
        return False
    denied = reading.negated("begin", "have", "study") or reading.has("not")
    return reading.has("begin", "study") and denied and not reading.has("supervise")


def _is_enough(reading: Reading, query: Query) -> bool:
    """False where nothing says which rows are meant: "kedy začína štúdium"."""
    if query.table == q.PAGES:
        return bool(query.everything) or query.form in {q.COUNT, q.MOST, q.LEAST}
    if query.asked == q.PAGE and query.form == q.COUNT:
        return False  # a thesis has pages, too
    named = any(c.slot not in {q.KIND, q.YEAR, q.START} for c in query.everything)
    asking = reading.tokens[reading.asking] if reading.asking >= 0 else None
    if asking is not None and asking.has("when") and not named and query.form == q.LIST:
        return False
    positive = [c for c in query.everything if not c.negated or c.slot == q.SUPERVISOR]
    if query.everything and not positive and query.asked == q.WORK:
        return False  # everything but one: hardly what anybody asks
    speaks = reading.has(
        "work", "student", "supervisor", "teacher", "supervise", "defend", "state", *KINDS
    )
    if not speaks and not named:
        limits = query.everything or query.missing or query.form in {q.FIRST, q.LAST}
        return query.asked == q.STUDENT and bool(limits) and reading.has("begin", "study")
    verb = reading.has("supervise", "supervisor", "supervision", "begin", *FINISHED)
    if query.asked in {q.YEAR, q.START} and query.form == q.COUNT:
        return verb  # "how many years" may ask for anybody's age
    if not query.everything and asking is not None and asking.word in _WHAT:
        return False  # "what is a supervisor" asks for a definition
    limited = query.everything or query.missing or query.form != q.LIST
    return bool(limited or verb or reading.has("state", "year"))
