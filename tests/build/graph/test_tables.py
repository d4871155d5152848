"""The graph as tables of a real index: a whole build, read with nothing but SQLite."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from build.config import load_config
from build.pipeline import build_version
from index_artifacts.file_store import FileStore
from index_artifacts.graph.model import ENTITY_TYPES
from index_artifacts.graph.pickled import load_graph
from index_artifacts.manifest import Manifest
from tests.wiki import write_pages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LONG = "\n\n".join(f"Ryba číslo {n} pláva v rieke a nikdy nespí, lebo sa bojí." for n in range(90))
PAGES: dict[str, str | bytes] = {
    "edgewiki.toml": '[wiki]\nlanguages = ["sk"]\npublication = "mark"\n'
    'source_url = "https://x/{path}"\n[graph]\nprofiles = ["generic", "thesis"]\n'
    '[model]\nkind = "cooccurrence"\n',
    "students/2019/jan_malik/README.md": "---\ncategory: [dp2024]\nauthor: Eva Dubská\n---\n"
    f"# Ján Malík\n\nZačiatok štúdia: 2019\n\n{LONG}\n\n## Diplomová práca 2024\n\n"
    "Názov: Servery a ryby\n\nVedúca: doc. Eva Dubská, PhD.\n",
    "students/2020/oto_zeman/README.md": "# Oto Zeman\n\n## Bakalárska práca 2023\n\nVedúci:\n",
    "rybolov.md": "---\ntags: [Servery]\n---\n# Rybolov na rieke\n\nText o rybolove.\n",
    "tajne.md": "---\npublished: false\ntags: [tajomstvo]\n---\n# Tajné\n\nText o tajomstve.\n",
    "zla.md": "# Zlá\n\nž".encode("cp1250"),
}


@pytest.fixture(scope="module")
def artifact(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("graph")
    wiki = write_pages(folder / "wiki", PAGES)
    store = FileStore(folder / "store")
    return build_version(wiki, folder / "artifact", load_config(wiki), store).folder


@pytest.fixture
def database(artifact: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(f"{(artifact / 'index.sqlite').as_uri()}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    yield connection
    connection.close()


def rows(database: sqlite3.Connection, query: str, *values: object) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in database.execute(query, values)]


def test_the_tables_hold_what_the_pickle_holds(
    artifact: Path, database: sqlite3.Connection
) -> None:
    graph = load_graph(artifact / "graph.pickle")
    entities = rows(database, "SELECT key, type, name, attributes, published FROM entities")
    assert entities == [
        (
            key, node["type"], node["name"], json.dumps(node["attributes"], ensure_ascii=False),
            int(node["published"]),
        )
        for key, node in graph.nodes(data=True)
    ]  # fmt: skip
    stored = rows(
        database,
        "SELECT s.key, t.key, relation, r.published FROM relations r "
        "JOIN entities s ON s.id = source_id JOIN entities t ON t.id = target_id",
    )
    assert sorted(stored) == sorted(
        (source, target, name, int(edge["published"]))
        for source, target, name, edge in graph.edges(keys=True, data=True)
    )
    assert graph.nodes["document:rybolov.md"]["source_url"] == "https://x/rybolov.md"


def test_entities_are_in_the_order_of_their_types_and_keys(database: sqlite3.Connection) -> None:
    found = rows(database, "SELECT type, key FROM entities ORDER BY id")
    assert found == sorted(found, key=lambda row: (ENTITY_TYPES.index(row[0]), row[1]))


def test_one_recursive_query_answers_a_path(database: sqlite3.Connection) -> None:
    query = """
        WITH RECURSIVE path(id, names, length) AS (
            SELECT id, name, 0 FROM entities WHERE key = 'person:eva-dubska'
            UNION ALL
            SELECT target_id, names || ' > ' || relation || ' > ' || name, length + 1
            FROM path JOIN relations ON source_id = path.id JOIN entities e ON e.id = target_id
            WHERE length < 2
        ) SELECT names FROM path WHERE length = 2
    """
    found = [names for (names,) in rows(database, query)]
    assert found == ["Eva Dubská > SUPERVISED > Servery a ryby > EVIDENCED_BY > Ján Malík"]


def test_provenance_names_document_chunk_lines_and_rule(database: sqlite3.Connection) -> None:
    query = (
        "SELECT d.path, c.text, p.line, p.last_line, p.rule FROM provenance p "
        "JOIN entities e ON e.id = p.entity_id JOIN documents d ON d.id = p.document_id "
        "LEFT JOIN chunks c ON c.id = p.chunk_id WHERE e.key = ? AND p.attribute = ?"
    )
    ((path, text, line, last_line, rule),) = rows(
        database, query, "thesis:jan-malik/master-2024", "title"
    )
    assert (path, rule) == ("students/2019/jan_malik/README.md", "thesis/title-label")
    assert line == last_line
    assert "Názov: Servery a ryby" in text
    assert rows(database, "SELECT count(DISTINCT chunk_id) > 1 FROM provenance") == [(1,)]
    (front,) = rows(database, query, "keyword:server", "")
    assert front == ("rybolov.md", None, 1, 3, "generic/tag")


def test_what_only_an_unpublished_page_says_is_not_published(database: sqlite3.Connection) -> None:
    query = "SELECT key FROM entities WHERE NOT published ORDER BY key"
    assert [key for (key,) in rows(database, query)] == [
        "document:tajne.md", "keyword:tajomstvo", "topic:tajny",
    ]  # fmt: skip
    ((relations,),) = rows(database, "SELECT count(*) FROM relations WHERE NOT published")
    assert relations == 3


def test_a_person_is_found_by_any_word_of_the_name_another_by_its_rarest(
    database: sqlite3.Connection,
) -> None:
    query = "SELECT anchor, words FROM entity_names JOIN entities e ON e.id = entity_id "
    assert rows(database, query + "WHERE key = 'person:eva-dubska'") == [
        ("dubska", "eva dubska"), ("eva", "eva dubska"),
    ]  # fmt: skip
    assert rows(database, query + "WHERE key = 'thesis:jan-malik/master-2024'") == [
        ("ryba", "server ryba"), ("ryby", "servery ryby"),
    ]  # fmt: skip
    assert rows(database, query + "WHERE key = 'topic:rybolov-na-rieka'") == [
        ("rybolov", "rybolov rieka"), ("rybolov", "rybolov rieke"),
    ]  # fmt: skip
    assert rows(database, query + "WHERE type = 'Section'") == []


def test_names_are_found_in_any_case(database: sqlite3.Connection) -> None:
    query = "SELECT word FROM name_forms WHERE form = ?"
    for form in ("malik", "malika", "malikovi", "malikom"):
        assert rows(database, query, form) == [("malik",)]
    for form in ("dubska", "dubskej", "dubsku"):
        assert rows(database, query, form) == [("dubska",)]
    assert rows(database, query, "malikova") == []


def test_gaps_are_rows_also_of_pages_that_are_not_there(database: sqlite3.Connection) -> None:
    query = "SELECT path, document_id IS NULL, line, about FROM graph_gaps WHERE about = ?"
    page = "students/2020/oto_zeman/README.md"
    assert rows(database, query, "SUPERVISED") == [(page, 0, 5, "SUPERVISED")]
    assert rows(database, query, "Keyword") == [("zla.md", 1, 1, "Keyword")]


def test_the_manifest_counts_what_there_is(artifact: Path, database: sqlite3.Connection) -> None:
    counts = Manifest.from_json((artifact / "manifest.json").read_bytes()).counts
    for table in ("entities", "relations", "graph_gaps"):
        assert rows(database, f"SELECT count(*) FROM {table}") == [(counts[table],)]
    assert (counts["graph_Person"], counts["graph_Thesis"], counts["graph_SUPERVISED"]) == (3, 2, 1)
