"""What the encoder is given: everything about a chunk, all of it, and no more than it takes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from build.chunks import ChunkSizes, make_chunks
from build.embedding import (
    Embedder,
    chunk_segments,
    chunk_sentences,
    heading_input,
    passage_head,
    summary_input,
)
from build.markdown import parse
from build.vector_cache import VectorCache
from index_artifacts.encoder import probe_vectors
from index_artifacts.encoders import open_encoder
from index_artifacts.errors import InputTooLongError
from index_artifacts.file_store import FileStore
from index_artifacts.records import Chunk, Document
from tests.wiki import WordTokenizer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from index_artifacts.encoder import Encoder, Vectors


class CountingEncoder(WordTokenizer):
    """Vectors of a text's length and first letter; refuses what is too long, and counts."""

    kind = "counting"
    fingerprint = "f" * 64
    dimension = 3
    max_tokens = 24

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def overhead(self) -> int:
        return 3

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        for text in texts:
            if self.count_tokens(text) + self.overhead() > self.max_tokens:
                raise InputTooLongError(text)
        self.encoded += texts
        rows = np.array([[len(t), ord(t[:1] or " "), 1] for t in texts], np.float32).reshape(-1, 3)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)

    def encode_query(self, text: str) -> Vectors:
        return self.encode_passages([text])


def document(body: str, tokenizer: WordTokenizer | Encoder, **fields: object) -> Document:
    structure = parse(body)
    chunks = make_chunks(body, structure, ChunkSizes(60, 10, 10), tokenizer)
    plain = Document(
        "a.md", "wiki", "Správa serverov", "sk", body, "",
        sections=structure.sections, chunks=tuple(chunks),
    )  # fmt: skip
    return replace(plain, **fields)  # type: ignore[arg-type]


def embedder(encoder: Encoder, tmp_path: Path) -> Embedder:
    cache = VectorCache(FileStore(tmp_path / "store"), encoder.fingerprint, encoder.dimension)
    return Embedder(encoder, cache, lambda *_: None)


def test_an_input_is_title_authors_tags_categories_headings_and_text() -> None:
    class Roomy(CountingEncoder):
        max_tokens = 100

    page = document(
        "# Správa serverov\n\n## Porty\n\nPočúva na 8080.\n",
        WordTokenizer(),
        authors=("Jana Mokrá", "Ivan"),
        tags=("siete",),
        categories=("dp2024", "bp2022"),
    )
    (segment,) = chunk_segments(page, page.chunks[-1], Roomy())
    head, _, text = segment.input.partition("## Porty")
    assert head.split("\n")[:4] == [
        "Správa serverov › Porty", "Jana Mokrá, Ivan", "siete", "dp2024, bp2022",
    ]  # fmt: skip
    assert text == "\n\nPočúva na 8080."
    assert (segment.start, segment.end) == (0, len(page.chunks[-1].text))


def test_a_heading_that_repeats_the_title_is_said_once() -> None:
    page = document("x", WordTokenizer())
    assert heading_input(page, ("SPRÁVA serverov", "Porty")) == "Správa serverov › Porty"
    assert heading_input(page, ()) == "Správa serverov"
    assert passage_head(page, ("Porty",)) == "Správa serverov › Porty"
    assert summary_input(replace(page, summary="Krátko.")) == "Správa serverov\nKrátko."


BODIES = {
    "prose": "# A\n\n" + " ".join(f"Veta číslo {n} je tu." for n in range(40)) + " koniec\n\n",
    "one line": ",".join(str(n) for n in range(200)) + " koniec\n",
    "no spaces": "漢字" * 100 + "e\u0301" * 50 + " koniec  \n\n",
    "empty": "",
}
TAGS = tuple(f"značka {n}" for n in range(300))


@pytest.mark.parametrize("tags", [(), TAGS[:4], TAGS], ids=["bare", "some tags", "300 tags"])
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_segments_cover_every_chunk_and_each_fits_the_encoder(
    body: str, tags: tuple[str, ...]
) -> None:
    encoder = CountingEncoder()
    page = document(body, encoder, tags=tags)
    inputs = []
    for chunk in page.chunks:
        segments = chunk_segments(page, chunk, encoder)
        assert segments[0].start == 0
        assert segments[-1].end == len(chunk.text)
        assert "".join(chunk.text[s.start : s.end] for s in segments) == chunk.text
        for segment in segments:
            assert chunk.text[segment.start : segment.end].strip() in segment.input
        inputs += [segment.input for segment in segments]
    encoder.encode_passages(inputs)
    if body:
        assert "koniec" in inputs[-1]
    for tag in tags:
        assert any(tag.split()[1] in text for text in inputs)


