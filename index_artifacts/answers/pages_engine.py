"""Answering from pages: retrieve, judge, generate, check, at most one repair, render."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from time import monotonic
from typing import TYPE_CHECKING

from index_artifacts.answers.answer import (
    ANSWERED,
    EXTRACTIVE,
    FAILED,
    PARTIAL,
    REFUSED,
    Answer,
)
from index_artifacts.answers.checking import CHECK_NAMES, Checked, check_claims
from index_artifacts.answers.coverage import missing_parts
from index_artifacts.answers.extractive import extract
from index_artifacts.answers.generation import generate, prompt, repair_prompt
from index_artifacts.answers.reading import read_evidence
from index_artifacts.answers.rendering import render_answer, renumber
from index_artifacts.answers.verdict import judge
from index_artifacts.rag.rules import wording
from index_artifacts.search_records import Clock

if TYPE_CHECKING:
    from index_artifacts.answers.chat_model import ChatModel
    from index_artifacts.answers.generation import Generated
    from index_artifacts.answers.grounds import Grounds
    from index_artifacts.answers.question import Asked
    from index_artifacts.rag.context import Budget
    from index_artifacts.rag.profiles import Profile
    from index_artifacts.rag.retrieval import Retrieved
    from index_artifacts.search import Searcher, SearchRequest

# An answer reads more of a page than its best chunk: the fact stands where the question's words
# do not. On DEV, 12 hits of 4 a page hold 96.5 % of the answers, 7 of one page each 86.5 %.
HITS, PER_DOCUMENT = 12, 4
# The kinds of evidence that are judged by cosines.
WITH_VECTORS = {"hybrid", "vector"}


@dataclass(slots=True)
class _Work:
    """What was spent on an answer so far."""

    failures: dict[str, int] = field(default_factory=lambda: dict.fromkeys(CHECK_NAMES, 0))
    checked: int = 0
    attempts: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    failure: str = ""

    def spend(self, generated: Generated) -> None:
        self.attempts += 1
        self.prompt_tokens += generated.prompt_tokens
        self.completion_tokens += generated.completion_tokens
        self.failure = generated.failure

    def count(self, checked: Checked) -> None:
        self.checked += len(checked.kept) + len(checked.rejected)
        for name, number in checked.failures().items():
            self.failures[name] += number


def answer_from_pages(
    searcher: Searcher,
    request: SearchRequest,
    profile: Profile,
    budget: Budget,
    model: ChatModel | None = None,
    seconds: float = 25.0,
) -> Answer:
    """Answer ``request`` from the version, by ``model`` or, without one, by its own sentences.

    Whatever a model does within ``seconds``, the answer is checked or a refusal. Raises what
    `retrieve` does.
    """
    clock, started = Clock(), monotonic()
    reading = read_evidence(searcher, _judgeable(searcher, request), profile, budget)
    found = reading.found
    clock.stamp("reading")
    refusal = _refusal(found, model.name if model else EXTRACTIVE)
    if not found.answerable:
        return replace(refusal, milliseconds=clock.milliseconds)
    grounds, asked = reading.grounds, reading.asked
    verdict = judge(searcher, reading)
    refusal = replace(refusal, confidence=verdict.confidence)
    clock.stamp("verdict")
    if not verdict.answers:
        return replace(refusal, reason=verdict.reason, milliseconds=clock.milliseconds)
    work = _Work()
    if model is None:
        checked = check_claims(
            extract(verdict.candidates, 1 + max(1, len(asked.parts))), asked, grounds
        )
        work.count(checked)
        work.attempts = 1
    else:
        left = seconds - (monotonic() - started)
        checked = _with_model(model, request.query, found, asked, grounds, work, left)
    clock.stamp("generation")
    answer = _compose(checked, asked, grounds, refusal, work)
    return replace(answer, milliseconds=clock.milliseconds)


def _judgeable(searcher: Searcher, request: SearchRequest) -> SearchRequest:
    """``request``, by words alone where the version's vectors mean nothing to its calibration.

    Cosines of an encoder that nothing was fitted to would rank the units and decide nothing; the
    calibration of words holds for every encoder.
    """
    fitted = WITH_VECTORS & searcher.calibration.models.keys()
    return request if fitted else replace(request, mode="lexical")


def _with_model(
    model: ChatModel,
    question: str,
    found: Retrieved,
    asked: Asked,
    grounds: Grounds,
    work: _Work,
    seconds: float,
) -> Checked:
    """What of a model's claims passes, after one repair where any did not."""
    deadline = monotonic() + seconds
    messages = prompt(question, found.context.text, found.rules)
    generated = generate(model, messages, seconds)
    work.spend(generated)
    checked = check_claims(generated.claims, asked, grounds)
    work.count(checked)
    left = deadline - monotonic()
    if not (checked.rejected or generated.failure) or left <= 0 or not generated.reply:
        return checked
    again = repair_prompt(messages, generated.reply, checked.rejected, generated.failure)
    repaired = generate(model, again, left)
    work.spend(repaired)
    second = check_claims(repaired.claims, asked, grounds)
    work.count(second)
    # A repair may lose what was right: what passed before is not forgotten.
    merged = tuple(dict.fromkeys([*second.kept, *checked.kept]))
    final = check_claims(merged, asked, grounds)
    return replace(final, rejected=(*second.rejected, *final.rejected))


def _compose(
    checked: Checked, asked: Asked, grounds: Grounds, refusal: Answer, work: _Work
) -> Answer:
    spent = replace(
        refusal,
        failures=work.failures,
        checked=work.checked,
        attempts=work.attempts,
        prompt_tokens=work.prompt_tokens,
        completion_tokens=work.completion_tokens,
    )
    words = wording(refusal.language)
    missing = missing_parts(checked.kept, asked, grounds)
    if not checked.kept or (missing and len(missing) == len(asked.parts)):
        failed = bool(work.failure) and not checked.rejected
        reason = work.failure or _why_nothing(checked)
        return replace(
            spent, outcome=FAILED if failed else REFUSED, text=words.unverified, reason=reason
        )
    passages = [source.passage for source in grounds.sources]
    claims, cited = renumber(checked.kept, passages)
    return replace(
        spent,
        text=render_answer(claims, cited, missing, words),
        outcome=PARTIAL if missing else ANSWERED,
        reason="",
        claims=claims,
        sources=cited,
        missing=missing,
    )


def _why_nothing(checked: Checked) -> str:
    if checked.rejected:
        return "no claim passed the checks"
    return "no statement in the evidence answers the question"


def _refusal(found: Retrieved, generator: str) -> Answer:
    return Answer(
        text=wording(found.language).refusal,
        outcome=REFUSED,
        reason=found.reason,
        language=found.language,
        generator=generator,
        confidence=found.confidence,
        complete=found.complete,
        truncation_reasons=found.truncation_reasons,
        encoder=found.result.encoder if found.result else "",
    )
