"""The README's tables and picture are held to what the code says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.main import get_command

from build.config import BuildConfig
from build.config_file import TOML_KEYS
from edgewiki import app
from functions.mcp.tools import TOOLS
from functions.settings import Settings

if TYPE_CHECKING:
    from pydantic_settings import BaseSettings

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def build_rows() -> list[str]:
    """The table of build settings as the README has to have it."""
    in_toml = {field: f"`[{section}] {key}`" for (section, key), field in TOML_KEYS.items()}
    rows = ["| in edgewiki.toml | variable | default | meaning |", "|---|---|---|---|"]
    for name, field in BuildConfig.model_fields.items():
        place = in_toml.get(name, f"`[[{name}]]`")
        rows.append(
            f"| {place} | {variable(name)} | {shown(field.default)} | {field.description} |"
        )
    return rows


def function_rows() -> list[str]:
    """The table of function settings as the README has to have it."""
    rows = ["| variable | default | meaning |", "|---|---|---|"]
    for name, field in Settings.model_fields.items():
        named = f"`{field.validation_alias}`" if field.validation_alias else variable(name)
        rows.append(f"| {named} | {shown(field.default)} | {field.description} |")
    return rows


def variable(name: str) -> str:
    return f"`EDGEWIKI_{name.upper()}`"


def shown(default: Any) -> str:
    if hasattr(default, "get_secret_value"):
        default = default.get_secret_value()
    if default in ("", (), None):
        return ""
    if isinstance(default, tuple):
        return " ".join(f"`{getattr(item, 'name', item)}`" for item in default)
    if isinstance(default, Path):
        return "a temporary folder"
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


@pytest.mark.parametrize("rows", [build_rows(), function_rows()], ids=["build", "functions"])
def test_every_setting_is_in_the_readme_with_its_default_and_meaning(rows: list[str]) -> None:
    missing = [row for row in rows if row not in README]
    assert not missing, "add to README.md:\n" + "\n".join(rows)


@pytest.mark.parametrize("kind", [BuildConfig, Settings])
def test_every_setting_says_what_it_means(kind: type[BaseSettings]) -> None:
    assert all(field.description for field in kind.model_fields.values())


def test_every_command_is_in_the_readme_and_no_other() -> None:
    commands = set(getattr(get_command(app), "commands"))  # noqa: B009  typer's group, untyped
    named = {
        line.split("`")[1].split()[1]
        for line in README.splitlines()
        if line.startswith("| `edgewiki ")
    }
    assert named == commands


def test_every_tool_of_mcp_is_in_the_readme_and_no_other() -> None:
    table = README.split("## Asking over MCP")[1].split("| tool |")[1].split("\n\n")[0]
    assert [line.split("`")[1] for line in table.splitlines() if "`" in line] == list(TOOLS)


def named_tests(heading: str, first_column: str) -> set[str]:
    """The tests in the last column of a table; each of them exists."""
    table = README.split(heading)[1].split(f"| {first_column} |")[1].split("\n\n")[0]
    rows = [line for line in table.splitlines()[2:] if line.startswith("|")]
    defined = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(), re.MULTILINE)
    }
    named = [re.fullmatch(r"\|.*\| `(\w+)` \|", row) for row in rows]
    assert all(named), rows[named.index(None)]
    found = {match[1] for match in named if match}
    assert found <= defined, found - defined
    return found


def test_every_threat_that_is_answered_has_its_test() -> None:
    assert len(named_tests("## Who may ask what", "asset")) >= 20


def test_every_fault_that_is_survived_has_its_test() -> None:
    named = named_tests("## Survives", "fault")
    in_faults = {
        name
        for path in (ROOT / "tests" / "faults").glob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(), re.MULTILINE)
    }
    assert len(named) > 20
    assert len(in_faults & named) > 15


def test_every_folder_and_file_of_the_layout_exists() -> None:
    layout = README.split("### The layout")[1].split("```")[1]
    for line in layout.strip().splitlines():
        assert (ROOT / line.split()[0]).exists(), line


def test_no_module_is_longer_than_300_lines() -> None:
    folders = ("build", "functions", "index_artifacts", "eval", "infra", "tests")
    modules = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    long = {
        str(path.relative_to(ROOT)): lines
        for path in [*modules, ROOT / "edgewiki.py"]
        if (lines := len(path.read_text().splitlines())) > 300
    }
    assert not long
