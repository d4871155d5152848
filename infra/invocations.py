"""Built functions under Lambda's runtime client, asked as the HTTP API asks them."""

from __future__ import annotations

import base64
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval.lambda_runtime import InvocationError, lambda_process
from functions.access import hash_of

if TYPE_CHECKING:
    from infra.built import BuiltFunction

EVENTS = Path(__file__).parent.parent / "tests" / "events"
TIMES = 3
"""A second call finds what the first one left behind, and a third what the second did."""
FORBIDDEN = ("build", "eval", "sqlite_utils")
KEY = "a-key-of-the-tests-0123456789abcdef"
ORIGIN = "https://wiki.example.org"
FORGE = {
    "EDGEWIKI_FORGE": "gitea",
    "EDGEWIKI_FORGE_URL": "http://127.0.0.1:9/api/v1",
    "EDGEWIKI_FORGE_REPOSITORY": "department/wiki",
    "EDGEWIKI_FORGE_TOKEN": "a-token-of-the-tests-0123456789abcdef01",
    "EDGEWIKI_SYNC_KEY": "a-sync-key-of-the-tests-0123456789ab",
    "EDGEWIKI_WEBHOOK_SECRET_GITHUB": "a-webhook-secret-of-the-tests-github-01",
    "EDGEWIKI_WEBHOOK_SECRET_GITEA": "a-webhook-secret-of-the-tests-gitea-012",
}
# Nothing answers there: a login has imported what it takes before it finds out.
LOGIN = {
    "EDGEWIKI_OIDC_ISSUER": "http://127.0.0.1:9",
    "EDGEWIKI_OIDC_CLIENT_ID": "check",
    "EDGEWIKI_SESSION_KEY": "a-session-key-of-the-tests-0123456789",
}
# Event, status, and what the answer has to say.
CASES: dict[str, list[tuple[str, int, str]]] = {
    "SearchFunction": [
        ("http-api", 200, '"vector"'),
        ("function-url", 200, "server.md"),
        ("suggest", 200, '"text":"Server room"'),
        ("health", 200, '"status":"ok"'),
    ],
    "RagFunction": [("rag", 200, "Ask the administrator"), ("retrieve", 200, "administrator")],
    "GraphFunction": [("graph", 200, "server.md"), ("graph-path", 200, "DESCRIBES")],
    "AnswerFunction": [("answer", 200, "listens on port 8080")],
    "McpFunction": [("mcp", 200, "server.md")],
    "UiFunction": [
        ("page", 200, "<mark>"),
        ("asset", 200, "light-dark"),
        ("login", 503, "does not answer"),
    ],
    "SchemaFunction": [("schema", 200, "/graph/search"), ("preflight", 200, ORIGIN)],
    "DocumentsFunction": [("documents", 200, "server.md"), ("document", 200, "Server room")],
    "SyncFunction": [
        ("webhook-github", 202, "another branch than main"),
        ("webhook-gitea", 202, "ignored"),
        ("webhook-forged", 403, ""),
        ("sync-status", 200, ""),
    ],
}


@dataclass(frozen=True, slots=True)
class Interpreter:
    """What runs a function here, and what of the layer it can read."""

    python: Path
    layer: Path

    def environ(self, folder: Path, store: str) -> dict[str, str]:
        """Variables of a function whose downloads go below ``folder``."""
        return {
            "PYTHONPATH": str(self.layer.resolve()),
            "PYTHONDONTWRITEBYTECODE": "1",
            "EDGEWIKI_STORE": store,
            "EDGEWIKI_CACHE_DIR": str(folder / "cache"),
            "EDGEWIKI_API_KEYS": api_keys(),
            "EDGEWIKI_CORS_ORIGINS": ORIGIN,
            **FORGE,
            **LOGIN,
        }


def api_keys() -> str:
    """The setting that makes `KEY` a key."""
    return json.dumps([{"name": "check", "role": "admin", "sha256": [hash_of(KEY)]}])


def imported_too_much(function: BuiltFunction, interpreter: Interpreter, folder: Path) -> list[str]:
    """What a handler imports and must not, from the built artifact."""
    code = (
        f"import sys, {function.module};"
        f"print(*(name for name in {FORBIDDEN!r} if name in sys.modules))"
    )
    ran = subprocess.run(
        [interpreter.python, "-c", code],
        cwd=function.folder, env=interpreter.environ(folder, f"file://{folder}"),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if ran.returncode:
        raise InvocationError(f"{function.module} cannot be imported: {ran.stderr[-2000:]}")
    return ran.stdout.split()


def invoke(
    function: BuiltFunction, interpreter: Interpreter, store: str, folder: Path
) -> list[str]:
    """Ask the function each of its events `TIMES` times in one process; return what was wrong."""
    folder.mkdir()
    wrong = []
    with lambda_process(
        folder, interpreter.environ(folder, store), function.handler,
        task=function.folder.resolve(), python=interpreter.python,
    ) as process:  # fmt: skip
        for name, status, says in CASES[function.name] * TIMES:
            answer = process.invoke(json.loads((EVENTS / f"{name}.json").read_text()))
            if problem := _problem(answer, status, says):
                wrong.append(f"{name}: {problem}; the log: {process.log[-500:]}")
    return wrong


def _problem(answer: dict[str, Any], status: int, says: str) -> str:
    text = answer.get("body", "")
    if answer.get("isBase64Encoded"):
        text = base64.b64decode(text).decode()
    text += json.dumps(answer.get("headers", {}))
    if answer["statusCode"] != status:
        return f"{answer['statusCode']} instead of {status}: {text[:300]}"
    return "" if says in text else f"no {says!r} in {text[:300]}"
