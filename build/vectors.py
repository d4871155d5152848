"""All vectors of a wiki: chunk segments, headings and summaries, by collection."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from build.embedding import chunk_segments, chunk_sentences, heading_input, summary_input
from build.index_writer import VectorBlock
from index_artifacts.schema import HEADING, SEGMENT, SENTENCE, SUMMARY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from build.embedding import Embedder, Segment
    from index_artifacts.encoder import Encoder
    from index_artifacts.records import Document


@dataclass(frozen=True, slots=True)
class DocumentVectors:
    """Vector blocks, and what their rows stand for; see `build.index_writer.Compiled`."""

    segments: tuple[tuple[Segment, ...], ...]
    sentences: tuple[tuple[Segment, ...], ...]
    sentence_rows: tuple[int, ...]
    heading_rows: tuple[int | None, ...]
    blocks: tuple[VectorBlock, ...]


def embed_documents(
    documents: Sequence[Document],
    collections: Sequence[str],
    encoder: Encoder,
    embedder: Embedder,
    *,
    with_sentences: bool,
) -> DocumentVectors:
    """Embed every chunk, heading path and summary, and the sentences where they are wanted.

    Equal headings of a page share a vector, and equal sentences of a collection do.
    """
    segments: list[tuple[Segment, ...]] = []
    sentences: list[tuple[Segment, ...]] = []
    sentence_rows: list[int] = []
    heading_rows: list[int | None] = []
    inputs: dict[tuple[str, str], list[str]] = {}
    for name in collections:
        inside = [document for document in documents if document.collection == name]
        found = [tuple(chunk_segments(d, c, encoder)) for d in inside for c in d.chunks]
        chunks = [chunk for document in inside for chunk in document.chunks]
        inner = [tuple(chunk_sentences(chunk)) if with_sentences else () for chunk in chunks]
        rows, headings = _headings(inside)
        segments += found
        sentences += inner
        heading_rows += rows
        inputs[SEGMENT, name] = [segment.input for pieces in found for segment in pieces]
        texts = dict.fromkeys(segment.input for pieces in inner for segment in pieces)
        number = {text: row for row, text in enumerate(texts)}
        sentence_rows += [number[segment.input] for pieces in inner for segment in pieces]
        inputs[SENTENCE, name] = list(texts)
        inputs[HEADING, name] = headings
        inputs[SUMMARY, name] = [summary_input(document) for document in inside]
    # One call, so that progress counts to one total.
    matrix = embedder.embed([text for texts in inputs.values() for text in texts])
    ends = list(accumulate(len(texts) for texts in inputs.values()))
    blocks = [
        VectorBlock(kind, name, matrix[end - len(texts) : end])
        for ((kind, name), texts), end in zip(inputs.items(), ends, strict=True)
    ]
    return DocumentVectors(
        tuple(segments), tuple(sentences), tuple(sentence_rows), tuple(heading_rows), tuple(blocks)
    )


def _headings(documents: Sequence[Document]) -> tuple[list[int | None], list[str]]:
    rows: list[int | None] = []
    known: dict[str, int] = {}
    for document in documents:
        for section in document.sections:
            text = heading_input(document, section.path)
            rows.append(known.setdefault(text, len(known)))
    return rows, list(known)
