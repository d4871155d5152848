"""A forge that fails, limits, is slow, or loses its answers."""

from __future__ import annotations

import logging
import socket
from typing import TYPE_CHECKING, Any

import pytest

from functions.forge.opening import open_forge
from functions.settings import Settings, load_settings
from index_artifacts.errors import ConfigError, ForgeError
from tests.forge_server import TOKEN, Fault
from tests.functions.forge.conftest import ANA

if TYPE_CHECKING:
    from collections.abc import Callable

    from functions.forge import Forge
    from tests.forge_server import ForgeServer

WRITES = ("PUT", "POST", "DELETE")


def writes(server: ForgeServer) -> int:
    return sum(call.method in WRITES for call in server.requests)


@pytest.mark.parametrize("status", [500, 502, 503, 429])
def test_a_busy_forge_is_asked_again(forge: Forge, server: ForgeServer, status: int) -> None:
    server.fail(Fault(status=status), Fault(status=status))
    file = forge.read("index.md")
    assert file is not None
    assert len(server.requests) == 3


def test_a_forge_that_stays_down_is_given_up(forge: Forge, server: ForgeServer) -> None:
    server.fail(*[Fault(status=503)] * 10)
    with pytest.raises(ForgeError, match="answered 503, at try 5"):
        forge.read("index.md")
    assert len(server.requests) == 5


def test_a_limit_that_takes_long_is_told_at_once(forge: Forge, server: ForgeServer) -> None:
    server.fail(Fault(status=403, headers={"Retry-After": "3600"}))
    with pytest.raises(ForgeError, match=r"limits how often .* asks to wait 3600 s"):
        forge.read("index.md")
    server.fail(Fault(status=403, headers={"X-RateLimit-Remaining": "0"}))
    assert forge.read("index.md") is not None


def test_a_forge_that_says_nothing_is_not_waited_for(
    client: Callable[..., Forge], server: ForgeServer
) -> None:
    server.fail(*[Fault("hang")] * 5)
    with pytest.raises(ForgeError, match=r"did not answer within 0\.\d+ s"):
        client(request_seconds=0.1, call_seconds=0.15).read("index.md")


def test_an_address_where_nobody_listens_is_named(client: Callable[..., Forge]) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    with pytest.raises(ForgeError, match="cannot be reached; see EDGEWIKI_FORGE_URL"):
        client(root=f"http://127.0.0.1:{port}").read("index.md")


@pytest.mark.parametrize("kind", ["lost", "lost lost"])
def test_an_edit_whose_answer_was_lost_is_made_once(
    forge: Forge, server: ForgeServer, kind: str
) -> None:
    file = forge.read("index.md")
    assert file is not None
    server.fail(*[Fault("lost", method="PUT") for _ in kind.split()])
    commit = forge.write("index.md", b"# Mine\n", message="Mine", author=ANA, sha=file.sha)
    assert commit.sha == server.repository.head
    assert server.repository.show("index.md") == b"# Mine\n"
    assert len(server.repository.log("index.md")) == 2
    assert writes(server) == 1
    again = forge.read("index.md")
    assert again is not None
    assert again.sha == commit.blob


def test_a_new_and_a_removed_page_survive_lost_answers_too(
    forge: Forge, server: ForgeServer
) -> None:
    server.fail(Fault("lost"))
    commit = forge.write("new.md", b"# New\n", message="New", author=ANA)
    assert (commit.sha, len(server.repository.log("new.md"))) == (server.repository.head, 1)
    server.fail(Fault("lost"))
    gone = forge.delete("new.md", message="Gone", author=ANA, sha=commit.blob)
    assert (gone.sha, gone.blob) == (server.repository.head, "")
    assert len(server.repository.log("new.md")) == 2


def test_an_edit_that_was_not_made_is_made_again(forge: Forge, server: ForgeServer) -> None:
    file = forge.read("index.md")
    assert file is not None
    server.fail(Fault(status=502), Fault(status=502, method="PUT"))
    forge.write("index.md", b"# Mine\n", message="Mine", author=ANA, sha=file.sha)
    assert len(server.repository.log("index.md")) == 2


def test_the_same_edit_of_long_ago_is_not_taken_for_this_one(
    forge: Forge, server: ForgeServer
) -> None:
    """Mine, then theirs, then mine again with a failure that did nothing."""
    first = forge.read("index.md")
    assert first is not None
    forge.write("index.md", b"# Mine\n", message="Mine", author=ANA, sha=first.sha)
    server.repository.commit({"index.md": b"# Theirs\n"})
    theirs = forge.read("index.md")
    assert theirs is not None
    server.fail(Fault(status=502, method="PUT"))
    forge.write("index.md", b"# Mine\n", message="Mine", author=ANA, sha=theirs.sha)
    assert server.repository.show("index.md") == b"# Mine\n"
    assert len(server.repository.log("index.md")) == 4


