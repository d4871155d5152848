"""What a retrieval run leaves behind: one outcome for each question and system."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Self

from index_artifacts.errors import ConfigError

if TYPE_CHECKING:
    from eval.metrics import Ranks

PAGE, SECTION = "page", "section"
LEVELS = (PAGE, SECTION)

_FORMAT = "edgewiki-retrieval/1"


@dataclass(frozen=True, slots=True)
class Ranked:
    """A hit in a ranking: where it stands among different pages or sections, and why.

    ``score`` is what ranks, the others are the legs' own scores, None where a leg did not run.
    """

    rank: int
    page: str
    heading: str
    score: float
    lemma: float | None
    trigram: float | None
    cosine: float | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one system answered one question.

    ``pages`` holds the ranks of the different gold pages among different pages, ``sections``
    the same of gold sections, empty where the set names none. Where the finest of them has
    nothing at rank 1, ``above`` holds what ranked above, best first, and ``gold`` the best gold
    hit, None where there was none. ``complete`` is false where a leg did not run.
    """

    question: str
    system: str
    pages: Ranks
    sections: Ranks
    milliseconds: float
    complete: bool
    above: tuple[Ranked, ...] = ()
    gold: Ranked | None = None

    @property
    def finest(self) -> Ranks:
        """The ranks at section level where there is one, else at page level."""
        return self.sections or self.pages

    @property
    def best(self) -> int | None:
        """The best rank at the finest level."""
        return min((rank for rank in self.finest if rank is not None), default=None)

    def ranks(self, level: str) -> Ranks:
        """The ranks at ``level`` out of `LEVELS`."""
        return self.pages if level == PAGE else self.sections

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """The inverse of `dataclasses.asdict`, out of JSON."""
        gold = values["gold"]
        return cls(
            question=values["question"],
            system=values["system"],
            pages=tuple(values["pages"]),
            sections=tuple(values["sections"]),
            milliseconds=values["milliseconds"],
            complete=values["complete"],
            above=tuple(Ranked(**hit) for hit in values["above"]),
            gold=Ranked(**gold) if gold else None,
        )


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a run: what a report shows of it."""

    id: str
    text: str
    lang: str
    kind: str
    gold: tuple[str, ...]
    """``page`` or ``page › heading`` of each gold item."""


@dataclass(frozen=True, slots=True)
class RetrievalRun:
    """All outcomes of a golden set on a version.

    ``golden`` is the set's name and ``golden_sha256`` its file's hash; ``left_out`` counts the
    questions that have no answer in the wiki; ``test_looks`` says how often the TEST split was
    looked at, 0 where this run did not.
    """

    golden: str
    golden_sha256: str
    split: str
    version: str
    systems: tuple[str, ...]
    questions: tuple[Asked, ...]
    outcomes: tuple[Outcome, ...]
    left_out: int = 0
    test_looks: int = 0

    def to_json(self) -> str:
        """The run as JSON, for `from_json` and for other programs."""
        return json.dumps({"format": _FORMAT, **asdict(self)}, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str, name: str = "the run") -> Self:
        """Read a run; raises `ConfigError` that calls it ``name`` where it is none."""
        try:
            values = json.loads(text)
            if values.pop("format") != _FORMAT:
                raise ValueError("another format")
            values["systems"] = tuple(values["systems"])
            values["questions"] = tuple(
                Asked(**{**asked, "gold": tuple(asked["gold"])}) for asked in values["questions"]
            )
            values["outcomes"] = tuple(Outcome.from_dict(one) for one in values["outcomes"])
            return cls(**values)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ConfigError(
                f"{name} is not a run of this edgewiki (edgewiki eval run --output): {error!r}"
            ) from None
