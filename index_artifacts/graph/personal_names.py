"""People whom a question names: in any case, without diacritics, in either order, with a slip."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from index_artifacts.answers.transliteration import latin
from index_artifacts.graph.mention import NAMED, TITLES, Mention
from index_artifacts.spelling import SHORTEST, slips

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from index_artifacts.answers.lemmas import Lemmatiser
    from index_artifacts.graph.tables import GraphTables, Node
    from index_artifacts.graph.tokens import Token

Bearer = tuple["Node", tuple[str, ...]]
"""An entity and all the words of its name."""

# Behind so short a word a point ends no sentence: "Ing. Peter", "P. Zelenák".
_LONGEST_ABBREVIATION = 4
# So many words together may be the names of two people.
_TWO_NAMES = 3


class PersonalNames:
    """The names of people in one question.

    ``words`` maps the position of a token to the words of names that it is a form of, so far as
    the graph knows them.
    """

    def __init__(
        self, tables: GraphTables, question: str, tokens: Sequence[Token], lemmas: Lemmatiser
    ) -> None:
        self._tables, self._lemmas = tables, lemmas
        self._question, self._tokens = question, tokens
        self._corrected: set[int] = set()
        self.words = self._known()
        self.words |= self._mended()

    def mentions(self, taken: Collection[int]) -> list[Mention]:
        """Who is named, but by the tokens that are ``taken`` for something else."""
        words = {at: found for at, found in self.words.items() if at not in taken}
        bearers = self._bearers(set().union(*words.values())) if words else {}
        return [
            person
            for run in self._runs(words, taken)
            for person in self._persons(run, words, bearers)
        ]

    def _known(self) -> dict[int, set[str]]:
        forms = self._forms({latin(token.word) for token in self._tokens if token.word.isalpha()})
        return {
            at: found
            for at, token in enumerate(self._tokens)
            if (found := forms.get(latin(token.word))) and not self._is_ordinary(at)
        }

    def _mended(self) -> dict[int, set[str]]:
        """The same for tokens that nothing is known of, and that one slip makes a name."""
        mended = {}
        for at, token in enumerate(self._tokens):
            if at not in self.words and self._may_have_slipped(token):
                near = self._forms(set(slips(latin(token.word))))
                if near:
                    mended[at] = set().union(*near.values())
                    self._corrected.add(at)
        return mended

    def _may_have_slipped(self, token: Token) -> bool:
        if token.tags or len(token.word) < SHORTEST or not token.word.isalpha():
            return False
        known = self._lemmas.is_function(token.word)
        return not known and (token.capital or not self._lemmas.is_word(token.word))

    def _is_ordinary(self, at: int) -> bool:
        """True for a word of the vocabulary that is not written as a name: "začal" is nobody."""
        token = self._tokens[at]
        return bool(token.tags) and (at == 0 or not token.capital)

    def _forms(self, forms: set[str]) -> dict[str, set[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        marks = ", ".join("?" * len(forms))
        for form, word in self._tables.index.connection.execute(
            f"SELECT form, word FROM name_forms WHERE form IN ({marks})", sorted(forms)
        ):
            found[form].add(word)
        return dict(found)

    def _bearers(self, words: Iterable[str]) -> dict[str, list[Bearer]]:
        """Word of a name → the people who bear it."""
        listed = sorted(words)
        rows = self._tables.index.connection.execute(
            "SELECT anchor, entity_id, words FROM entity_names "
            f"WHERE anchor IN ({', '.join('?' * len(listed))})",
            listed,
        ).fetchall()
        nodes = self._tables.nodes({entity for _, entity, _ in rows})
        found: dict[str, list[Bearer]] = defaultdict(list)
        for anchor, entity, name in rows:
            node = nodes.get(entity)
            if node and node.type in NAMED:
                found[anchor].append((node, tuple(name.split())))
        return found

    def _runs(self, words: dict[int, set[str]], taken: Collection[int]) -> list[list[int]]:
        """Positions of tokens that stand together as one name."""
        runs: list[list[int]] = []
        for at, token in enumerate(self._tokens):
            if at in taken or not (at in words or self._is_foreign(at) or token.word in TITLES):
                continue
            if runs and at == runs[-1][-1] + 1 and self._joins(at):
                runs[-1].append(at)
            else:
                runs.append([at])
        names = [[at for at in run if self._tokens[at].word not in TITLES] for run in runs]
        return [name for name in names if name]

    def _is_foreign(self, at: int) -> bool:
        """True for a token written as a name, that nobody in the graph has."""
        token = self._tokens[at]
        if not at or not token.capital or not token.word.isalpha() or token.tags:
            return False
        if self._question[: token.start].rstrip().endswith((".", "?", "!")):
            previous = self._tokens[at - 1]
            if len(previous.word) > _LONGEST_ABBREVIATION or not previous.capital:
                return False  # it begins a sentence
        abbreviation = len(token.word) > 1 and token.written.isupper()
        return not abbreviation and not self._lemmas.is_function(token.word)

    def _joins(self, at: int) -> bool:
        """True where a name goes on at ``at``: "P. Zelenák", but not "Zelenák, Haverla"."""
        before = self._tokens[at - 1]
        joint = self._question[before.end : self._tokens[at].start].strip()
        if joint in {"", "-"}:
            return True
        if joint in {".", ".,"}:
            return len(before.word) <= _LONGEST_ABBREVIATION
        return joint == "," and before.word in TITLES

    def _persons(
        self, run: Sequence[int], words: dict[int, set[str]], bearers: dict[str, list[Bearer]]
    ) -> list[Mention]:
        """Whom a run of names stands for: one person, or two whose names follow one another."""
        whole = self._person(run, words, bearers)
        if whole.nodes or len(run) < _TWO_NAMES:
            return [whole]
        for cut in range(1, len(run)):
            parts = [self._person(part, words, bearers) for part in (run[:cut], run[cut:])]
            if all(part.nodes for part in parts):
                return parts
        return [whole]

    def _person(
        self, run: Sequence[int], words: dict[int, set[str]], bearers: dict[str, list[Bearer]]
    ) -> Mention:
        found: dict[int, Node] = {}
        for word in set().union(*(words.get(at, set()) for at in run)):
            for node, name in bearers.get(word, ()):
                if all(_is_of(self._tokens[at], words.get(at, set()), name) for at in run):
                    found[node.id] = node
        text = self._question[self._tokens[run[0]].start : self._tokens[run[-1]].end]
        mended = bool(found) and any(at in self._corrected for at in run)
        return Mention(run[0], run[-1], text, tuple(found[id_] for id_ in sorted(found)), mended)


def _is_of(token: Token, words: Collection[str], name: Sequence[str]) -> bool:
    """True where a token is a part of a name: one of its words in any form, or an initial."""
    if len(token.word) == 1:
        return any(word.startswith(latin(token.word)) for word in name)
    return any(word in words for word in name)
