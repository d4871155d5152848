"""The templates of the page and of its errors; whatever they show is escaped."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from functions.ui.results import web_address

if TYPE_CHECKING:
    from jinja2 import Template


def template(name: str) -> Template:
    """The template of that file; one that is given too little raises where it needs more."""
    return _environment().get_template(name)


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.filters["web_address"] = web_address
    return made
