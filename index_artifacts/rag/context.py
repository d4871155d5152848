"""The context that a language model reads: numbered evidence that cannot close its quotation."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

from index_artifacts.rag.tokens import ENCODING, estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.rag.passages import Passage

BUDGET_REASON = "llm_context_budget"

ENVELOPE_TOKENS = 210
"""Set aside for the other fields of an answer, which a chat tool hands to its model as well."""

# Lambda answers with 6 MB at most, and a caller may get sources and rules a second time.
_MOST_BYTES = 3_500_000

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_KEY_DIGITS = frozenset("0123456789abcdef")


@dataclass(frozen=True, slots=True)
class Budget:
    """At most ``tokens`` for all that a model receives, ``characters`` for the context; 0: any."""

    tokens: int
    characters: int = 0


@dataclass(frozen=True, slots=True)
class Context:
    """Numbered evidence and what it costs.

    ``passages`` are the pieces that fit, in the order of their numbers from 1; ``dropped`` counts
    those that did not. ``narrowed`` says that the only piece went without its section's
    beginning. ``tokens`` is the estimate of everything a model receives.
    """

    text: str
    passages: tuple[Passage, ...]
    dropped: int
    tokens: int
    encoding: str = ENCODING
    narrowed: bool = False

    @property
    def is_cut(self) -> bool:
        """True where the budget left something out."""
        return bool(self.dropped or self.narrowed)


def build_context(
    passages: Sequence[Passage], rules: str, version: str, budget: Budget, query: str = ""
) -> Context:
    """Number and render as many of ``passages`` as fit; whole pieces fall off the end.

    Counted is the JSON of context, rules, sources and version, as a model receives it, and
    `ENVELOPE_TOKENS` for the fields around them. Where nothing fits, that may be over budget.
    """
    kept = _not_hopeless(passages, budget)
    while True:
        text = render(kept, query)
        received = {
            "context": text,
            "rules": rules,
            "sources": [described(p, n) for n, p in enumerate(kept, 1)],
            "index_version": version,
        }
        as_json = json.dumps(received, ensure_ascii=False)
        tokens = estimate_tokens(as_json) + ENVELOPE_TOKENS
        fits = (
            tokens <= budget.tokens
            and (not budget.characters or len(text) <= budget.characters)
            # Lambda puts the JSON into a JSON string, with an escape for all that is not ASCII.
            and len(json.dumps(as_json)) <= _MOST_BYTES
        )
        if fits or not kept:
            return Context(text, tuple(kept), len(passages) - len(kept), tokens)
        kept.pop()


def _not_hopeless(passages: Sequence[Passage], budget: Budget) -> list[Passage]:
    """Those whose bodies alone are within budget: to render megabytes in vain would take long."""
    tokens = characters = 0
    for number, body in enumerate(map(_body, passages)):
        characters += len(body)
        if characters > (budget.characters or _MOST_BYTES):
            return list(passages[:number])
        tokens += estimate_tokens(body)
        if tokens > budget.tokens:
            return list(passages[:number])
    return list(passages)


def render(passages: Sequence[Passage], query: str = "") -> str:
    """The pieces of evidence, each between marks that carry a key no piece contains."""
    bodies = [_body(passage) for passage in passages]
    key = _key(bodies, query)
    return "\n\n".join(
        f"⟦evidence {number} {key}⟧\n{body}\n⟦end of evidence {number} {key}⟧"
        for number, body in enumerate(bodies, 1)
    )


def _key(bodies: Sequence[str], query: str) -> str:
    """Eight hexadecimal digits that stand in no body, whatever is strewn between them there.

    They depend on the question and on all of the evidence, so that no page can foresee them.
    """
    everything = "\0".join([query, *bodies])
    digits = _digits(everything)
    keys = (
        hashlib.sha256(f"{number}\0{everything}".encode("utf-8", "replace")).hexdigest()[:8]
        for number in count()
    )
    return next(key for key in keys if key not in digits)


def _digits(text: str) -> str:
    """The hexadecimal digits of ``text``, in whatever width or case they are written."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(character for character in folded if character in _KEY_DIGITS)


def _body(passage: Passage) -> str:
    page = passage.document
    # The outermost heading mostly repeats the title.
    headings = [one_line(h) for h in passage.heading_path if h != page.title]
    lines = {
        "title": one_line(page.title),
        "heading": " › ".join(headings),
        "authors of the page": ", ".join(map(one_line, page.authors)),
        "created": page.created or "",
        "updated": page.updated or "",
        "year": str(page.year or ""),
    }
    head = "\n".join(f"{name}: {value}" for name, value in lines.items() if value)
    return f"{head}\n\n{passage.text}"


def described(passage: Passage, number: int) -> dict[str, Any]:
    """The source of a piece of evidence, with the fields of `functions.models.Source`."""
    page = passage.document
    return {
        "number": number,
        "title": one_line(page.title),
        "authors": [one_line(author) for author in page.authors],
        "path": page.id,
        "heading": one_line(passage.heading_path[-1]) if passage.heading_path else "",
        "source_url": page.source_url,
        "published": page.published,
    }


def one_line(text: str) -> str:
    """``text`` without line breaks and control characters, so that it can begin no line."""
    return " ".join(_CONTROL.sub(" ", text).split())
