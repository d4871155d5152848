"""Lemmas that the dictionary gives, and the table in which a query finds them."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

import build.lemmas
from build.lemmas import Lemmas, _Dictionary, compile_lemmas, surfaces

PAGE = "Na zariadeniach a serveroch beží systém. V prácach študentov je strojový preklad."


@pytest.fixture(scope="module")
def slovak() -> Lemmas:
    return compile_lemmas(surfaces([("sk", PAGE)]))


def lemma_of(lemmas: Lemmas, form: str, language: str = "sk") -> set[str]:
    return {lemma for written, code, lemma in lemmas.forms if (written, code) == (form, language)}


def test_surfaces_are_words_as_written_by_language() -> None:
    found = surfaces([("sk", "Práca, práca!"), ("sk", "Łódź c++"), ("en", "work")])
    assert found == {"sk": {"práca", "łódź", "c++"}, "en": {"work"}}


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("zariadeniach", ["zariadenie", "zariadenia", "zariadeni"]),
        ("serveroch", ["server", "servery", "serverom"]),
        ("pracach", ["praca", "prace", "praci"]),
        ("studentov", ["student", "studenti"]),
    ],
)
def test_a_form_on_the_page_and_forms_that_no_page_uses_share_a_lemma(
    slovak: Lemmas, written: str, asked: list[str]
) -> None:
    (lemma,) = lemma_of(slovak, written)
    for form in asked:
        assert lemma in lemma_of(slovak, form), form


def test_a_text_is_its_lemmas_in_order_and_words_without_one_stay(slovak: Lemmas) -> None:
    assert slovak.text("Serveroch ZARIADENIACH xyzzy", "sk") == [
        *lemma_of(slovak, "serveroch"), *lemma_of(slovak, "zariadeniach"), "xyzzy",
    ]  # fmt: skip


def test_every_form_and_lemma_is_one_folded_word(slovak: Lemmas) -> None:
    for form, _, lemma in slovak.forms:
        assert form.isascii()
        assert lemma.isascii()
        assert " " not in form + lemma


def test_a_language_without_a_dictionary_keeps_its_words() -> None:
    lemmas = compile_lemmas(surfaces([("xx", "Foo barím")]))
    assert lemmas.text("Foo barím", "xx") == ["foo", "barim"]
    assert lemmas.forms == {("foo", "xx", "foo"), ("barim", "xx", "barim")}


def test_languages_do_not_mix() -> None:
    lemmas = compile_lemmas(surfaces([("en", "servers running"), ("sk", "servery")]))
    assert lemmas.text("servers", "en") == ["server"]
    assert lemmas.text("servers", "sk") == ["servers"]
    assert lemmas.text("Servers", "pl") == ["servers"]


def test_the_same_words_give_the_same_lemmas_in_any_order(slovak: Lemmas) -> None:
    again = compile_lemmas(surfaces(("sk", word) for word in reversed(PAGE.split())))
    assert again == slovak


def test_what_an_earlier_build_has_looked_up_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A process that builds again reads the dictionary for new words alone."""
    changed = f"{PAGE} Vlaky meškajú na staniciach, študenti čakajú."
    results = []
    for before in ([PAGE, changed, PAGE], []):
        monkeypatch.setattr(build.lemmas, "_DICTIONARIES", defaultdict(_Dictionary))
        for text in before:
            compile_lemmas(surfaces([("sk", text)]))
        results.append([compile_lemmas(surfaces([("sk", text)])) for text in (changed, PAGE)])
    for again, fresh in zip(*results, strict=True):
        assert (again.of, again.forms) == (fresh.of, fresh.forms)
        assert np.array_equal(again.dictionary[0], fresh.dictionary[0])


def test_a_word_that_is_known_costs_no_dictionary(
    slovak: Lemmas, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(*_: object) -> None:
        raise AssertionError("the dictionary was read again")

    monkeypatch.setattr(build.lemmas, "_look_up", read)
    assert compile_lemmas(surfaces([("sk", PAGE)])).of == slovak.of
    with pytest.raises(AssertionError, match="read again"):
        compile_lemmas(surfaces([("sk", f"{PAGE} kolobežkami")]))
