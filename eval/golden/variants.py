"""A frozen question in other words: the changes that keep what it asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eval.golden import wording

if TYPE_CHECKING:
    from eval.golden.material import Material, Row


def in_order(material: Material, salt: str) -> list[Row]:
    """Return the frozen questions in a rule's own order."""
    return wording.shuffled(material.base, salt, lambda row: str(row["id"]))


def again(row: Row, question: str, **fields: object) -> Row:
    """Return a question with other words and its origin; its gold stays."""
    return {**row, "question": question, "base_id": row["id"], **fields}


def reword(material: Material, rule: str, row: Row) -> str | None:
    """Apply one rule to a question; None where it changes nothing or leaves too little."""
    question, lang = row["question"], row["lang"]
    rng = wording.generator(rule, row["id"])
    if rule == "no-diacritics":
        changed = wording.without_diacritics(question)
    elif rule == "typos":
        if wording.long_words(question) < 2:
            return None
        changed = wording.with_typos(question, material.keyboard(lang), rng)
    elif rule == "short":
        changed = wording.content_words(question, material.stopwords(lang))
        if not 2 <= len(changed.split()) < len(question.split()):
            return None
    elif rule == "noise":
        changed = wording.with_noise(question, rng)
    else:
        changed = wording.reordered(question, rng)
    return changed if changed != question else None
