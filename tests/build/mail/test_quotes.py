"""What a mail says itself, told from what it quotes and from how it is signed."""

from __future__ import annotations

import pytest

from build.mail.quotes import fold_quotes

ATTRIBUTIONS = [
    "On Tue, 3 Feb 2026 at 10:00, Ana Malá <ana@example.org> wrote:",
    "On Tue, 3 Feb 2026 at 10:00, Ana Malá\n<ana@example.org> wrote:",
    "Ana Malá wrote:",
    "Dňa 3. 2. 2026 o 10:00 Ana Malá napísal(a):",
    "ut 3. 2. 2026 o 10:00 Ana Malá <ana@example.org> napísal(a):",
    "Dne 3. 2. 2026 v 10:00 Ana Malá napsala:",
    "W dniu 3.02.2026 o 10:00, Ana Malá pisze:",
    "wt., 3 lut 2026 o 10:00 Ana Malá <ana@example.org> napisał(a):",
    "вт, 3 февр. 2026 г. в 10:00, Ana Malá <ana@example.org>:",
    "3 февраля 2026, 10:00, Ana Malá пишет:",
    "Am 3.2.2026 um 10:00 schrieb Ana Malá <ana@example.org>:",
]


@pytest.mark.parametrize("line", ATTRIBUTIONS)
def test_a_quote_is_folded_with_the_line_that_says_whose_it_is(line: str) -> None:
    said = fold_quotes(f"Yes.\n\n{line}\n\n> Shall we?\n> Or not?\n", is_reply=True)
    assert said.text == "Yes."
    assert said.folded == f"{line}\n\n> Shall we?\n> Or not?"


def test_a_line_that_only_ends_with_a_colon_is_no_attribution() -> None:
    said = fold_quotes("Two remarks:\n> One?\nYes.\n>> Two?\nNo.\n", is_reply=True)
    assert said.text == "Two remarks:\n\nYes.\n\nNo."
    assert said.folded == "> One?\n\n>> Two?"


OUTLOOK = [
    "-----Original Message-----\nFrom: Ana\n",
    "-----Pôvodná správa-----\nOd: Ana\n",
    "________________________________\nFrom: Ana Malá\nSent: Tuesday\nTo: Team\n",
    "Od: Ana Malá\nOdoslané: utorok\nKomu: Tím\n",
    "От: Ana Malá\nОтправлено: вторник\n",
    "*From:* Ana Malá\n*Sent:* Tuesday\n",
]


@pytest.mark.parametrize("header", OUTLOOK)
def test_what_stands_below_an_original_messages_header_is_a_quote_of_a_reply(header: str) -> None:
    text = f"Agreed.\n\n{header}Subject: Plan\n\nShall we?\n"
    assert fold_quotes(text, is_reply=True).text == "Agreed."
    assert "Shall we?" in fold_quotes(text, is_reply=True).folded
    assert "Shall we?" in fold_quotes(text, is_reply=False).text


def test_a_signature_ends_where_the_quote_below_it_begins() -> None:
    said = fold_quotes("Yes.\n-- \nAna\n+421 2\n> Shall we?\nOne more thing.\n", is_reply=True)
    assert said.text == "Yes.\n\nOne more thing."
    assert said.folded == "--\nAna\n+421 2\n> Shall we?"


def test_dashes_above_a_long_text_are_no_signature() -> None:
    text = "Intro\n--\n" + "\n".join(f"Line {n}" for n in range(30))
    assert fold_quotes(text, is_reply=False).text == text


def test_a_mailing_lists_footer_is_no_part_of_the_mail() -> None:
    footer = f"{'_' * 47}\nTeam mailing list\nhttps://example.org/listinfo/team"
    said = fold_quotes(f"Hello all.\n\n{footer}\n", is_reply=False)
    assert (said.text, said.folded) == ("Hello all.", footer)
