"""A running forge of either kind, and a client of it whose waits are short."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from functions.forge import Author
from functions.forge.gitea import Gitea
from functions.forge.github import GitHub
from tests.forge_server import REPOSITORY, TOKEN, ForgeServer, running_forge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from functions.forge import Forge

ANA = Author("Ana Nová", "ana=40example.org@edgewiki.invalid")
BOB = Author("Bob", "bob@edgewiki.invalid")
PAGE = "poznámky/čo je nové? 100 %.md"


@pytest.fixture(params=["github", "gitea"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ForgeServer]:
    """A forge with a wiki of two pages."""
    with running_forge(request.param, tmp_path / "wiki.git") as server:
        server.repository.commit({"index.md": b"# Wiki\n", PAGE: b"# Nov\xc3\xa9\n"})
        yield server


def client_of(server: ForgeServer, token: str = TOKEN, **fields: Any) -> Forge:
    """A client; ``fields`` replace the repository, the branch, the workflow or a limit."""
    kind = GitHub if server.kind == "github" else Gitea
    names = {"repository": REPOSITORY, "branch": "main", "workflow": "edgewiki.yml"}
    named = {name: fields.pop(name, value) for name, value in names.items()}
    limits = {"backoff": 0.001, "request_seconds": 5.0, "call_seconds": 20.0, **fields}
    root = limits.pop("root", server.root)
    return kind(kind.exchange(root, token, **limits), **named)


@pytest.fixture
def forge(server: ForgeServer) -> Forge:
    return client_of(server)


@pytest.fixture
def client(server: ForgeServer) -> Callable[..., Forge]:
    """Make a client of the forge with other limits or names."""
    return lambda **fields: client_of(server, **fields)
