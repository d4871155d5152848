from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from build.library_tokenizer import LibraryTokenizer
from build.piece_table import compile_piece_table
from index_artifacts.errors import ModelError
from index_artifacts.piece_table import PieceTable

if TYPE_CHECKING:
    from pathlib import Path

HARD_WORDS = (
    "zariadeniach Łódź ёлка straße server 20.04 C++ <mask> <s> ﬁnále ½ ™ 漢字 ไทย "
    "👩\u200d👩 \u200b e\u0301 \ufeff x\u00ad ▁ ٣ İ"
)
WORDS = st.sampled_from(re.split(" ", HARD_WORDS))


@pytest.fixture(scope="module")
def library(model_folder: Path) -> LibraryTokenizer:
    return LibraryTokenizer(model_folder)


@pytest.fixture(scope="module")
def table(model_folder: Path) -> PieceTable:
    return PieceTable(model_folder / "tokenizer.table")


@settings(max_examples=300, deadline=None)
@given(text=st.one_of(st.text(), st.lists(st.one_of(WORDS, st.text(max_size=8))).map(" ".join)))
def test_the_table_gives_the_ids_that_the_library_gives(
    library: LibraryTokenizer, table: PieceTable, text: str
) -> None:
    encodable = text.encode("utf-8", "replace").decode()
    assert table.ids(encodable) == library.ids(encodable)


def test_tokens_begin_where_the_library_says_in_plain_text(
    library: LibraryTokenizer, table: PieceTable
) -> None:
    text = "Na zariadeniach beží  systém,\n v prácach študentov sa opisuje strojový preklad."
    assert table.starts(text) == library.starts(text)
    assert len(table.starts("ﬁnále ½")) == len(table.ids("ﬁnále ½"))


def test_a_path_of_unknown_characters_is_one_unknown_piece(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.table"
    path.write_bytes(compile_piece_table(["<unk>", "▁", "a", "▁a"], [0, -1, -2, -1.5], {0}, 0))
    table = PieceTable(path)
    assert table.ids("a xyz a") == [3, 1, 0, 3]
    assert table.ids("<unk>") == [1, 0]


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda _: b"", "cannot be read"),
        (lambda data: b"no table" + data[8:], "is no tokenizer table"),
        (lambda data: data[:-1], "is cut short"),
        (lambda data: data[:30], "is no tokenizer table|is cut short"),
    ],
)
def test_a_damaged_table_is_refused(tmp_path: Path, damage: object, said: str) -> None:
    assert callable(damage)
    path = tmp_path / "tokenizer.table"
    path.write_bytes(damage(compile_piece_table(["a"], [-1.0], set(), 0)))
    with pytest.raises(ModelError, match=said):
        PieceTable(path)
