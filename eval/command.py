"""``edgewiki eval``: one line for each command, whose code is a module of its own."""

from __future__ import annotations

import typer

from eval.commands.answers import answers
from eval.commands.check import check
from eval.commands.compare import compare
from eval.commands.contexts import contexts
from eval.commands.graph import graph
from eval.commands.load import load
from eval.commands.robustness import robustness
from eval.commands.run import run
from eval.commands.sweep import sweep
from eval.commands.tune import tune
from eval.commands.tune_answers import tune_answers

app = typer.Typer(
    name="eval",
    help="Measure how well a version answers a golden set.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

# A new command: a module in eval/commands, and a line here.
app.command()(run)
app.command()(compare)
app.command()(check)
app.command()(answers)
app.command()(contexts)
app.command()(graph)
app.command()(robustness)
app.command()(load)
app.command()(sweep)
app.command()(tune)
app.command()(tune_answers)
