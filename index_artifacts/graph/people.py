"""Whether somebody whom a question names wrote or supervised."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index_artifacts.graph import query as q
from index_artifacts.graph.model import DOCUMENT
from index_artifacts.graph.reading import KINDS
from index_artifacts.graph.vocabulary import small

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.graph.mention import Mention
    from index_artifacts.graph.reading import Reading
    from index_artifacts.graph.rows import Works
    from index_artifacts.graph.tables import Node

_AT = small("at")


class Roles:
    """Tells roles by what a question says and, where it does not, by what the graph knows."""

    def __init__(self, works: Works) -> None:
        self.works = works

    def slot(self, mention: Mention, reading: Reading, asked: str) -> str:
        """The slot of ``mention``: who wrote or who supervised."""
        if asked == q.SUPERVISOR:
            left_out = self.only_led(mention) and reading.before(
                mention.first, "except", "not", reach=3
            )
            return q.SUPERVISOR if left_out else q.STUDENT
        if self._supervises_here(mention, reading):
            return q.SUPERVISOR
        wrote, led = self._known(mention)
        if reading.before(mention.first, "student", "author", reach=1):
            return q.SUPERVISOR if led and not wrote else q.STUDENT
        supervising = reading.has("supervise", "supervisor", "supervision")
        if asked == q.STUDENT and not reading.has("same", "else", *_COMPARING):
            # "Kto písal u X?": of two who are named, the graph knows who is who.
            if supervising or led or reading.before(mention.first, "teacher"):
                return q.STUDENT if self._is_hop(mention, reading) else q.SUPERVISOR
            return q.STUDENT
        if led != wrote:
            return self._of_one_role(mention, reading, led)
        writing = reading.has("write", "defend", "finish", "begin", "study")
        return q.SUPERVISOR if supervising and not writing else q.STUDENT

    def only_led(self, mention: Mention) -> bool:
        """True for somebody who supervised and wrote nothing."""
        wrote, led = self._known(mention)
        return led and not wrote

    def pages(self, people: Sequence[Node]) -> tuple[Node, ...]:
        """The pages about ``people``."""
        paths = {node.page for node in people if node.page}
        return tuple(
            node
            for node in self.works.nodes.values()
            if node.type == DOCUMENT and node.page in paths
        )

    def narrowed(self, people: Sequence[Node], reading: Reading) -> tuple[Node, ...]:
        """The namesakes that fit the year in which the question says that studies began."""
        if len(people) < 2 or not reading.years or not reading.has("begin", "study"):
            return tuple(people)
        fitting = tuple(
            node
            for node in people
            if any(years.holds(int(node.attributes.get(q.START, -1))) for years in reading.years)
        )
        return fitting or tuple(people)

    def _known(self, mention: Mention) -> tuple[bool, bool]:
        ids = {node.id for node in mention.of("Person")}
        return bool(ids & self.works.students), bool(ids & self.works.supervisors)

    def _supervises_here(self, mention: Mention, reading: Reading) -> bool:
        """True where the words around a name say that its bearer supervised."""
        near = mention.first - 1
        if near >= 0 and reading.tokens[near].word in _AT and reading.has(*_OF_WORKS):
            wrote, led = self._known(mention)
            return led or not wrote
        if reading.before(mention.first, "supervision", reach=2):
            return True
        if reading.before(mention.first, "supervisor", "teacher", reach=1):
            wrote, led = self._known(mention)
            return led or not wrote
        return False

    def _of_one_role(self, mention: Mention, reading: Reading, led: bool) -> str:
        """The role that is known, unless the question can only mean the other one."""
        alone = sum(m.is_person for m in reading.mentions) == 1
        if led and alone and not reading.has("supervise", "supervisor", "supervision", "teacher"):
            if reading.has("write", "begin", "study") or reading.has("author"):
                return q.STUDENT
            return q.SUPERVISOR
        of_supervisor = reading.before(mention.first, "supervisor", reach=1)
        if not led and alone and reading.has("supervise") and not of_supervisor:
            # "Ktoré práce viedol X?" of a student: nobody's, and that is the answer.
            return q.STUDENT if self._is_object(mention, reading) else q.SUPERVISOR
        return q.SUPERVISOR if led else q.STUDENT

    def _is_object(self, mention: Mention, reading: Reading) -> bool:
        """True where another than the mention supervises: "prácu X viedol"."""
        verb = reading.first("supervise")
        return mention.last < verb or reading.before(mention.first, "work", "of", reach=2)

    def _is_hop(self, mention: Mention, reading: Reading) -> bool:
        """True for "the supervisor of X": X wrote."""
        wrote, led = self._known(mention)
        return wrote and not led and reading.has("supervisor") and reading.has("supervise", "same")


_OF_WORKS = (
    "write", "defend", "finish", "supervision", "work", *KINDS,
)  # fmt: skip
_COMPARING = ("earlier", "later", "more", "fewer")
