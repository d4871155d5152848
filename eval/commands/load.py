"""``edgewiki eval load``: how many questions at a time a version answers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from build.console import Console
from eval.commands.options import (
    ArtifactFolder,
    AsJson,
    Channel,
    Golden,
    LimitQuestions,
    Split,
    StoreUrl,
    print_json,
)
from eval.golden_set import load_golden
from eval.load import Limits, LoadRun, measure
from eval.load_report import show_load
from eval.load_targets import HttpTarget, SearcherTarget, app_target
from eval.opening import open_searcher, open_version
from eval.report import terminal
from eval.workload import make_workload
from index_artifacts.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eval.load_targets import Target
    from eval.workload import LoadQuery


def load(
    golden: Golden,
    url: Annotated[
        str | None, typer.Option(help="A server, such as http://127.0.0.1:8080.")
    ] = None,
    artifact: ArtifactFolder = None,
    store: StoreUrl = None,
    channel: Channel = None,
    split: Split = "all",
    api_key: Annotated[str, typer.Option(envvar="EDGEWIKI_LOAD_API_KEY", help="For --url.")] = "",
    allow_remote: Annotated[
        bool, typer.Option("--allow-remote", help="The server may be another machine of yours.")
    ] = False,
    max_concurrency: Annotated[int, typer.Option(min=1, max=1024, help="At a time.")] = 16,
    seconds: Annotated[float, typer.Option(min=0.1, max=600, help="Of each step.")] = 5.0,
    max_requests: Annotated[int, typer.Option(min=1, help="Of each step.")] = 5_000,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds for an answer.")] = 10.0,
    seed: Annotated[int, typer.Option(help="Another seed, another order.")] = 0,
    limit_questions: LimitQuestions = None,
    as_json: AsJson = False,
) -> None:
    """Put load on a server (--url), the app over a store (--store) or a searcher (--artifact)."""
    found = load_golden(golden, split)
    if limit_questions:
        found = found.spread(limit_questions)
    queries = make_workload(found, seed)
    limits = Limits(max_concurrency, seconds, max_requests, timeout)
    if sum(place is not None for place in (url, artifact, store)) != 1:
        raise ConfigError("say what to put under load: --url, --store or --artifact, one of them")
    if url is not None:
        target: Target = HttpTarget(url, api_key, allow_remote=allow_remote)
    elif artifact is not None:
        folder = artifact
        target = SearcherTarget(lambda: open_searcher(open_version(folder, None, None)))
    else:
        target = _app(store or "", channel)
    done = asyncio.run(_measure(target, queries, limits, quiet=as_json))
    if as_json:
        print_json(done.to_dict())
    else:
        show_load(terminal(), done)


async def _measure(
    target: Target, queries: Sequence[LoadQuery], limits: Limits, *, quiet: bool
) -> LoadRun:
    try:
        with Console(quiet=quiet).progress() as progress:
            return await measure(target, queries, limits, progress)
    finally:
        await target.close()


def _app(store: str, channel: str | None) -> HttpTarget:
    """The whole app, which opens the version when it is asked first."""
    from functions.local import create_local_app
    from functions.settings import Settings

    settings = Settings(store=store, channel=channel or "latest", allow_anonymous=True)
    return app_target(create_local_app(settings))
