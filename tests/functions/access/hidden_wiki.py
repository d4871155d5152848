"""One wiki twice: with a collection that some may not read, and as if it had never been."""

from __future__ import annotations

from tests.index_artifacts.graph.graph_wiki import _HEAD, _student, _work
from tests.index_artifacts.graph.graph_wiki import PAGES as DEPARTMENT

CONFIG = """
[wiki]
publication = "mark"
source_url = "https://wiki.test/{{route}}"
[graph]
profiles = ["generic", "thesis"]
{secret}[[collections]]
name = "students"
path = "students"
[[collections]]
name = "wiki"
[[rag_profiles]]
name = "widget"
mode = "selected"
collections = ["wiki"{too}]
{profile}"""
SECRET_PROFILE = """[[rag_profiles]]
name = "cellar"
mode = "selected"
collections = ["cellar"]
"""
OPEN = {
    **{path: text for path, text in DEPARTMENT.items() if path != "edgewiki.toml"},
    "students/2021/eva_kratka/README.md": _student(
        "Eva Krátka", "2021", _work("Bakalárska práca", 2024, "Krátke texty", "X. Hlbina")
    ),
    "navody/kluce/README.md": "# Kľúče\n\nKľúče od pivnice sú u vrátnika. Pozri "
    "[pivnicu](/cellar/plan) a [RAG](/topics/rag).\n",
}
SECRET = {
    # It has words, people, facts, names, links and gaps that the rest has, and others.
    "cellar/plan/README.md": "---\naliases: [Pivnica]\ntaxonomy:\n  tag: [kormoran, nlp]\n"
    "  author: Peter Zelenák\n  category: [tema]\n---\n# Operácia Kormorán\n\n"
    "Zlaté tehly ležia za kotlom. Server počúva na porte 31337. Pozri [RAG](/topics/rag).\n",
    "cellar/2019/karol_skryty/README.md": _student(
        "Karol Skrytý",
        "2019",
        _work("Diplomová práca", 2025, "Tajné šifrovanie tehál",
              "doc. Ing. Xaver Hlbina, PhD.", "Pozri [plán](/cellar/plan)."),
        _work("Bakalárska práca", 2023, "Šifrovanie", "Ján Kvetoň"),
    ),
    "cellar/2018/dora_tma/README.md": _student(
        "Dora Tmavá", "2018",
        _work("Diplomová práca", 2023, "Detekcia krtkov", "Ing. Peter Zelenák, PhD."),
        _work("Bakalárska práca", 2021, "Anotácia príspevkov", "Alžbeta Turčanová"),
    ),
    "cellar/2020/bez_roku/README.md": _HEAD.format(
        name="Gustáv Medzera", category="student", tags="nlp", author="Peter Zelenák",
        published="true",
    ) + "Návrh témy diplomovej práce, vedúci Peter Zelenák.\n\n## Diplomová práca\n\nNázov: ?\n",
    "cellar/vyklad.md": "# Výklad pojmov\n\n**Tehla** je zlatá. Papier leží v trezore.\n",
}  # fmt: skip
_SECRET_COLLECTION = '[[collections]]\nname = "cellar"\npath = "cellar"\nprivate = true\n'
WITH = {
    "edgewiki.toml": CONFIG.format(
        secret=_SECRET_COLLECTION, too=', "cellar"', profile=SECRET_PROFILE
    ),
    **OPEN,
    **SECRET,
}
WITHOUT = {"edgewiki.toml": CONFIG.format(secret="", too="", profile=""), **OPEN}
