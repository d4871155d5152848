"""What the command line shows: progress while it works, tables when it is done.

On a terminal, progress is a moving bar; elsewhere it is plain lines, a few for each phase.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.console import Console as RichConsole
from rich.markup import escape
from rich.table import Table

from build.report import place, summarise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from build.collect import Collected
    from build.pipeline import BuildResult
    from build.publish import Published
    from index_artifacts.manifest import Manifest
    from index_artifacts.version_store import Pointer, VersionRow

# Columns of a table in a log, where nobody can tell how wide the reader's window is.
_WIDTH = 120
# Seconds between two plain lines of one phase.
_PLAIN_EVERY = 10.0


_DOUBTS = {
    "none": "the wiki does not seem to answer this; above is what comes nearest",
    "low_confidence": "it is not sure that this answers the question",
}


class Console:
    """Prints results to standard output, and progress to standard error."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet
        self._out = RichConsole(highlight=False, emoji=False)
        if not self._out.is_terminal:
            self._out.width = _WIDTH
        self._err = RichConsole(stderr=True, highlight=False, emoji=False)

    def say(self, message: str) -> None:
        """One line of progress."""
        if not self._quiet:
            self._err.print(message, markup=False, soft_wrap=True)

    @contextmanager
    def progress(self) -> Iterator[Callable[[str, int, int], None]]:
        """Yield a function to call with (phase, done, total)."""
        if self._err.is_terminal and not self._quiet:
            with _bar(self._err) as report:
                yield report
        else:
            yield _PlainProgress(self.say)

    def show_build(self, result: BuildResult) -> None:
        """A build's report and what it made."""
        summary = result.summary()
        self._show_report(result.manifest, every_finding=False)
        table = Table("what", "how many", title=f"version {result.manifest.version}")
        for name, number in summary["counts"].items():
            table.add_row(name.replace("_", " "), f"{number:,}")
        for name, size in summary["bytes"].items():
            if not name.startswith("model/"):
                table.add_row(name, f"{size / 1e6:,.1f} MB")
        embeddings = summary["embeddings"]
        table.add_row("embeddings computed", f"{embeddings['computed']:,}")
        table.add_row("embeddings reused", f"{embeddings['reused']:,}")
        if any(summary["summaries"].values()):
            for name, number in summary["summaries"].items():
                table.add_row(f"summaries {name} by the model", f"{number:,}")
        table.add_row("seconds", f"{result.seconds:,.1f}")
        self._out.print(table)
        self._line(f"written to {result.folder}; next: edgewiki publish")

    def show_published(self, done: Published) -> None:
        """What publishing did."""
        change = "now serves" if done.moved else "already served"
        self._line(
            f"{done.channel} {change} {done.version} "
            f"({done.uploaded} files uploaded, {done.uploaded_bytes / 1e6:.1f} MB; "
            f"{done.reused} were there)"
        )

    def show_versions(self, rows: Sequence[VersionRow]) -> None:
        """The versions of a store."""
        table = Table("version", "committed", "stored", "MB", "channels")
        for row in rows:
            table.add_row(
                row.version,
                row.committed_at or "",
                f"{row.modified:%Y-%m-%d %H:%M}",
                f"{row.size / 1e6:.1f}",
                ", ".join(row.channels),
            )
        self._out.print(table)

    def show_channels(self, pointers: Mapping[str, Pointer]) -> None:
        """The channels of a store."""
        table = Table("channel", "version", "since", "reason")
        for name, pointer in pointers.items():
            table.add_row(name, pointer.version, pointer.published_at, escape(pointer.reason))
        self._out.print(table)

    def show_collected(self, done: Collected, *, dry_run: bool) -> None:
        """What was deleted."""
        verb = "would delete" if dry_run else "deleted"
        self._line(
            f"{verb} {len(done.versions)} versions and {done.blobs} blobs "
            f"({done.freed_bytes / 1e6:.1f} MB)"
        )

    def show_manifest(self, manifest: Manifest, *, every_finding: bool) -> None:
        """What a version is made of."""
        self._show_report(manifest, every_finding=every_finding)
        table = Table("file", "MB", "sha256", title=f"version {manifest.version}")
        for entry in manifest.files:
            table.add_row(entry.name, f"{entry.size / 1e6:.2f}", entry.sha256[:16])
        self._out.print(table)
        source = manifest.source
        self._line(f"commit   {source.revision or 'none (a plain folder)'}")
        self._line(f"encoder  {manifest.encoder['kind']} {manifest.encoder['fingerprint'][:16]}")
        counts = ", ".join(f"{number:,} {name}" for name, number in manifest.counts.items())
        self._line(f"counts   {counts}")
        for kind, model in manifest.calibration.items():
            wrong = model["errors"]
            others = {"far_answer": "of another wiki's", "near_answer": "that it cannot answer"}
            taken = [f"{wrong[key]:.1%} {whose}" for key, whose in others.items() if key in wrong]
            self._line(
                f"no answer, by {kind} evidence, on the questions it was fitted to: taken for none "
                f"{wrong['answerable_none']:.1%} of the answerable ones; taken for an answer "
                + ", ".join(taken)
            )

    def show_search(self, response: Any) -> None:
        """Ranked hits, each with what it stands on (a `functions.tools.search.SearchResponse`)."""
        for typed, used in response.corrections.items():
            self._line(f"looked up {used!r} instead of {typed!r}")
        for hit in response.hits:
            scores = hit.scores
            path = " › ".join(h for h in hit.heading_path if h != hit.document.title)
            self._out.print(
                f"[bold]{hit.rank}. {escape(hit.document.title)}[/bold]  [dim]{escape(path)}[/dim]"
            )
            self._out.print(_marked(hit.snippet, hit.highlights), soft_wrap=True)
            legs = f"lemma {scores.lemma:.2f} · trigram {scores.trigram:.2f} · vector "
            line = f"{hit.source_url} · line {hit.line}" if hit.source_url else ""
            line = line or f"{hit.document.id}:{hit.line}"  # editors open a path with its line
            self._out.print(
                f"[dim]score {hit.score:.3f} ({legs}{scores.vector:.3f}) · {escape(line)}[/dim]\n",
                soft_wrap=True,
            )
        if response.reason:
            self._line(response.reason)
        elif doubt := _DOUBTS.get(response.outcome):
            self._line(f"{doubt} (confidence {response.confidence:.2f})")
        elapsed = sum(response.milliseconds.values())
        self._line(f"version {response.index_version} · {elapsed:.1f} ms")

    def show_answer(self, response: Any) -> None:
        """A checked answer or a refusal (a `functions.tools.answer.AnswerResponse`)."""
        self._line(response.answer)
        self._line("")
        if not response.accepted_for_delivery and response.reason:
            self._line(response.reason)
        refused = sum(check.refused for check in response.checks)
        elapsed = sum(response.milliseconds.values())
        self._line(
            f"{response.generator} · {response.checked} claims checked, {refused} refused · "
            f"version {response.index_version} · {elapsed:.0f} ms"
        )

    def _show_report(self, manifest: Manifest, *, every_finding: bool) -> None:
        if not manifest.report:
            self._line("build report: every page was taken as it is")
            return
        if every_finding:
            table = Table("severity", "code", "where", "why", title="build report")
            for row in manifest.report:
                where, why = escape(place(row)), escape(row["reason"])
                table.add_row(row["severity"], row["code"], where, why)
        else:
            table = Table("severity", "code", "how many", "first", "why", title="build report")
            reasons = {(r["severity"], r["code"], place(r)): r["reason"] for r in manifest.report}
            for severity, code, number, first in summarise(manifest.report):
                reason = reasons[severity, code, first]
                table.add_row(severity, code, str(number), escape(first), escape(reason))
        self._out.print(table)

    def _line(self, text: str) -> None:
        self._out.print(text, markup=False, soft_wrap=True)


def _marked(snippet: str, highlights: Sequence[Sequence[int]]) -> str:
    parts, position = [], 0
    for start, end in highlights:
        parts += [escape(snippet[position:start]), f"[yellow]{escape(snippet[start:end])}[/yellow]"]
        position = end
    return "".join([*parts, escape(snippet[position:])])


@contextmanager
def _bar(console: RichConsole) -> Iterator[Callable[[str, int, int], None]]:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description:<10}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    )  # fmt: skip
    with Progress(*columns, console=console) as progress:
        tasks: dict[str, Any] = {}

        def report(phase: str, done: int, total: int) -> None:
            if phase not in tasks:
                tasks[phase] = progress.add_task(phase, total=total or None)
            progress.update(tasks[phase], completed=done, total=total or None)

        yield report


class _PlainProgress:
    """A line when a phase begins, and now and then how far it is."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._phase = ""
        self._said_at = 0.0

    def __call__(self, phase: str, done: int, total: int) -> None:
        now = time.monotonic()
        if phase != self._phase:
            self._say(f"{phase} …")
        elif not total or now - self._said_at < _PLAIN_EVERY:
            return
        else:
            self._say(f"{phase} {done}/{total}")
        self._phase, self._said_at = phase, now
