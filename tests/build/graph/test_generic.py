"""What the generic profile reads off any wiki: fields, topics, definitions; and their identity."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from build.lemmas import Lemmas

if TYPE_CHECKING:
    from tests.build.graph.conftest import Compile

PAGES = {
    "b.md": "---\ntitle: Druhá\ntags: [server, NLP]\ncategory: dp2024\nauthor: Jana Mokrá\n---\n"
    "# Druhá\n\n[a](a.md) [[a]] [here](#x) [[gone]]\n\n## X\n\nText.\n\n## X\n\n### Y\n\nText.\n",
    "a.md": "---\ntitle: Prvá\ntags: Server\nauthor: jana  mokrá\n---\n# Prvá\n\nText.\n",
}


def test_fields_are_entities_and_relations(compile_pages: Compile) -> None:
    built = compile_pages(PAGES, "generic")
    assert {(e.key, e.name) for e in built.graph.entities if e.type != "Section"} == {
        ("document:a.md", "Prvá"),
        ("document:b.md", "Druhá"),
        ("author:jana-mokra", "Jana Mokrá"),
        ("keyword:server", "Server"),
        ("keyword:nlp", "NLP"),
        ("category:dp2024", "dp2024"),
        ("collection:wiki", "wiki"),
        ("topic:prva", "Prvá"),
        ("topic:druha", "Druhá"),
    }
    assert built.edges("LINKS_TO") == [("document:b.md", "document:a.md")]
    assert built.edges("AUTHORED_DOCUMENT") == [
        ("author:jana-mokra", "document:a.md"), ("author:jana-mokra", "document:b.md"),
    ]  # fmt: skip
    assert built.edges("HAS_KEYWORD") == [
        ("document:a.md", "keyword:server"),
        ("document:b.md", "keyword:nlp"),
        ("document:b.md", "keyword:server"),
    ]
    assert built.edges("IN_CATEGORY") == [("document:b.md", "category:dp2024")]
    assert built.edges("DESCRIBES") == [
        ("document:a.md", "topic:prva"), ("document:b.md", "topic:druha"),
    ]  # fmt: skip
    assert built.keys("Section") == ["section:b.md#x", "section:b.md#x-2"]
    assert [w.line for w in built.entities["section:b.md#x-2"].provenance] == [15]


def test_a_title_that_many_pages_share_is_no_topic(compile_pages: Compile) -> None:
    pages = {f"{n}.md": "---\ntitle: Lecture plan\n---\nText.\n" for n in range(6)}
    assert compile_pages(pages, "generic").keys("Topic") == []


def test_forms_of_a_word_are_one_keyword(compile_pages: Compile) -> None:
    lemmas = Lemmas(of={"sk": {"servery": "server", "servera": "server"}, "en": {}})
    pages = {
        "a.md": "---\nlang: sk\ntags: [Server, servery]\n---\nText.\n",
        "b.md": "---\nlang: sk\ntags: [servera]\n---\nText.\n",
        "c.md": "---\nlang: en\ntags: [servery]\n---\nText.\n",
        "d.md": "---\nlang: sk\ntags: [servery]\n---\nText.\n",
    }
    built = compile_pages(pages, "generic", lemmas=lemmas)
    assert built.keys("Keyword") == ["keyword:server"]
    assert built.entities["keyword:server"].names == ("Server", "servera")
    (note,) = built.notes("graph-merge")
    assert note == "'Server', 'servera', 'servery' are one Keyword (keyword:server)"


@pytest.mark.parametrize(
    "title", ["Home", "Poznámky", "Notes", "Stretnutia", "12. 3. 2020", "3. týždeň"]
)
def test_a_page_that_only_holds_a_place_describes_nothing(
    compile_pages: Compile, title: str
) -> None:
    assert not compile_pages({"a.md": f"---\ntitle: {title}\n---\nText.\n"}, "generic").keys(
        "Topic"
    )


@pytest.mark.parametrize(
    "path", ["en/glossary.md", "slovnicek-pojmov.md", "pl/slowniczek.md", "terms/README.md"]
)
@pytest.mark.parametrize(
    "text",
    [
        "- **Pod** – the smallest unit\n",
        "**Pod** - the smallest unit\n",
        "**Pod** (*unit*)\n: the smallest\nunit\n",
        "| Term | Meaning |\n|---|---|\n| Pod | the smallest unit |\n",
    ],
)
def test_a_glossary_defines_its_terms(compile_pages: Compile, path: str, text: str) -> None:
    titles = {"en": "Glossary", "slovnicek-pojmov.md": "Slovníček pojmov", "pl": "Słowniczek"}
    title = titles.get(path.split("/")[0], "Terms of ours")
    built = compile_pages({path: f"---\ntitle: {title}\n---\n# {title}\n\n{text}"}, "generic")
    assert built.entities["topic:pod"].attributes == {"definition": "the smallest unit"}
    assert "Term" not in [e.name for e in built.graph.entities]


def test_a_bold_word_with_a_dash_is_no_definition_elsewhere(compile_pages: Compile) -> None:
    text = "# Kubernetes\n\n- **Pod** – one\n\n## Slovník\n\n- **Service** – two\n\n## Iné\n\n"
    built = compile_pages({"a.md": text + "- **Disk** – three\n"}, "generic")
    assert built.keys("Topic") == ["topic:kubernetes", "topic:service"]


def test_a_term_that_is_a_pages_alias_is_that_pages_topic(compile_pages: Compile) -> None:
    built = compile_pages(
        {
            "asr.md": "---\ntitle: Speech recognition\naliases: [ASR]\n---\nText.\n",
            "glossary.md": "# Glossary\n\n**ASR** – speech to text\n",
        },
        "generic",
    )
    topic = built.entities["topic:speech-recognition"]
    assert topic.attributes == {"definition": "speech to text"}
    assert topic.page == "asr.md"
    assert topic.names == ("ASR",)
    assert not built.notes("graph-merge")


def test_an_alias_of_two_pages_is_neither(compile_pages: Compile) -> None:
    built = compile_pages(
        {
            "a.md": "---\ntitle: Information retrieval\naliases: [IR]\n---\nText.\n",
            "b.md": "---\ntitle: Infrared\naliases: [IR]\n---\nText.\n",
            "glossary.md": "# Glossary\n\n**IR** – one of two\n",
        },
        "generic",
    )
    assert "topic:ir" in built.keys("Topic")


def test_the_order_of_the_pages_does_not_matter(compile_pages: Compile) -> None:
    one, other = compile_pages(PAGES), compile_pages(PAGES, reverse=True)
    assert one.graph == other.graph


def test_no_pages_are_an_empty_graph(compile_pages: Compile) -> None:
    built = compile_pages({"LICENSE": "No page."})
    assert (built.graph.entities, built.graph.relations, built.graph.gaps) == ((), (), ())
