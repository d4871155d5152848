"""The build, top to bottom: read → split → analyse → embed → link → summarise → write."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from build.embedding import Embedder
from build.encoders import ready_encoder
from build.git import open_repository
from build.graph.extraction import extract_graph
from build.graph.pickling import dump_graph, to_networkx
from build.graph.profiles import load_profiles
from build.graph.public import extract_public_graph
from build.graph.tables import graph_counts
from build.index_writer import Compiled, write_index
from build.language_means import language_means
from build.lemmas import compile_lemmas, surfaces
from build.links import resolve_links
from build.pages import find_pages
from build.reading import PageReader
from build.report import Report
from build.summaries.summarising import summarise, summary_counts
from build.summaries.writing import write_summaries
from build.tuning import read_tuning
from build.vector_cache import VectorCache
from build.vectors import embed_documents
from index_artifacts.encoder import describe
from index_artifacts.errors import SourceError, StrictBuildError
from index_artifacts.manifest import (
    GRAPH_FILE,
    INDEX_FILE,
    MANIFEST_FILE,
    MODEL_FOLDER,
    FileEntry,
    Manifest,
    Source,
    canonical_json,
)
from index_artifacts.text import ANALYZER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from build.config import BuildConfig
    from build.embedding import EncoderWork
    from build.summaries.writing import WrittenSummaries
    from build.tuning import TuningFile
    from index_artifacts.records import Document
    from index_artifacts.store import Store

    Progress = Callable[[str, int, int], None]
    """Called with a phase, how much of it is done and how much there is (0: not known)."""


# Sentence vectors are about four times as many as chunks: beyond this they are not worth it.
_SENTENCES_UP_TO = 20_000
_CALLED = {"markdown": "Markdown page", "text": "text file", "mail": "mail"}
# A build takes minutes: a temporary folder this old has lost its build.
_LEFTOVER_SECONDS = 24 * 3600


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What a build made, and what it cost; the cost is no part of the version."""

    manifest: Manifest
    folder: Path
    embeddings_computed: int
    embeddings_reused: int
    cache_entries_damaged: int
    seconds: float
    encoder_work: EncoderWork
    summaries: WrittenSummaries

    def summary(self) -> dict[str, Any]:
        """What a script wants to know of a build."""
        return {
            "version": self.manifest.version,
            "folder": str(self.folder),
            "counts": self.manifest.counts,
            "bytes": {entry.name: entry.size for entry in self.manifest.files},
            "embeddings": {
                "computed": self.embeddings_computed,
                "reused": self.embeddings_reused,
                "damaged_cache_entries": self.cache_entries_damaged,
            },
            "summaries": self.summaries.costs(),
            "seconds": round(self.seconds, 1),
            "report": list(self.manifest.report),
        }


def build_version(
    wiki: Path,
    output: Path,
    config: BuildConfig,
    store: Store,
    *,
    strict: bool = False,
    progress: Progress = lambda *_: None,
) -> BuildResult:
    """Compile the wiki in folder ``wiki`` into the artifact folder ``output``.

    ``output`` appears, or is replaced, only once everything in it is written. Equal commit,
    settings, model and embedding cache give equal bytes. Raises `StrictBuildError` where
    ``strict`` and a page was skipped or degraded; `SourceError`, `ModelError`, `StoreError`.
    """
    started = time.monotonic()
    report = Report()
    profiles = load_profiles(config.graph_profiles, wiki)
    tuned = read_tuning(wiki / config.tuning_file if config.tuning_file else None)
    output = output.absolute()
    _require_replaceable(output)
    output.parent.mkdir(parents=True, exist_ok=True)
    _remove_leftovers(output)
    with tempfile.TemporaryDirectory(prefix=f".{output.name}-", dir=output.parent) as temporary:
        folder = Path(temporary) / "artifact"
        folder.mkdir()
        root = (wiki / config.root).resolve()
        repository = open_repository(root) if root.is_dir() else None
        source = repository.source() if repository else Source()

        progress("reading", 0, 0)
        pages = find_pages(root, repository, config.exclude, report, config.sources)
        reader = PageReader(config, source, repository, report)
        documents = reader.read(pages, progress)
        encoder = ready_encoder(config, documents, folder / MODEL_FOLDER)

        progress("splitting", 0, len(documents))
        documents = [reader.split(document, encoder) for document in documents]
        documents = resolve_links(documents, report)
        if not documents:
            raise SourceError(_nothing_to_index(root, config, report))
        _refuse_if_strict(strict, report)

        progress("analysing", 0, 0)
        lemmas = compile_lemmas(surfaces(_texts(documents)))

        written = write_summaries(documents, reader, lemmas, config, store, report, progress)
        documents = summarise(documents, reader, lemmas, written.by_path)

        public_graph = extract_public_graph(documents, config, lemmas, profiles, report)
        graph = extract_graph(documents, lemmas, profiles, report)

        cache = VectorCache(store, encoder.fingerprint, encoder.dimension)
        embedder = Embedder(encoder, cache, lambda done, all_: progress("embedding", done, all_))
        names = tuple(collection.name for collection in config.collections)
        vectors = embed_documents(
            documents, names, encoder, embedder, with_sentences=_wants_sentences(config, documents)
        )
        description = describe(encoder, embedder.probe())
        means = language_means(embedder)

        progress("writing", 0, 0)
        compiled = Compiled(
            collections=names,
            documents=tuple(documents),
            lemmas=lemmas,
            segments=vectors.segments,
            sentences=vectors.sentences,
            sentence_rows=vectors.sentence_rows,
            heading_rows=vectors.heading_rows,
            blocks=vectors.blocks,
            language_means=means,
            encoder=encoder.fingerprint,
            graph=graph,
            public_graph=public_graph,
        )
        counts = write_index(folder / INDEX_FILE, compiled)
        pages_by_path = {document.path: document for document in documents}
        (folder / GRAPH_FILE).write_bytes(dump_graph(to_networkx(graph, pages_by_path)))
        counts |= graph_counts(graph)
        counts |= summary_counts(documents) | {"pages_found": len(pages)}

        manifest = _manifest(folder, source, config, counts, description, report, tuned)
        (folder / MANIFEST_FILE).write_bytes(manifest.to_json())
        _put_in_place(folder, output)
    return BuildResult(
        manifest=manifest,
        folder=output,
        embeddings_computed=embedder.computed,
        embeddings_reused=embedder.reused,
        cache_entries_damaged=cache.damaged,
        seconds=time.monotonic() - started,
        encoder_work=embedder.work,
        summaries=written,
    )


