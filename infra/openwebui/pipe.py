"""
title: edgewiki: checked answers
author: edgewiki
version: 0.1.0
license: MIT
required_open_webui_version: 0.6.0
description: Asks the wiki. An answer is shown only after every claim in it was checked.
"""

# One file, to be pasted into Open WebUI: it imports only what Open WebUI itself requires.

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal

import httpx
from pydantic import BaseModel, Field

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    Emitter = Callable[[dict[str, Any]], Awaitable[None]]
    Turn = dict[str, str]

logger = logging.getLogger("edgewiki.pipe")

MAX_QUERY, MAX_TURN = 2000, 4000  # characters; POST /answer answers 422 to more
MAX_TURNS = 6
MAX_TITLE, MAX_REASON = 60, 300  # characters
ENGINES = {"checked-rag": "rag", "checked-graph": "graph"}
WARNING = "⚠️ "  # begins every failure, so that none comes back as a turn of the conversation

ENGLISH = {
    "no_question": "There is no question to answer: write one as text.",
    "too_long": "The question has {length} characters, more than {limit}. Shorten it, please.",
    "unauthorized": "The wiki service refused the key (HTTP {code}). Admin: see BACKEND_API_KEY.",
    "wrong_address": "No wiki service is at this address (HTTP {code}). Admin: see BACKEND_URL.",
    "settings": "BACKEND_URL or BACKEND_API_KEY is missing or unusable. Admin: set them.",
    "too_large": "The conversation is too large for the wiki service (HTTP {code}). Start anew.",
    "invalid": "The wiki service did not accept the question (HTTP {code}). {reason}",
    "busy": "The wiki service is busy or unavailable (HTTP {code}). Try again soon. {reason}",
    "error": "The wiki service failed (HTTP {code}).",
    "timeout": "The wiki service did not answer within {seconds:g} seconds. Try again.",
    "unreachable": "The wiki service cannot be reached. Admin: does it run, see BACKEND_URL.",
    "interrupted": "The connection to the wiki service broke off before the answer was complete.",
    "malformed": "What answered is not the wiki service, or not of a version that fits.",
    "broken": "The question could not be asked; the log of Open WebUI names the cause.",
    "no_merging": "This model answers from the wiki; it does not merge answers of other models.",
    "asking": "Asking the wiki and checking the answer",
    "accepted": "The answer was checked",
    "refused": "Nothing could be verified",
    "failed": "No answer",
}
SLOVAK = {
    "no_question": "Chýba otázka: napíšte ju ako text.",
    "too_long": "Otázka má {length} znakov, viac než {limit}. Skráťte ju, prosím.",
    "unauthorized": "Služba wiki odmietla kľúč (HTTP {code}). Správca: pozri BACKEND_API_KEY.",
    "wrong_address": "Na adrese nie je služba wiki (HTTP {code}). Správca: pozri BACKEND_URL.",
    "settings": "BACKEND_URL alebo BACKEND_API_KEY chýba alebo je chybný. Správca: vyplň ich.",
    "too_large": "Rozhovor je pre službu wiki príliš veľký (HTTP {code}). Začnite nový.",
    "invalid": "Služba wiki otázku neprijala (HTTP {code}). {reason}",
    "busy": "Služba wiki je zaťažená alebo nedostupná (HTTP {code}). Skúste to o minútu. {reason}",
    "error": "Služba wiki zlyhala (HTTP {code}).",
    "timeout": "Služba wiki neodpovedala do {seconds:g} s. Skúste to znova.",
    "unreachable": "So službou wiki sa nedá spojiť. Správca: beží? Pozri BACKEND_URL.",
    "interrupted": "Spojenie so službou wiki sa prerušilo skôr, než prišla celá odpoveď.",
    "malformed": "To, čo odpovedalo, nie je služba wiki alebo nie je vo vhodnej verzii.",
    "broken": "Otázku sa nepodarilo položiť; príčina je v zázname Open WebUI.",
    "no_merging": "Tento model odpovedá z wiki; odpovede iných modelov nespája.",
    "asking": "Pýtam sa wiki a overujem odpoveď",
    "accepted": "Odpoveď je overená",
    "refused": "Nič sa nepodarilo overiť",
    "failed": "Bez odpovede",
}

CAUSES_BY_CODE = {
    401: "unauthorized", 403: "unauthorized", 404: "wrong_address", 405: "wrong_address",
    413: "too_large", 422: "invalid", 429: "busy", 502: "busy", 503: "busy", 504: "busy",
}  # fmt: skip

# The first class that fits decides. ValueError is a key that no HTTP header can hold.
CAUSES_BY_ERROR: dict[type[Exception], str] = {
    TimeoutError: "timeout", httpx.TimeoutException: "timeout", httpx.ConnectError: "unreachable",
    httpx.InvalidURL: "settings", httpx.UnsupportedProtocol: "settings", ValueError: "settings",
    httpx.LocalProtocolError: "settings", httpx.RequestError: "interrupted",
}  # fmt: skip


