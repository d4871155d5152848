"""The official MCP client against a real server, in every way that it opens a connection."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from tests.functions.conftest import KEY
from tests.functions.mcp_server import LONG, WIKI, publish_wiki, serving_mcp

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

    from mcp_types import CallToolResult

TOOLS = [
    "search", "rag", "answer", "graph", "read_document", "list_documents", "document_history",
]  # fmt: skip
MODES = ["auto", "legacy", "2026-07-28"]
NEWEST = {"auto": "2026-07-28", "legacy": "2025-11-25", "2026-07-28": "2026-07-28"}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("mcp")
    with serving_mcp(publish_wiki(folder), folder / "cache") as address:
        yield address


@asynccontextmanager
async def connected(url: str, mode: str = "auto", key: str = KEY) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {key}", "Host": "wiki.example.org"}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport, mode=mode) as client:
            yield client


def ask(url: str, question: Callable[[Client], Awaitable[Any]], mode: str = "auto") -> Any:
    """What the client that ``question`` is put to learns; raises the error it gets."""

    async def run() -> Any:
        async with connected(url, mode) as client:
            try:
                return await question(client)
            except MCPError as error:  # raised in here, it would come out in groups of groups
                return error

    answer = asyncio.run(run())
    if isinstance(answer, MCPError):
        raise answer
    return answer


def call(url: str, name: str, mode: str = "auto", **arguments: Any) -> CallToolResult:
    result: CallToolResult = ask(url, lambda client: client.call_tool(name, arguments), mode)
    return result


def texts(result: CallToolResult) -> list[str]:
    return [block.text for block in result.content if block.type == "text"]


@pytest.mark.parametrize("mode", MODES)
def test_a_client_learns_what_the_server_is_and_has(url: str, mode: str) -> None:
    async def look(client: Client) -> None:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == TOOLS
        assert all(tool.title and tool.description and tool.output_schema for tool in tools)
        assert client.protocol_version == NEWEST[mode]
        if mode != "2026-07-28":  # with a pinned version it asks nothing at all
            assert client.server_capabilities.tools is not None
            assert client.server_capabilities.prompts is None
            assert client.server_info is not None
            assert client.server_info.name == "edgewiki"
            assert "data" in (client.instructions or "")

    ask(url, look, mode)


@pytest.mark.parametrize("mode", MODES)
def test_three_calls_in_a_row_are_three_answers(url: str, mode: str) -> None:
    async def thrice(client: Client) -> None:
        for _ in range(3):
            result = await client.call_tool("search", {"query": "administrator account"})
            assert result.structured_content is not None
            assert result.structured_content["hits"][0]["chunk_id"] == "server.md#1"

    for _ in range(3):
        ask(url, thrice, mode)


def test_a_search_reads_as_passages_that_are_quoted_once(url: str) -> None:
    result = call(url, "search", query="administrator account", limit=1)
    (text,) = texts(result)
    assert text.startswith("1. Server room (server.md), lines 5-7\nUnder: Server room > Access\n> ")
    assert text.count("Ask the administrator for an account") == 1
    assert "matched" not in text  # the rest is in the structured content


def test_a_correction_and_an_empty_result_are_told(url: str) -> None:
    (text,) = texts(call(url, "search", query="admnistrator"))
    assert "Read as: admnistrator → administrator." in text
    empty = call(url, "search", query="printer", tags=["nothing"])
    assert texts(empty)[0].startswith("Nothing was found.")
    assert not empty.is_error


def test_evidence_comes_with_its_rules(url: str) -> None:
    result = call(url, "rag", query="Where do I get an account?", limit=2)
    rules, evidence = texts(result)
    assert result.structured_content is not None
    assert rules == result.structured_content["rules"]
    assert "Ask the administrator" in evidence
    assert "[1] Server room (server.md)" in evidence


def test_an_answer_is_to_be_shown_as_it_is_with_what_is_to_be_known_of_it(url: str) -> None:
    result = call(url, "answer", query="Where do I get an account?")
    answer, notes = texts(result)
    assert "Ask the administrator for an account before you connect. [1]" in answer
    assert "\n\nSources:\n[1] Server room › Access — server.md" in answer
    assert notes == "Understood as: Where do I get an account?"
    assert result.structured_content is not None
    assert result.structured_content["answer"] == answer
    assert result.structured_content["accepted_for_delivery"]


def test_a_follow_up_is_understood_from_its_history(url: str) -> None:
    history = [{"role": "user", "content": "When do printers need toner?"}]
    _, notes = texts(call(url, "answer", query="and where?", history=history))
    assert notes.startswith("Understood as: and where? ")
    assert "printers need toner" in notes


@pytest.mark.parametrize("query", ["Who was the supervisor of Zoltan Kerekes?", "treasure oak"])
def test_a_refusal_is_no_error_and_says_why(url: str, query: str) -> None:
    result = call(url, "answer", query=query)
    refusal, notes = texts(result)
    assert not result.is_error
    assert refusal == "No answer to this question was found in the wiki."
    assert "\nNo answer: " in notes
    assert result.structured_content is not None
    assert not result.structured_content["accepted_for_delivery"]


def test_facts_on_pages_are_counted_and_anything_else_is_refused(url: str) -> None:
    told, facts = texts(call(url, "graph", query="How many pages have the tag animals?"))
    assert told == (
        "Understood as: count page where keyword is animals. These are all.\n- count: 1"
    )
    assert facts == "- Yellow horse HAS_KEYWORD animals (docs/žltý kôň.md, line 1)"
    (told,) = texts(call(url, "graph", query="Where do I get an account?"))
    assert told == "not_understood: the graph does not know what this means: account."


def test_a_long_page_is_read_to_its_end(url: str) -> None:
    read, offset = "", 0
    while offset >= 0:
        result = call(url, "read_document", path="docs/long", offset=offset, max_characters=4000)
        head, text = texts(result)
        assert result.structured_content is not None
        assert result.structured_content["text"] == text
        assert ("to read on, call again" in head) == result.structured_content["truncated"]
        read += text
        offset = result.structured_content["next_offset"]
    assert read == LONG


def test_a_section_is_read_by_its_heading(url: str) -> None:
    result = call(url, "read_document", path="server.md", heading="access", include_sections=True)
    head, text = texts(result)
    assert text.startswith("## Access\n")
    assert "Section: Server room > Access" in head
    assert "- Server room (offset 0)" in head


def test_pages_are_listed_without_unpublished_ones(url: str) -> None:
    result = call(url, "list_documents", limit=2)
    (text,) = texts(result)
    assert text.startswith("2 of 5 pages; for more, call again with offset=2.\n- Long (docs/long")
    tagged = call(url, "list_documents", tags=["animals"])
    assert texts(tagged) == ["1 of 1 pages.\n- Yellow horse (docs/žltý kôň.md)"]
    everything = call(url, "list_documents", published_only=False)
    assert "[unpublished] (secret.md)" in texts(everything)[0]


def test_a_history_names_who_changed_the_page_and_when(url: str) -> None:
    (text,) = texts(call(url, "document_history", path="printer.md"))
    lines = text.splitlines()
    assert lines[0] == "Printer (printer.md)"
    assert lines[1].startswith("- 2026-02-01 Ján: change (")
    assert lines[2].startswith("- 2026-01-01 Eva: change (")


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("search", {"query": "x", "limit": "5"}, "limit: Input should be a valid integer"),
        ("search", {"query": "x", "limit": 99}, "limit: "),
        ("search", {"query": "x", "colour": "red"}, "colour: "),
        ("search", {"query": "x", "tags": ["a", 1]}, "tags.1: "),
        ("search", {"query": "x", "kind": "x", "self": "x"}, "kind: "),
        ("search", {}, "query: Field required"),
        ("search", {"query": None}, "query: Field required"),
        ("search", {"query": "x", "collections": ["x"]}, "collection 'x' is unknown"),
        ("rag", {"query": "x", "rag_profile": "x"}, "'x'"),
        ("answer", {"query": "x", "engine": "oracle"}, "engine: Input should be 'auto', 'rag'"),
        ("answer", {"query": "x", "history": [{"role": "system", "content": "x"}]}, "history.0.r"),
        ("answer", {"query": "x" * 10_000}, "query: String should have at most 2000"),
        ("graph", {"query": "x", "collections": ["x"]}, "collection 'x' is unknown"),
        ("graph", {"query": "x", "engine": "rag"}, "engine: "),
        ("read_document", {"path": "sever.md"}, "no page 'sever.md'; similar: 'server.md'"),
        ("read_document", {"path": "secret.md"}, "there is no page 'secret.md'"),
        ("read_document", {"path": "server.md", "heading": "Exit"}, "no heading 'Exit'"),
        ("read_document", {"path": "server.md", "offset": 10**9}, "beyond the end"),
        ("list_documents", {"collections": ["x"]}, "collection 'x' is unknown"),
        ("document_history", {"path": "secret.md"}, "there is no page 'secret.md'"),
    ],
)
def test_a_wrong_argument_is_a_result_that_says_how_to_do_better(
    url: str, tool: str, arguments: dict[str, Any], reason: str
) -> None:
    result: CallToolResult = ask(url, lambda client: client.call_tool(tool, arguments))
    assert result.is_error
    assert reason in texts(result)[0]


def test_an_argument_that_is_null_is_one_that_was_not_given(url: str) -> None:
    result = call(url, "read_document", path="server.md", heading=None, offset=None)
    assert not result.is_error


@pytest.mark.parametrize("mode", MODES)
def test_an_unknown_tool_is_an_error_of_the_protocol(url: str, mode: str) -> None:
    with pytest.raises(MCPError, match="unknown tool 'delete_page'; there are: search") as error:
        call(url, "delete_page", mode)
    assert error.value.error.code == -32602


@pytest.mark.parametrize("mode", MODES)
def test_pages_are_resources_that_can_be_read(url: str, mode: str) -> None:
    async def read_all(client: Client) -> dict[str, str]:
        listed = (await client.list_resources()).resources
        found = {}
        for resource in listed:
            (content,) = (await client.read_resource(resource.uri)).contents
            assert content.mime_type == resource.mime_type == "text/markdown"
            assert content.uri == resource.uri
            found[resource.name] = getattr(content, "text", "")
        (template,) = (await client.list_resource_templates()).resource_templates
        assert template.uri_template == "wiki:///{+path}"
        return found

    pages = ask(url, read_all, mode)
    assert set(pages) == set(WIKI) - {"secret.md"}
    assert pages["docs/žltý kôň.md"] == "It likes carrots.\n"
    assert pages["docs/long.md"] == LONG


@pytest.mark.parametrize(
    ("mode", "code"), [("legacy", -32002), ("auto", -32602), ("2026-07-28", -32602)]
)
@pytest.mark.parametrize("uri", ["wiki:///nothing.md", "wiki:///secret.md", "file:///etc/passwd"])
def test_an_unknown_resource_is_an_error(url: str, mode: str, code: int, uri: str) -> None:
    with pytest.raises(MCPError) as error:
        ask(url, lambda client: client.read_resource(uri), mode)
    assert error.value.error.code == code
    assert error.value.error.data == {"uri": uri}


def test_there_are_no_prompts(url: str) -> None:
    assert ask(url, lambda client: client.list_prompts()).prompts == []


def test_a_client_without_a_key_gets_nowhere(url: str) -> None:
    async def run() -> None:
        async with connected(url, "legacy", key="wrong") as client:
            await client.list_tools()

    with pytest.raises(ExceptionGroup) as error:
        asyncio.run(run())
    assert error.group_contains(MCPError, match="error response", depth=None)
