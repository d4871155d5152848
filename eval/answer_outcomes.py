"""What a run of answers leaves behind: one outcome for each question."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from eval.answer_verification import Unsupported

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class AnswerOutcome:
    """How a question was answered, and how that compares to what was expected.

    ``facts`` says of each expected fact whether the delivered text holds it; ``forbidden`` counts
    the forbidden strings in it. ``claims`` were delivered, ``unsupported`` of them are not proved
    by their pages. ``cited`` and ``gold`` are different pages. ``refusals`` counts, by check, the
    claims it refused. ``milliseconds`` are of the whole tool call.

    ``asked``, ``answer``, ``reason`` and ``notes`` are for a reader and empty for TEST questions,
    of which nobody shall read anything.
    """

    question: str
    lang: str
    kind: str
    split: str
    should_answer: bool
    accepted: bool
    outcome: str
    facts: tuple[bool, ...] = ()
    forbidden: int = 0
    claims: int = 0
    unsupported: tuple[Unsupported, ...] = ()
    cited: tuple[str, ...] = ()
    gold: tuple[str, ...] = ()
    generator: str = ""
    engine: str = ""
    attempts: int = 0
    checked: int = 0
    refusals: Mapping[str, int] = field(default_factory=dict)
    milliseconds: float = 0.0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    asked: str = ""
    answer: str = ""
    reason: str = ""
    notes: tuple[str, ...] = ()

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """The inverse of `dataclasses.asdict`, out of JSON."""
        tuples = {name: tuple(values[name]) for name in ("facts", "cited", "gold", "notes")}
        faults = tuple(Unsupported(**fault) for fault in values["unsupported"])
        return cls(**{**values, **tuples, "unsupported": faults})


@dataclass(frozen=True, slots=True)
class AnswerRun:
    """All outcomes of an answer set on a version.

    ``generator`` is what was asked for, ``json_mode`` how a model was asked, empty without one;
    ``test_looks`` says how often the TEST split was looked at, 0 where this run did not.
    """

    golden: str
    golden_sha256: str
    split: str
    version: str
    generator: str
    json_mode: str
    outcomes: tuple[AnswerOutcome, ...]
    overridden: int = 0
    test_looks: int = 0
