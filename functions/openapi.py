"""``/openapi.json``: what chat tools import. All operations, or the tools a model may choose."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fastapi import Request
from fastapi.responses import JSONResponse

from functions.tools.query import FOR_PROGRAMS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi import FastAPI

    from functions.settings import Settings

TOOL = {"x-tool": True}
"""As ``openapi_extra`` of a route: a model should be offered this operation."""

# A name that the world can resolve: a proxy may pass an address of its own on as the host.
_PUBLIC_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]+(?::\d{1,5})?")


def install_schema(app: FastAPI, settings: Settings) -> None:
    """Answer ``/openapi.json`` by the settings, ``/openapi-tools.json`` with the tools alone."""
    made: dict[str, dict[str, Any]] = {}

    def answer(kind: str, request: Request) -> JSONResponse:
        if kind not in made:
            made[kind] = _tidy(app.openapi() if kind == "all" else only_tools(app.openapi()))
        return JSONResponse({**made[kind], "servers": [{"url": server_url(request, settings)}]})

    @app.get("/openapi.json", include_in_schema=False)
    def get_schema(request: Request) -> JSONResponse:
        return answer(settings.tools_schema, request)

    @app.get("/openapi-tools.json", include_in_schema=False)
    def get_tools_schema(request: Request) -> JSONResponse:
        return answer("tools", request)


def server_url(request: Request, settings: Settings) -> str:
    """Where the operations are: as set, else as the request came, else relative to the schema.

    An absolute address is given only where it is sure to be right: with TLS, whose end a proxy
    tells by X-Forwarded-Proto, and under a public name. Keys must never go out in the clear.
    """
    if settings.public_url:
        return settings.public_url
    forwarded = request.headers.get("x-forwarded-proto", request.scope["scheme"])
    host = request.headers.get("host", "").lower()
    if forwarded.partition(",")[0].strip().lower() == "https" and _PUBLIC_HOST.fullmatch(host):
        return f"https://{host}{settings.base_path}"
    return settings.base_path or "/"


def only_tools(schema: dict[str, Any]) -> dict[str, Any]:
    """``schema`` with the operations marked `TOOL`, and of their fields those for a model."""
    paths = {
        path: tools
        for path, item in schema["paths"].items()
        if (tools := {name: operation for name, operation in item.items() if "x-tool" in operation})
    }
    known = {name: _for_models(node) for name, node in schema["components"]["schemas"].items()}
    used: dict[str, Any] = {}
    wanted = list(_references(paths))
    while wanted:
        name = wanted.pop()
        if name not in used:
            used[name] = known[name]
            wanted += _references(known[name])
    return {**schema, "paths": paths, "components": {**schema["components"], "schemas": used}}


def _for_models(node: dict[str, Any]) -> dict[str, Any]:
    fields = node.get("properties", {})
    kept = {name: field for name, field in fields.items() if not set(FOR_PROGRAMS) & set(field)}
    return {**node, "properties": kept} if fields else node


def _references(value: Any) -> Iterator[str]:
    """Names of the component schemas that a part of a schema refers to."""
    if isinstance(value, dict):
        if "$ref" in value:
            yield value["$ref"].rpartition("/")[2]
        value = list(value.values())
    if isinstance(value, list):
        for child in value:
            yield from _references(child)


def _tidy(value: Any) -> Any:
    """Without our marks, generated titles and bounds such as 50.0 of a whole number."""
    if isinstance(value, list):
        return [_tidy(child) for child in value]
    if not isinstance(value, dict):
        return value
    is_schema = "type" in value and isinstance(value["type"], str)
    tidy = {
        name: _tidy(child)
        for name, child in value.items()
        if name not in {*TOOL, *FOR_PROGRAMS} and not (is_schema and name == "title")
    }
    if value.get("type") == "integer":
        bounds = {"minimum", "maximum"} & set(tidy)
        tidy |= {bound: int(tidy[bound]) for bound in bounds}
    return tidy
