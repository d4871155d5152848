"""The gate: a version that answers a wiki's golden set worse is not published unnoticed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, get_args

import pytest
from typer.testing import CliRunner, Result

from build.config import GateMetric, load_config
from build.exit_codes import exit_code
from build.pipeline import build_version
from edgewiki import app
from eval.gate import NO_ANSWER, Verdict, judge, value_of
from eval.golden_set import load_golden
from index_artifacts.errors import ConfigError, GateError, ModelError, PublishRefusedError
from index_artifacts.search import Searcher
from index_artifacts.store import open_store
from index_artifacts.version_store import blob_key, read_manifest, read_pointer
from tests.eval.golden_files import write_lines
from tests.tiny_wiki import PAGES, build, open_searcher, write_pages
from tests.wiki import commit_all, git

if TYPE_CHECKING:
    from pathlib import Path

    from index_artifacts.encoder import Encoder
    from index_artifacts.store import Store
    from index_artifacts.version_store import Pointer

PORT = {"id": "port", "question": "Which port does the server listen on?", "gold_doc": "server.md"}
TONER = {"id": "toner", "question": "paper and toner", "gold_doc": "printer.md"}
BASIL = {"id": "basil", "question": "where does basil grow", "gold_doc": "garden.md"}
MOON = {"id": "moon", "question": "zebra quagga", "should_answer": False}
GOLDEN = [PORT, TONER, BASIL]
POND = {"pond.md": "# Pond\n\nA heron stands in the pond and waits for carp.\n"}
HERON = {"id": "heron", "question": "what does the heron wait for", "gold_doc": "pond.md"}
SETTINGS = '[wiki]\nlanguages = ["en"]\n[model]\nkind = "cooccurrence"\n'


@pytest.fixture
def wiki(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A wiki with a golden set, published once."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EDGEWIKI_CACHE_DIR", str(tmp_path / "cache"))
    wiki = write_pages(tmp_path / "wiki", {**PAGES, "edgewiki.toml": SETTINGS})
    write_lines(wiki / "golden.jsonl", GOLDEN)
    first = rebuild_and_publish(wiki)
    assert "nothing is served yet to compare with" in first.stderr
    assert "recall@10 1.000 of 3 questions" in first.stderr
    return wiki


def rebuild_and_publish(wiki: Path, *arguments: str) -> Result:
    config = load_config(wiki)
    build_version(wiki, wiki.parent / ".edgewiki" / "artifact", config, open_store(config.store))
    return CliRunner().invoke(app, ["publish", str(wiki), *arguments])


def live(wiki: Path, channel: str = "latest") -> Pointer:
    return read_pointer(open_store(load_config(wiki).store), channel)[0]


def test_a_version_that_lost_an_answer_is_refused_and_the_question_named(wiki: Path) -> None:
    served = live(wiki)
    (wiki / "garden.md").unlink()
    refused = rebuild_and_publish(wiki)
    assert isinstance(refused.exception, GateError)
    assert exit_code(refused.exception) == 9
    said = str(refused.exception)
    assert f"worse than {served.version}, which channel 'latest' serves" in said
    assert "recall@10 1.000 → 0.667 of 3 questions" in said
    assert "basil, 'where does basil grow': rank 1 → not found" in said
    assert "page 'garden.md' is not in the version: if that is meant, correct golden.jsonl" in said
    assert "port" not in said
    assert said.splitlines()[-1].startswith("not published: mrr@10 1.000 → 0.667 of 3 questions")
    assert said.endswith("; worse: basil")
    assert live(wiki) == served

    write_lines(wiki / "golden.jsonl", [PORT, TONER])  # as the hint says
    assert rebuild_and_publish(wiki).exit_code == 0
    assert live(wiki).version != served.version


def test_force_needs_a_reason_that_is_recorded_with_what_it_overruled(wiki: Path) -> None:
    served = live(wiki)
    (wiki / "garden.md").unlink()
    without = rebuild_and_publish(wiki, "--force")
    assert isinstance(without.exception, GateError)
    assert "--force needs --reason here" in str(without.exception)
    assert live(wiki) == served
    forced = rebuild_and_publish(wiki, "--force", "--reason", "the garden is gone", "--json")
    assert forced.exit_code == 0
    gate = json.loads(forced.stdout)["gate"]
    assert (gate["passed"], [broken["id"] for broken in gate["broken"]]) == (False, ["basil"])
    assert live(wiki).reason.startswith("the garden is gone [gate overruled: mrr@10 1.000 → 0.667")
    assert "1 questions broke" in live(wiki).reason


def test_new_questions_do_not_make_up_for_a_broken_one(wiki: Path) -> None:
    """Of nine questions eight are answered, and of six the live version never had the pages."""
    ponds = {f"pond-{n}.md": f"# Pond {n}\n\nThe heron{n} waits for carp{n}.\n" for n in range(6)}
    asked = [
        {"id": f"heron-{n}", "question": f"what does heron{n} wait for", "gold_doc": f"pond-{n}.md"}
        for n in range(6)
    ]
    write_pages(wiki, ponds)
    (wiki / "garden.md").unlink()
    write_lines(wiki / "golden.jsonl", [*GOLDEN, *asked])
    refused = rebuild_and_publish(wiki)
    assert isinstance(refused.exception, GateError)
    assert "0.667 of 3 questions" in str(refused.exception)
    assert "not compared, new: heron-0, heron-1" in str(refused.exception)


def test_a_page_and_its_question_are_added_together(wiki: Path) -> None:
    write_pages(wiki, POND)
    write_lines(wiki / "golden.jsonl", [*GOLDEN, HERON])
    added = rebuild_and_publish(wiki)
    assert added.exit_code == 0
    assert "not compared, new: heron" in added.stderr
    again = rebuild_and_publish(wiki)
    assert "is served already" in again.stderr


def test_a_question_about_a_page_that_never_was_is_named(wiki: Path) -> None:
    write_lines(wiki / "golden.jsonl", [*GOLDEN, HERON])
    write_pages(wiki, {"printer.md": f"{PAGES['printer.md']}\nAsk for more.\n"})
    passed = rebuild_and_publish(wiki)
    assert passed.exit_code == 0
    assert "are not there: heron; correct golden.jsonl" in passed.stderr


def test_a_renamed_heading_breaks_the_question_that_names_it(wiki: Path) -> None:
    access = {"id": "access", "question": "whom to ask for an account", "gold_doc": "server.md",
              "gold_heading": "Access"}  # fmt: skip
    write_lines(wiki / "golden.jsonl", [*GOLDEN, access])
    write_pages(wiki, {"server.md": PAGES["server.md"].replace("## Access", "## Accounts")})
    refused = rebuild_and_publish(wiki)
    assert isinstance(refused.exception, GateError)
    assert "has no heading 'Access' with a text" in str(refused.exception)


def test_a_margin_lets_a_small_loss_through_and_still_names_it(wiki: Path) -> None:
    toml = f"{SETTINGS}[gate]\nmargin = 0.34\n"
    write_pages(wiki, {"edgewiki.toml": toml})
    (wiki / "garden.md").unlink()
    passed = rebuild_and_publish(wiki)
    assert passed.exit_code == 0
    assert "basil, 'where does basil grow': rank 1 → not found" in passed.stderr


def test_the_gate_is_switched_off_by_a_setting_alone(wiki: Path) -> None:
    write_pages(wiki, {"edgewiki.toml": f"{SETTINGS}[gate]\nenabled = false\n"})
    (wiki / "garden.md").unlink()
    passed = rebuild_and_publish(wiki)
    assert passed.exit_code == 0
    assert "gate: switched off by the settings" in passed.stderr


def test_the_gate_s_settings_are_no_part_of_a_version(wiki: Path) -> None:
    before = load_config(wiki).published_part()
    write_pages(wiki, {"edgewiki.toml": f"{SETTINGS}[gate]\nmargin = 0.5\nenabled = false\n"})
    assert load_config(wiki).published_part() == before


def test_a_wiki_without_a_golden_set_has_no_gate_unless_it_names_one(wiki: Path) -> None:
    (wiki / "golden.jsonl").unlink()
    (wiki / "garden.md").unlink()
    assert "the wiki has no golden.jsonl" in rebuild_and_publish(wiki).stderr
    write_pages(wiki, {"edgewiki.toml": f'{SETTINGS}[gate]\ngolden = "questions.jsonl"\n'})
    named = rebuild_and_publish(wiki)
    assert isinstance(named.exception, ConfigError)
    assert "questions.jsonl: [gate] golden names it" in str(named.exception)


def test_a_golden_set_that_cannot_be_read_stops_the_publish(wiki: Path) -> None:
    (wiki / "golden.jsonl").write_text('{"id": "port"}\n')
    broken = rebuild_and_publish(wiki)
    assert isinstance(broken.exception, ConfigError)
    assert "golden.jsonl, line 1: 'question' is missing" in str(broken.exception)


def test_a_preview_is_compared_with_the_channel_it_would_replace(wiki: Path) -> None:
    (wiki / "garden.md").unlink()
    preview = ("--channel", "preview-4")
    assert isinstance(
        rebuild_and_publish(wiki, *preview, "--against", "latest").exception, GateError
    )
    assert rebuild_and_publish(wiki, *preview).exit_code == 0  # its own channel has nothing yet
    assert live(wiki, "preview-4").version != live(wiki).version


def test_a_live_version_that_cannot_be_asked_is_replaced_with_a_reason_alone(wiki: Path) -> None:
    store = open_store(load_config(wiki).store)
    index = read_index_key(store, live(wiki))
    store.delete(index)
    store.write_new(index, b"no database")
    write_pages(wiki, POND)
    refused = rebuild_and_publish(wiki)
    assert isinstance(refused.exception, GateError)
    assert "the gate cannot ask" in str(refused.exception)
    forced = rebuild_and_publish(wiki, "--force", "--reason", "the index is damaged")
    assert forced.exit_code == 0
    assert live(wiki).reason == "the index is damaged"


def read_index_key(store: Store, pointer: Pointer) -> str:
    return blob_key(read_manifest(store, pointer).file("index.sqlite").sha256)


def test_an_older_commit_is_refused_before_any_question_is_asked(wiki: Path) -> None:
    commit_all(wiki)
    assert rebuild_and_publish(wiki).exit_code == 0
    write_pages(wiki, POND)
    commit_all(wiki)
    assert rebuild_and_publish(wiki).exit_code == 0
    git(wiki, "checkout", "-q", "HEAD~1")
    (wiki / "golden.jsonl").write_text("no golden set")
    refused = rebuild_and_publish(wiki)
    assert type(refused.exception) is PublishRefusedError
    assert exit_code(refused.exception) == 8


def verdict(tmp_path: Path, before: dict[str, str], after: dict[str, str], rows: Any) -> Verdict:
    write_lines(tmp_path / "golden.jsonl", rows)
    sides = [open_searcher(build(tmp_path / name, pages)) for name, pages in
             (("after", after), ("before", before))]  # fmt: skip
    metrics = ("mrr@10", NO_ANSWER)
    return judge(load_golden(tmp_path / "golden.jsonl"), *sides, metrics=metrics, margin=0.0)


def test_a_question_without_an_answer_must_not_be_answered_all_of_a_sudden(tmp_path: Path) -> None:
    zebra = {"zebra.md": "# Zebra quagga\n\nA zebra quagga is a zebra quagga.\n"}
    found = verdict(tmp_path, PAGES, {**PAGES, **zebra}, [PORT, MOON])
    assert [figure.metric for figure in found.breaches] == [NO_ANSWER]
    assert [broken.id for broken in found.broken] == ["moon"]


def test_equal_versions_pass_a_margin_of_nothing(tmp_path: Path) -> None:
    found = verdict(tmp_path, PAGES, PAGES, [*GOLDEN, MOON])
    assert not found.breaches
    assert not found.broken
    assert {figure.metric: figure.questions for figure in found.figures}["mrr@10"] == 3


def test_an_encoder_that_fails_for_a_moment_is_no_verdict(tmp_path: Path) -> None:
    write_lines(tmp_path / "golden.jsonl", GOLDEN)
    steady = open_searcher(build(tmp_path))
    encoder, calls = steady.encoder_for("hybrid"), iter(range(100))

    def flaky() -> Encoder:
        if next(calls) == 1 or encoder is None:
            raise ModelError("the embeddings API does not answer")
        return encoder

    sides = (Searcher(steady.index, flaky), steady)
    with pytest.raises(ModelError, match="failed to encode 'paper and toner' at first"):
        judge(load_golden(tmp_path / "golden.jsonl"), *sides, metrics=("mrr@10",), margin=0.0)


@pytest.mark.parametrize("metric", [name for name in get_args(GateMetric) if name != NO_ANSWER])
def test_every_metric_that_may_be_set_can_be_measured(metric: str) -> None:
    assert value_of(metric, (1, 2)) == 1
    assert value_of(metric, (None, None)) == 0
