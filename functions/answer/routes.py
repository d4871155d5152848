"""The answer function: ``POST /answer``."""

from __future__ import annotations

from fastapi import Request

from functions.openapi import TOOL
from functions.router import tool_router
from functions.tools.answer import AnswerBody, AnswerResponse, run

router = tool_router("answer")


@router.post(
    "/answer",
    summary="Answer a question from the wiki, with every statement checked",
    description=(
        "Answer a question in any language from the wiki. Use it when the user wants an answer "
        "rather than pages: ask a whole question that can be understood by itself. Every statement "
        "was checked against the page it cites before it is returned; where the wiki holds no "
        "answer, the answer says so and `accepted_for_delivery` is false. Show `answer` as it is "
        "and add nothing to it."
    ),
    openapi_extra=TOOL,
)
def answer_question(body: AnswerBody, request: Request) -> AnswerResponse:
    """Answer, or refuse in the question's language."""
    return run(body, request.app.state.version_state, request.state.profile)
