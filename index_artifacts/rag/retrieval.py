"""From a question to its evidence: searched, judged, expanded, numbered and within budget."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from index_artifacts.calibration import NONE, UNKNOWN
from index_artifacts.query import analyse
from index_artifacts.rag.context import BUDGET_REASON, Budget, Context, build_context
from index_artifacts.rag.facts import fact_passages
from index_artifacts.rag.passages import bare_passage, gather_passages
from index_artifacts.rag.profiles import NONE as NO_COLLECTIONS
from index_artifacts.rag.rules import DEFAULT_LANGUAGE, Wording, wording

if TYPE_CHECKING:
    from index_artifacts.rag.facts import Known
    from index_artifacts.rag.passages import Passage
    from index_artifacts.rag.profiles import Profile
    from index_artifacts.search import Searcher, SearchRequest, SearchResult


PROFILE_NONE = "profile_none"
"""The profile searches no collection."""
OVER_BUDGET = "over_budget"
"""There is evidence, and not one piece of it fits."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Evidence for a question, or why there is none.

    ``result`` is None where a profile forbids to search. ``rules`` are the grounding rules where
    ``answerable``, else the instruction not to make an answer up; ``context`` is then empty.
    ``language`` is the one of rules, refusals and headings.
    """

    result: SearchResult | None
    context: Context
    rules: str
    answerable: bool
    outcome: str
    confidence: float | None
    reason: str
    language: str
    complete: bool
    truncation_reasons: tuple[str, ...]

    @property
    def status(self) -> str:
        """``ok``, or why there is no evidence: `PROFILE_NONE`, ``no_hits``, ``no_answer``, …"""
        if self.result is None:
            return PROFILE_NONE
        if self.answerable:
            return "ok"
        if not self.result.hits:
            return "no_hits"
        return OVER_BUDGET if self.context.dropped else "no_answer"


def retrieve(
    searcher: Searcher,
    request: SearchRequest,
    profile: Profile,
    budget: Budget,
    *,
    doubtful: bool = False,
    known: Known | None = None,
) -> Retrieved:
    """Find the evidence for ``request`` that ``profile`` allows and ``budget`` has room for.

    What the graph knows comes first, as pieces of its own. ``doubtful`` keeps what the
    calibration takes for no evidence, for a caller that reads on.
    Raises `QueryError` for a collection that the version or the profile does not have.
    """
    if profile.mode == NO_COLLECTIONS:
        return _nothing(searcher, request, profile)
    collections = profile.narrow(request.collections)
    result = searcher.search(replace(request, collections=collections))
    language = _language(result, searcher)
    words = wording(language)
    facts = fact_passages(known, language)
    worth = bool(result.hits) and (doubtful or result.outcome != NONE)
    context = (
        _context(searcher, result if worth else None, facts, words, profile, budget, request.query)
        if worth or facts
        else build_context((), words.no_evidence, searcher.index.manifest.version, budget)
    )
    answerable = bool(context.passages)
    cut = (BUDGET_REASON,) if context.is_cut else ()
    return Retrieved(
        result=result,
        context=context,
        rules=words.grounding(*profile.rules) if answerable else words.no_evidence,
        answerable=answerable,
        outcome=result.outcome,
        confidence=result.confidence,
        reason="; ".join(filter(None, [_why_not(result, context, budget), result.reason])),
        language=language,
        complete=result.complete and not cut,
        truncation_reasons=(*result.truncation_reasons, *cut),
    )


def _context(
    searcher: Searcher,
    result: SearchResult | None,
    facts: tuple[Passage, ...],
    words: Wording,
    profile: Profile,
    budget: Budget,
    query: str,
) -> Context:
    index, version = searcher.index, searcher.index.manifest.version
    rules = words.grounding(*profile.rules)
    passages = (*facts, *(gather_passages(index, result.hits) if result else ()))
    context = build_context(passages, rules, version, budget, query)
    if not context.passages and result:
        # Better the chunk that was found alone than nothing at all.
        bare = bare_passage(index, result.hits[0])
        context = build_context((bare,), rules, version, budget, query)
        context = replace(context, dropped=len(passages) - 1, narrowed=True)
    if context.passages:
        return context
    nothing = build_context((), words.no_evidence, version, budget)
    return replace(nothing, dropped=len(passages))


def _nothing(searcher: Searcher, request: SearchRequest, profile: Profile) -> Retrieved:
    query = analyse(searcher.index, request.query, correct=False)
    language = query.language or commonest_language(searcher)
    rules = wording(language).no_evidence
    return Retrieved(
        result=None,
        context=build_context((), rules, searcher.index.manifest.version, Budget(0)),
        rules=rules,
        answerable=False,
        outcome=UNKNOWN,
        confidence=None,
        reason=f"the RAG profile {profile.name!r} searches no collection",
        language=language,
        complete=True,
        truncation_reasons=(),
    )


def _why_not(result: SearchResult, context: Context, budget: Budget) -> str:
    """Why there is no evidence; empty where there is, or where the search itself says it."""
    if context.passages or not result.hits:
        return ""
    if context.dropped:
        characters = f" and {budget.characters} characters" if budget.characters else ""
        return f"no piece of evidence fits into {budget.tokens} tokens{characters}: allow more"
    confidence = 0.0 if result.confidence is None else result.confidence
    return (
        "the nearest page gives too little evidence of an answer "
        f"(confidence {confidence:.2f} by this version's calibration)"
    )


def _language(result: SearchResult, searcher: Searcher) -> str:
    """That of the question, else of the page that is nearest, else of most pages."""
    if result.language:
        return result.language
    if result.hits:
        return result.hits[0].document.language
    return commonest_language(searcher)


def commonest_language(searcher: Searcher) -> str:
    """The language of most chunks of the version."""
    index = searcher.index
    return max(
        sorted(index.languages),
        key=lambda language: int(index.in_language(language).sum()),
        default=DEFAULT_LANGUAGE,
    )
