"""The log: lines of JSON for a machine that reads them, or text as Python writes it."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from functions.settings import Settings

ROOT = logging.getLogger("edgewiki")

facts_of_request: ContextVar[dict[str, Any] | None] = ContextVar("facts_of_request", default=None)
"""What is known of the request that this thread or task answers; `request.state.log` is it."""


def note(**facts: Any) -> None:
    """Say more of the request that is being answered, if any, in its line of the log.

    Never its text, a key, evidence or an answer.
    """
    known = facts_of_request.get()
    if known is not None:
        known.update(facts)


class JsonLines(logging.Formatter):
    """One JSON object a line; a record's ``fields`` are members of it.

    Of an exception that nobody foresaw it holds the class and where it came from, not its text:
    that may quote what was asked.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        moment = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, Any] = {
            "time": moment.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        known = facts_of_request.get()
        if known is not None and "request_id" in known:
            line["request_id"] = known["request_id"]
        line.update(getattr(record, "fields", {}))
        if record.exc_info and record.exc_info[0] is not None:
            line["exception"] = record.exc_info[0].__name__
            line["stack"] = [
                f"{frame.filename}:{frame.lineno} {frame.name}"
                for frame in traceback.extract_tb(record.exc_info[2])
            ]
        return json.dumps(line, ensure_ascii=False, default=str)


class _Output(logging.StreamHandler[Any]):
    """Writes to whatever ``sys.stdout`` is by then: one line is one event of CloudWatch."""

    def __init__(self) -> None:
        super().__init__(sys.stdout)
        self.setFormatter(JsonLines())

    def emit(self, record: logging.LogRecord) -> None:
        self.stream = sys.stdout
        super().emit(record)


def set_up_logging(settings: Settings) -> None:
    """Make the log what the settings say; text is left to whoever runs this process."""
    for handler in [one for one in ROOT.handlers if isinstance(one, _Output)]:
        ROOT.removeHandler(handler)
    ROOT.propagate = not settings.logs_json  # Lambda's own handler would say it all again
    if settings.logs_json:
        ROOT.addHandler(_Output())
        ROOT.setLevel(logging.INFO)