@pytest.mark.slow
@pytest.mark.parametrize("tags", [(), TAGS], ids=["bare", "300 tags"])
def test_the_real_encoder_refuses_none_of_them(model_folder: Path, tags: tuple[str, ...]) -> None:
    encoder = open_encoder(model_folder)
    body = (
        "# Dlhá\n\n"
        + "Slovo opisuje nastavenie zariadenia v sieti. " * 30
        + "👩‍👩‍👧漢字" * 90
        + " koniec"
    )
    structure = parse(body)
    chunks = make_chunks(body, structure, ChunkSizes(2000, 0, 0), encoder)
    page = document("", encoder, tags=tags, sections=structure.sections, chunks=tuple(chunks))
    segments = [segment for chunk in chunks for segment in chunk_segments(page, chunk, encoder)]
    assert len(segments) > 1
    for segment in segments:
        length = encoder.count_tokens(segment.input) + encoder.overhead()
        assert length <= encoder.max_tokens
    assert segments[-1].input.endswith("koniec")
    encoder.encode_passages([max((s.input for s in segments), key=encoder.count_tokens)])


def test_equal_inputs_are_computed_once_and_known_ones_never(tmp_path: Path) -> None:
    encoder = CountingEncoder()
    first = embedder(encoder, tmp_path)
    rows = first.embed(["a", "b", "a"])
    assert rows.shape == (3, 3)
    assert rows[0].tobytes() == rows[2].tobytes()
    assert (first.computed, first.reused, encoder.encoded) == (2, 0, ["a", "b"])
    second = embedder(encoder, tmp_path)
    again = second.embed(["a", "b", "c"])
    assert (second.computed, second.reused, encoder.encoded) == (1, 2, ["a", "b", "c"])
    assert again[:2].tobytes() == rows[:2].tobytes()


def test_no_inputs_are_no_rows(tmp_path: Path) -> None:
    assert embedder(CountingEncoder(), tmp_path).embed([]).shape == (0, 3)


def test_a_heading_longer_than_the_encoder_is_the_mean_of_its_parts(tmp_path: Path) -> None:
    encoder = CountingEncoder()
    heading = " ".join(f"slovo{n}" for n in range(60))
    (row,) = embedder(encoder, tmp_path).embed([heading])
    assert "".join(encoder.encoded) == heading
    assert len(encoder.encoded) == 3
    assert float(np.linalg.norm(row)) == pytest.approx(1)


def test_the_probe_comes_out_of_the_cache_too(tmp_path: Path) -> None:
    encoder = CountingEncoder()
    encoder.max_tokens = 100
    expected = probe_vectors(encoder)
    assert embedder(encoder, tmp_path).probe().tobytes() == expected.tobytes()
    encoder.encoded.clear()
    assert embedder(encoder, tmp_path).probe().tobytes() == expected.tobytes()
    assert encoder.encoded == []


def test_work_is_counted_as_it_was_and_as_an_empty_cache_would_make_it(tmp_path: Path) -> None:
    first = embedder(CountingEncoder(), tmp_path)
    first.embed(["abc", "abc", "de"])
    first.embed(["abc"])  # also with an empty cache it would be computed once
    assert (first.work.characters_computed, first.work.characters) == (5, 5)
    second = embedder(CountingEncoder(), tmp_path)
    second.embed(["abc", "fghi"])
    assert (second.work.characters_computed, second.work.characters) == (4, 7)
    assert second.work.seconds > 0


def test_a_chunk_of_one_sentence_needs_no_vector_for_it() -> None:
    def sentences(text: str) -> list[str]:
        chunk = Chunk(0, 0, text, 0, 0, len(text), 1, 1, 1)
        found = chunk_sentences(chunk)
        assert all(text[s.start : s.end] == s.input for s in found)
        return [segment.input for segment in found]

    assert sentences("Only one sentence stands in this chunk.") == []
    assert sentences("The printer is on floor 2.5 of the house. Its toner lies below it!\nOk.") == [
        "The printer is on floor 2.5 of the house.",
        "Its toner lies below it!",
    ]
    assert sentences("- first item of the list without a stop\n- second item of the same list") == [
        "- first item of the list without a stop",
        "- second item of the same list",
    ]
    code = "```sh\napt-get install --yes everything\n```\n"
    assert sentences(f"The first sentence is prose.\n{code}The second one is prose.") == [
        "The first sentence is prose.",
        "The second one is prose.",
    ]
    assert len(sentences("A sentence that is long enough to count. " * 90)) == 40
