"""The build report: what happened to every page that was not simply taken as it is."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

# From worst to mildest. The first two keep a page out of the index, the next two mean that
# something of it was changed or lost, the last one only tells.
SEVERITIES = ("skipped", "excluded", "degraded", "repaired", "note")
STRICT = frozenset({"skipped", "degraded"})


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One line of the report. ``line`` is 1-based, 0 where a whole file is meant."""

    path: str
    line: int
    severity: str
    code: str
    reason: str


@dataclass(slots=True)
class Report:
    """Collects findings while a build runs."""

    findings: list[Finding] = field(default_factory=list)

    def add(self, severity: str, code: str, path: str, reason: str, line: int = 0) -> None:
        """Add a finding; ``code`` is a short stable name, ``reason`` a sentence for people.

        Bytes of a file name that are not UTF-8 are shown as U+FFFD: the report is JSON.
        """
        if severity not in SEVERITIES:
            raise ValueError(f"severity {severity!r} is not one of {SEVERITIES}")
        self.findings.append(Finding(printable(path), line, severity, code, printable(reason)))

    def rows(self) -> list[dict[str, Any]]:
        """The findings as plain rows, sorted by path and line: the same in every build."""
        return [asdict(finding) for finding in sorted(set(self.findings))]

    def counts(self) -> dict[str, int]:
        """How many findings there are of each severity, in the order of `SEVERITIES`."""
        counted = Counter(finding.severity for finding in set(self.findings))
        return {severity: counted[severity] for severity in SEVERITIES if counted[severity]}

    def spoils_strict_build(self) -> list[Finding]:
        """The findings that ``--strict`` refuses: pages skipped or degraded."""
        return sorted(f for f in set(self.findings) if f.severity in STRICT)


def summarise(rows: Iterable[dict[str, Any]]) -> list[tuple[str, str, int, str]]:
    """Group report rows: (severity, code, how many, the first place), worst first."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault((row["severity"], row["code"]), []).append(row)
    ordered = sorted(groups.items(), key=lambda item: (SEVERITIES.index(item[0][0]), item[0][1]))
    return [(*key, len(group), f"{place(group[0])}") for key, group in ordered]


def printable(text: str) -> str:
    """Return ``text`` with bytes that were no UTF-8 (lone surrogates in Python) as U+FFFD."""
    return text.encode(errors="surrogateescape").decode(errors="replace")


def place(row: dict[str, Any]) -> str:
    """Where a finding is: ``path:line``, or the path alone."""
    return f"{row['path']}:{row['line']}" if row["line"] else str(row["path"])
