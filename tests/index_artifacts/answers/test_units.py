"""A passage falls into sentences, items, rows and lines of code, each a stretch of it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from index_artifacts.answers.units import CODE, ITEM, PROSE, ROW, split_units


def texts(passage: str) -> list[str]:
    return [" ".join(unit.text.split()) for unit in split_units(passage)]


@pytest.mark.parametrize(
    ("passage", "count"),
    [
        ("Vedúcim je prof. Ing. Miloš Haverla, CSc. a oponentom doc. Ján Hruška, PhD.", 1),
        ("Píše to P. Vrabec, Ph.D. Novák to číta. Koniec.", 2),
        ("Koná sa 15. 2. 2021 o 9.00. Potom je prestávka.", 2),
        ("Je to 21. septembra. Potom nie.", 2),
        ("Platí to aj pre cudzincov, t. j. Poliakov a Čechov. Iných nie.", 2),
        ("Používají se např. BERT a GPT. Jiné ne.", 2),
        ("Zob. rozdział 3, tzn. Wstęp. Koniec.", 2),
        ("Это т. е. Новый корпус. Конец.", 2),
        ("Use a tool, e.g. Slurm. Then wait.", 2),
        ("The answer is no. Then stop.", 2),
        ("See fig. 3 and no. 12. Then stop.", 2),
        ("Obhájil v roku 2019. Potom odišiel.", 2),
        ("Naozaj? Áno! „Tak je.“ Hotovo…", 4),
        ("Verzia 3.12. Nová je lepšia.", 2),
    ],
)
def test_abbreviations_and_dates_do_not_end_a_sentence(passage: str, count: int) -> None:
    assert len(texts(passage)) == count


def test_lists_know_what_leads_to_them() -> None:
    units = split_units(
        "Stav je dobrý. Úlohy:\n\n- [x] prvá\n  na dvoch riadkoch\n- druhá:\n    - vnorená\n"
        "    - iná\n- tretia\n\nKoniec.\n\n1. sama\n"
    )
    found = [(" ".join(u.text.split()), u.intro) for u in units if u.kind == ITEM]
    assert found == [
        ("prvá na dvoch riadkoch", "Úlohy:"),
        ("druhá:", "Úlohy:"),
        ("vnorená", "druhá:"),
        ("iná", "druhá:"),
        ("tretia", "Úlohy:"),
        ("sama", ""),
    ]


def test_a_nested_item_belongs_to_the_item_above_it() -> None:
    units = split_units("- Jana Mokrá\n  - téma: preklad\n- Ivan Brezina\n  - téma: reč\n")
    assert [(u.text, u.intro) for u in units if u.text.startswith("téma")] == [
        ("téma: preklad", "Jana Mokrá:"),
        ("téma: reč", "Ivan Brezina:"),
    ]


@pytest.mark.parametrize(
    "table",
    [
        "| A | B |\n|---|:-:|\n| 1 | x \\| y |\n| 2 | z |",
        "A | B\n---|---\n1 | x \\| y\n2 | z",
    ],
)
def test_rows_of_a_table_know_its_header(table: str) -> None:
    units = split_units(f"Veta.\n\n{table}\n\nĎalšia.")
    rows = [u for u in units if u.kind == ROW]
    assert len(rows) == 2
    assert {u.header for u in rows} == {table.split("\n")[0]}
    assert [u.text for u in units if u.kind == PROSE] == ["Veta.", "Ďalšia."]


def test_definitions_quotations_footnotes_and_code() -> None:
    units = split_units(
        "Zápočet\n: Udeľuje ho cvičiaci.\n\n> Prvá veta\n> na dvoch riadkoch. Druhá.\n\n"
        "[^1]: Poznámka.\n[id]: https://x.example\n\n```bash\nssh server\n}\n```\n"
    )
    assert [(u.kind, u.intro) for u in units][:2] == [(PROSE, ""), (ITEM, "Zápočet:")]
    assert [u.text for u in units if u.kind == CODE] == ["ssh server"]
    assert "Poznámka." in [u.text for u in units]
    assert not any("x.example" in u.text for u in units)


def test_headings_of_both_kinds_and_what_lies_under_them() -> None:
    units = split_units(
        "# Jeden #\n\nPrvá.\n\nDva\n===\n\nDruhá.\n\nTri\n---\n\nTretia.\n\n---\n\n***\n"
    )
    assert [(u.text, u.headings) for u in units] == [
        ("Prvá.", ("Jeden",)),
        ("Druhá.", ("Dva",)),
        ("Tretia.", ("Dva", "Tri")),
    ]


def test_what_nobody_sees_or_reads_is_no_unit() -> None:
    assert texts("<!-- skryté\nna dvoch -->\n\n![](a.png)\n\n<div class='x'>\n\n---\n\n)\n") == []


LINES = st.sampled_from(
    [
        "Veta prvá. Druhá veta! Tretia", "pokračuje ďalej.", "- položka:", "  - vnorená", "1. krok",
        "# Nadpis", "===", "---", "| a | b |", "|---|---|", "a | b", "> citát. Áno.", "```", "kód;",
        "", "", "[…]", ": výklad", "<!-- x", "-->", "[^1]: pozn.", "\tTab. A", "č. 5 je",
        "❄️ 2. 3. 2021",
    ]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(LINES, max_size=25))
def test_units_are_stretches_in_order_that_do_not_overlap(lines: list[str]) -> None:
    passage = "\n".join(lines)
    units = split_units(passage)
    assert all(unit.text == passage[unit.start : unit.end] for unit in units)
    assert all(one.end <= other.start for one, other in pairwise(units))
    assert all(unit.text.strip() == unit.text != "" for unit in units)
