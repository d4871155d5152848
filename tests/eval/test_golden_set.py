"""Golden sets: what is read, what is refused, and what lies beside the questions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from eval.golden_set import Question, count_look, freeze, load_golden
from index_artifacts.errors import ConfigError
from tests.eval.golden_files import ACCOUNT, BASIL, MOON, PORT, write_golden, write_lines

if TYPE_CHECKING:
    from pathlib import Path


def test_a_question_is_read_with_everything_it_says(tmp_path: Path) -> None:
    golden = load_golden(write_golden(tmp_path / "own"))
    assert (golden.name, golden.wiki) == ("own", tmp_path / "own" / "wiki")
    assert golden.questions[0] == Question(
        id="port",
        question="Which port does the server listen on?",
        lang="en",
        gold_docs=("server.md",),
        gold_headings=("Server room",),
        gold_text="The server listens\n on port 8080",
        answers=("8080",),
        should_answer=True,
        kind="fact",
        split="dev",
        extra={"src": "written by hand"},
    )
    assert golden.questions[2].gold_sections == (("garden.md", "Garden"), ("printer.md", "Printer"))
    assert not golden.questions[3].should_answer


def test_null_is_the_same_as_nothing(tmp_path: Path) -> None:
    row = {"id": "1", "question": "q", "gold_doc": "a.md", "gold_heading": None, "gold_text": None}
    (question,) = load_golden(write_golden(tmp_path, [row])).questions
    assert (question.gold_headings, question.gold_text) == ((), "")


@pytest.mark.parametrize(
    ("split", "ids"), [("dev", ["port", "basil", "moon"]), ("test", ["account"])]
)
def test_a_split_holds_its_own_questions(tmp_path: Path, split: str, ids: list[str]) -> None:
    golden = load_golden(write_golden(tmp_path), split)
    assert [question.id for question in golden.questions] == ids
    assert golden.holds_test == (split == "test")


def test_a_set_without_splits_is_all_dev(tmp_path: Path) -> None:
    plain = {key: value for key, value in PORT.items() if key != "split"}
    write_golden(tmp_path, [plain])
    assert len(load_golden(tmp_path, "dev").questions) == 1
    with pytest.raises(ConfigError, match="holds no question of split 'test'"):
        load_golden(tmp_path, "test")


def test_a_wikis_own_file_is_a_set_named_after_the_wiki(tmp_path: Path) -> None:
    (tmp_path / "handbook").mkdir()
    write_lines(tmp_path / "handbook" / "golden.jsonl", [PORT])
    golden = load_golden(tmp_path / "handbook" / "golden.jsonl")
    assert (golden.name, golden.wiki) == ("handbook", tmp_path / "handbook")


def test_a_folder_may_name_its_wiki_in_a_configuration(tmp_path: Path) -> None:
    write_lines(tmp_path / "questions.jsonl", [PORT])
    with pytest.raises(ConfigError, match=r"neither a folder wiki nor an edgewiki\.toml"):
        load_golden(tmp_path)
    (tmp_path / "edgewiki.toml").write_text('[wiki]\nroot = "../pages"\n')
    assert load_golden(tmp_path).wiki == tmp_path


def test_a_folder_without_questions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"holds no questions\.jsonl"):
        load_golden(tmp_path)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({**ACCOUNT, "question": " "}, "'question' is missing or empty"),
    ({"question": "q", "gold_doc": "a.md"}, "'id' is missing or empty"),
    ({**ACCOUNT, "id": 7}, "'id' = 7 is not a string"),
    ({**ACCOUNT, "answers": "8080"}, "'answers' = '8080' is not a list of strings"),
    ({**ACCOUNT, "should_answer": "no"}, "'should_answer' = 'no' is not true or false"),
    ({**ACCOUNT, "split": "train"}, "split 'train' is unknown; use dev or test"),
    ({**ACCOUNT, "id": "port"}, "id 'port' stands already on line 1"),
    ({**ACCOUNT, "gold_docs": ["a.md"]}, "give 'gold_doc' or 'gold_docs', not both"),
    ({**BASIL, "gold_sections": ["Garden"]}, "1 gold headings for 2 gold pages"),
    ({"id": "1", "question": "q"}, "give 'gold_doc' or 'gold_docs', or 'should_answer': false"),
]


@pytest.mark.parametrize(("row", "reason"), WRONG, ids=[reason for _, reason in WRONG])
def test_a_wrong_question_is_named_by_file_and_line(
    tmp_path: Path, row: dict[str, Any], reason: str
) -> None:
    write_golden(tmp_path, [PORT, row])
    with pytest.raises(ConfigError) as error:
        load_golden(tmp_path)
    assert str(error.value).startswith(f"{tmp_path / 'questions.jsonl'}, line 2: {reason}")


@pytest.mark.parametrize(
    ("line", "reason"), [(b"{oops", "not JSON"), (b"[1]", "no JSON object"), (b"\xff", "not UTF-8")]
)
def test_a_line_that_is_no_object_is_named(tmp_path: Path, line: bytes, reason: str) -> None:
    file = write_golden(tmp_path, [PORT]) / "questions.jsonl"
    file.write_bytes(file.read_bytes() + b"\n" + line + b"\n")
    with pytest.raises(ConfigError, match=rf"questions\.jsonl, line 3: .*{reason}"):
        load_golden(tmp_path)


def test_a_frozen_set_may_not_change(tmp_path: Path) -> None:
    freeze(load_golden(write_golden(tmp_path)))
    assert len(load_golden(tmp_path).questions) == 4
    write_golden(tmp_path, [PORT])
    with pytest.raises(ConfigError, match=r"put wording into overrides\.jsonl"):
        load_golden(tmp_path)


def test_overrides_change_wording_and_leave_the_frozen_file(tmp_path: Path) -> None:
    before = load_golden(write_golden(tmp_path))
    freeze(before)
    write_lines(tmp_path / "overrides.jsonl", [{"id": "port", "answers": ["8080", "port 8080"]}])
    after = load_golden(tmp_path)
    assert after.questions[0].answers == ("8080", "port 8080")
    assert after.questions[0].gold_text == before.questions[0].gold_text
    assert (after.sha256, after.overridden) == (before.sha256, 1)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"id": "port", "gold_doc": "b.md"}, "'gold_doc' may not be overridden"),
        ({"id": "nobody", "answers": []}, "no question has the id 'nobody'"),
    ],
)
def test_an_override_of_a_page_or_of_nothing_is_refused(
    tmp_path: Path, row: dict[str, Any], reason: str
) -> None:
    write_golden(tmp_path)
    write_lines(tmp_path / "overrides.jsonl", [row])
    with pytest.raises(ConfigError, match=rf"overrides\.jsonl, line 1: {reason}"):
        load_golden(tmp_path)


def test_looks_are_counted_for_the_content_that_was_looked_at(tmp_path: Path) -> None:
    golden = load_golden(write_golden(tmp_path))
    assert [count_look(golden), count_look(golden)] == [1, 2]
    assert json.loads((tmp_path / "looks.json").read_text()) == {golden.sha256: 2}
    assert count_look(load_golden(write_golden(tmp_path, [PORT, ACCOUNT]))) == 1


def test_two_files_of_one_folder_keep_their_own_companions(tmp_path: Path) -> None:
    for name in ("short", "long"):
        write_lines(tmp_path / f"{name}.jsonl", [PORT, MOON])
    freeze(load_golden(tmp_path / "short.jsonl"))
    assert (tmp_path / "short.frozen.json").exists()
    write_lines(tmp_path / "long.jsonl", [PORT])
    assert len(load_golden(tmp_path / "long.jsonl").questions) == 1


def test_a_smaller_set_is_spread_over_the_whole(tmp_path: Path) -> None:
    rows = [{**PORT, "id": str(number)} for number in range(10)]
    golden = load_golden(write_golden(tmp_path, rows))
    assert [question.id for question in golden.spread(3).questions] == ["0", "3", "6"]
    assert golden.spread(99) is golden
