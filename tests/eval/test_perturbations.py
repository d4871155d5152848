"""Perturbations: the same seed gives the same text, harder is more, and some things stay."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from eval.keyboards import neighbours
from eval.perturbations import PERTURBATIONS, long_words, mistype, perturb
from eval.word_forms import invert, other_forms
from index_artifacts.text import fold, words

QUESTION = "Ako spustím výpočtový skript „sieťovej karty“ vo verzii 3.11 na GPU-2?"
RUSSIAN = "Сколько записей хранится в корпусе «Маяк Севера» за 2019 год?"
FORMS = {
    "spustím": ("spustiť", "spustíš"), "verzii": ("verzia", "verziu"),
    "skript": ("skriptu",), "записей": ("запись",), "корпусе": ("корпус", "корпусы"),
}  # fmt: skip
CONDITIONS = [
    (name, severity)
    for name, perturbation in PERTURBATIONS.items()
    for severity in range(1, len(perturbation.severities) + 1)
]
# Typed on another keyboard, digits and quotes are other keys as well.
KEEPS_TOKENS = sorted(PERTURBATIONS.keys() - {"layout", "yz"})


def altered(name: str, severity: int = 1, text: str = QUESTION, seed: int = 0) -> str:
    lang = "ru" if text == RUSSIAN else "sk"
    return perturb(name, text, lang, severity, seed=seed, question_id="q", forms=FORMS)


@pytest.mark.parametrize(("name", "severity"), CONDITIONS)
@given(text=st.text(max_size=60), seed=st.integers(0, 99))
@settings(max_examples=15, deadline=None)
def test_the_same_seed_gives_the_same_text_whatever_the_text_is(
    name: str, severity: int, text: str, seed: int
) -> None:
    assert altered(name, severity, text, seed) == altered(name, severity, text, seed)


@pytest.mark.parametrize(("name", "severity"), CONDITIONS)
@pytest.mark.parametrize("text", ["", "😀", "a", "ж", "?!", "   ", "🙂🙃 ok", '"'])
def test_texts_with_next_to_nothing_in_them_survive(name: str, severity: int, text: str) -> None:
    result = altered(name, severity, text)
    assert "😀" in result or "😀" not in text
    if name == "typos":
        assert result == text  # no word is long enough for a slip


def test_another_seed_or_another_question_has_other_slips() -> None:
    texts = {altered("typos", 4, seed=seed) for seed in range(20)}
    assert len(texts) > 15
    by_id = {perturb("typos", QUESTION, "sk", 4, question_id=str(n)) for n in range(20)}
    assert len(by_id) > 15


@pytest.mark.parametrize("name", KEEPS_TOKENS)
@pytest.mark.parametrize(
    ("text", "kept"),
    [(QUESTION, ("3.11", "sieťovej karty", "GPU-2")), (RUSSIAN, ("«Маяк Севера»", "2019"))],
)
def test_numbers_and_quoted_phrases_are_left_alone(
    name: str, text: str, kept: tuple[str, ...]
) -> None:
    def plain(part: str) -> str:
        return fold(part) if name in {"case", "diacritics"} else part

    for severity in range(1, len(PERTURBATIONS[name].severities) + 1):
        for seed in range(10):
            result = plain(altered(name, severity, text, seed))
            assert all(plain(part) in result for part in kept)


@pytest.mark.parametrize("name", ["diacritics", "inflected", "mixed", "layout"])
@pytest.mark.parametrize("text", [QUESTION, RUSSIAN])
def test_the_harder_severity_changes_more_words(name: str, text: str) -> None:
    for seed in range(10):
        changed = [
            sum(
                a != b
                for a, b in zip(text.split(), altered(name, n, text, seed).split(), strict=True)
            )
            for n in (1, 2)
        ]
        assert changed[0] <= changed[1]
        assert changed[0] <= 1
        if name != "diacritics" or text == QUESTION:
            assert changed[1] > 1


def test_slips_are_counted() -> None:
    for seed in range(30):
        distances = [OSA.distance(QUESTION, altered("typos", n, seed=seed)) for n in (1, 2, 3, 4)]
        assert distances == [1, 2, 2, 4]


@given(word=st.text(alphabet="abcčdeijklmnopž", min_size=4, max_size=14), seed=st.integers(0, 999))
@settings(max_examples=200, deadline=None)
def test_slips_do_not_cancel_out(word: str, seed: int) -> None:
    from random import Random

    for edits in (1, 2):
        assert 1 <= OSA.distance(word, mistype(word, edits, "sk", Random(seed))) <= edits


@pytest.mark.parametrize(
    ("letter", "lang", "around"),
    [
        ("y", "sk", "asx"), ("y", "pl", "ghtu"), ("ž", "cs", "ghtu"), ("Č", "sk", "dfvx"),
        ("й", "ru", "фц"), ("q", "ru", ""), ("ł", "pl", ""),
    ],
)  # fmt: skip
def test_keys_beside_each_other_depend_on_the_language(letter: str, lang: str, around: str) -> None:
    assert neighbours(letter, lang) == around


@pytest.mark.parametrize(
    ("name", "severity", "text", "lang", "expected"),
    [
        ("diacritics", 2, "Łódź, straße, ёлка, йод, čaj", "pl", "Lodz, straße, елка, йод, caj"),
        ("case", 2, "Kde je Šaľa?", "sk", "KDE JE ŠAĽA?"),
        ("layout", 2, "Привет, мир?", "ru", "Ghbdtn? vbh?"),
        ("layout", 2, "Ghbdtn", "en", "Привет"),
        ("yz", 1, "systém zvuku", "sk", "szstém yvuku"),
        ("yz", 2, "nájdem", "sk", "n8jdem"),
        ("yz", 2, "nájdem", "pl", "nájdem"),
        ("mixed", 2, "сосна", "ru", "cocнa"),
        ("mixed", 2, "cop", "en", "сор"),
    ],
)
def test_what_each_of_them_does(
    name: str, severity: int, text: str, lang: str, expected: str
) -> None:
    result = perturb(name, text, lang, severity)
    assert result == expected


@pytest.mark.parametrize("name", ["case", "punctuation"])
def test_noise_leaves_every_word_as_it_was(name: str) -> None:
    for severity in (1, 2, 3):
        for seed in range(10):
            assert words(altered(name, severity, seed=seed)) == words(QUESTION)


@pytest.mark.parametrize("name", ["order", "irrelevant"])
def test_no_word_of_the_question_gets_lost(name: str) -> None:
    for severity in range(1, len(PERTURBATIONS[name].severities) + 1):
        result = altered(name, severity)
        assert set(words(QUESTION)) <= set(words(result))
        assert name == "irrelevant" or result.endswith("?")
    assert QUESTION in altered("irrelevant", 3)


def test_an_unknown_name_or_severity_is_refused() -> None:
    with pytest.raises(KeyError):
        perturb("hiccups", QUESTION, "sk")
    with pytest.raises(ValueError, match="typos has no severity 5: 1 to 4"):
        perturb("typos", QUESTION, "sk", 5)


def test_other_forms_are_those_of_the_same_lemma() -> None:
    dictionary = {
        "karty": "karta",
        "kariet": "karta",
        "karta": "karta",
        "Brno": "Brno",
        "x y": "karta",
    }
    assert invert(dictionary, ["Kariet", "brno", "neznáme"]) == {"kariet": ("karta", "karty")}


def test_the_real_dictionary_knows_other_forms() -> None:
    forms = other_forms("en", long_words(["Printers need paper"]))
    assert "printer" in forms["printers"]
    assert other_forms("xx", ["printers"]) == {}
    assert perturb("inflected", "Printers", "en", forms=forms).lower() in forms["printers"]