def test_a_lost_answer_is_found_under_what_came_after_it(forge: Forge, server: ForgeServer) -> None:
    file = forge.read("index.md")
    assert file is not None
    server.fail(Fault("lost"))
    real = server.api.contents

    def then_theirs(path: str, call: Any) -> Any:
        answer = real(path, call)
        if call.method == "PUT":
            server.repository.commit({"index.md": b"# Theirs\n"})
        return answer

    server.api.contents = then_theirs  # type: ignore[method-assign]
    commit = forge.write("index.md", b"# Mine\n", message="Mine", author=ANA, sha=file.sha)
    assert [c.sha for c in server.repository.log("index.md")][1] == commit.sha
    assert server.repository.show("index.md") == b"# Theirs\n"
    assert writes(server) == 1


def test_after_a_lost_answer_silence_is_called_what_it_is(
    forge: Forge, server: ForgeServer
) -> None:
    method = "PUT" if server.kind == "github" else "POST"
    server.fail(*[Fault(status=500, method=method)] * 5)
    with pytest.raises(ForgeError, match="whether the change was made is not known"):
        forge.write("new.md", b"# New\n", message="New", author=ANA)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"token": "wrong-token-0123456789"}, "EDGEWIKI_FORGE_TOKEN"),
        ({"repository": "team/other"}, "EDGEWIKI_FORGE_REPOSITORY"),
        ({"branch": "other"}, "EDGEWIKI_FORGE_BRANCH"),
    ],
)
def test_what_is_set_wrong_is_named_and_no_token_is_told(
    client: Callable[..., Forge],
    caplog: pytest.LogCaptureFixture,
    fields: dict[str, str],
    named: str,
) -> None:
    caplog.set_level(logging.DEBUG)
    forge = client(**fields)
    for call in (
        lambda: forge.read("index.md"),
        lambda: forge.write("new.md", b"x", message="m", author=ANA),
        lambda: forge.creator("index.md") or forge.read("nowhere"),
    ):
        with pytest.raises(ForgeError, match=named) as raised:
            call()
        assert TOKEN not in str(raised.value) + caplog.text
        assert "wrong-token" not in str(raised.value) + caplog.text


def test_a_token_without_rights_is_named(forge: Forge, server: ForgeServer) -> None:
    method = "PUT" if server.kind == "github" else "POST"
    for status in (403, 404):
        server.fail(Fault(status=status, method=method))
        with pytest.raises(ForgeError, match=r"EDGEWIKI_FORGE_TOKEN may not .*40[34]"):
            forge.write("new.md", b"# New\n", message="m", author=ANA)
    assert server.repository.show("new.md") is None


def test_a_redirect_does_not_take_the_token_along(forge: Forge, server: ForgeServer) -> None:
    server.fail(Fault(status=301, headers={"Location": f"{server.url}/elsewhere"}))
    with pytest.raises(ForgeError, match="has moved"):
        forge.read("index.md")
    assert len(server.requests) == 1


def test_a_workflow_is_started_though_the_forge_stumbles(forge: Forge, server: ForgeServer) -> None:
    server.fail(Fault(status=502))
    forge.start_workflow({})
    assert len(server.started) == 1


def test_a_forge_is_opened_from_the_settings(server: ForgeServer) -> None:
    settings = Settings(allow_anonymous=True, **server.settings)
    assert open_forge(settings).read("index.md") is not None
    with pytest.raises(ConfigError, match="EDGEWIKI_FORGE is empty"):
        open_forge(Settings(allow_anonymous=True))
    with pytest.raises(ConfigError, match="EDGEWIKI_FORGE_TOKEN is empty"):
        open_forge(Settings(allow_anonymous=True, **{**server.settings, "forge_token": ""}))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("forge_folder", "../wiki"),
        ("forge_folder", "docs\\wiki"),
        ("forge_author_domain", "no domain"),
        ("forge_author_domain", "edge>wiki.org"),
        ("forge_author_domain", "users.noreply.github.com"),
        ("document_max_bytes", "10"),
    ],
)
def test_a_setting_that_would_do_harm_is_refused(name: str, value: str) -> None:
    with pytest.raises(ConfigError, match=f"EDGEWIKI_{name.upper()}"):
        load_settings(allow_anonymous=True, **{name: value})


def test_a_folder_is_written_in_one_way() -> None:
    assert load_settings(allow_anonymous=True, forge_folder="/docs/./wiki/").forge_folder == (
        "docs/wiki"
    )
