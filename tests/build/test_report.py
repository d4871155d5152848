"""The build report, as data and as people see it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from build.console import Console
from build.report import Report, place, summarise
from index_artifacts.manifest import Manifest, Source

if TYPE_CHECKING:
    from collections.abc import Iterable


def filled(findings: Iterable[tuple[str, str, str, str, int]]) -> Report:
    report = Report()
    for finding in findings:
        report.add(*finding)
    return report


FINDINGS = [
    ("note", "broken-link", "b.md", "no page for the link '[/x]'", 9),
    ("skipped", "empty", "c.md", "the file is empty", 0),
    ("degraded", "date", "b.md", "no date", 3),
    ("note", "broken-link", "a.md", "no page for the link 'y'", 2),
    ("note", "broken-link", "a.md", "no page for the link 'y'", 2),
]


def test_rows_are_sorted_and_each_is_there_once() -> None:
    rows = filled(FINDINGS).rows()
    assert [place(row) for row in rows] == ["a.md:2", "b.md:3", "b.md:9", "c.md"]
    assert rows == filled(reversed(FINDINGS)).rows()
    assert filled(FINDINGS).counts() == {"skipped": 1, "degraded": 1, "note": 2}


def test_a_strict_build_minds_what_was_skipped_or_degraded() -> None:
    spoilt = filled(FINDINGS).spoils_strict_build()
    assert [finding.path for finding in spoilt] == ["b.md", "c.md"]


def test_a_summary_begins_with_the_worst_and_counts() -> None:
    assert summarise(filled(FINDINGS).rows()) == [
        ("skipped", "empty", 1, "c.md"),
        ("degraded", "date", 1, "b.md:3"),
        ("note", "broken-link", 2, "a.md:2"),
    ]


def test_a_severity_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="terrible"):
        Report().add("terrible", "x", "a.md", "y")


def test_a_file_name_of_other_bytes_can_be_written_as_json() -> None:
    report = filled([("note", "x", b"p\xf8.md".decode(errors="surrogateescape"), "why", 0)])
    json.dumps(report.rows(), ensure_ascii=False).encode()


@pytest.mark.parametrize("every_finding", [True, False])
def test_reasons_are_shown_to_the_letter(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, every_finding: bool
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    reason = "in no [[collections]], set [wiki] root, [/x] [bold] :smile:"
    manifest = Manifest(
        "v", Source(), (), {}, {}, "a", {"kind": "k", "fingerprint": "f"},
        report=tuple(filled([("skipped", "x", "[a].md", reason, 1)]).rows()),
    )  # fmt: skip
    Console().show_manifest(manifest, every_finding=every_finding)
    shown = capsys.readouterr().out
    assert reason in shown
    assert "[a].md:1" in shown


def test_a_clean_report_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    manifest = Manifest("v", Source(), (), {}, {}, "a", {"kind": "k", "fingerprint": "f"})
    Console().show_manifest(manifest, every_finding=False)
    assert "every page was taken as it is" in capsys.readouterr().out


def test_elsewhere_than_on_a_terminal_progress_is_plain_lines(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with Console().progress() as progress:
        for done in range(5):
            progress("reading", done, 4)
        progress("writing", 0, 0)
    assert capsys.readouterr().err.splitlines() == ["reading …", "writing …"]
    with Console(quiet=True).progress() as progress:
        progress("reading", 0, 4)
    assert capsys.readouterr().err == ""
