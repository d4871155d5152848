"""Collections in ``edgewiki.toml``: changed in place, all else stays as somebody wrote it."""

from __future__ import annotations

import re
import string
import tomllib
from typing import TYPE_CHECKING, Any

from index_artifacts.errors import QueryError

if TYPE_CHECKING:
    from collections.abc import MutableSequence

# As the build checks them.
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_PLACEHOLDERS = ("path", "path_without_extension", "route", "collection", "revision")
_DEFAULT = "wiki"
"""The collection of all pages, where the file names none."""


def with_collection(text: str, name: str, path: str, source_url: str) -> tuple[str, bool]:
    """``text`` with this collection, and whether it is new. Raises `QueryError`.

    A new one is put before the first that holds its folder: the first that matches claims a page.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    path = _checked(name, path, source_url)
    try:
        document = tomlkit.parse(text)
        before = tomllib.loads(text)
    except (TOMLKitError, tomllib.TOMLDecodeError) as error:
        raise QueryError(f"edgewiki.toml on the branch is not valid TOML: {error}") from None
    if "collections" not in document:
        document["collections"] = tomlkit.aot()
        if name != _DEFAULT:
            _insert(document["collections"], 0, _DEFAULT, "", "")
    entries: Any = document["collections"]
    found = next((n for n, entry in enumerate(entries) if entry.get("name") == name), None)
    if found is None:
        _require_own_path(entries, name, path)
        _insert(entries, _position(entries, path), name, path, source_url)
    else:
        _change(entries, found, path, source_url)
        _require_own_path(entries, name, path)
    changed = tomlkit.dumps(document)
    _require_only_collections(before, tomllib.loads(changed))
    return changed, found is None


def _checked(name: str, path: str, source_url: str) -> str:
    """The normal form of ``path``."""
    if not _NAME.fullmatch(name):
        raise QueryError(
            f"name: {name[:64]!r} is none: use up to 64 of a-z, 0-9, _ and -, a letter or digit "
            "first"
        )
    parts = [part for part in path.split("/") if part not in {"", "."}]
    if ".." in parts or "\\" in path or not path.isprintable():
        raise QueryError(f"path: {path[:200]!r} is no folder of the wiki")
    _require_fillable(source_url)
    return "/".join(parts)


def _require_fillable(template: str) -> None:
    try:
        fields = [
            field for _, field, _, _ in string.Formatter().parse(template) if field is not None
        ]
    except ValueError as error:
        raise QueryError(f"source_url: {error}") from None
    for field in fields:
        if field not in _PLACEHOLDERS:
            raise QueryError(
                f"source_url: unknown placeholder {field[:64]!r}; use {', '.join(_PLACEHOLDERS)}"
            )
    if not template.isprintable():
        raise QueryError("source_url holds a character that cannot be seen")


def _require_own_path(entries: MutableSequence[Any], name: str, path: str) -> None:
    for entry in entries:
        if entry.get("name") != name and _normal(entry) == path:
            raise QueryError(f"path: {path or '.'!r} is the collection {entry['name']!r} already")


def _position(entries: MutableSequence[Any], path: str) -> int:
    for number, entry in enumerate(entries):
        other = _normal(entry)
        if not other or path == other or path.startswith(f"{other}/"):
            return number
    return len(entries)


def _change(entries: MutableSequence[Any], number: int, path: str, source_url: str) -> None:
    """Change an entry in place; it is moved where an earlier one would claim its pages."""
    entry = entries[number]
    if _normal(entry) != path:
        entry["path"] = path
    if str(entry.get("source_url", "")) != source_url:
        entry["source_url"] = source_url
    others = [other for other in entries if other is not entry]
    if (wanted := _position(others, path)) < number:
        del entries[number]
        entries.insert(wanted, entry)


def _insert(
    entries: MutableSequence[Any], number: int, name: str, path: str, source_url: str
) -> None:
    import tomlkit

    in_line = not isinstance(entries, tomlkit.items.AoT)
    table: Any = tomlkit.inline_table() if in_line else tomlkit.table()
    table["name"] = name
    if path:
        table["path"] = path
    if source_url:
        table["source_url"] = source_url
    if not in_line:
        table.add(tomlkit.nl())
    entries.insert(number, table)


def _normal(entry: Any) -> str:
    parts = str(entry.get("path", "")).split("/")
    return "/".join(part for part in parts if part not in {"", "."})


def _require_only_collections(before: dict[str, Any], after: dict[str, Any]) -> None:
    """What is written must not differ in anything else: a last look, whatever the parser did."""
    rest = [{k: v for k, v in table.items() if k != "collections"} for table in (before, after)]
    if rest[0] != rest[1]:
        raise QueryError("edgewiki.toml cannot be changed without touching the rest: edit it")
