"""Understanding a question, against the vocabulary of the small wiki."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from index_artifacts.index import Index
from index_artifacts.query import analyse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from index_artifacts.artifact import Artifact
    from index_artifacts.lexicon import Entry


@pytest.fixture(scope="module")
def index(small_artifact: Artifact) -> Index:
    return Index(small_artifact)


@pytest.mark.parametrize(("typed", "meant"), [("sevrer", "server"), ("хрмпус", None)])
def test_a_slip_is_looked_up_as_the_nearest_word(
    index: Index, typed: str, meant: str | None
) -> None:
    query = analyse(index, f"kde je {typed}")
    assert query.corrections == ({typed: meant} if meant else {})
    assert (meant or typed) in query.words


@pytest.mark.parametrize("word", ["gpu", "bp2023", "v4217", "sk", "2222", "zariadenie", "servermi"])
def test_short_words_numbers_and_known_forms_are_left_alone(index: Index, word: str) -> None:
    assert analyse(index, word).corrections == {}


def test_a_quoted_word_is_never_corrected(index: Index) -> None:
    assert analyse(index, '"sevrer"').corrections == {}
    assert analyse(index, '"sevrer"').words == ("sevrer",)


@pytest.mark.parametrize(
    "typed",
    [
        '"trénovanie na serveri"',
        "„trénovanie na serveri“",
        "„trénovanie na serveri”",
        '„trénovanie na serveri"',
        "“trénovanie na serveri”",
        "”trénovanie na serveri”",
        "«trénovanie na serveri»",
        "»trénovanie na serveri«",
    ],
)
def test_a_phrase_in_any_quotes_is_a_phrase(index: Index, typed: str) -> None:
    query = analyse(index, f"kto robí {typed} dnes")
    assert query.phrases == (("trenovanie", "na", "serveri"),)
    assert query.quoted == {"trenovanie", "na", "serveri"}
    assert query.words == ("kto", "robi", "trenovanie", "na", "serveri", "dnes")


@pytest.mark.parametrize(
    ("typed", "phrases"),
    [
        ("»jeden« a »dva«", (("jeden",), ("dva",))),
        ("«один» и «два»", (("один",), ("два",))),
        ('"a b" c "d"', (("a", "b"), ("d",))),
        ('5" disk', ()),
        ('"" "!" „“ «»', ()),
        ("don't quote o'clock", ()),
    ],
)
def test_only_what_stands_between_quotes_is_a_phrase(
    index: Index, typed: str, phrases: tuple[tuple[str, ...], ...]
) -> None:
    assert analyse(index, typed).phrases == phrases


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("ktoré zariadenia spúšťajú pokusy", "sk"),
        ("uznání předmětů a zkoušky", "cs"),
        ("kiedy należy wysłać zgłoszenie", "pl"),
        ("кто размечает предложения", "ru"),
        ("when is a running job killed", "en"),
        ("qqqxxx zzzyyy", None),
        ("", None),
    ],
)
def test_the_language_is_the_one_that_knows_the_words(
    index: Index, question: str, language: str | None
) -> None:
    assert analyse(index, question).language == language


def test_a_word_of_several_languages_settles_nothing(index: Index) -> None:
    query = analyse(index, "server")
    assert len(query.terms[0].languages) > 1
    assert query.language is None


def test_the_encoder_is_given_diacritics_that_the_writer_left_out(index: Index) -> None:
    assert analyse(index, "strojovy preklad, dnes").dense_text == "strojový preklad, dnes"


def test_diacritics_once_typed_are_trusted(index: Index) -> None:
    typed = "strojovy preklad dľa"
    assert analyse(index, typed).dense_text == typed


def test_the_encoder_is_given_the_word_that_was_meant(index: Index) -> None:
    assert analyse(index, "Kde je sevrer?").dense_text == "Kde je server?"


def test_a_form_that_no_page_uses_still_has_its_lemma(index: Index) -> None:
    term = analyse(index, "zariadeniami").terms[0]
    assert (term.chunks, term.lemmas) == (0, ("zariadenie",))


def test_a_question_typed_in_decomposed_letters_is_the_same_question(index: Index) -> None:
    typed = "случай мой Ёлка prihlásenie Łódź"
    decomposed = unicodedata.normalize("NFD", typed)
    assert decomposed != typed
    assert analyse(index, decomposed).words == analyse(index, typed).words
    assert "случай" in analyse(index, decomposed).words


def test_no_word_of_a_question_is_looked_up_twice(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, asked = index.lexicon.look_up, list[str]()

    def look_up(folded: Iterable[str]) -> dict[str, Entry]:
        asked.extend(words := list(folded))
        return real(words)

    monkeypatch.setattr(index.lexicon, "look_up", look_up)
    query = analyse(index, "Kde je sevrer s kartami, na akom servri?")
    assert query.corrections["sevrer"] == "server"
    assert set(query.words) <= set(asked)
    assert len(asked) == len(set(asked))


HOSTILE = [
    '"', "AND", "OR NOT NEAR", "NEAR(x", "^", "t:x", "title:server", "@nasa", "50%", "😀", "-",
    "a b NOT", "(" * 16, "server* OR 1=1", "'; DROP TABLE chunks; --", "server\x00práca", "\x00",
    "{}", "server -práca", "col : x", '"unbalanced', "a" * 10_000, "слово " * 2_000, "😀" * 3_000,
    "\u202eשרת\u202c", "\ud800", "server \udfff", "\u200b\ufeff\u00ad", "\u0301\u0301", "_", "c++",
    " ".join(f'"a{n}"' for n in range(600)), " ".join(chr(97 + n % 26) * n for n in range(99)),
]  # fmt: skip


@pytest.mark.parametrize("typed", HOSTILE, ids=range(len(HOSTILE)))
def test_nothing_typed_breaks_the_analysis(index: Index, typed: str) -> None:
    query = analyse(index, typed)
    assert all(word.isprintable() and '"' not in word for word in query.words)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(st.characters(exclude_categories=()), max_size=60))
def test_any_text_at_all_is_analysed(small_artifact: Artifact, text: str) -> None:
    query = analyse(Index(small_artifact), text)
    assert len(set(query.words)) <= len(text) * 3


@pytest.mark.parametrize(
    ("typed", "for_the_encoder"),
    [
        ("KDE JE ČESKÝ NÁVOD?", "kde je český návod?"),
        ("kDe jE nÁVoD", "kde je návod"),
        ("Kde je GPU v Brne?", "Kde je GPU v Brne?"),
    ],
)
def test_a_shouted_question_reaches_the_encoder_in_plain_case(
    index: Index, typed: str, for_the_encoder: str
) -> None:
    assert analyse(index, typed).dense_text == for_the_encoder
