"""The page as HTML, from templates; whatever it shows is escaped."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from functions.models import MAX_QUERY
from functions.ui.assets import assets_below
from functions.ui.picture import WIDTH, draw
from functions.ui.results import grouped
from functions.ui.template import template
from functions.ui.wording import age, words
from index_artifacts.answers.question import is_asking
from index_artifacts.calibration import LOW_CONFIDENCE, NONE
from index_artifacts.graph.model import DOCUMENT, KEYWORD, PERSON
from index_artifacts.search import MODES
from index_artifacts.text import fold

if TYPE_CHECKING:
    from functions.models import HealthResponse
    from functions.tools.search import SearchResponse
    from functions.ui.entities import Entity
    from functions.ui.form import Choice, Form
    from functions.ui.session import Visitor

# What the scripts say of these words; the rest is in the page already.
SAID_BY_SCRIPTS = (
    "copied", "reading", "evidence", "missing", "more", "maybe", "from_graph", "from_pages",
    "no_answer", "in_results", "needs_key", "wrong_key", "no_server", "suggestions",
)  # fmt: skip
# Kind of a suggestion → the type of entity whose word says it.
_KINDS = {"title": DOCUMENT, "person": PERSON, "keyword": KEYWORD}


@dataclass(slots=True)
class Page:
    """What one page shows; ``message`` is why it does not show what was asked for."""

    language: str
    base: str
    form: Form
    visitor: Visitor
    asks_for_key: bool
    title: str = ""
    status: int = 200
    message: str = ""
    choices: list[Choice] = field(default_factory=list)
    found: SearchResponse | None = None
    entities: list[Entity] = field(default_factory=list)
    entity: Entity | None = None
    health: HealthResponse | None = None


def render(page: Page) -> str:
    """The page's HTML."""
    said = words(page.language)
    filled: dict[str, Any] = {
        "page": page,
        "words": said,
        "assets": assets_below(page.base),
        "to_scripts": {name: said[name] for name in SAID_BY_SCRIPTS}
        | {kind: said["types"][type_] for kind, type_ in _KINDS.items()},
        "title": page.title or said["title"],
        "most": MAX_QUERY,
        "modes": MODES,
        "age": "",
    }
    if page.found is not None:
        filled |= {"results": grouped(page.found), "verdict": _verdict(page.found, said)}
        filled |= {"nothing_fits": page.found.outcome == NONE and bool(page.found.hits)}
        filled |= {"asks": _asks(page.form.question)}
        filled |= {"uncertain": page.found.outcome == LOW_CONFIDENCE}
    if page.entity is not None:
        filled |= {"picture": draw(page.entity), "width": WIDTH}
    if page.health is not None:
        since = age(page.health.age_seconds, page.language)
        filled["age"] = said["age"].format(age=since) if since else ""
    return template("page.html").render(filled)


def _verdict(found: SearchResponse, said: dict[str, Any]) -> str:
    if not found.hits:
        return str(said["nothing"])
    told = {NONE: said["none"], LOW_CONFIDENCE: said["uncertain"]}
    return str(told.get(found.outcome, ""))


def _asks(question: str) -> bool:
    """True for what is a question by its mark or by a word that asks, not just words to find."""
    told = [fold(word.strip("?!.,„“\"'")) for word in question.split()]
    return question.rstrip().endswith("?") or (len(told) > 1 and is_asking(told[0]))
