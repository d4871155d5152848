"""JSON lines whose values have to be of known types."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from index_artifacts.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path


def _is_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_lists_of_strings(value: object) -> bool:
    return isinstance(value, list) and all(_is_strings(item) and item for item in value)


def _is_turns(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(turn, dict)
        and turn.keys() == {"role", "content"}
        and turn["role"] in ("user", "assistant")
        and isinstance(turn["content"], str)
        for turn in value
    )


_TESTS: dict[str, Callable[[object], bool]] = {
    "a string": lambda value: isinstance(value, str),
    "a list of strings": _is_strings,
    "a list of lists of strings": _is_lists_of_strings,
    "a list of turns, {role: user or assistant, content}": _is_turns,
    "true or false": lambda value: isinstance(value, bool),
}


def read_lines(
    file: Path, data: bytes, types: Mapping[str, str]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line number from 1, object) of each line that is not blank; nulls are left out.

    ``types`` says of what type the value of a key is, in the words of `_TESTS`; keys that it
    does not name may hold anything. Raises `ConfigError` with file and line.
    """
    for number, line in enumerate(_text(file, data).split("\n"), 1):
        if not line.strip():
            continue
        where = f"{file}, line {number}"
        try:
            values = json.loads(line)
        except ValueError as error:
            raise ConfigError(f"{where}: not JSON: {error}") from None
        if not isinstance(values, dict):
            raise ConfigError(f"{where}: {line.strip()[:60]!r} is no JSON object")
        values = {key: value for key, value in values.items() if value is not None}
        _check_types(where, values, types)
        yield number, values


def _text(file: Path, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ConfigError(f"{file}, line {line}: not UTF-8: {error.reason}") from None


def _check_types(where: str, values: Mapping[str, Any], types: Mapping[str, str]) -> None:
    for key, value in values.items():
        if key in types and not _TESTS[types[key]](value):
            raise ConfigError(f"{where}: {key!r} = {value!r} is not {types[key]}")
