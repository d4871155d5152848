import pytest
from hypothesis import given
from hypothesis import strategies as st

from index_artifacts.text import fold, is_plain, trigrams, word_spans, words


@pytest.mark.parametrize(
    ("written", "typed"),
    [
        ("Łódź", "lodz"),
        ("Ёлка", "елка"),
        ("Øresund", "oresund"),
        ("đuro", "duro"),
        ("œuvre", "oeuvre"),
        ("straße", "strasse"),
        ("Åsgeir", "asgeir"),
        ("ısı", "isi"),
        ("Žluťoučký KŮŇ", "zlutoucky kun"),
        ("e\u0301clair", "eclair"),
        ("ČESKÝ\u00adKrumlov", "ceskykrumlov"),
    ],
)
def test_what_is_written_and_what_is_typed_fold_to_the_same(written: str, typed: str) -> None:
    assert fold(written) == typed


def test_short_i_is_a_letter_of_its_own() -> None:
    assert fold("Йод и иод") == "йод и иод"
    assert fold("и\u0306од") == "йод"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Programujem v C++, C# a .NET", ["programujem", "v", "c++", "c#", "a", "net"]),
        ("multi-agent 20.04 snake_case", ["multi", "agent", "20", "04", "snake", "case"]),
        ("x#kotva abc++", ["x", "kotva", "abc"]),
        ("हिन्दी भाषा।", ["हिन्दी", "भाषा"]),
        ('😀 ^ - "', []),
    ],
)
def test_words_are_what_a_reader_would_call_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text(alphabet=st.sampled_from("aŁ ß-ёйIİ\u0301Œn.\u00ad")))
def test_spans_point_at_the_words_they_name(text: str) -> None:
    for word, start, end in word_spans(text):
        assert word in "".join(words(text[start:end])) or word in fold(text[start:end])


def test_spans_survive_characters_that_grow_when_folded() -> None:
    text = "Straße a Šaľa"
    assert [text[start:end] for _, start, end in word_spans(text)] == ["Straße", "a", "Šaľa"]


def test_trigrams_mark_the_ends_of_a_word() -> None:
    assert trigrams("sieť") == ["_si", "sie", "ieť", "eť_"]
    assert trigrams("a") == ["_a_"]


def test_plain_text_has_no_diacritics() -> None:
    assert is_plain("Vysledky studentov")
    assert not is_plain("Výsledky")
