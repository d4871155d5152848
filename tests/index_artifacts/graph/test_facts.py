"""Every fact says where it stands, and what is not known to be all is not called complete."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index_artifacts.index import Index
from tests.index_artifacts.graph.graph_wiki import PAGES, graph_of
from tests.tiny_wiki import build

if TYPE_CHECKING:
    from pathlib import Path

    from index_artifacts.artifact import Artifact
    from index_artifacts.graph.search import Graph

KVETON = "students/2019/jan_kveton/README.md"


def test_a_fact_stands_on_the_lines_that_say_it(graph: Graph, graph_artifact: Artifact) -> None:
    lines = (graph_artifact.folder.parent / "wiki" / KVETON).read_text().splitlines()
    found = graph.search("Kto viedol diplomovú prácu Jána Kvetoňa?")
    facts = {fact.relation or fact.attribute: fact for fact in found.facts}
    assert facts.keys() == {"AUTHORED", "SUPERVISED", "kind"}
    said = {name: lines[fact.evidence[0].line - 1] for name, fact in facts.items()}
    assert said["SUPERVISED"] == "Vedúci: Ing. Peter Zelenák, PhD."
    assert said["kind"] == said["AUTHORED"] == "## Diplomová práca 2024"
    standing = facts["SUPERVISED"].evidence[0]
    assert (standing.path, standing.title) == (KVETON, "Ján Kvetoň")
    assert (standing.heading, standing.rule) == ("Diplomová práca 2024", "thesis/supervisor-label")
    assert standing.text == said["SUPERVISED"]
    assert standing.source_url == "https://wiki.test/students/2019/jan_kveton"
    assert found.paths == ((0, 1, 2),)


def test_of_several_answers_each_has_its_own_proof(graph: Graph) -> None:
    found = graph.search("Ktoré práce viedol Peter Zelenák?")
    assert len(found.proofs) == len(found.values) == 4
    proved = [{found.facts[n].object for n in proof} for proof in found.proofs]
    titles = [{node.name for node in nodes if node} for nodes in proved]
    assert titles == [{graph.tables.nodes([value])[value].name} for value in found.values]


def test_a_page_that_could_not_be_read_leaves_lists_open_but_not_what_is_asked_of_others(
    tmp_path: Path,
) -> None:
    wiki = tmp_path / "wiki" / "students" / "2016" / "jana_mala"
    wiki.mkdir(parents=True)
    (wiki / "README.md").write_bytes("# Jana Malá\n\nVedúci: Štefan\n".encode("cp1250"))
    graph = graph_of(Index(build(tmp_path, PAGES, languages=("sk", "en"))))
    for question in ("Koľko prác viedol Peter Zelenák?", "Kto viedol najviac prác?",
                     "Ktorí študenti začali študovať v roku 2018?"):  # fmt: skip
        found = graph.search(question)
        assert (found.outcome, found.complete) == ("answered", False), question
    for question in ("Kto viedol Jána Kvetoňa?", "Kedy začal študovať Ján Kvetoň?",
                     "Kto napísal prácu „Model Whisper“?"):  # fmt: skip
        found = graph.search(question)
        assert (found.outcome, found.complete) == ("answered", True), question
    # That X did not do it is known of X's own page alone.
    assert graph.search("Viedol Peter Zelenák Marka Oravkina?").values == (False,)
    assert graph.search("Viedol Peter Zelenák dizertačné práce?").outcome == "no_facts"


def test_the_query_is_told_in_words(graph: Graph) -> None:
    assert graph.search("Ktoré práce viedol Peter Zelenák v rokoch 2020 až 2023?").understood == (
        "list work where supervisor is Peter Zelenák, year is 2020 to 2023"
    )
    assert graph.search("Kto mal rovnakého vedúceho ako Ján Kvetoň?").understood == (
        "list student where the same supervisor as where student is Ján Kvetoň"
    )
    assert graph.search("Kto skončil skôr, Ján Kvetoň alebo Marek Oravkin?").understood == (
        "earlier student by year where compared are Ján Kvetoň and Marek Oravkin"
    )
