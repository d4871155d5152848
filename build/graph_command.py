"""``edgewiki graph``: one line for each command, whose code is a module of its own."""

from __future__ import annotations

import typer

from build.graph_export.command import export
from build.graph_show import show

app = typer.Typer(
    name="graph",
    help="See the knowledge graph of a version.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


app.command()(show)
app.command()(export)
