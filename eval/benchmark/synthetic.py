"""A wiki of any size made of nothing: pseudo-words, and vectors spread like real ones.

Everything comes out of one seed. What is fitted to real wikis: how often words occur, how
long chunks are, and how the vectors of multilingual-e5-small spread and lie near questions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from build.embedding import Segment
from build.index_writer import Compiled, VectorBlock
from build.lemmas import Lemmas
from index_artifacts.graph.model import KnowledgeGraph
from index_artifacts.records import Chunk, Document, Section
from index_artifacts.schema import HEADING, SEGMENT, SENTENCE, SUMMARY
from index_artifacts.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from index_artifacts.encoder import Vectors

    Numbers = np.ndarray[tuple[int], np.dtype[np.int64]]

COLLECTION = "wiki"
DIMENSION = 384
CHUNKS_PER_DOCUMENT = 10
CHUNKS_PER_SECTION = 2

# One language most pages are in, as in most wikis: its commonest words are in half of them.
LANGUAGES = {"sk": 0.6, "cs": 0.1, "pl": 0.1, "ru": 0.1, "en": 0.1}
_LATIN = ("bcdfghjklmnprstvz", "aeiouy")
_LETTERS = {
    "sk": ("bcčdďhjklľmnňprsštťvzž", "aáeéiíoóuúyý"),
    "cs": ("bcčdďhjklmnňprřsštťvzž", "aáeéěiíoóuúůyý"),
    "pl": ("bcćdfghjklłmnńprsśtwzźż", "aąeęioóuy"),
    "ru": ("бвгджзйклмнпрстфхцчшщ", "аеиоуыэюя"),
    "en": _LATIN,
}
_STEMS = 40_000
_FORMS = 6
# The share of a page's words that come out of its own few: pages have subjects.
_TOPICAL = 0.3
_TOPIC_WORDS = 40

# e5-small, fitted on 63,000 vectors of seven wikis: the length of the mean, the variance
# around it, how it falls by principal component, and which parts of it are a subject's,
# a page's and a chunk's.
_MEAN_LENGTH = 0.90
_VARIANCE = 0.19
_FIRST_EIGENVALUE, _NEXT_EIGENVALUES, _DECAY = 0.0169, 0.0115, -0.7
_SUBJECT, _PAGE, _CHUNK = 0.25, 0.2, 0.55
_PAGES_PER_SUBJECT = 100
# Questions have a mean of their own, this far off; the cosine with what answers is about 0.90.
_QUESTION_OFFSET = 0.20
_QUESTION_NOISE = 1.0
_HEADING_NOISE = 0.5


@dataclass(frozen=True, slots=True)
class Language:
    """``words[stem, form]`` as written; ``chances`` is the distribution of the stems."""

    words: np.ndarray[tuple[int, int], np.dtype[np.str_]]
    cumulative: np.ndarray[tuple[int], np.dtype[np.float64]]

    def draw(self, random: np.random.Generator, count: int) -> Numbers:
        """Stems as they occur in running text."""
        return np.searchsorted(self.cumulative, random.random(count))


class SyntheticWiki:
    """Documents and vectors of ``chunks`` chunks, and questions to ask of them."""

    def __init__(self, chunks: int, seed: int = 1) -> None:
        self.chunks = chunks
        self._random = np.random.default_rng(seed)
        self.languages = {name: _language(name, self._random) for name in LANGUAGES}
        self.documents = tuple(self._documents())
        self._space = _Space(self._random, len(self.documents))
        page = np.arange(chunks) // CHUNKS_PER_DOCUMENT
        self._meanings = self._space.meanings(page)
        self.segments = self._space.vectors(self._meanings)
        # Pages hold whole sections, so sections count through.
        self.heading_of_chunk: Numbers = np.arange(chunks) // CHUNKS_PER_SECTION
        first = np.arange(0, chunks, CHUNKS_PER_SECTION)
        noise = self._space.noise(len(first))
        self.headings = self._space.vectors(self._meanings[first] + _HEADING_NOISE * noise)

    def compiled(self) -> Compiled:
        """What `write_index` takes."""
        sections = sum(len(document.sections) for document in self.documents)
        pages = self.segments[::CHUNKS_PER_DOCUMENT]
        blocks = (
            VectorBlock(SEGMENT, COLLECTION, self.segments),
            VectorBlock(SENTENCE, COLLECTION, np.zeros((0, DIMENSION), np.float32)),
            VectorBlock(HEADING, COLLECTION, self.headings),
            VectorBlock(SUMMARY, COLLECTION, pages),
        )
        texts = [chunk.text for document in self.documents for chunk in document.chunks]
        return Compiled(
            collections=(COLLECTION,),
            documents=self.documents,
            lemmas=self._lemmas(),
            segments=tuple((Segment(0, len(text), ""),) for text in texts),
            sentences=((),) * self.chunks,
            sentence_rows=(),
            heading_rows=tuple(range(sections)),
            blocks=blocks,
            language_means={},
            encoder="synthetic",
            graph=KnowledgeGraph((), ()),
        )

    def questions(self, count: int) -> tuple[list[str], Vectors]:
        """Questions as somebody types them, and their vectors, shape (count, d)."""
        targets = self._random.choice(self.chunks, count, replace=False)
        texts = [self._question(int(target)) for target in targets]
        return texts, self._space.questions(self._meanings[targets])

    def _documents(self) -> Iterator[Document]:
        names = list(LANGUAGES)
        shares = np.array(list(LANGUAGES.values()))
        for number, start in enumerate(range(0, self.chunks, CHUNKS_PER_DOCUMENT)):
            name = names[int(self._random.choice(len(names), p=shares))]
            size = min(CHUNKS_PER_DOCUMENT, self.chunks - start)
            yield self._document(number, name, size)

    def _document(self, number: int, name: str, size: int) -> Document:
        language = self.languages[name]
        topic = 100 + self._random.integers(_STEMS - 100, size=_TOPIC_WORDS)
        topic[: _TOPIC_WORDS // 2] = 50 + language.draw(self._random, _TOPIC_WORDS // 2) % 5000
        sections = tuple(
            Section(at, 1, (self._text(language, topic, 3).capitalize(),), 0, 0, at + 1)
            for at in range(-(-size // CHUNKS_PER_SECTION))
        )
        lengths = np.clip(self._random.lognormal(np.log(80), 0.7, size), 6, 280).astype(int)
        chunks = tuple(
            Chunk(at, at // CHUNKS_PER_SECTION, self._text(language, topic, int(length)),
                  0, 0, 0, at + 1, at + 1, int(length))
            for at, length in enumerate(lengths)
        )  # fmt: skip
        return Document(
            path=f"{name}/{number}.md",
            collection=COLLECTION,
            title=self._text(language, topic, 3).capitalize(),
            language=name,
            body="",
            content_hash=f"{number:x}",
            sections=sections,
            chunks=chunks,
        )

    def _text(self, language: Language, topic: Numbers, length: int) -> str:
        stems = language.draw(self._random, length)
        own = self._random.random(length) < _TOPICAL
        stems[own] = topic[self._random.integers(len(topic), size=int(own.sum()))]
        return " ".join(language.words[stems, _forms(self._random, length)])

    def _question(self, target: int) -> str:
        """Three rarer words of a chunk, some in another form or mistyped, and common words."""
        document = self.documents[target // CHUNKS_PER_DOCUMENT]
        language = self.languages[document.language]
        found = document.chunks[target % CHUNKS_PER_DOCUMENT].text.split()
        rare = sorted(set(found), key=lambda word: (-len(word), word))[:8]
        chosen = [str(word) for word in self._random.permutation(np.array(rare))[:3]]
        if self._random.random() < 0.3:
            chosen[0] = chosen[0][:2] + chosen[0][3:]
        stems = np.concatenate([self._random.integers(30, size=2), language.draw(self._random, 2)])
        words = language.words[stems, _forms(self._random, len(stems))]
        return " ".join([*chosen, *(str(word) for word in words)])

    def _lemmas(self) -> Lemmas:
        lemmas = Lemmas()
        for name, language in self.languages.items():
            lemma = [fold(stem) for stem in language.words[:, 0]]
            pairs = [(word, lemma[at]) for at, forms in enumerate(language.words) for word in forms]
            lemmas.of[name] = {str(word): base for word, base in pairs}
            lemmas.forms.update((fold(word), name, base) for word, base in pairs)
        return lemmas


class _Space:
    """Where vectors lie: a mean, principal directions and how far along each they spread."""

    def __init__(self, random: np.random.Generator, pages: int) -> None:
        self._random = random
        rank = np.arange(2, DIMENSION + 1)
        eigenvalues = np.append(_FIRST_EIGENVALUE, _NEXT_EIGENVALUES * rank**_DECAY)
        self._deviations = np.sqrt(eigenvalues * _VARIANCE / eigenvalues.sum()).astype(np.float32)
        square = random.standard_normal((DIMENSION, DIMENSION))
        self._basis = np.linalg.qr(square)[0].astype(np.float32)
        self._mean = _unit(random, _MEAN_LENGTH)
        self._question_mean = self._mean + _unit(random, _QUESTION_OFFSET)
        subjects = self.noise(-(-pages // _PAGES_PER_SUBJECT))
        subject = random.integers(len(subjects), size=pages)
        self._pages = self.noise(pages) * np.float32(_PAGE**0.5)
        self._pages += subjects[subject] * np.float32(_SUBJECT**0.5)

    def noise(self, rows: int) -> Vectors:
        """Coordinates along the principal directions, shape (rows, d), in deviations."""
        return self._random.standard_normal((rows, DIMENSION), dtype=np.float32)

    def meanings(self, page: Numbers) -> Vectors:
        """Coordinates of the chunks of ``page``, which share what their page is about."""
        return self.noise(len(page)) * np.float32(_CHUNK**0.5) + self._pages[page]

    def vectors(self, meanings: Vectors) -> Vectors:
        """Unit vectors at coordinates, shape (rows, d)."""
        return self._place(meanings, self._mean)

    def questions(self, meanings: Vectors) -> Vectors:
        """Unit vectors of questions that coordinates answer."""
        noise = self.noise(len(meanings)) * np.float32(_QUESTION_NOISE)
        return self._place(meanings + noise, self._question_mean)

    def _place(
        self, meanings: Vectors, mean: np.ndarray[tuple[int], np.dtype[np.float32]]
    ) -> Vectors:
        placed: Vectors = (meanings * self._deviations) @ self._basis.T + mean
        placed /= np.linalg.norm(placed, axis=1, keepdims=True)
        return placed


def _unit(
    random: np.random.Generator, length: float
) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    direction = random.standard_normal(DIMENSION)
    return (direction * length / np.linalg.norm(direction)).astype(np.float32)


def _forms(random: np.random.Generator, count: int) -> Numbers:
    return np.minimum(random.geometric(0.4, count) - 1, _FORMS - 1)


def _language(name: str, random: np.random.Generator) -> Language:
    """Stems of one to four syllables, each with endings of one of a few patterns."""
    consonants, vowels = (list(letters) for letters in _LETTERS[name])
    syllables = np.array([c + v for c in consonants for v in vowels])
    endings = ["".join(random.choice(part) for part in (vowels, consonants)) for _ in range(40)]
    patterns = [["", *random.choice(endings + vowels, _FORMS - 1)] for _ in range(12)]
    length = np.clip(1 + np.log10(np.arange(1, _STEMS + 1)) / 1.5, 1, 4)
    stems = [
        "".join(random.choice(syllables, int(size))) + str(random.choice(consonants))
        for size in length + random.random(_STEMS) * 0.8
    ]
    words = np.array([[s + e for e in patterns[n % len(patterns)]] for n, s in enumerate(stems)])
    chances = 1 / (np.arange(1, _STEMS + 1) + 2.7) ** 1.05
    return Language(words, np.cumsum(chances) / chances.sum())
