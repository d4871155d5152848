"""Rules that build questions from the roster: false premises, comparisons, several pages."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from eval.golden.wording import generator, shuffled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from eval.golden.material import Material, Row, Student, Thesis

LANGUAGES = ("sk", "cs", "pl", "ru", "en")
KINDS = ("bachelor", "master", "doctoral")
YEARS = range(2018, 2027)
MOST_PAGES = 3


def false_premises(material: Material) -> list[Row]:
    """Ask about a real thesis with one thing wrong that the roster contradicts.

    A wrong year is none of the student's years, a wrong supervisor supervises none of their
    theses, and a wrong kind is one above all that they wrote: an earlier degree from another
    school cannot be ruled out. Topics that are only proposed are left alone.
    """
    rows: list[Row] = []
    for student in material.students:
        for thesis in student.theses:
            if thesis.kind in KINDS and thesis.state != "proposed":
                rows += _false_premises(material, student, thesis)
    return rows


def comparisons(material: Material) -> list[Row]:
    """Ask what two students of one half, with a thesis of one kind and a topic in common, did."""
    rows = []
    for one, other in combinations(material.students, 2):
        kind = _common_kind(one, other)
        if one.split != other.split or not kind:
            continue
        for lang in LANGUAGES:
            for frame in material.frames("comparison", lang):
                question = frame.format(
                    kind_acc=material.form("kind_acc", kind, lang),
                    genitive=material.form("genitive", one.slug, lang),
                    genitive2=material.form("genitive", other.slug, lang),
                    name=one.name,
                    name2=other.name,
                )
                rows.append(_row(question, lang, one, gold_docs=[one.page, other.page]))
    return rows


def several_pages(material: Material) -> list[Row]:
    """Ask for all theses on a topic under one supervisor, where they are on 2 or 3 pages.

    All pages have to be of one half, and none may be missing from the index.
    """
    rows = []
    for topic, title in material.titles.items():
        for supervisor, slug in material.supervisors.items():
            found = [
                student
                for student in material.everyone
                if any(_is_about(thesis, topic, supervisor) for thesis in student.theses)
            ]
            if not 2 <= len(found) <= MOST_PAGES or not _can_be_gold(material, found):
                continue
            for lang in LANGUAGES:
                for frame in material.frames("multi-document", lang):
                    question = frame.format(
                        topic=title, supervisor=material.form("supervisor", slug, lang)
                    )
                    pages = [student.page for student in found]
                    rows.append(_row(question, lang, found[0], gold_docs=pages))
    return rows


def _false_premises(material: Material, student: Student, thesis: Thesis) -> Iterator[Row]:
    """Every premise, in every language, in every frame; the caller takes what it needs."""
    for premise in ("year", "supervisor", "kind"):
        said = _wrong(material, student, thesis, premise)
        if said is None:
            continue
        truth = str(getattr(thesis, premise))
        for lang in LANGUAGES:
            shown = said
            if premise != "year":
                shown = material.form(premise, material.supervisors.get(said, said), lang)
            for frame in material.frames("false-premise", lang, premise=premise):
                question = frame.format(
                    kind=material.form("kind", thesis.kind, lang),
                    genitive=material.form("genitive", student.slug, lang),
                    name=student.name,
                    said=shown,
                )
                yield _row(question, lang, student, premise=premise, said=said, truth=truth)


def _wrong(material: Material, student: Student, thesis: Thesis, premise: str) -> str | None:
    """Return a value that is true of none of the student's theses, or None if none is safe."""
    rng = generator("wrong", student.slug, thesis.kind, premise)
    if premise == "year":
        true_years = {student.start_year, *(other.year for other in student.theses)}
        return str(rng.choice([year for year in YEARS if year not in true_years]))
    if premise == "supervisor":
        true_supervisors = {other.supervisor for other in student.theses}
        return rng.choice([name for name in material.supervisors if name not in true_supervisors])
    written = [KINDS.index(other.kind) for other in student.theses if other.kind in KINDS]
    above = KINDS[max(written) + 1 :]
    return rng.choice(above) if above else None


def _common_kind(one: Student, other: Student) -> str | None:
    for mine in one.theses:
        for theirs in other.theses:
            if mine.kind == theirs.kind in KINDS and set(mine.topics) & set(theirs.topics):
                return mine.kind
    return None


def _can_be_gold(material: Material, found: list[Student]) -> bool:
    one_half = len({student.split for student in found}) == 1
    return one_half and all(student in material.students for student in found)


def _is_about(thesis: Thesis, topic: str, supervisor: str) -> bool:
    return topic in thesis.topics and thesis.supervisor == supervisor and thesis.state == "defended"


def _row(question: str, lang: str, student: Student, **fields: object) -> Row:
    return {
        "question": question,
        "lang": lang,
        "split": student.split,
        "base_id": student.base_id,
        **fields,
    }


def in_turn(rows: list[Row], salt: str) -> list[Row]:
    """Order rows at random but fairly: Slovak every other time, the others in turn."""
    queues = {
        lang: shuffled((r for r in rows if r["lang"] == lang), salt, lambda r: r["question"])
        for lang in LANGUAGES
    }
    turns = ("sk", "cs", "sk", "pl", "sk", "ru", "sk", "en")
    ordered: list[Row] = []
    while any(queues.values()):
        ordered.extend(queues[lang].pop(0) for lang in turns if queues[lang])
    return ordered
