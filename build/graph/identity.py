"""Who and what is meant: people in any spelling, and words in any form, as one node each."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from build.graph.names import has_initial, name_words, one_person
from index_artifacts.text import is_plain, words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from build.lemmas import Lemmas

_PREFIX = 2  # letters that a name keeps in every case


@dataclass(slots=True)
class Known:
    """A person: ``words`` of the name, folded, the spellings, and the page that is about them."""

    words: tuple[str, ...]
    name: str
    page: str = ""
    key: str = ""
    spellings: set[str] = field(default_factory=set)
    published: bool = True


class People:
    """Finds the person whom a name means. People with pages come first, then the others."""

    def __init__(self, pages: Iterable[tuple[str, str, str]]) -> None:
        """``pages`` are (name, path, slug) of the pages that are about a person."""
        self._by_words: dict[tuple[str, ...], list[Known]] = defaultdict(list)
        self._near: dict[tuple[str, ...], list[Known]] = defaultdict(list)
        self._found: dict[str, list[Known]] = {}
        self.everyone: list[Known] = []
        slugs = {}
        for name, path, slug in pages:
            person = self._add(name, path)
            slugs[path] = slug
        for namesakes in self._by_words.values():
            for person in namesakes:
                person.key = _key(person.words)
                if len(namesakes) > 1:
                    person.key += f"@{slugs[person.page]}"
        self.with_pages = {person.page: person for person in self.everyone}

    def of_page(self, path: str) -> Known:
        """The person whom the page at ``path`` is about."""
        return self.with_pages[path]

    def add_spelling(self, path: str, name: str) -> None:
        """Keep how somebody spells the person of a page, where but case or diacritics differ."""
        if name_words(name) == self.with_pages[path].words:
            self.with_pages[path].spellings.add(name)

    def add_mentioned(self, names: Iterable[str]) -> None:
        """Make a person of every name that is nobody's yet; whole names before initials."""
        written = Counter(names)
        ordered = sorted(written, key=lambda n: (has_initial(name_words(n)), -written[n], n))
        for name in ordered:
            if not self.candidates(name):
                person = self._add(name, "")
                person.key = _key(person.words)
                self._found.clear()

    def candidates(self, name: str) -> list[Known]:
        """Everybody whom a name can mean, the surest reading only: one, where it is clear."""
        if name not in self._found:
            self._found[name] = self._look_up(name_words(name))
        return self._found[name]

    def meant(self, name: str) -> Known | None:
        """The one person whom a name means, or None; the spelling is kept."""
        found = self.candidates(name)
        if len(found) != 1:
            return None
        found[0].spellings.add(name)
        return found[0]

    def named(self, name: str) -> list[Known]:
        """Everybody with exactly this name, but for case and diacritics."""
        return self._by_words.get(name_words(name), [])

    def _look_up(self, name: tuple[str, ...]) -> list[Known]:
        if same := self._by_words.get(name):
            return list(same)
        near = self._near.get(_bucket(name), [])
        if has_initial(name):
            near = self._near.get((name[0][:1], name[-1][:_PREFIX]), [])
        return [person for person in near if one_person(name, person.words)]

    def _add(self, name: str, page: str) -> Known:
        person = Known(name_words(name), name, page, spellings={name})
        self.everyone.append(person)
        self._by_words[person.words].append(person)
        self._near[_bucket(person.words)].append(person)
        if len(person.words) > 1:
            self._near[(person.words[0][:1], person.words[-1][:_PREFIX])].append(person)
        return person


def display_name(person: Known) -> str:
    """The name as the page writes it; where that is plain, as one with its diacritics does."""
    if not is_plain(person.name):
        return person.name
    same = [s for s in person.spellings if name_words(s) == person.words and not is_plain(s)]
    return min(same, default=person.name)


def _bucket(name: tuple[str, ...]) -> tuple[str, ...]:
    return ("", *(word[:_PREFIX] for word in name))


def _key(name: tuple[str, ...]) -> str:
    return "person:" + "-".join(name)


class Terms:
    """Keywords and topics: one key for all forms of a word, whatever language a page is in.

    A form's lemma is what most pages make of it, so that one spelling is never two nodes.
    """

    def __init__(self, lemmas: Lemmas) -> None:
        self._lemmas = lemmas
        self._seen: dict[str, Counter[str]] = defaultdict(Counter)
        self._aliases: dict[str, set[str]] = defaultdict(set)

    def see(self, term: str, language: str) -> None:
        """Count a term that a page in ``language`` uses."""
        self._seen[_folded(term)][self._lemma(term, language)] += 1

    def alias(self, term: str, other: str) -> None:
        """``term`` is another name of ``other``; both were seen."""
        self._aliases[self._own(term)].add(self._own(other))

    def key(self, term: str) -> str:
        """The key of a term that was seen, its alias followed where that means one thing."""
        own = self._own(term)
        others = self._aliases.get(own, set())
        return min(others) if len(others) == 1 else own

    def own_key(self, term: str) -> str:
        """The key of a term that was seen, aliases aside."""
        return self._own(term)

    def _own(self, term: str) -> str:
        lemmas = self._seen[_folded(term)]
        return min(lemmas, key=lambda lemma: (-lemmas[lemma], lemma))

    def _lemma(self, term: str, language: str) -> str:
        return "-".join(self._lemmas.text(term, language)) or _folded(term)


def _folded(term: str) -> str:
    return "-".join(words(term)) or term.casefold()
