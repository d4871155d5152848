"""Whom a question asks for by "who", "whom" and "whose": who wrote, who supervised, who edits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index_artifacts.graph import query as q
from index_artifacts.graph.reading import KINDS
from index_artifacts.graph.vocabulary import small

if TYPE_CHECKING:
    from index_artifacts.graph.reading import Reading

_AT = small("at")
_AS = small("as")
_PASSIVE = ("veden", "prowadzon", "skolen")
_FROM = frozenset(["od", "from", "от"])
_BY = frozenset(["kym", "kim", "kem", "кем"])


def who(reading: Reading) -> str:
    """The slot that "who" asks for, or empty."""
    at = reading.asking
    verb = reading.first("supervise", after=at)
    if verb < 0:
        verb = reading.first("supervise")  # "najviac prác viedol kto?"
    noun = reading.first("student", "author", "teacher", "supervisor", after=at)
    extreme = reading.has("most", "least") and reading.has("have") and speaks_of_work(reading)
    if noun < 0 and extreme and not reading.has("write", "defend", "finish"):
        return q.SUPERVISOR  # a student has one of a kind
    supervisor = noun >= 0 and reading.tokens[noun].has("supervisor")
    if supervisor:
        noun = -1  # how that is meant depends on the verb
    others = reading.first("write", "defend", "finish", "begin", "have", "supervision", after=at)
    if noun >= 0 and (verb < 0 or noun < verb) and (others < 0 or noun < others):
        if reading.tokens[noun].has("teacher"):
            return q.SUPERVISOR
        authors = reading.tokens[noun].has("author")
        return q.PAGE_AUTHOR if authors and of_page(reading) else q.STUDENT
    if reading.has("supervision") and reading.has("have") and not reading.has("write", "defend"):
        return q.SUPERVISOR  # "Kto mal X pod vedením"
    if verb >= 0 and (others < 0 or verb < others or _is_perfect(reading, others, verb)):
        return _supervising(reading, verb)
    first = reading.first("supervisor", after=at)
    if supervisor and (others < 0 or first < others or reading.tokens[others].has("have")):
        return q.STUDENT if _has_a_supervisor(reading) else q.SUPERVISOR
    if (
        reading.has("page", "keyword", "category")
        and reading.has("write")
        and not reading.has("work", "begin")
    ):
        return q.PAGE_AUTHOR
    known = ("supervision", "write", "defend", "finish", "begin", "work", "have", "deal", "study")
    return q.STUDENT if reading.has(*known, "supervise") or speaks_of_work(reading) else ""


def _is_perfect(reading: Reading, auxiliary: int, verb: int) -> bool:
    """True for "has supervised": the verb follows its auxiliary."""
    return verb == auxiliary + 1 and reading.tokens[auxiliary].has("have")


def _supervising(reading: Reading, verb: int) -> str:
    """Whom a question with "who" and a verb of supervising asks for."""
    at, word = reading.asking, reading.tokens[verb].word
    noun = reading.first("supervisor", after=verb)
    if noun > 0 and reading.tokens[noun - 1].word in _AS:
        return q.SUPERVISOR  # "kto je vedený ako vedúci práce"
    following = reading.tokens[at + 1].word if at + 1 < len(reading.tokens) else ""
    if following in {"did", "does", "has", "had", "is", "was"} and at + 2 < len(reading.tokens):
        if following in {"did", "does"}:
            return q.STUDENT
        # "Who has X supervised" names somebody between; "who has supervised X" does not.
        between = any(at + 2 <= m.first < verb for m in reading.mentions)
        if between:
            return q.STUDENT
    by = verb + 1 < len(reading.tokens) and reading.tokens[verb + 1].word == "by"
    return q.STUDENT if by or word.startswith(_PASSIVE) else q.SUPERVISOR


def _has_a_supervisor(reading: Reading) -> bool:
    """True for "who had X as their supervisor"; "who is the supervisor" has nobody."""
    noun = reading.first("supervisor")
    if noun and reading.tokens[noun - 1].word in _AS and reading.has("more", "most", "fewer"):
        return False  # "who had more theses as a supervisor"
    return any(at < noun or reading.has("same") for at in reading.where("have"))


def whom(reading: Reading) -> str:
    """The slot that "whom" asks for, or empty."""
    at = reading.asking
    if reading.has("same"):
        return q.STUDENT
    if of_page(reading) and reading.has("author"):
        return q.PAGE_AUTHOR
    if reading.has("begin", "study") and reading.has("not"):
        return q.STUDENT  # "whose first year is not known"
    if at and reading.tokens[at - 1].word in _AT:
        # "У кого" also says who has something.
        owns = reading.tokens[at - 1].word == "у" and not reading.has("write", "study", "defend")
        led = reading.has("more", "most", "fewer") and reading.has("supervision", "supervisor")
        return q.STUDENT if owns and not led else q.SUPERVISOR
    if at and reading.tokens[at - 1].word in _FROM:
        return q.STUDENT if speaks_of_work(reading) else ""
    if at and reading.tokens[at - 1].word == "by":
        return q.SUPERVISOR if reading.has("supervise") else q.STUDENT
    if reading.has("have") and reading.has("supervisor") and not reading.has("supervise"):
        return q.SUPERVISOR
    if reading.has("supervision") and reading.before(at, "supervision", reach=1):
        return q.SUPERVISOR
    if reading.has("supervise", "supervisor", "defend", "finish"):
        return q.STUDENT
    return q.STUDENT if reading.has("deal") and speaks_of_work(reading) else ""


def by_whom(reading: Reading) -> str:
    """The slot that "by whom" and "whose" ask for, or empty."""
    if reading.has("same"):
        return q.STUDENT
    if of_page(reading) and reading.has("author"):
        return q.PAGE_AUTHOR
    before = reading.asking > 0 and reading.tokens[reading.asking - 1].word in _AT
    if reading.has("supervision") or before:
        return q.SUPERVISOR
    verb = reading.first("supervise")
    if verb >= 0:
        whose = reading.first("work", *KINDS, after=reading.asking)
        return q.STUDENT if reading.asking < whose < verb else q.SUPERVISOR
    if of_page(reading) and reading.has("write", "author"):
        return q.PAGE_AUTHOR
    if reading.has("supervisor") and not reading.has("work", *KINDS):
        return q.STUDENT
    if reading.has("write", "finish", "defend") and reading.tokens[reading.asking].word in _BY:
        return q.STUDENT
    return q.STUDENT if reading.has("work", *KINDS, "supervisor") else ""


def of_page(reading: Reading) -> bool:
    """True where pages and not works are spoken of."""
    return reading.has("page") and not reading.has("work", *KINDS)


def speaks_of_work(reading: Reading) -> bool:
    """True where a thesis or another work is spoken of, or named by its title."""
    return reading.has("work", *KINDS, "topic") or any(
        mention.of("Thesis", "Work") for mention in reading.mentions
    )
