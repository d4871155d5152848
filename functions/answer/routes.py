"""The answer function: ``POST /answer``."""

from __future__ import annotations

from functions.openapi import TOOL
from functions.router import Asking, tool_router
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
def answer_question(body: AnswerBody, asker: Asking) -> AnswerResponse:
    """Answer, or refuse in the question's language."""
    return run(body, asker)
