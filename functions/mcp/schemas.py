"""JSON Schemas that any importer of tools can read: flat, without references and titles."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from functions.tools.query import FOR_PROGRAMS

if TYPE_CHECKING:
    from pydantic import BaseModel

# What stands under these is data and not a schema.
_DATA = {"default", "examples", "enum", "const", "required"}


@cache
def input_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of what ``model`` is made from."""
    return _flat(model.model_json_schema(mode="validation"))


@cache
def output_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of what ``model`` is written as."""
    return _flat(model.model_json_schema(mode="serialization"))


def _flat(schema: dict[str, Any]) -> dict[str, Any]:
    definitions = schema.pop("$defs", {})
    flat: dict[str, Any] = _inlined(schema, definitions)
    return flat


def _inlined(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_inlined(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if reference := node.get("$ref"):
        named = definitions[reference.rpartition("/")[2]]
        node = {**named, **{key: value for key, value in node.items() if key != "$ref"}}
    return {
        key: _named(value, definitions)
        if key == "properties"
        else (value if key in _DATA else _inlined(value, definitions))
        for key, value in node.items()
        if key != "title" and key not in FOR_PROGRAMS
    }


def _named(properties: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    return {name: _inlined(schema, definitions) for name, schema in properties.items()}
