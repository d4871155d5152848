"""People whom a question describes: "the author of the thesis T", "the supervisor of X"."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from index_artifacts.graph import query as q
from index_artifacts.graph.mention import Mention
from index_artifacts.graph.reading import KINDS
from index_artifacts.graph.vocabulary import small

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from index_artifacts.graph.reading import Reading
    from index_artifacts.graph.rows import Works

_POINTING = small("pointing")
# What may stand between a noun and the name that completes it: "autor diplomovej práce s názvom".
_LINKING = ("work", "title", *KINDS, "fillers")
_PREPOSITIONS = frozenset(["of", "s", "z", "o", "pod", "with", "от", "the", "by", "on"])
_REACH = 7
_ITS = frozenset(["its", "jej", "jeho", "jeji", "jejiho", "jego", "ее", "его", "tejto", "tej"])
_OF_THE_WORK = frozenset([q.SUPERVISOR, q.YEAR, q.KIND, q.TOPIC, q.STATE])
_COMPARING = frozenset(
    ["ako", "jako", "jak", "co", "as", "like", "than", "nez", "niz", "как", "чем", "что", "и",
     "okrem", "krome", "except"]
)  # fmt: skip


def resolve_descriptions(reading: Reading, works: Works, asked: str, form: str) -> Reading:
    """``reading`` with every description replaced by the people whom it describes.

    The noun that says what is ``asked`` for describes nobody.
    """
    for mention in reading.mentions:
        described = _described(reading, works, asked, form, mention)
        if described:
            mentions = tuple(described if m is mention else m for m in reading.mentions)
            covered = range(described.first, described.last + 1)
            free = tuple(at for at in reading.free if at not in covered)
            # One description may complete another: "the supervisor of the author of T".
            reading = replace(reading, mentions=mentions, free=free)
            return resolve_descriptions(reading, works, asked, form)
    return reading


def _described(
    reading: Reading, works: Works, asked: str, form: str, mention: Mention
) -> Mention | None:
    noun = _noun_before(reading, mention)
    if noun < 0:
        return _possessor(reading, works, mention) or _its_author(reading, works, mention)
    token = reading.tokens[noun]
    led = token.has("who") and reading.has("supervise") and _leads(reading, noun, mention)
    if token.has("author", "student", "who") and not led and mention.of("Thesis", "Work"):
        slot, of = q.STUDENT, q.WORK
    elif led and mention.of("Thesis", "Work"):
        slot, of = q.SUPERVISOR, q.WORK
    elif token.has("supervisor", "teacher") and (
        mention.of("Thesis", "Work") or mention.of("Person")
    ):
        slot, of = q.SUPERVISOR, q.WORK if mention.of("Thesis", "Work") else q.STUDENT
    else:
        return None
    if slot == asked and _is_asked(reading, noun, slot):
        return None
    if slot == q.SUPERVISOR and form == q.WHETHER and not reading.has("same"):
        return None  # "was X the supervisor of Y" says of X that he was
    if token.has("author") and form == q.WHETHER and not reading.has("same", "supervise"):
        return None
    if (
        slot == q.STUDENT
        and asked in _OF_THE_WORK
        and not _speaks_of_another(reading, noun, mention)
    ):
        return None  # "who advised the student on the thesis T" asks of T itself
    base = mention.of("Thesis", "Work") if of == q.WORK else mention.of("Person")
    kinds = {kind for kind in KINDS for at in range(noun, mention.first)
             if reading.tokens[at].has(kind)}  # fmt: skip
    found = _joined(works, of, {node.id for node in base}, slot, kinds)
    if not found or len(base) > 1:
        return None
    return Mention(
        noun,
        mention.last,
        reading.question[token.start : reading.tokens[mention.last].end],
        tuple(works.nodes[id_] for id_ in found),
        mention.corrected,
        role=slot,
        base=base,
    )


def _possessor(reading: Reading, works: Works, mention: Mention) -> Mention | None:
    """ "X's bachelor's supervisor" of a person X."""
    base, at, kinds = mention.of("Person"), mention.last + 1, set()
    if len(base) != 1 or at >= len(reading.tokens) or reading.tokens[at].word != "s":
        return None
    while at + 1 in reading.free and (
        reading.tokens[at].word == "s" or reading.tokens[at].has("work", *KINDS)
    ):
        kinds |= {kind for kind in KINDS if reading.tokens[at].has(kind)}
        at += 1
    if not reading.tokens[at].has("supervisor") or not reading.has("supervise"):
        return None
    found = _joined(works, q.STUDENT, [base[0].id], q.SUPERVISOR, kinds)
    nodes = tuple(works.nodes[id_] for id_ in found)
    return replace(mention, last=at, nodes=nodes, role=q.SUPERVISOR, base=base) if nodes else None


def _its_author(reading: Reading, works: Works, mention: Mention) -> Mention | None:
    """The author of a work that was named before: "besides T, what has its author written"."""
    base = mention.of("Thesis", "Work")
    own = any(
        at and reading.tokens[at - 1].word in _ITS and at > mention.last
        for at in reading.where("author")
    )
    if len(base) != 1 or not own:
        return None
    found = _joined(works, q.WORK, [base[0].id], q.STUDENT, ())
    nodes = tuple(works.nodes[id_] for id_ in found)
    return replace(mention, nodes=nodes, role=q.STUDENT, base=base)


def _noun_before(reading: Reading, mention: Mention) -> int:
    """The noun or pronoun that ``mention`` completes: "autor práce T", "ten, kto napísal T"."""
    clause = False
    for at in range(mention.first - 1, max(-1, mention.first - 1 - _REACH), -1):
        token = reading.tokens[at]
        if at not in reading.free:
            return -1
        if token.has("who", "which"):
            if not clause:
                return -1  # "u toho istého vedúceho, čo X" says nothing of X's supervisor
            if at and reading.tokens[at - 1].word in _POINTING:
                return at
            clause = False
            continue
        if token.has("author", "student", "supervisor", "teacher"):
            return -1 if clause else at
        clause = clause or token.has("write", "defend", "finish", "have", "supervise")
        short = len(token.word) == 1 or token.word in _PREPOSITIONS
        if not (token.has(*_LINKING) or short or clause):
            return -1
    return -1


def _leads(reading: Reading, pronoun: int, mention: Mention) -> bool:
    """True for "ten, kto viedol T"."""
    return any(pronoun < at < mention.first for at in reading.where("supervise"))


def _speaks_of_another(reading: Reading, noun: int, mention: Mention) -> bool:
    """True where a work is meant beside the one that somebody is described by."""
    return any(at < noun or at > mention.last for at in reading.where("work", *KINDS))


def _is_asked(reading: Reading, noun: int, slot: str) -> bool:
    """True where the noun at ``noun`` is the one that says what is asked for."""
    if noun and reading.tokens[noun - 1].word in _COMPARING:
        return False
    tags = ("student", "author") if slot == q.STUDENT else ("supervisor", "teacher", "supervise")
    return reading.first(*tags, after=reading.asking) == noun


def _joined(
    works: Works, of: str, ids: Iterable[int], slot: str, kinds: Collection[str]
) -> list[int]:
    """What stands in ``slot`` beside ``ids``, in works of ``kinds`` (none: of any)."""
    wanted = set(ids)
    found = [
        value
        for row in works.rows
        if wanted & set(row.get(of)) and (not kinds or set(kinds) & set(row.get(q.KIND)))
        for value in row.get(slot)
    ]
    return list(dict.fromkeys(found))
