"""The answer runner: asks every question as HTTP does, and judges what would be delivered."""

from __future__ import annotations

from dataclasses import asdict
from time import perf_counter
from typing import TYPE_CHECKING

from eval.answer_outcomes import AnswerOutcome, AnswerRun
from eval.answer_set import expected_of
from eval.answer_text import holds, without_sources
from eval.answer_verification import Pages, Unsupported, unsupported
from eval.checkpoint import append_line, read_whole_lines
from functions.asker import Asker
from functions.tools.answer import AnswerBody, run
from functions.tools.query import checked_body

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from eval.answer_opening import Generator
    from eval.golden_set import GoldenSet, Question
    from functions.state import State
    from functions.tools.answer import AnswerResponse

    Progress = Callable[[str, int, int], None]
    """Called with a phase, how much of it is done and how much there is."""


def measure_answers(
    state: State,
    golden: GoldenSet,
    generator: Generator,
    *,
    progress: Progress = lambda *_: None,
    checkpoint: Path | None = None,
    test_looks: int = 0,
) -> AnswerRun:
    """Ask all questions of ``golden`` of the version that ``state`` serves.

    With ``checkpoint``, each outcome is written there at once, and what a killed run has left
    there is not asked again as long as version, set and generator are the same. Raises
    `QueryError` for a question that no request may hold.
    """
    served = state.version()
    pages = Pages(served.searcher.index)
    stamp = f"{served.name} {golden.sha256} {generator.name} {generator.json_mode}"
    known = _read(checkpoint, stamp)
    outcomes = []
    for number, question in enumerate(golden.questions):
        progress("asking", number, len(golden.questions))
        outcome = known.get(question.id)
        if outcome is None:
            outcome = _ask(question, state, pages)
            if checkpoint:
                append_line(checkpoint, {"stamp": stamp, **asdict(outcome)})
        outcomes.append(outcome)
    progress("asking", len(outcomes), len(outcomes))
    return AnswerRun(
        golden=golden.name,
        golden_sha256=golden.sha256,
        split=golden.split,
        version=served.name,
        generator=generator.name,
        json_mode=generator.json_mode,
        outcomes=tuple(outcomes),
        overridden=golden.overridden,
        test_looks=test_looks,
    )


def _read(checkpoint: Path | None, stamp: str) -> dict[str, AnswerOutcome]:
    if checkpoint is None or not checkpoint.is_file():
        return {}
    lines = read_whole_lines(checkpoint)
    kept = (AnswerOutcome.from_dict(line) for line in lines if line.pop("stamp") == stamp)
    return {outcome.question: outcome for outcome in kept}


def _ask(question: Question, state: State, pages: Pages) -> AnswerOutcome:
    history = [{"role": r, "content": text} for r, text in expected_of(question).history]
    body = checked_body(AnswerBody, query=question.question, history=history)
    started = perf_counter()
    response = run(body, Asker.owner(state))
    return judge(question, response, pages, (perf_counter() - started) * 1000)


def judge(
    question: Question, response: AnswerResponse, pages: Pages, milliseconds: float = 0.0
) -> AnswerOutcome:
    """Hold a response against what is expected of the question and against the wiki's pages.

    A refusal is not delivered as an answer, so nothing is looked for in it.
    """
    expected, accepted = expected_of(question), response.accepted_for_delivery
    text = without_sources(response.answer) if accepted else ""
    found = tuple(any(holds(text, one) for one in spellings) for spellings in expected.facts)
    forbidden = [one for one in expected.forbidden if holds(text, one)]
    faults = unsupported(response, pages, expected.forbidden) if accepted else ()
    lacking = [
        spellings[0] for spellings, held in zip(expected.facts, found, strict=True) if not held
    ]
    shown = question.split != "test"
    return AnswerOutcome(
        question=question.id,
        lang=question.lang,
        kind=question.kind,
        split=question.split,
        should_answer=question.should_answer,
        accepted=accepted,
        outcome=response.outcome,
        facts=found,
        forbidden=len(forbidden),
        claims=len(response.claims),
        unsupported=faults if shown else tuple(Unsupported(f.kind, "", "") for f in faults),
        cited=tuple(dict.fromkeys(source.path for source in response.sources)) if accepted else (),
        gold=tuple(dict.fromkeys(question.gold_docs)),
        generator=response.generator,
        engine=response.engine,
        attempts=response.attempts,
        checked=response.checked,
        refusals={check.name: check.refused for check in response.checks if check.refused},
        milliseconds=round(milliseconds, 3),
        prompt_tokens=response.tokens.prompt,
        completion_tokens=response.tokens.completion,
        asked=question.question if shown else "",
        answer=response.answer if shown else "",
        reason=response.reason if shown else "",
        notes=_notes(lacking, forbidden) if shown and accepted else (),
    )


def _notes(lacking: list[str], forbidden: list[str]) -> tuple[str, ...]:
    return tuple([f"lacks {one!r}" for one in lacking] + [f"holds {one!r}" for one in forbidden])
