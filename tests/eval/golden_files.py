"""Golden sets over the tiny wiki, written by the tests that read them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

PORT = {
    "id": "port",
    "question": "Which port does the server listen on?",
    "lang": "en",
    "gold_doc": "server.md",
    "gold_heading": "Server room",
    "gold_text": "The server listens\n on port 8080",
    "answers": ["8080"],
    "kind": "fact",
    "split": "dev",
    "src": "written by hand",
}
ACCOUNT = {
    "id": "account",
    "question": "whom to ask for an account",
    "lang": "en",
    "gold_doc": "server.md",
    "gold_heading": "Access",
    "kind": "short",
    "split": "test",
}
BASIL = {
    "id": "basil",
    "question": "where do tomatoes and basil grow",
    "lang": "en",
    "gold_docs": ["garden.md", "printer.md"],
    "gold_sections": ["Garden", "Printer"],
    "kind": "short",
    "split": "dev",
}
MOON = {"id": "moon", "question": "how far is the moon", "should_answer": False, "split": "dev"}
QUESTIONS = (PORT, ACCOUNT, BASIL, MOON)


def write_golden(folder: Path, questions: Sequence[dict[str, Any]] = QUESTIONS) -> Path:
    """Write the questions into the set ``folder`` beside an empty ``wiki`` and return it."""
    (folder / "wiki").mkdir(parents=True, exist_ok=True)
    write_lines(folder / "questions.jsonl", questions)
    return folder


def write_lines(file: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Write JSON lines."""
    lines = (json.dumps(row, ensure_ascii=False) for row in rows)
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