class NoAnswerError(Exception):
    """A question without an answer. ``cause`` is a key of `ENGLISH`, ``details`` fill it in."""

    def __init__(self, cause: str, **details: str | float) -> None:
        super().__init__(cause)
        self.cause, self.details = cause, details

    def notice(self, words: dict[str, str]) -> str:
        """What the reader sees."""
        return WARNING + words[self.cause].format(**self.details).strip()


class Pipe:
    """What Open WebUI loads: two models, and a coroutine that answers in their name."""

    class Valves(BaseModel):
        """The settings that an administrator sees."""

        BACKEND_URL: str = Field("", description="address of the service, without /answer")
        BACKEND_API_KEY: str = Field("", json_schema_extra={"input": {"type": "password"}})
        DEFAULT_ENGINE: Literal["auto", "rag", "graph"] = "auto"  # for a model id that names none
        TIMEOUT_SECONDS: float = Field(300, gt=0, description="longest wait for one answer")

    def __init__(self) -> None:
        self.valves = self.Valves()

    def pipes(self) -> list[dict[str, str]]:
        """The models to choose from."""
        return [
            {"id": "checked-rag", "name": "Wiki: checked RAG"},
            {"id": "checked-graph", "name": "Wiki: checked graph"},
        ]

    async def pipe(
        self,
        body: dict[str, Any],
        __event_emitter__: Emitter | None = None,
        __task__: str | None = None,
        __task_body__: dict[str, Any] | None = None,
        __metadata__: dict[str, Any] | None = None,
    ) -> str:
        """The answer, the refusal or a notice, as one string. Raises nothing."""
        metadata = __metadata__ or {}
        if task := __task__ or metadata.get("task"):  # such as the title of a chat
            return answer_task(str(task), __task_body__ or {})
        return await self._answer(body, metadata, __event_emitter__)

    async def _answer(
        self, body: dict[str, Any], metadata: dict[str, Any], emit: Emitter | None
    ) -> str:
        words, last_status = ENGLISH, "failed"
        try:
            *history, question = read_turns(body, metadata)
            words = words_for(question["content"])
            await send(emit, "status", description=words["asking"], done=False)
            model = str(body.get("model", "")).rpartition(".")[2]  # after the function's own id
            engine = ENGINES.get(model, self.valves.DEFAULT_ENGINE)
            answer = await ask(self.valves, question["content"], history, engine)
            # With files attached, Open WebUI gives the first numbers to those.
            for citation in [] if metadata.get("sources") else citations(answer):
                await send(emit, "citation", **citation)
            last_status = "accepted" if answer["accepted_for_delivery"] else "refused"
            return str(answer["answer"])
        except Exception as error:
            failure = error if isinstance(error, NoAnswerError) else NoAnswerError("broken")
            kind = type(error.__cause__ or error).__name__  # its words may hold the key
            logger.warning("no answer: %s (%s)", failure.cause, kind)
            return failure.notice(words)
        finally:
            await send(emit, "status", description=words[last_status], done=True)


def read_turns(body: dict[str, Any], metadata: dict[str, Any]) -> list[Turn]:
    """The last turns with text, the question last. Raises `NoAnswerError` where there is none."""
    turns = turns_of(body)
    while turns and turns[-1]["role"] != "user":
        turns.pop()
    question = turns.pop()["content"] if turns else ""
    if metadata.get("sources"):  # files were attached: the message is now a prompt around them
        question = text_of(metadata.get("base_user_prompt")) or question
    if not question:
        raise NoAnswerError("no_question")
    if len(question) > MAX_QUERY:
        raise NoAnswerError("too_long", length=len(question), limit=MAX_QUERY)
    said = [turn for turn in turns if turn["content"] and not turn["content"].startswith(WARNING)]
    history = [turn | {"content": turn["content"][:MAX_TURN]} for turn in said[-MAX_TURNS:]]
    return [*history, {"role": "user", "content": question}]


def turns_of(body: dict[str, Any]) -> list[Turn]:
    """What the reader and the assistant said; a message that is an image has an empty text."""
    messages = body.get("messages")
    return [
        {"role": message["role"], "content": text_of(message.get("content"))}
        for message in (messages if isinstance(messages, list) else [])
        if isinstance(message, dict) and message.get("role") in ("user", "assistant")
    ]


def text_of(content: object) -> str:
    """The text of a message's content, stripped, without images and lone surrogates."""
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "\n".join(text for text in texts if isinstance(text, str))
    return content.encode("utf-8", "replace").decode().strip() if isinstance(content, str) else ""


