"""A department's wiki in a few pages, and its graph as a request may see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index_artifacts.graph.search import Graph, open_graph
from index_artifacts.search_records import SearchRequest

if TYPE_CHECKING:
    from typing import Any

    from index_artifacts.index import Index

_HEAD = (
    "---\npublished: {published}\ntaxonomy:\n  category: [{category}]\n  tag: [{tags}]\n"
    "  author: {author}\n---\n# {name}\n\n"
)


def _student(
    name: str,
    start: str,
    *works: str,
    category: str = "student",
    tags: str = "nlp",
    author: str = "Peter Zelenák",
    published: str = "true",
) -> str:
    head = _HEAD.format(name=name, category=category, tags=tags, author=author, published=published)
    began = f"Rok začiatku štúdia: {start}\n\n" if start else ""
    return head + began + "\n".join(works)


def _work(kind: str, year: int, title: str, supervisor: str, more: str = "") -> str:
    return f"## {kind} {year}\n\nNázov: {title}\n\nVedúci: {supervisor}\n\n{more}\n"


_B, _M, _D, _T = "Bakalárska práca", "Diplomová práca", "Dizertačná práca", "Tímový projekt"
Z, H, T = "Ing. Peter Zelenák, PhD.", "prof. Ing. Miloš Haverla, CSc.", "Alžbeta Turčanová"

PAGES = {
    "edgewiki.toml": """
[wiki]
publication = "mark"
source_url = "https://wiki.test/{route}"
[graph]
profiles = ["generic", "thesis"]
[[collections]]
name = "students"
path = "students"
[[collections]]
name = "wiki"
[[rag_profiles]]
name = "widget"
mode = "selected"
collections = ["wiki"]
[[rag_profiles]]
name = "mute"
mode = "none"
""",
    "students/2019/jan_kveton/README.md": _student(
        "Ján Kvetoň", "2019",
        _work(_M, 2024, "Generovanie odpovedí", Z, "Pozri [RAG](/topics/rag)."),
        _work(_B, 2022, "Vyhľadávanie odpovedí", Z),
        tags="nlp, rag, server",
    ),
    "students/2018/lucia_hruskova/README.md": _student(
        "Lucia Hrušková", "2018",
        _work(_M, 2023, "Detekcia nenávistnej reči", Z),
        _work(_B, 2021, "Anotácia príspevkov", T),
        tags="nlp, servery", author="Alžbeta Turčanová",
    ),
    "students/2015/martin_hruska/README.md": _student(
        "Martin Hruška", "2015",
        _work(_M, 2020, "Oprava chýb rozpoznávania", Z),
        _work(_B, 2018, "Rozpoznávanie starých tlačí", H),
    ),
    "students/2020/martin_hruska2/README.md": _student(
        "Martin Hruška", "2020", _work(_B, 2023, "Hlasový asistent", T)
    ),
    "students/2017/tomas_riha/README.md": _student(
        "Tomáš Říha", "", _work(_M, 2022, "Rozpoznávanie detskej reči", H)
    ),
    "students/2021/vlad_moroz/README.md": _student(
        "Vlad Moroz", "2021",
        _work(_B, 2024, "Model Whisper", H),
        _work(_T, 2023, "Zber nahrávok", T),
    ),
    "students/2018/marek_oravkin/README.md": _student(
        "Marek Oravkin", "2016", _work(_D, 2023, "Neriadené učenie", H)
    ),
    "students/2023/simona_mala/README.md": _student(
        "Simona Malá", "2023",
        "Návrh témy bakalárskej práce na rok 2026: *Kontrola pravopisu*, vedúci Peter Zelenák.\n",
    ),
    "students/2022/samuel_tichy/README.md": _student(
        "Samuel Tichý", "2022", _work(_B, 2025, "Tajný formulár", T), published="false"
    ),
    "teachers/zelenak/README.md": _HEAD.format(
        name="Ing. Peter Zelenák, PhD.", category="ucitel", tags="", author="Miloš Haverla",
        published="true",
    ),
    "topics/rag/README.md": "---\naliases: [RAG]\ntaxonomy:\n  category: [tema]\n"
    "  tag: [rag, llm]\n  author: Peter Zelenák\n---\n# Generovanie s vyhľadávaním\n\n"
    "Text o úryvkoch.\n",
    "navody/tlac/README.md": "# Tlač\n\nPapier leží pri okne.\n",
    "navody/vpn/README.md": "---\ntaxonomy:\n  tag: [server]\n  author: Miloš Haverla\n---\n"
    "# Pripojenie cez VPN\n\nPozri [RAG](/topics/rag).\n",
}  # fmt: skip


def graph_of(index: Index, **limits: Any) -> Graph:
    """The graph of a version, as a request with ``limits`` sees it."""
    return open_graph(index, SearchRequest(query="", **limits))