def _wants_sentences(config: BuildConfig, documents: Sequence[Document]) -> bool:
    if config.sentence_vectors == "auto":
        return sum(len(document.chunks) for document in documents) <= _SENTENCES_UP_TO
    return config.sentence_vectors == "on"


def _texts(documents: Sequence[Document]) -> list[tuple[str, str]]:
    return [
        (document.language, "\n".join(parts))
        for document in documents
        for parts in [
            (
                document.title,
                *document.aliases,
                *document.tags,
                *document.categories,
                *document.authors,
                *(section.heading for section in document.sections),
                document.body,
            )
        ]
    ]


def _nothing_to_index(root: Path, config: BuildConfig, report: Report) -> str:
    left_out = [row for row in report.rows() if row["severity"] in {"skipped", "excluded"}]
    if not left_out:
        kinds = dict.fromkeys(source.kind for source in config.sources)
        wanted = " and no ".join(_CALLED[kind] for kind in kinds)
        return f"{root}: there is no {wanted} below it; is it the wiki's root?"
    first = left_out[0]
    return (
        f"{root}: every page was left out ({len(left_out)}); "
        f"the first: {first['path']}: {first['reason']}"
    )


def _refuse_if_strict(strict: bool, report: Report) -> None:
    spoilt = report.spoils_strict_build() if strict else []
    if spoilt:
        first = spoilt[0]
        raise StrictBuildError(
            f"--strict: {len(spoilt)} pages were skipped or degraded, the first: "
            f"{first.path}:{first.line}: {first.reason}"
        )


def _manifest(
    folder: Path,
    source: Source,
    config: BuildConfig,
    counts: dict[str, int],
    encoder: dict[str, Any],
    report: Report,
    tuned: TuningFile,
) -> Manifest:
    manifest = Manifest(
        version="",
        source=Source(),
        files=tuple(_file_entry(folder, file) for file in _files(folder)),
        counts=counts,
        config=config.published_part(),
        analyzer=ANALYZER,
        encoder=encoder,
        tuning=tuned.tuning.to_dict(),
        calibration=tuned.calibration.fitting(encoder["fingerprint"]).to_dict(),
        report=tuple(report.rows()),
    )
    content = hashlib.sha256(canonical_json(manifest.to_json().decode())).hexdigest()
    commit = (source.revision or "folder")[:12]
    return replace(manifest, version=f"{commit}-{content[:12]}", source=source)


def _files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if file.is_file())


def _file_entry(folder: Path, file: Path) -> FileEntry:
    with file.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return FileEntry(file.relative_to(folder).as_posix(), digest, file.stat().st_size)


def _require_replaceable(output: Path) -> None:
    if output.exists() and not output.is_dir():
        raise SourceError(f"{output} is a file: choose another --output")
    if output.exists() and not (output / MANIFEST_FILE).is_file() and any(output.iterdir()):
        raise SourceError(f"{output} is not empty and holds no artifact: choose another --output")


def _remove_leftovers(output: Path) -> None:
    """Delete what builds that were killed left beside ``output`` a day ago or longer."""
    for folder in output.parent.glob(f".{output.name}-*"):
        if folder.is_dir() and time.time() - folder.stat().st_mtime > _LEFTOVER_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)


def _put_in_place(folder: Path, output: Path) -> None:
    _require_replaceable(output)
    # The old artifact goes into the temporary folder, which is deleted as a whole.
    if output.exists():
        output.rename(folder.parent / "replaced")
    folder.rename(output)
