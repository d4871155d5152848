"""A job of a forge's CI: model, build, gate, publish, and how it went."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from build.channels import delete_channel
from build.encoders import model_folder
from build.model import prepare_model
from build.pipeline import build_version
from eval.gated_publish import Publishing, publish_gated
from index_artifacts.errors import NotFoundError
from index_artifacts.store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from build.config import BuildConfig
    from build.console import Console
    from build.forge_run import ForgeRun
    from build.job_report import JobReport
    from build.pipeline import BuildResult
    from eval.gated_publish import GatedPublish, Progress


@dataclass(frozen=True, slots=True)
class Job:
    """What a job is asked to do; ``config`` names the channel that readers use."""

    wiki: Path
    artifact: Path
    config: BuildConfig
    strict: bool = False
    force: bool = False
    reason: str = ""
    signing_key: bytes | None = None


def run_job(job: Job, run: ForgeRun, report: JobReport, console: Console) -> dict[str, Any]:
    """Do the job, report each phase and its success, and return what it made.

    A pull request goes to its preview channel, compared with the channel that it would change,
    and its end takes the preview away.
    """
    result = _drop_preview(job, run, report) if run.closed else _publish(job, run, report, console)
    report.succeeded(result)
    run.write_outputs(**{name: result[name] for name in ("channel", "version") if name in result})
    run.write_summary(_summary(result))
    return result


def _publish(job: Job, run: ForgeRun, report: JobReport, console: Console) -> dict[str, Any]:
    if job.config.model == "onnx":
        report.phase("model")
        prepare_model(None, model_folder(job.config), on_progress=console.say)
    store = open_store(job.config.store)
    report.phase("building")
    with _progress(console, report) as progress:
        built = build_version(
            job.wiki, job.artifact, job.config, store, strict=job.strict, progress=progress
        )
    console.show_build(built)
    report.phase("publishing")
    live = job.config.channel
    what = Publishing(
        job.wiki,
        job.artifact,
        against=live,
        force=job.force,
        allow_older=run.preview is not None,  # a branch may be pushed anew
        reason=job.reason or (f"pull request {run.pull_request}" if run.preview else ""),
        signing_key=job.signing_key,
    )
    target = job.config.model_copy(update={"channel": run.preview or live})
    with _progress(console, report) as progress:
        done = publish_gated(what, target, store, say=console.say, progress=progress)
    console.show_published(done.published)
    return _result(built, done)


@contextmanager
def _progress(console: Console, report: JobReport) -> Iterator[Progress]:
    """Progress for those who read the log, and for the sync function."""
    with console.progress() as show:

        def both(phase: str, done: int, total: int) -> None:
            show(phase, done, total)
            report.progress(phase, done, total)

        yield both


def _drop_preview(job: Job, run: ForgeRun, report: JobReport) -> dict[str, Any]:
    report.phase("publishing")
    name = run.preview or ""
    try:
        pointer = delete_channel(
            open_store(job.config.store), name, protected={"latest", job.config.channel}
        )
    except NotFoundError:  # the gate refused every push, or the run is a second one
        return {"deleted_channel": None}
    return {"deleted_channel": name, "version": pointer.version}


def _result(built: BuildResult, done: GatedPublish) -> dict[str, Any]:
    made = built.summary()
    return {
        **done.to_dict(),
        "counts": made["counts"],
        "embeddings": made["embeddings"],
        "seconds": made["seconds"],
        "report": dict(Counter(row["severity"] for row in made["report"])),
    }


def _summary(result: dict[str, Any]) -> list[str]:
    """Markdown for the page of the run."""
    if "deleted_channel" in result:
        name = result["deleted_channel"]
        return [f"Channel `{name}` is gone." if name else "There was no preview to take away."]
    counts, embeddings = result["counts"], result["embeddings"]
    gate = result["gate"] or {"figures": (), "broken": ()}
    return [
        f"Channel `{result['channel']}` serves version `{result['version']}`.",
        "",
        f"- {counts['documents']} pages, {counts['chunks']} chunks",
        f"- {embeddings['computed']} vectors computed, {embeddings['reused']} reused",
        f"- built in {result['seconds']} s",
        *(f"- gate: {f['metric']} {_change(f)}" for f in gate["figures"]),
        *(f"- `{one['id']}` is answered worse: {one['question']}" for one in gate["broken"]),
    ]


def _change(figure: dict[str, Any]) -> str:
    before = "" if figure["live"] is None else f"{figure['live']:.3f} → "
    return f"{before}{figure['new']:.3f}"
