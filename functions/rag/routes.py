"""The RAG function: ``POST /rag`` for a program, ``GET /retrieve`` for a system prompt."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from functions.openapi import TOOL
from functions.router import Asking, tool_router
from functions.tools.rag import RagBody, RagResponse, run
from functions.tools.retrieve import RetrieveParameters, RetrieveResponse, run_retrieve

router = tool_router("rag")


@router.post(
    "/rag",
    summary="Gather evidence from the wiki to answer from",
    description=(
        "Get the passages of the wiki that answer a question, numbered, with their pages, "
        "authors and dates, and the rules for answering from them. Use it when you are to write "
        "an answer from the wiki yourself: call it with the whole question, then write the answer "
        "from `context` alone, follow `rules`, and cite as [1]. If `answerable` is false, say "
        "that the wiki holds no answer and add nothing of your own."
    ),
    openapi_extra=TOOL,
)
def gather_evidence(body: RagBody, asker: Asking) -> RagResponse:
    """Answer with evidence, not with an answer."""
    return run(body, asker)


@router.get(
    "/retrieve",
    summary="Evidence as one block of Markdown for a system prompt",
    description=(
        "The same evidence as one Markdown block with a heading in the question's language, "
        "ready to be put into a system prompt."
    ),
)
def retrieve_markdown(
    parameters: Annotated[RetrieveParameters, Query()], asker: Asking
) -> RetrieveResponse:
    """Answer with one block of Markdown."""
    return run_retrieve(parameters, asker)
