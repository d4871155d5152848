"""The tools, in one table: to add one is to add an entry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from functions.errors import described
from functions.mcp import texts
from functions.mcp.schemas import input_schema, output_schema
from functions.tools import answer, documents, graph, rag, search
from functions.tools.query import checked_body
from index_artifacts.errors import EdgewikiError

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import BaseModel

    from functions.asker import Asker


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool. ``run`` takes a body and who asks.

    ``description`` is for a model that has to choose among tools; ``texts`` makes of a response
    what that model reads.
    """

    name: str
    title: str
    description: str
    body: type[BaseModel]
    response: type[BaseModel]
    run: Callable[[Any, Asker], BaseModel]
    texts: Callable[[Any], list[str]]

    def listed(self) -> dict[str, Any]:
        """The tool as ``tools/list`` shows it."""
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": input_schema(self.body),
            "outputSchema": output_schema(self.response),
            "annotations": {"readOnlyHint": True, "openWorldHint": False},
        }

    def call(self, arguments: dict[str, Any], asker: Asker) -> dict[str, Any]:
        """Run the tool; what goes wrong is a result too, for a model to read and do better.

        No field of ours may be null, so an argument that is null is one that was not given.
        """
        given = {name: value for name, value in arguments.items() if value is not None}
        try:
            response = self.run(checked_body(self.body, **given), asker)
        except EdgewikiError as error:
            _, _, reason = described(error)
            return {"content": [_text(reason)], "isError": True}
        return {
            "content": [_text(text) for text in self.texts(response)],
            "structuredContent": response.model_dump(mode="json"),
            "isError": False,
        }


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


_ALL = (
    Tool(
        name="search",
        title="Search the wiki",
        description=(
            "Find passages of the wiki by a question or keywords, in any language. Inflected "
            "forms, missing diacritics and typing errors are handled, so search once with plain "
            "words rather than with many variants. Returns passages, best first, each with its "
            "page and path. Use it first, whenever the wiki may know something; put words in "
            '"quotes" only where they must occur exactly so.'
        ),
        body=search.SearchBody,
        response=search.SearchResponse,
        run=search.run,
        texts=texts.search_texts,
    ),
    Tool(
        name="rag",
        title="Gather evidence for an answer",
        description=(
            "Gather numbered evidence from the wiki for one question, with the rules for "
            "answering from it and citing it as [1]. Use it instead of search when you are about "
            "to write an answer. Where `answerable` is false, say that the wiki does not answer "
            "the question."
        ),
        body=rag.RagBody,
        response=rag.RagResponse,
        run=rag.run,
        texts=texts.rag_texts,
    ),
    Tool(
        name="answer",
        title="Answer a question, checked",
        description=(
            "Answer a question from the wiki, in the question's language. Every statement was "
            "checked against the page that it cites. Show the answer as it is, with its sources, "
            "and add nothing to it; where it is a refusal, the wiki holds no answer. Use it for a "
            "question with a definite answer, and rag to write at length yourself."
        ),
        body=answer.AnswerBody,
        response=answer.AnswerResponse,
        run=answer.run,
        texts=texts.answer_texts,
    ),
    Tool(
        name="graph",
        title="Ask for facts",
        description=(
            "Ask a whole question about people, their theses and works, supervisors, years and "
            "topics, or about pages, their authors, keywords and categories: who, which, when, how "
            "many, the most, the first, or whether. Answers are facts with the lines they stand "
            "on, and it is said whether they are known to be all, which a search never knows. "
            "Where somebody named may be several people, ask which is meant. Any other question "
            "is not understood: use answer or search for it."
        ),
        body=graph.GraphSearchBody,
        response=graph.GraphSearchResponse,
        run=graph.run,
        texts=texts.graph_texts,
    ),
    Tool(
        name="read_document",
        title="Read a page",
        description=(
            "Read a page of the wiki, or one section of it by its heading. Use it when a passage "
            "that search found is not enough, or when a page is known by its path or link. A long "
            "page comes in parts: go on with the offset that the answer names."
        ),
        body=documents.ReadBody,
        response=documents.ReadResponse,
        run=documents.run_read,
        texts=texts.read_texts,
    ),
    Tool(
        name="list_documents",
        title="List pages",
        description=(
            "List pages of the wiki by folder, collection, author, tag, category, language or "
            "year, in the order of their paths. Use it to see what there is, or to count; not to "
            "look for a subject: search does that."
        ),
        body=documents.ListBody,
        response=documents.ListResponse,
        run=documents.run_list,
        texts=texts.list_texts,
    ),
    Tool(
        name="document_history",
        title="History of a page",
        description=(
            "Tell who changed a page, when, and with what words, the newest change first. Use it "
            "for questions about how current a page is or who to ask; it does not show what was "
            "changed."
        ),
        body=documents.DocumentBody,
        response=documents.HistoryResponse,
        run=documents.run_history,
        texts=texts.history_texts,
    ),
)

TOOLS = {tool.name: tool for tool in _ALL}
