"""The database that a build writes, read with nothing but SQLite."""

from __future__ import annotations

import json
import re
import sqlite3
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from build.config import load_config
from build.pipeline import build_version
from build.postings import K1, WEIGHT_SCALE, B, trigram_postings
from index_artifacts import schema
from index_artifacts.file_store import FileStore
from index_artifacts.text import trigrams
from tests.wiki import write_pages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LONG = " ".join(f"Sentence {n} tells how a server is set up." for n in range(150))
PAGES = {
    "people/jana.md": "---\ntitle: Jana Mokrá\ntaxonomy:\n  tag: [Server, server, NLP]\n"
    "  category: dp2024\n  author: Ján Ťažký\naliases: [JM]\ndate: 2024-02-03\nx: 1.10\n---\n"
    "# Plan\n\n[a](../long.md#part), [[Łódź]], [[Nobody]].\n\n## Next\n\nServers run.\n",
    "people/empty.md": "---\ntitle: Only a title\n---\n",
    "long.md": f"intro\n\n# Long\n\n{LONG} lastword\n",
    "lodz.md": "# Łódź\n\nA city of servers; c++ and c# too.\n",
    "secret.md": "---\npublished: false\n---\nNot shown.\n",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("index")
    return compiled(folder)


def compiled(folder: Path) -> Path:
    """Write the pages below ``folder`` and build them there."""
    collections = (
        {"name": "people", "path": "people"}, {"name": "none", "path": "none"}, {"name": "wiki"},
    )  # fmt: skip
    config = load_config(
        folder, model="cooccurrence", languages=("en",), publication="mark",
        collections=collections, source_url="https://x/{path}",
    )  # fmt: skip
    write_pages(folder / "wiki", PAGES)
    store = FileStore(folder / "store")
    return build_version(folder / "wiki", folder / "artifact", config, store).folder


@pytest.fixture
def database(index: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(f"{(index / 'index.sqlite').as_uri()}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    yield connection
    connection.close()


def column(database: sqlite3.Connection, query: str, *values: object) -> list[Any]:
    return [row[0] for row in database.execute(query, values)]


def test_it_is_a_whole_database_of_one_file(index: Path, database: sqlite3.Connection) -> None:
    assert column(database, "PRAGMA integrity_check") == ["ok"]
    assert column(database, "PRAGMA journal_mode") == ["delete"]
    assert column(database, "PRAGMA freelist_count") == [0]
    assert not [file.name for file in index.iterdir() if file.name.startswith("index.sqlite-")]


def test_every_table_of_the_schema_is_there_and_described(database: sqlite3.Connection) -> None:
    described = set()
    for row in re.findall(r"^\| ([a-z_, ]+) \|", schema.__doc__ or "", re.MULTILINE):
        described |= set(row.split(", ")) - {"table"}
    tables = set(column(database, "SELECT name FROM sqlite_master WHERE type = 'table'"))
    full_text = {name for name in tables if re.match(r"(lemma|exact|suggest)_\d", name)}
    assert described == {t for t in tables - full_text if not t.startswith("sqlite_")}
    for number in column(database, "SELECT id FROM collections"):
        assert {schema.lemma_table(number), schema.exact_table(number)} <= full_text
    for number in column(database, "SELECT id FROM suggestion_lists"):
        assert schema.suggest_table(number) in full_text


def test_a_document_reads_as_its_page_says(database: sqlite3.Connection) -> None:
    row = database.execute("SELECT * FROM documents WHERE path = 'people/jana.md'").fetchone()
    assert (row["title"], row["language"], row["published"]) == ("Jana Mokrá", "en", 1)
    assert json.loads(row["authors"]) == ["Ján Ťažký"]
    assert json.loads(row["tags"]) == ["Server", "server", "NLP"]
    assert json.loads(row["aliases"]) == ["JM"]
    assert (row["created"], row["updated"], row["year"]) == ("2024-02-03", None, 2024)
    assert row["source_url"] == "https://x/people/jana.md"
    assert json.loads(row["front_matter"])["x"] == "1.10"
    assert "Mokrá" in row["title"]
    assert "\\u" not in row["front_matter"]
    assert column(database, "SELECT published FROM documents WHERE path = 'secret.md'") == [0]


def test_chunk_ids_have_no_gaps_and_a_collections_are_consecutive(
    database: sqlite3.Connection,
) -> None:
    ids = column(database, "SELECT id FROM chunks ORDER BY id")
    assert ids == list(range(1, len(ids) + 1))
    position = 1
    for row in database.execute("SELECT * FROM collections ORDER BY id").fetchall():
        inside = column(
            database,
            "SELECT chunks.id FROM chunks JOIN documents ON documents.id = document_id "
            "WHERE collection_id = ? ORDER BY chunks.id",
            row["id"],
        )
        assert inside == list(range(position, position + row["chunks"]))
        assert row["first_chunk"] == position
        position += row["chunks"]
    assert column(database, "SELECT chunks FROM collections WHERE name = 'none'") == [0]


def test_joined_chunks_are_the_body(database: sqlite3.Connection) -> None:
    for path in ("people/jana.md", "long.md"):
        chunks = database.execute(
            "SELECT text, repeated FROM chunks JOIN documents ON documents.id = document_id "
            "WHERE path = ? ORDER BY ordinal",
            (path,),
        ).fetchall()
        body = "".join(row["text"][row["repeated"] :] for row in chunks)
        assert PAGES[path].endswith(body)
        assert body.startswith(("# Plan", "intro"))


def test_full_text_rows_are_chunks(database: sqlite3.Connection) -> None:
    for collection in database.execute("SELECT * FROM collections").fetchall():
        last = collection["first_chunk"] + collection["chunks"]
        expected = list(range(collection["first_chunk"], last))
        for table in (schema.lemma_table, schema.exact_table):
            name = table(collection["id"])
            assert column(database, f"SELECT rowid FROM {name} ORDER BY rowid") == expected


@pytest.mark.parametrize(
    ("table", "query", "path"),
    [
        (schema.exact_table, "lastword", "long.md"),
        (schema.exact_table, "lodz", "lodz.md"),
        (schema.exact_table, '"c++"', "lodz.md"),
        (schema.exact_table, "title : jm", "people/jana.md"),
        (schema.exact_table, "keywords : tazky", "people/jana.md"),
        (schema.exact_table, "headings : next", "people/jana.md"),
        (schema.exact_table, "title : only", "people/empty.md"),
        (schema.lemma_table, "body : server", "people/jana.md"),
    ],
)
def test_a_chunk_is_found_by_every_column(
    database: sqlite3.Connection, table: Any, query: str, path: str
) -> None:
    found = set()
    for number in column(database, "SELECT id FROM collections"):
        name = table(number)
        found |= set(
            column(
                database,
                f"SELECT path FROM {name} JOIN chunks ON chunks.id = {name}.rowid "
                f"JOIN documents ON documents.id = document_id WHERE {name} MATCH ?",
                query,
            )
        )
    assert path in found


def test_sections_and_links_point_where_they_should(database: sqlite3.Connection) -> None:
    paths = column(
        database,
        "SELECT sections.path FROM chunks JOIN sections ON sections.id = section_id "
        "JOIN documents ON documents.id = chunks.document_id WHERE documents.path = ? "
        "ORDER BY chunks.ordinal",
        "people/jana.md",
    )
    assert [json.loads(path) for path in paths] == [["Plan"], ["Plan", "Next"]]
    links = database.execute(
        "SELECT target, fragment, kind, line, documents.path FROM links "
        "LEFT JOIN documents ON documents.id = to_document_id ORDER BY links.id"
    ).fetchall()
    assert [tuple(row) for row in links] == [
        ("../long.md", "part", "markdown", 13, "long.md"),
        ("Łódź", "", "wikilink", 13, "lodz.md"),
        ("Nobody", "", "wikilink", 13, None),
    ]


def test_every_chunk_has_segments_that_cover_it(database: sqlite3.Connection) -> None:
    for chunk in database.execute("SELECT id, text FROM chunks").fetchall():
        segments = database.execute(
            "SELECT start, end FROM segments WHERE chunk_id = ? ORDER BY id", (chunk["id"],)
        ).fetchall()
        pieces = [chunk["text"][row["start"] : row["end"]] for row in segments]
        assert segments
        assert "".join(pieces) == chunk["text"]


def test_vectors_are_half_precision_rows_of_length_one(database: sqlite3.Connection) -> None:
    rows = {"segment": 0, "sentence": 0, "heading": 0, "summary": 0}
    for block in database.execute("SELECT * FROM vectors").fetchall():
        matrix = np.frombuffer(block["data"], "<f2").reshape(block["rows"], block["dimension"])
        lengths = np.linalg.norm(matrix.astype(np.float32), axis=1)
        assert np.all((np.abs(lengths - 1) < 0.01) | (lengths == 0))
        rows[block["kind"]] += block["rows"]
    assert rows["segment"] == column(database, "SELECT count(*) FROM segments")[0]
    assert (
        rows["sentence"] == column(database, "SELECT count(DISTINCT vector_row) FROM sentences")[0]
    )
    assert rows["summary"] == column(database, "SELECT count(*) FROM documents")[0]
    assert rows["heading"] <= column(database, "SELECT count(*) FROM sections")[0]


def test_facets_count_spellings_once(database: sqlite3.Connection) -> None:
    facets = database.execute(
        "SELECT facet, key, value FROM facets JOIN documents ON documents.id = document_id "
        "WHERE path = 'people/jana.md' ORDER BY facet, key"
    ).fetchall()
    assert [tuple(row) for row in facets] == [
        ("author", "ján ťažký", "Ján Ťažký"),
        ("category", "dp2024", "dp2024"),
        ("language", "en", "en"),
        ("tag", "nlp", "NLP"),
        ("tag", "server", "Server"),
        ("year", "2024", "2024"),
    ]


def test_the_vocabulary_holds_each_folded_word_once_as_mostly_written(
    database: sqlite3.Connection,
) -> None:
    rows = {row["word"]: row for row in database.execute("SELECT * FROM vocabulary")}
    assert rows["lodz"]["surface"] == "łódź"
    assert rows["lastword"]["chunks"] == rows["lastword"]["occurrences"] == 1
    assert rows["server"]["occurrences"] > rows["server"]["chunks"] > 1
    ids = sorted(row["id"] for row in rows.values())
    assert ids == list(range(1, len(ids) + 1))
    assert [rows[word]["id"] for word in sorted(rows)] == ids


def test_every_form_of_a_used_lemma_leads_to_words_of_the_wiki(
    database: sqlite3.Connection,
) -> None:
    query = (
        "SELECT DISTINCT word FROM lemma_forms JOIN lemma_words USING (lemma) "
        "WHERE form = ? AND language = 'en'"
    )
    assert {"server", "servers"} <= set(column(database, query, "servers"))
    assert {"run"} <= set(column(database, query, "running"))


def test_equal_documents_make_equal_files(index: Path, tmp_path: Path) -> None:
    again = compiled(tmp_path)
    first = (index / "index.sqlite").read_bytes()
    assert (again / "index.sqlite").read_bytes() == first


def test_postings_weigh_trigrams_as_bm25_does() -> None:
    rows = [["server", "server"], ["serve"], ["xy"], []]
    postings = trigram_postings(rows)
    counts = [sum(len(trigrams(word)) for word in row) for row in rows]
    mean = sum(counts) / len(rows)
    term, idf, first, count = next(term for term in postings.terms if term[0] == "ser")
    ids = np.frombuffer(postings.ids, f"<u{postings.id_bytes}")[first : first + count]
    weights = np.frombuffer(postings.weights, np.uint8)[first : first + count]
    assert (term, list(ids)) == ("ser", [0, 1])
    for row, frequency, weight in zip(ids, (2, 1), weights, strict=True):
        norm = K1 * (1 - B + B * counts[row] / mean)
        assert weight / WEIGHT_SCALE == pytest.approx(
            frequency * (K1 + 1) / (frequency + norm), abs=0.01
        )
    assert idf == pytest.approx(np.log(1 + (4 - 2 + 0.5) / (2 + 0.5)), abs=1e-5)
    known = {gram for word in ("server", "serve", "xy") for gram in trigrams(word)}
    assert {term for term, *_ in postings.terms} == known
    assert trigram_postings([]).terms == ()
