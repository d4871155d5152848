"""Whom a commit is by."""

from __future__ import annotations

from functions.access import TOKEN, Caller, Role
from functions.documents.authorship import author_of


def test_a_key_and_a_token_of_one_name_are_two_authors_and_read_as_one_name() -> None:
    by_key = author_of(Caller("eva", Role.USER), "edgewiki.invalid")
    by_token = author_of(Caller(f"{TOKEN}eva", Role.USER), "edgewiki.invalid")
    assert by_key.name == by_token.name == "eva"
    assert by_key.email != by_token.email
