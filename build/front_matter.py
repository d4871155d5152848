"""Splitting a page into front matter and body.

Every scalar stays the text it was written as: ``no`` is no boolean and ``1.10`` no number.
A fault costs a value, at worst the metadata, never the body.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import yaml

if TYPE_CHECKING:
    from build.report import Report

Value = str | list["Value"] | dict[str, "Value"]

_FENCE = {"---": re.compile(r"(?:---|\.\.\.)[ \t]*"), "+++": re.compile(r"\+\+\+[ \t]*")}
_KEY_LINE = re.compile(
    r"""(?P<key>["']?[^\s#:"'\-\[{][^:]*?["']?)[ \t]*:(?:[ \t]+(?P<value>.*))?$"""
)
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
# A page's metadata is small; aliases of aliases must not make it large.
_MAX_NODES = 10_000


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """Metadata as written, the line of each top-level key, and the body.

    ``body_line`` is the 1-based line of the file on which the body starts.
    """

    values: dict[str, Value] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    body: str = ""
    body_line: int = 1


def split_front_matter(path: str, text: str, report: Report) -> FrontMatter:
    """Split ``text``; a leading block that is no mapping is part of the body."""
    block = _leading_block(text)
    if block is None:
        return FrontMatter(body=text)
    fence, content, body, body_line = block
    parse = _parse_yaml if fence == "---" else _parse_toml
    parsed = parse(path, content, report)
    if parsed is None:
        return FrontMatter(body=text)
    values, lines = parsed
    return FrontMatter(values, lines, body, body_line)


def _leading_block(text: str) -> tuple[str, str, str, int] | None:
    lines = text.split("\n")
    fence = lines[0].rstrip(" \t")
    if fence not in _FENCE:
        return None
    for number, line in enumerate(lines[1:], 1):
        if _FENCE[fence].fullmatch(line):
            return fence, "\n".join(lines[1:number]), "\n".join(lines[number + 1 :]), number + 2
    return None


def _parse_toml(
    path: str, content: str, report: Report
) -> tuple[dict[str, Value], dict[str, int]] | None:
    lines = {
        match["key"].strip(): number
        for number, line in enumerate(content.split("\n"), 2)
        if (match := re.match(r"(?P<key>[^=\[#]+?)\s*=", line))
    }
    try:
        table = tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:
        if not lines:
            return None
        report.add("degraded", "front-matter", path, f"TOML front matter is lost: {error}", 1)
        return {}, {}
    return {key: _plain(value) for key, value in table.items()}, lines


def _plain(value: object) -> Value:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, bool):
        return str(value).lower()
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _parse_yaml(
    path: str, content: str, report: Report
) -> tuple[dict[str, Value], dict[str, int]] | None:
    try:
        node = yaml.compose(content, Loader=_LOADER)
        if not isinstance(node, yaml.MappingNode):
            return None
        return _mapping(path, node, report)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        return _salvage(path, content, error, report)


def _mapping(
    path: str, node: yaml.MappingNode, report: Report, offset: int = 2
) -> tuple[dict[str, Value], dict[str, int]]:
    budget = [_MAX_NODES]
    values: dict[str, Value] = {}
    lines: dict[str, int] = {}
    for key_node, value_node in node.value:
        line = key_node.start_mark.line + offset
        key = _key(key_node)
        if key is None or key.isdigit():
            report.add(
                "degraded", "front-matter-key", path, f"key {key!r} is not a name: dropped", line
            )
            continue
        if key in values:
            report.add("repaired", "front-matter-key", path, f"{key!r} twice: the last holds", line)
        values[key] = _construct(value_node, budget)
        lines[key] = line
    return values, lines


def _key(node: yaml.Node) -> str | None:
    return str(node.value) if isinstance(node, yaml.ScalarNode) else None


def _construct(node: yaml.Node, budget: list[int], depth: int = 0) -> Value:
    budget[0] -= 1
    if budget[0] < 0 or depth > 20:
        raise ValueError("its front matter is too large once its aliases are written out")
    if isinstance(node, yaml.SequenceNode):
        return [_construct(item, budget, depth + 1) for item in node.value]
    if isinstance(node, yaml.MappingNode):
        return {
            str(key.value): _construct(value, budget, depth + 1)
            for key, value in node.value
            if isinstance(key, yaml.ScalarNode)
        }
    # `~` and `null` without quotes mean nothing at all, as an empty value does.
    if not getattr(node, "style", None) and node.value in {"~", "null", "Null", "NULL"}:
        return ""
    return str(node.value)


def _salvage(
    path: str, content: str, error: Exception, report: Report
) -> tuple[dict[str, Value], dict[str, int]] | None:
    """Read the keys of a broken block one by one; None where it does not look like metadata."""
    blocks = _key_blocks(content)
    if not blocks:
        return None
    values: dict[str, Value] = {}
    lines: dict[str, int] = {}
    for number, block in blocks:
        key, value = _salvage_block(block)
        values[key], lines[key] = value, number
    mark = getattr(error, "problem_mark", None)
    line = mark.line + 2 if mark else 1
    problem = getattr(error, "problem", None) or str(error)
    reason = f"YAML error ({problem}): each key was read on its own"
    report.add("repaired", "front-matter", path, reason, line)
    return values, lines


def _key_blocks(content: str) -> list[tuple[int, str]]:
    blocks: list[tuple[int, list[str]]] = []
    for number, line in enumerate(content.split("\n"), 2):
        if not line.strip() or line.startswith("#"):
            continue
        if _KEY_LINE.match(line):
            blocks.append((number, [line]))
        elif blocks and (line[0] in " \t-]}" or line.startswith("- ")):
            blocks[-1][1].append(line)
        else:
            return []
    return [(number, "\n".join(block)) for number, block in blocks]


def _salvage_block(block: str) -> tuple[str, Value]:
    expanded = block.replace("\t", "  ")
    try:
        node = yaml.compose(expanded, Loader=_LOADER)
        if isinstance(node, yaml.MappingNode) and len(node.value) == 1:
            key, value = node.value[0]
            return str(key.value), _construct(value, [_MAX_NODES])
    except (yaml.YAMLError, ValueError, RecursionError):
        pass  # what follows takes the text as it stands
    first, _, rest = expanded.partition("\n")
    match = _KEY_LINE.match(first)
    assert match is not None  # _key_blocks starts every block with such a line
    text = " ".join([match["value"] or "", *rest.split()]).strip()
    return match["key"].strip().strip("\"'"), text
