"""``edgewiki ci``: everything that a forge's CI does for a push, in one command."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from build.commands.options import (
    DEFAULT_ARTIFACT,
    Artifact,
    AsJson,
    Channel,
    Force,
    Reason,
    StoreUrl,
    Strict,
    Wiki,
    config_of,
    print_json,
)


def ci(
    wiki: Wiki = Path(),
    artifact: Artifact = DEFAULT_ARTIFACT,
    store: StoreUrl = None,
    channel: Channel = None,
    strict: Strict = False,
    gate_margin: Annotated[float | None, typer.Option(help="Else of edgewiki.toml.")] = None,
    force: Force = False,
    reason: Reason = "",
    job: Annotated[str, typer.Option(help="Id of the sync job to report on.")] = "",
    status_url: Annotated[str, typer.Option(help="Where sync answers; EDGEWIKI_SYNC_KEY.")] = "",
    as_json: AsJson = False,
) -> None:
    """Build, gate and publish in a forge's CI, and report it; infra/ci has the workflows."""
    from build.console import Console
    from build.forge_run import read_run
    from build.job_report import JobReport
    from eval.ci import Job, run_job

    run = read_run(os.environ)
    console = Console(quiet=as_json)
    key = os.environ.get("EDGEWIKI_SYNC_KEY", "")
    report = JobReport(status_url, job, key, run_url=run.url, say=console.say)
    try:
        with report.watching():
            config = config_of(wiki, store=store, channel=channel, gate_margin=gate_margin)
            signing_key = os.environ.get("EDGEWIKI_SIGNING_KEY", "").encode() or None
            what = Job(wiki, artifact, config, strict, force, reason, signing_key)
            result = run_job(what, run, report, console)
    finally:
        run.write_outputs(reported=str(report.delivered).lower())
    if as_json:
        print_json(result)
