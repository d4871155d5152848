"""bm25s: BM25 over one field, as its documentation has it: stop words and a Snowball stemmer.

Stop words it has for some languages, stemmers PyStemmer; what a language lacks is left out.
The option ``fold`` takes the diacritics off the stems.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bm25s
import Stemmer

if TYPE_CHECKING:
    from collections.abc import Sequence

_NAMES = {"cs": "czech", "en": "english", "pl": "polish", "ru": "russian"}
_WITH_STOP_WORDS = {"en", "ru"}


class Engine:
    """A saved index, mapped into memory."""

    takes_vectors = False

    def __init__(self, config: dict[str, Any]) -> None:
        self.costs: dict[str, float] = {}
        self._folder = Path(config["index"])
        self._depth = config["depth"]
        self._fold = config["options"].get("fold", False)
        language = config["language"]
        name = _NAMES.get(language)
        self._stop_words = language if language in _WITH_STOP_WORDS else None
        self._snowball = Stemmer.Stemmer(name) if name in Stemmer.algorithms() else None

    def index(self, chunks: Sequence[dict[str, Any]]) -> None:
        """Index title, headings and text as one field; the texts are kept beside it."""
        texts = ["\n".join((c["title"], c["headings"], c["text"])) for c in chunks]
        retriever = bm25s.BM25()
        retriever.index(self._tokens(texts), show_progress=False)
        retriever.save(self._folder, corpus=texts, show_progress=False)

    def open(self) -> None:
        """Map the index into memory; the texts stay where they are."""
        self._retriever = bm25s.BM25.load(self._folder, mmap=True, show_progress=False)
        self._depth = min(self._depth, self._retriever.scores["num_docs"])

    def search(self, question: str, vector: Any) -> tuple[list[int], dict[str, float]]:
        """Chunks that share a word with the question."""
        del vector
        tokens = self._tokens([question])
        found, scores = self._retriever.retrieve(tokens, k=self._depth, show_progress=False)
        pairs = zip(found[0].tolist(), scores[0].tolist(), strict=True)
        return [chunk for chunk, score in pairs if score > 0], {}

    def _tokens(self, texts: Sequence[str]) -> Any:
        return bm25s.tokenize(
            texts, stopwords=self._stop_words, stemmer=self._stems, show_progress=False
        )

    def _stems(self, words: list[str]) -> list[str]:
        stems = self._snowball.stemWords(words) if self._snowball else words
        return [_folded(stem) for stem in stems] if self._fold else stems


def _folded(word: str) -> str:
    """``word`` without diacritics. Cyrillic й stays: it is a letter of its own."""
    if not any("\u007f" < letter < "\u0250" for letter in word):
        return word
    letters = unicodedata.normalize("NFD", word.replace("ł", "l").replace("đ", "d"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
