"""The documents function under the real Lambda runtime client, with a real forge."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from eval.lambda_runtime import LambdaProcess, lambda_process
from index_artifacts.manifest import GRAPH_FILE, INDEX_FILE, MODEL_FOLDER
from tests.functions.documents.conftest import API_KEYS, KEYS
from tests.functions.test_lambda import body_of, load

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.functions.documents.conftest import Installation


@pytest.fixture
def function(wiki: Installation) -> Iterator[LambdaProcess]:
    settings = {
        "EDGEWIKI_STORE": wiki.settings.store,
        "EDGEWIKI_CACHE_DIR": str(wiki.folder / "cache"),
        "EDGEWIKI_API_KEYS": API_KEYS,
        "EDGEWIKI_REFRESH_SECONDS": "3600",
        **{f"EDGEWIKI_{k.upper()}": v for k, v in wiki.forge.settings.items()},
    }
    with lambda_process(wiki.folder, settings, "functions.documents.handler.handler") as process:
        yield process


def event(method: str, path: str, body: bytes = b"", kind: str = "application/json") -> Any:
    """An event of the HTTP API with ana's key; its body is binary, as a form's may be."""
    made = load("http-api")
    made["rawPath"] = made["requestContext"]["http"]["path"] = path
    made["requestContext"]["http"]["method"] = method
    made["headers"] |= {
        "x-api-key": KEYS["ana"], "content-type": kind, "content-length": str(len(body)),
    }  # fmt: skip
    made["body"], made["isBase64Encoded"] = base64.b64encode(body).decode(), True
    return made


def test_pages_are_written_and_read_by_one_process(
    function: LambdaProcess, wiki: Installation
) -> None:
    for number in range(3):
        page = f"guides/nová {number}.md"
        sent = json.dumps({"content": f"# Žltá {number}\n"}).encode()
        answer = function.invoke(event("PUT", quote(f"/documents/{page}"), sent))
        assert answer["statusCode"] == 201, answer
        assert wiki.text(page) == f"# Žltá {number}\n"
        assert body_of(answer)["reason"]  # no sync function is joined to this process
        read = body_of(function.invoke(event("GET", "/documents/index.md")))
        assert read["sha"] == wiki.sha("index.md")
    form = (
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="caf\xc3\xa9.txt"\r\n\r\n'
        b"a text\r\n--x--\r\n"
    )
    upload = event("POST", "/documents/upload", form, "multipart/form-data; boundary=x")
    answer = function.invoke(upload)
    assert answer["statusCode"] == 201, answer
    assert wiki.text("café.md") == "# café\n\na text\n"
    fetched = {path.name for path in (wiki.folder / "cache").rglob("*")}
    assert INDEX_FILE in fetched
    assert not {GRAPH_FILE, MODEL_FOLDER.rstrip("/")} & fetched
