"""The language of a question, also where the wiki holds no page in it."""

from __future__ import annotations

import pytest

from build.config import load_config
from build.language_means import sample
from build.pipeline import build_version
from index_artifacts.artifact import open_artifact
from index_artifacts.index import Index
from index_artifacts.query import analyse
from index_artifacts.store import open_store


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """A wiki with nothing but English in it."""
    folder = tmp_path_factory.mktemp("english")
    (folder / "wiki").mkdir()
    (folder / "wiki" / "server.md").write_text(
        "# Server\n\nThe server listens on port 2222 and is restarted every Monday.\n"
    )
    config = load_config(folder / "wiki", model="cooccurrence")
    build_version(folder / "wiki", folder / "artifact", config, open_store(f"file://{folder}/s"))
    return Index(open_artifact(folder / "artifact"))


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Na akom porte počúva server?", "sk"),
        ("Na jakém portu server naslouchá?", "cs"),
        ("Na którym porcie nasłuchuje serwer?", "pl"),
        ("На каком порту слушает сервер?", "ru"),
        ("Which port does the server listen on?", "en"),
        ("na akom porte pocuva server", "sk"),
        ("ktery port", "cs"),
        ("ktory port nasluchuje i dlaczego", "pl"),
    ],
)
def test_function_words_and_letters_tell_the_language(
    english: Index, question: str, language: str
) -> None:
    assert analyse(english, question).language == language


@pytest.mark.parametrize("language", ["sk", "cs", "pl", "ru", "en"])
def test_nearly_every_question_of_the_sample_is_recognised(english: Index, language: str) -> None:
    questions = [text for text in sample()[language] if text.endswith("?")]
    found = [analyse(english, question).language for question in questions]
    assert found.count(language) >= 0.9 * len(questions)


def test_words_of_a_language_that_the_wiki_lacks_are_no_slips(english: Index) -> None:
    assert analyse(english, "kde sa servar reštartuje").corrections == {}
    assert analyse(english, "where is the servar").corrections == {"servar": "server"}
