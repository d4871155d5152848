"""Claims: what an answer is made of before it is checked, and how a model's JSON is read."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from index_artifacts.errors import LanguageModelError

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_CLAIMS = 12
_LONGEST = 1_000
# A model that runs on writes no more of use.
_LONGEST_REPLY, _MOST_TRIES = 100_000, 500
_TRAILING_COMMA = re.compile(r",\s*([}\]])")
_DECODER = json.JSONDecoder(strict=False)

CLAIMS_SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["claims"],
    "properties": {
        "claims": {
            "type": "array",
            "maxItems": MOST_CLAIMS,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["text", "citations", "quote"],
                "properties": {
                    "text": {"type": "string", "maxLength": _LONGEST},
                    "citations": {
                        "type": "array",
                        "minItems": 1,
                        "maxItems": 5,
                        "items": {"type": "integer", "minimum": 1},
                    },
                    "quote": {"type": "string", "maxLength": _LONGEST},
                },
            },
        }
    },
}
"""JSON Schema of what a model is asked for; no claims at all means: no answer."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement, the numbers of the evidence it stands on (from 1), and a quote of it."""

    text: str
    citations: tuple[int, ...]
    quote: str


def parse_claims(text: str) -> tuple[Claim, ...]:
    """Read a model's claims, from JSON that may be fenced, surrounded by prose, or unclosed.

    Of unclosed JSON the claims that are whole are taken, and what is no claim is left out. Raises
    `LanguageModelError` where there is no JSON of this kind, or no entry of it is a claim.
    """
    text = text[:_LONGEST_REPLY]
    found = _whole_object(text) or _whole_object(_TRAILING_COMMA.sub(r"\1", text))
    if isinstance(found, dict):
        entries = found["claims"]
        entries = [entries] if isinstance(entries, dict) else entries
    else:
        entries = found or list(_whole_entries(text))
        if not entries:
            raise LanguageModelError("the model wrote no JSON claims")
    if not isinstance(entries, list):
        raise LanguageModelError("the model's JSON has no list of claims")
    claims = tuple(claim for entry in entries[:MOST_CLAIMS] if (claim := _claim(entry)))
    if entries and not claims:
        raise LanguageModelError("no entry of the model's JSON has a text, citations and a quote")
    return claims


def _whole_object(text: str) -> dict[str, Any] | list[Any] | None:
    """The first JSON object with claims, or list of objects, in ``text``."""
    for match in islice(re.finditer(r"[{\[]", text), _MOST_TRIES):
        value, _ = _decode(text, match.start())
        if isinstance(value, dict) and "claims" in value:
            return value
        if isinstance(value, list) and value and isinstance(value[0], dict):
            return value
    return None


def _whole_entries(text: str) -> Iterator[dict[str, Any]]:
    """Each JSON object in ``text`` that looks like a claim."""
    position = 0
    for _ in range(_MOST_TRIES):
        start = text.find("{", position)
        if start < 0:
            return
        value, position = _decode(text, start)
        if isinstance(value, dict) and "text" in value:
            yield value


def _decode(text: str, start: int) -> tuple[Any, int]:
    """The JSON value that begins at ``start``, or None, and where to go on."""
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, start + 1


def _claim(entry: object) -> Claim | None:
    if not isinstance(entry, dict):
        return None
    text, quote = entry.get("text"), entry.get("quote", "")
    numbers = _citations(entry.get("citations", []))
    if not isinstance(text, str) or not isinstance(quote, str) or numbers is None:
        return None
    if max(len(text), len(quote)) > 2 * _LONGEST:
        return None
    return Claim(" ".join(_encodable(text).split()), numbers, _encodable(quote).strip())


def _citations(value: object) -> tuple[int, ...] | None:
    """Numbers out of ``[1]``, ``["1"]``, ``["[1]"]`` or ``1``; None where one is no such number."""
    found = [_number(one) for one in (value if isinstance(value, list) else [value])]
    numbers = tuple(number for number in dict.fromkeys(found) if number is not None)
    return None if None in found else numbers


def _number(value: object) -> int | None:
    if isinstance(value, str):
        digits = value.strip().strip("[]")
        return int(digits) if re.fullmatch(r"[0-9]{1,8}", digits) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or value % 1 != 0:
        return None
    return int(value)


def _encodable(text: str) -> str:
    """``text`` without halves of surrogate pairs, which no encoding takes."""
    return text.encode("utf-8", "replace").decode("utf-8")