def words_for(question: str) -> dict[str, str]:
    """`SLOVAK` for a question that looks Slovak or Czech, else `ENGLISH`."""
    words = {word.strip("?!.,:;\"'„“") for word in question.lower().split()}
    slovak = {"kto", "čo", "ako", "kde", "kedy", "prečo", "preco", "aký", "aky", "kdo", "kdy"}
    marked = set("čďěľĺňŕřšťžů").intersection(question.lower())
    return SLOVAK if marked or words & slovak else ENGLISH


async def ask(valves: Pipe.Valves, query: str, history: list[Turn], engine: str) -> dict[str, Any]:
    """What POST /answer says, its fields checked. Raises `NoAnswerError`."""
    url = valves.BACKEND_URL.strip().rstrip("/").removesuffix("/answer")
    if not url:
        raise NoAnswerError("settings")
    key = valves.BACKEND_API_KEY.strip()
    payload = {"query": query, "engine": engine, "history": history}
    try:
        # httpx limits the wait for each piece; the answer as a whole is limited here.
        async with (
            asyncio.timeout(valves.TIMEOUT_SECONDS),
            httpx.AsyncClient(timeout=valves.TIMEOUT_SECONDS) as client,
        ):
            response = await client.post(
                f"{url}/answer", json=payload, headers={"X-API-Key": key} if key else {}
            )
    except Exception as error:
        fitting = (cause for kind, cause in CAUSES_BY_ERROR.items() if isinstance(error, kind))
        raise NoAnswerError(next(fitting, "broken"), seconds=valves.TIMEOUT_SECONDS) from error
    return read_answer(response, key)


def read_answer(response: httpx.Response, key: str) -> dict[str, Any]:
    """The body of a response. Raises `NoAnswerError` where it is no answer."""
    code = response.status_code
    try:
        body = response.json()
    except ValueError:
        body = None
    body = body if isinstance(body, dict) else {}
    if code != httpx.codes.OK:
        cause = CAUSES_BY_CODE.get(code, "wrong_address" if code < 400 else "error")
        reason = str(body.get("reason", "")).replace(key or "\0", "***")
        raise NoAnswerError(cause, reason=" ".join(reason.split())[:MAX_REASON], code=code)
    text = body.get("answer")
    accepted = isinstance(body.get("accepted_for_delivery"), bool)
    if not accepted or not isinstance(text, str) or not text.strip():
        raise NoAnswerError("malformed")
    return body


def citations(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """The sources as Open WebUI links them to [n]: by their place among the sources shown.

    Hence one with an id of its own for each number, in order, and none at all where the numbers
    have gaps: a wrong link is worse than none, and the answer lists its sources itself.
    """
    sources = answer.get("sources") if answer["accepted_for_delivery"] else []
    with suppress(AttributeError, LookupError, TypeError, ValueError):  # no links, then
        sources = sorted(sources or [], key=lambda source: int(source["number"]))
        if [source["number"] for source in sources] == list(range(1, len(sources) + 1)):
            return [_citation(source, answer) for source in sources]
    return []


def _citation(source: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    number, path, url = source["number"], source.get("path", ""), source.get("source_url", "")
    name, identity = source.get("title") or path, f"{number}. {path}"
    quotes = [
        claim["quote"]
        for claim in answer.get("claims") or []
        if claim["citations"] == [number] and claim["quote"] and claim["text"] in answer["answer"]
    ]
    return {
        "source": {"id": identity, "name": name} | ({"url": url} if url else {}),
        "document": ["\n\n".join(quotes) or source.get("heading") or name],
        "metadata": [{"source": identity, "name": name}],
    }


def answer_task(task: str, task_body: dict[str, Any]) -> str:
    """What Open WebUI parses for the task of this name; the service is not asked."""
    asked = [turn["content"] for turn in turns_of(task_body) if turn["role"] == "user"]
    # Open WebUI looks for the braces of the JSON object: there may be no others.
    asked = [text.replace("{", "(").replace("}", ")") for text in asked if text]
    name = task.rpartition(".")[2].lower()
    if name == "moa_response_generation":
        return words_for(str(task_body.get("prompt", "")))["no_merging"]
    replies = {
        "title_generation": {"title": " ".join(asked[0].split())[:MAX_TITLE] if asked else ""},
        "tags_generation": {"tags": []},
        "follow_up_generation": {"follow_ups": []},
        "query_generation": {"queries": asked[-1:]},
        "autocomplete_generation": {"text": ""},
    }
    return json.dumps(replies[name], ensure_ascii=False) if name in replies else ""


async def send(emit: Emitter | None, kind: str, **data: Any) -> None:
    """Send an event to the reader's browser; where it cannot be sent, the answer goes without."""
    if emit is not None:
        with suppress(Exception):
            await emit({"type": kind, "data": data})
