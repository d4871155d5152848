"""Golden sets: questions whose right pages, sections and answers are known.

A set is a folder with ``questions.jsonl`` and either ``wiki/`` or an ``edgewiki.toml``, or a
wiki's own ``.jsonl`` file. A line of it is an object with these keys; others are kept as they
are in `Question.extra`, and null is the same as leaving the key out.

| key | value |
|---|---|
| id, question | strings, required; ids are unique |
| lang, kind, split | strings; split is ``dev`` or ``test`` |
| gold_doc or gold_docs | the page that answers, or a list of pages: paths below the wiki's root |
| gold_heading or gold_sections | the innermost heading there; a list runs parallel to gold_docs |
| gold_text | a passage of the page, or of its section where one is given |
| answers | a list of strings |
| should_answer | false where the wiki holds no answer |
| facts | what an answer must hold: a list of facts, each a list of spellings of it |
| forbidden | a list of strings that no right answer holds |
| history | the turns before the question: a list of {role: user or assistant, content} |
| attack, premise, said, truth | strings that say what is wrong with the question |

The last four rows are of answer sets (`eval.answer_set`) and kept in `extra` as well.

Beside ``questions.jsonl`` may lie ``frozen.json`` (the sha256 that the file must have),
``overrides.jsonl`` (by id: other answers, should_answer, gold_text, facts or forbidden) and
``looks.json`` (how often its TEST split was looked at). Beside a file ``NAME.jsonl`` they are
``NAME.frozen.json`` and so on.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from eval.golden_lines import read_lines
from index_artifacts.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

QUESTIONS_FILE = "questions.jsonl"
SPLITS = ("all", "dev", "test")

_TYPES = {
    "id": "a string",
    "question": "a string",
    "lang": "a string",
    "kind": "a string",
    "split": "a string",
    "gold_doc": "a string",
    "gold_docs": "a list of strings",
    "gold_heading": "a string",
    "gold_sections": "a list of strings",
    "gold_text": "a string",
    "answers": "a list of strings",
    "should_answer": "true or false",
}
# Kept in `extra` like keys that nobody knows, but of a known type.
_EXTRA_TYPES = {
    "facts": "a list of lists of strings",
    "forbidden": "a list of strings",
    "history": "a list of turns, {role: user or assistant, content}",
    "attack": "a string",
    "premise": "a string",
    "said": "a string",
    "truth": "a string",
}
_OVERRIDABLE = ("answers", "should_answer", "gold_text", "facts", "forbidden")


@dataclass(frozen=True, slots=True)
class Question:
    """A question and what is known of its answer.

    ``gold_headings`` is empty or runs parallel to ``gold_docs``; the empty heading is the text
    before a page's first one. What the set does not say is an empty string or tuple.
    """

    id: str
    question: str
    lang: str = ""
    gold_docs: tuple[str, ...] = ()
    gold_headings: tuple[str, ...] = ()
    gold_text: str = ""
    answers: tuple[str, ...] = ()
    should_answer: bool = True
    kind: str = ""
    split: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def gold_sections(self) -> tuple[tuple[str, str], ...]:
        """(page, heading) of each gold section; empty where no headings are given."""
        if not self.gold_headings:
            return ()
        return tuple(zip(self.gold_docs, self.gold_headings, strict=True))


@dataclass(frozen=True, slots=True)
class GoldenSet:
    """Questions out of one file, in its order.

    ``sha256`` is of the file itself, ``split`` is what was asked for, ``wiki`` the folder to
    build, ``path`` the file. ``overridden`` counts the questions that ``overrides.jsonl`` changed.
    """

    name: str
    questions: tuple[Question, ...]
    sha256: str
    wiki: Path
    path: Path
    split: str = "all"
    overridden: int = 0

    @property
    def holds_test(self) -> bool:
        """True where asking these questions is a look at the TEST split."""
        return any(question.split == "test" for question in self.questions)

    def spread(self, count: int) -> GoldenSet:
        """``count`` questions at most, evenly spread: neighbours tend to ask of one page."""
        total = len(self.questions)
        if count >= total:
            return self
        chosen = tuple(self.questions[number * total // count] for number in range(count))
        return replace(self, questions=chosen)


def load_golden(path: Path, split: str = "all") -> GoldenSet:
    """Read a golden set: a folder, or a ``.jsonl`` file inside a wiki.

    A set in which no question has a split is DEV as a whole.
    Raises `ConfigError`, with file and line, for a line that is no question, a repeated id, a
    set that is not the frozen one, or a split that holds no question.
    """
    if split not in SPLITS:
        raise ConfigError(f"split {split!r} is unknown; use {', '.join(SPLITS)}")
    file, wiki, name = _locate(path)
    data = file.read_bytes()
    sha256 = hashlib.sha256(data).hexdigest()
    _check_frozen(file, sha256)
    questions = _unique(file, data)
    overrides = _read_overrides(file, questions)
    everything = split == "all" or (
        split == "dev" and not any(question.split for question in questions.values())
    )
    chosen = tuple(
        _overridden(question, overrides.get(question.id, {}))
        for question in questions.values()
        if everything or question.split == split
    )
    if not chosen:
        which = "question" if split == "all" else f"question of split {split!r}"
        raise ConfigError(f"{file} holds no {which}")
    overridden = sum(question.id in overrides for question in chosen)
    return GoldenSet(name, chosen, sha256, wiki, file, split, overridden)


def beside(file: Path, name: str) -> Path:
    """The file ``name`` that belongs to a questions file (see the module's docstring)."""
    return file.with_name(name if file.name == QUESTIONS_FILE else f"{file.stem}.{name}")


def freeze(golden: GoldenSet) -> Path:
    """Pin the set's questions by their hash; return the file that does."""
    target = beside(golden.path, "frozen.json")
    target.write_text(json.dumps({"sha256": golden.sha256}) + "\n", encoding="utf-8")
    return target


def count_look(golden: GoldenSet) -> int:
    """Record one more look at the set's TEST split; return how many there were.

    The count belongs to the file's content: an edited set begins anew. Raises `ConfigError`
    where the count cannot be read.
    """
    file = beside(golden.path, "looks.json")
    looks = _read_object(file) if file.is_file() else {}
    looks[golden.sha256] = int(looks.get(golden.sha256, 0)) + 1
    file.write_text(json.dumps(looks, indent=2) + "\n", encoding="utf-8")
    return int(looks[golden.sha256])


def _overridden(question: Question, values: dict[str, Any]) -> Question:
    extra = {key: value for key, value in values.items() if key in _EXTRA_TYPES}
    own = {key: value for key, value in values.items() if key not in _EXTRA_TYPES}
    return replace(question, **own, extra={**question.extra, **extra})


def _locate(path: Path) -> tuple[Path, Path, str]:
    """The questions file, the folder to build, and the set's name."""
    path = path.resolve()
    if path.is_file():
        inside = path.parent / "wiki"
        return path, inside if inside.is_dir() else path.parent, path.parent.name
    file = path / QUESTIONS_FILE
    if not file.is_file():
        raise ConfigError(f"{path} is no golden set: it holds no {QUESTIONS_FILE}")
    if (path / "wiki").is_dir():
        return file, path / "wiki", path.name
    if (path / "edgewiki.toml").is_file():
        return file, path, path.name
    raise ConfigError(f"{path} has neither a folder wiki nor an edgewiki.toml that names one")


def _check_frozen(file: Path, sha256: str) -> None:
    frozen = beside(file, "frozen.json")
    if frozen.is_file() and (pinned := _read_object(frozen).get("sha256")) != sha256:
        raise ConfigError(
            f"{file} is not the frozen set: its sha256 is {sha256}, {frozen.name} says {pinned}; "
            f"restore it and put wording into {beside(file, 'overrides.jsonl').name}, or, to make "
            f"a new set of it, delete {frozen.name} and run edgewiki eval check --freeze"
        )


def _unique(file: Path, data: bytes) -> dict[str, Question]:
    questions: dict[str, Question] = {}
    first_line: dict[str, int] = {}
    for number, values in read_lines(file, data, _TYPES | _EXTRA_TYPES):
        where = f"{file}, line {number}"
        question = _question(where, values)
        if question.id in questions:
            raise ConfigError(
                f"{where}: id {question.id!r} stands already on line {first_line[question.id]}"
            )
        questions[question.id], first_line[question.id] = question, number
    return questions


def _question(where: str, values: dict[str, Any]) -> Question:
    for key in ("id", "question"):
        if not str(values.get(key, "")).strip():
            raise ConfigError(f"{where}: {key!r} is missing or empty")
    docs = _one_or_many(where, values, "gold_doc", "gold_docs")
    headings = _one_or_many(where, values, "gold_heading", "gold_sections")
    if headings and len(headings) != len(docs):
        raise ConfigError(f"{where}: {len(headings)} gold headings for {len(docs)} gold pages")
    if values.get("should_answer", True) and not docs:
        raise ConfigError(
            f"{where}: give 'gold_doc' or 'gold_docs', or 'should_answer': false where no page "
            "answers"
        )
    if (split := values.get("split", "")) not in {"", "dev", "test"}:
        raise ConfigError(f"{where}: split {split!r} is unknown; use dev or test")
    return Question(
        id=values["id"],
        question=values["question"],
        lang=values.get("lang", ""),
        gold_docs=docs,
        gold_headings=headings,
        gold_text=values.get("gold_text", ""),
        answers=tuple(values.get("answers", ())),
        should_answer=values.get("should_answer", True),
        kind=values.get("kind", ""),
        split=split,
        extra={key: value for key, value in values.items() if key not in _TYPES},
    )


def _one_or_many(where: str, values: dict[str, Any], one: str, many: str) -> tuple[str, ...]:
    if one in values and many in values:
        raise ConfigError(f"{where}: give {one!r} or {many!r}, not both")
    return (values[one],) if one in values else tuple(values.get(many, ()))


def _read_overrides(file: Path, questions: dict[str, Question]) -> dict[str, dict[str, Any]]:
    """id → the fields to put in place of the question's own."""
    overrides = beside(file, "overrides.jsonl")
    if not overrides.is_file():
        return {}
    return dict(_checked_overrides(overrides, questions))


def _checked_overrides(
    file: Path, questions: dict[str, Question]
) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, values in read_lines(file, file.read_bytes(), _TYPES | _EXTRA_TYPES):
        where, name = f"{file}, line {number}", values.pop("id", None)
        if name not in questions:
            raise ConfigError(f"{where}: no question has the id {name!r}")
        if wrong := sorted(values.keys() - set(_OVERRIDABLE)):
            raise ConfigError(
                f"{where}: {wrong[0]!r} may not be overridden, only {', '.join(_OVERRIDABLE)}"
            )
        if "answers" in values:
            values["answers"] = tuple(values["answers"])
        yield name, values


def _read_object(file: Path) -> dict[str, Any]:
    try:
        value = json.loads(file.read_bytes())
    except ValueError as error:
        raise ConfigError(f"{file} is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise ConfigError(f"{file} holds no JSON object")
    return value
