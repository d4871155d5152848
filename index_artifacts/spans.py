"""Cutting a text into spans that an encoder takes, without losing a character."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from typing import TYPE_CHECKING

from index_artifacts.errors import InputTooLongError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# Joiners and variation selectors bind to what stands before them, as combining marks do.
JOINERS = frozenset("\u200d\ufe0e\ufe0f")


def require_length(text: str, tokens: int, limit: int) -> None:
    """Raise `InputTooLongError` where an input has more tokens than the encoder takes."""
    if tokens > limit:
        raise InputTooLongError(
            f"an input of {tokens} tokens is longer than the {limit} that the encoder takes "
            f"(prefix included): {text[:60]!r}"
        )


def cut_spans(
    text: str, starts: Sequence[int], max_tokens: int, count: Callable[[str], int]
) -> list[tuple[int, int]]:
    """Cut ``text`` into consecutive spans that cover it, of ≤ ``max_tokens`` tokens each.

    ``starts`` are the ascending offsets at which tokens of the whole text begin; ``count``
    counts a part on its own, which can differ where a word is cut. Cuts fall at the start of
    a word where there is one, and never before a combining mark unless nothing else fits.
    Raises `InputTooLongError` where a single character has too many tokens.
    """
    words = [match.start() for match in re.finditer(r"(?<!\S)\S", text)]
    spans: list[tuple[int, int]] = []
    start = 0
    while start < len(text):
        end = _span_end(text, start, starts, words, max_tokens, count)
        spans.append((start, end))
        start = end
    return spans


def _span_end(
    text: str,
    start: int,
    starts: Sequence[int],
    words: Sequence[int],
    max_tokens: int,
    count: Callable[[str], int],
) -> int:
    beyond = bisect_left(starts, start) + max_tokens
    limit = starts[beyond] if beyond < len(starts) else len(text)
    limit = max(limit, start + 1)
    while True:
        end = _word_cut(text, start, limit, words)
        tokens = count(text[start:end])
        if tokens <= max_tokens:
            return end
        if end == start + 1:
            require_length(text[start:end], tokens, max_tokens)
        # Cut on its own a part can have more tokens than in its place: shrink in proportion.
        limit = max(start + 1, min(end - 1, start + (end - start) * max_tokens // tokens))


def _word_cut(text: str, start: int, limit: int, words: Sequence[int]) -> int:
    """The last word start in (start, limit], else ``limit`` moved off combining marks."""
    if limit == len(text):
        return limit
    at = bisect_left(words, limit + 1) - 1
    if at >= 0 and words[at] > start:
        return words[at]
    end = limit
    while end > start + 1 and (unicodedata.combining(text[end]) or text[end] in JOINERS):
        end -= 1
    return end
