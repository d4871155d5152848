"""A model's reply is read for claims, whatever it is wrapped in; what is none is a clear error."""

from __future__ import annotations

import json

import pytest

from index_artifacts.answers.claims import MOST_CLAIMS, Claim, parse_claims
from index_artifacts.errors import LanguageModelError

ENTRY = '{"text": "Port je 2222.", "citations": [1], "quote": "na porte 2222"}'
CLAIM = Claim("Port je 2222.", (1,), "na porte 2222")


@pytest.mark.parametrize(
    "reply",
    [
        f'{{"claims": [{ENTRY}]}}',
        f'Tu je odpoveď:\n```json\n{{"claims": [{ENTRY}]}}\n```\nDúfam, že pomohla.',
        f"[{ENTRY}]",
        ENTRY,
        f'{{"claims": {ENTRY}}}',
        f'{{"claims": [{ENTRY},]}}',
        f'{{"claims": [{ENTRY[:-1]},}},]}}',
        f'{{"claims": [{ENTRY}, {{"text": "neúplné',
        f'{{"answer": {{"claims": [{ENTRY}]}}}}',
        f'Rozmýšľam {{takto}} [a takto]. {{"claims": [{ENTRY}]}}',
        ENTRY.replace("[1]", '["1"]'),
        ENTRY.replace("[1]", '["[1]"]'),
        ENTRY.replace("[1]", "1"),
        ENTRY.replace("[1]", '"1"'),
        ENTRY.replace("[1]", "[1.0]"),
        ENTRY.replace("[1]", "[1, 1]"),
        ENTRY.replace("je 2222", "je\\n 2222"),
        ENTRY.replace("je 2222", "je\n2222"),
        f'{{"claims": [{ENTRY}, "niečo", null, {{"text": 5}}]}}',
    ],
)
def test_claims_are_read_out_of_what_models_write(reply: str) -> None:
    assert parse_claims(reply) == (CLAIM,)


@pytest.mark.parametrize("reply", ['{"claims": []}', '```\n{"claims": []}\n```'])
def test_no_claims_are_an_answer_too(reply: str) -> None:
    assert parse_claims(reply) == ()


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "Odpoveď je 2222.",
        "{}",
        "null",
        '{"claims": null}',
        '{"claims": "port je 2222"}',
        '{"claims": ["port je 2222"]}',
        '{"claims": [{"text": null, "citations": [1], "quote": "x"}]}',
        ENTRY.replace("[1]", '["prvý"]'),
        ENTRY.replace("[1]", "[true]"),
        ENTRY.replace("[1]", "[1.5]"),
        ENTRY.replace("[1]", "null"),
        ENTRY.replace("[1]", "[" + "9" * 5000 + "]"),
        ENTRY.replace('"na porte 2222"', "5"),
        ENTRY.replace("Port je 2222.", "x" * 10_000),
        "[" * 100_000,
        '{"claims": ' * 20_000,
        '{"a":' * 50_000 + "1" + "}" * 50_000,
    ],
    ids=lambda reply: reply[:40],
)
def test_what_holds_no_claim_is_an_error(reply: str) -> None:
    with pytest.raises(LanguageModelError):
        parse_claims(reply)


def test_a_run_of_claims_is_cut_and_half_a_surrogate_can_be_sent_on() -> None:
    many = json.dumps({"claims": [json.loads(ENTRY)] * 50})
    assert len(parse_claims(many)) == MOST_CLAIMS
    (claim,) = parse_claims(ENTRY.replace("Port", "\\ud83d Port"))
    assert claim.text.encode() == b"? Port je 2222."
