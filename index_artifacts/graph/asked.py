"""What a question asks for: by its asking word, nouns and verbs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index_artifacts.graph import query as q
from index_artifacts.graph.asked_people import by_whom, of_page, speaks_of_work, who, whom
from index_artifacts.graph.reading import KINDS, VERBS
from index_artifacts.graph.vocabulary import small

if TYPE_CHECKING:
    from index_artifacts.graph.reading import Reading

_OF = small("of")
_POINTING = small("pointing")
_WHAT = small("what")
# What each noun asks for; of two tags of one word the first that stands here.
_SLOTS = {
    "page": q.PAGE, "keyword": q.KEYWORD, "category": q.CATEGORY, "supervisor": q.SUPERVISOR,
    "teacher": q.SUPERVISOR, "student": q.STUDENT, "author": q.STUDENT, "title": q.WORK,
    "kind": q.KIND, "state": q.STATE, "topic": q.TOPIC, "year": q.YEAR, "work": q.WORK,
}  # fmt: skip
_PERSONS = frozenset(["ktori", "kteri", "ktorzy"])
_EVERYBODY = frozenset(["vsetkych", "vsetci", "vsech", "vsichni", "wszystkich", "wszyscy", "всех"])
_SINCE = frozenset(["odkedy", "odkdy", "od_kiedy"])
_PLURAL_TOPICS = frozenset(["temy", "temam", "tematy", "темы", "topics", "temata", "oblasti"])


def asked_slot(reading: Reading) -> str:
    """What is asked for: a slot of `query`, or empty where nothing is that the graph knows."""
    at = reading.asking
    if at < 0:
        return _listed(reading)
    token = reading.tokens[at]
    if token.has("why", "where"):
        return ""
    if token.has("when"):
        return _year(reading)
    if token.has("count") or (token.has("how") and reading.has("count")):
        return _counted(reading)
    if token.has("how"):
        if reading.has("state"):
            return q.STATE
        return _called(reading)
    if partitive := _partitive(reading):
        return partitive
    if token.has("who"):
        return who(reading)
    if token.has("whom"):
        return whom(reading)
    if token.has("by_whom"):
        return by_whom(reading)
    return _which(reading)


def _called(reading: Reading) -> str:
    """ "Ako sa volá práca X", "ako sa volá vedúci X"."""
    if not reading.has("title"):
        return ""
    named = reading.first("title", after=reading.asking)
    nouns = reading.where("supervisor", "teacher", "student", "work", *KINDS, after=named)
    if nouns and nouns[0] == named + 1 and not reading.tokens[nouns[0]].has("work", *KINDS):
        return _noun(reading, nouns[0])
    return q.WORK if speaks_of_work(reading) else ""


def _partitive(reading: Reading) -> str:
    """The noun right behind "kto z", "который из": of whom the asked one is."""
    at = reading.asking
    if not reading.tokens[at].has("who", "whom", "which"):
        return ""
    following = [n for n in (at + 1, at + 2) if n < len(reading.tokens)]
    if len(following) < 2 or reading.tokens[following[0]].word not in _OF:
        return ""
    token = reading.tokens[following[1]]
    dated = token.has("year") and reading.tokens[at].has("which")  # "ktorý z rokov"
    if not dated and not token.has("student", "teacher", "supervisor", "work", *KINDS, "page"):
        return ""
    return _noun(reading, following[1])


def _listed(reading: Reading) -> str:
    """What a list without an asking word is of: what is named first, or what is told of a work."""
    nouns = reading.where(
        *_SLOTS, *KINDS, after=reading.first("count") if reading.has("count") else -1
    )
    wanted = reading.first("imperative")
    if wanted > 0:  # "Pri práci T potrebujem meno školiteľa."
        nouns = [noun for noun in nouns if noun > wanted] or nouns
    people = reading.first("fact_person")
    if people >= 0 and (not nouns or people < nouns[0]):
        return who(reading)
    everybody = any(token.word in _EVERYBODY for token in reading.tokens)
    if everybody and reading.relative >= 0 and reading.tokens[reading.relative - 1].has("all"):
        return q.STUDENT  # "všetkých, čo nastúpili"
    if not nouns:
        # "začiatok štúdia X" is a heading without a noun of ours.
        return q.START if reading.has("begin") and reading.mentions else ""
    if reading.tokens[nouns[0]].has("page"):
        return q.PAGE
    if not reading.has("imperative", "count", "all"):
        # "bakalárka X – vedúci": a heading of something and what is wanted of it.
        end = reading.relative if reading.relative >= 0 else len(reading.tokens)
        precise = [
            at
            for at in nouns
            if at < end
            and not reading.tokens[at].has("work", *KINDS)
            and (at == nouns[0] or _stands_apart(reading, nouns[0], at))
        ]
        dated = bool(reading.years) and precise and reading.tokens[precise[0]].has("year")
        nouns = precise or nouns if not dated else nouns
    return _noun(reading, nouns[0])


def _stands_apart(reading: Reading, first: int, at: int) -> bool:
    """True for "bakalárka X – vedúci" and "bakalárka X vedúci", but not "práce študentov"."""
    named = any(mention.last == at - 1 for mention in reading.mentions)
    # "X bachelor thesis supervisor"
    named = named or (at == len(reading.tokens) - 1 and any(m.first == 0 for m in reading.mentions))
    return named or reading.clause(at) > reading.clause(first)


def _counted(reading: Reading) -> str:
    at = reading.first("count", after=reading.asking - 1)
    of = at + 2 < len(reading.tokens) and reading.tokens[at + 1].word in _OF
    if of and (reading.tokens[at + 2].has("begin") or reading.tokens[at + 2].word in _POINTING):
        return q.STUDENT  # "koľko z nastúpivších"
    for noun in reading.where(*_SLOTS, *KINDS, after=at):
        return _noun(reading, noun)
    if reading.has("fact_person"):
        return who(reading)
    before = reading.where(*_SLOTS, *KINDS)  # "bakalárske práce: koľko ich bolo"
    return _noun(reading, before[-1]) if before else ""


def _which(reading: Reading) -> str:
    nouns = reading.where(*_SLOTS, *KINDS, "fact_person", after=reading.asking)
    verbs = reading.where(*VERBS, after=reading.asking)
    writing = ("write", "defend", "finish", "supervise")
    what = reading.tokens[reading.asking].word in _WHAT
    stated = reading.where("keyword", "category", after=reading.asking)
    who = reading.tokens[reading.asking].word in _PERSONS
    if who and verbs and (not nouns or verbs[0] < nouns[0]):
        return q.STUDENT  # "Ktorí obhájili diplomovku …"
    if what and stated and reading.has("have"):
        return _noun(reading, stated[0])  # "Čo má X na stránke v kľúčových slovách?"
    leads = verbs and (not nouns or verbs[0] < nouns[0])
    if what and leads and reading.tokens[verbs[0]].has(*writing):
        return q.WORK  # "Čo napísal X …"
    if not nouns:
        nouns = reading.where(*_SLOTS, *KINDS)[-1:]  # "Prvá práca X – ktorá to bola?"
    if nouns:
        return _noun(reading, nouns[0])
    return q.WORK if reading.has(*writing) else ""


def _noun(reading: Reading, at: int) -> str:
    """The slot that the noun at ``at`` asks for."""
    token = reading.tokens[at]
    if token.has(*KINDS) and not token.has(*_SLOTS):
        # "Master's students" are students.
        possessive = at + 2 in reading.free and reading.tokens[at + 1].word == "s"
        following = at + 2 if possessive else at + 1
        if following in reading.free and reading.tokens[following].has("student"):
            return q.STUDENT
    if token.has("fact_person"):
        return who(reading)
    slot = next((slot for tag, slot in _SLOTS.items() if token.has(tag)), q.WORK)
    if slot == q.STUDENT and token.has("author") and of_page(reading):
        return q.PAGE_AUTHOR
    if slot == q.YEAR:
        return _year(reading, at)
    if slot == q.TOPIC and (_is_title(reading, at) or _is_written_on(reading, at)):
        return q.WORK
    had = reading.has(*KINDS) and reading.has("have", "defend") and not reading.has("deal")
    if slot == q.TOPIC and had and token.word not in _PLURAL_TOPICS:
        return q.WORK  # "akú tému mal X v bakalárskej práci"
    if slot == q.WORK and token.has("title") and not speaks_of_work(reading):
        return ""
    return slot


def _is_title(reading: Reading, at: int) -> bool:
    """True where "the topic of a thesis" is what it is called: "téma práce Jána Kvetoňa"."""
    if at + 1 >= len(reading.tokens) or reading.tokens[at].word in _PLURAL_TOPICS:
        return False
    return reading.tokens[at + 1].has("work", *KINDS)


def _is_written_on(reading: Reading, at: int) -> bool:
    """True for "na akú tému písal X", which asks for what the work is called."""
    about = reading.before(at, "about", reach=2) or any(
        reading.tokens[n].word in {"na", "on", "на"} for n in range(max(0, at - 2), at)
    )
    return about and reading.has("write", "defend") and not reading.has("deal")


def _year(reading: Reading, noun: int = -1) -> str:
    """The year of a work, or the one in which studies began: as the next verb says."""
    verbs = reading.where("begin", "write", "defend", "finish", "supervise")
    following = [verb for verb in verbs if verb > max(noun, reading.asking)] or verbs
    # A verb behind a relative pronoun is not what is asked about, unless there is no other.
    relative = reading.relative
    main = [verb for verb in following if relative < 0 or verb < relative]
    asks_since = reading.asking > 0 and reading.tokens[reading.asking - 1].has("since")
    if asks_since and not main and reading.first("study") in range(reading.asking, relative):
        return q.START  # "od ktorého roku študuje ten, kto napísal T"
    at = (main[0] if main else following[-1]) if following else -1
    if at >= 0 and reading.tokens[at].has("begin"):
        return q.START
    if at < 0 and reading.has("study", "student"):
        asking = reading.tokens[reading.asking] if reading.asking >= 0 else None
        since = asking is not None and asking.word in _SINCE
        before = reading.asking > 0 and reading.tokens[reading.asking - 1].has("since")
        if since or before:
            return q.START
        return q.YEAR if reading.has("work", *KINDS) else ""
    return q.YEAR
