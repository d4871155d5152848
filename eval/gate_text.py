"""What the gate says to people: what fell, which questions broke, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from eval.gate import Broken, Figure, Verdict

# More than this many questions nobody reads; --json has all of them.
_LISTED = 20


def summary(verdict: Verdict) -> list[str]:
    """Lines on a version that may be published: its figures, and what to look at all the same."""
    against = f"against {verdict.live}" if verdict.live else "nothing is served yet to compare with"
    figures = ", ".join(map(_figure, verdict.figures)) or "no question can be compared"
    return [f"gate: {figures} ({verdict.golden}; {against})", *_notes(verdict)]


def refusal(verdict: Verdict, channel: str, *, forced: bool) -> str:
    """Why a version may not be published, as the text of an error."""
    fell = ", ".join(map(_figure, verdict.breaches))
    how = "--force needs --reason here" if forced else 'or publish with --force --reason "…"'
    lines = [
        f"version {verdict.version} answers {verdict.golden} worse than {verdict.live}, which "
        f"channel {channel!r} serves: {fell}; more than the margin of {verdict.margin:g}. Mend "
        f"what broke, {how}",
        *_notes(verdict),
        # The last line stands alone where a log or a job keeps no more than that.
        f"not published: {fell}; worse: {_named(tuple(one.id for one in verdict.broken))}",
    ]
    return "\n".join(lines)


def forced_reason(verdict: Verdict, reason: str) -> str:
    """What is recorded with a channel that was moved in spite of the gate."""
    fell = ", ".join(map(_figure, verdict.breaches))
    return f"{reason} [gate overruled: {fell}; {len(verdict.broken)} questions broke]"


def _figure(figure: Figure) -> str:
    live = "" if figure.live is None else f"{figure.live:.3f} → "
    return f"{figure.metric} {live}{figure.new:.3f} of {figure.questions} questions"


def _notes(verdict: Verdict) -> Iterator[str]:
    for broken in verdict.broken[:_LISTED]:
        yield f"  {_broken(broken, verdict.golden)}"
    if len(verdict.broken) > _LISTED:
        yield f"  and {len(verdict.broken) - _LISTED} more"
    if verdict.new_questions:
        yield f"  not compared, new: {_named(verdict.new_questions)}"
    if verdict.stale_questions:
        yield (
            f"  not compared, their pages or headings are not there: "
            f"{_named(verdict.stale_questions)}; correct {verdict.golden}"
        )


def _broken(broken: Broken, golden: str) -> str:
    if broken.live is None and broken.new is None:
        change = "it no longer says that it has no answer"
    else:
        now = f"rank {broken.new}" if broken.new else "not found"
        change = f"rank {broken.live} → {now}"
    gone = f": {', '.join(broken.missing)}: if that is meant, correct {golden}"
    return f"{broken.id}, {broken.question!r}: {change}{gone if broken.missing else ''}"


def _named(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + more
