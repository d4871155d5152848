"""Whether a summary that a language model wrote may be shown, and which of its tags.

It is held against what the model was given of the page: numbers, names and quoted titles as
claims of answers are, and most of its words.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from build.function_words import function_words_of
from build.languages import detect
from index_artifacts.answers.checks.figures import unsupported_figure
from index_artifacts.answers.checks.instructions import is_instruction
from index_artifacts.answers.checks.names import unsupported_name, unsupported_title
from index_artifacts.answers.declension import alike
from index_artifacts.answers.markdown import visible_text
from index_artifacts.text import words

if TYPE_CHECKING:
    from build.lemmas import Lemmas
    from build.summaries.prompt import Reply
    from index_artifacts.records import Document

LONGEST = 480
"""Characters of a summary by a model; it is asked for 300."""

MOST_TAGS = 5
_FEWEST_WORDS, _LONGEST_TAG, _WORDS_OF_TAG = 4, 40, 4
# A summary may say things in other words, but not most of them: a weak model's "is now available
# for download" has no name and no number to be caught by.
_LEAST_SHARED = 2 / 3
_END = re.compile(r"[.!?…][\"'»”“’)]*$")
_MARKUP = re.compile(r"\w+://|www\.|<[^<>]*>|[{}|]|^#|\n")


class LanguageWords:
    """A language's words, as the dictionary of the build and the wiki know them."""

    def __init__(self, lemmas: Lemmas, language: str) -> None:
        self._function = function_words_of(language)
        self._lemmas: defaultdict[str, set[str]] = defaultdict(set)
        for form, of, lemma in lemmas.forms:
            if of == language:
                self._lemmas[form].add(lemma)

    def is_function(self, word: str) -> bool:
        """True for a word that carries a sentence rather than its content."""
        return word in self._function

    def is_word(self, word: str) -> bool:
        """True for a form of a word of the wiki."""
        return word in self._lemmas

    def same(self, word: str, other: str) -> bool:
        """True where two words are forms of one by the dictionary."""
        return not self._known(word).isdisjoint(self._known(other))

    def _known(self, word: str) -> set[str]:
        return self._lemmas.get(word, set()) | {word}


class PageCheck:
    """Checks a reply against ``text``, what the model was given of ``document``."""

    def __init__(
        self, document: Document, text: str, known: LanguageWords, languages: tuple[str, ...]
    ) -> None:
        self._known, self._languages = known, languages
        self._language = document.language
        lines = (document.title, *document.authors, *text.split("\n"))
        self._support = "\n".join(filter(None, map(visible_text, lines)))
        self._words = frozenset(words(self._support))

    def why_refused(self, summary: str) -> str:
        """Why ``summary`` may not be shown; empty where it may."""
        said = words(summary)
        if len(said) < _FEWEST_WORDS:
            return "it says nothing"
        if len(summary) > LONGEST:
            return f"it has {len(summary)} characters, {LONGEST} at most are wanted"
        if not _END.search(summary):
            return "it is no whole sentence"
        if _MARKUP.search(summary) or visible_text(summary) != summary:
            return "it holds markup or a link"
        if is_instruction(summary):
            return "it talks to a model"
        language = detect(summary, self._languages)
        if language not in {None, self._language}:
            return f"it is in {language!r}, the page in {self._language!r}"
        return (
            unsupported_figure(summary, self._support, self._known)
            or unsupported_name(summary, self._support, self._known)
            or unsupported_title(summary, self._support)
            or self._why_beside(said)
        )

    def tags(self, reply: Reply) -> tuple[str, ...]:
        """The tags of a reply that are short and whose words are all on the page."""
        fit = [tag for tag in reply.tags if self._is_tag(tag)]
        return tuple(fit[:MOST_TAGS])

    def _is_tag(self, tag: str) -> bool:
        found = words(tag)
        if not 0 < len(found) <= _WORDS_OF_TAG or len(tag) > _LONGEST_TAG:
            return False
        return visible_text(tag) == tag and not _MARKUP.search(tag) and all(map(self._holds, found))

    def _why_beside(self, said: list[str]) -> str:
        content = {word for word in said if not self._known.is_function(word)}
        held = sum(self._holds(word) for word in content)
        if held < _LEAST_SHARED * len(content):
            return "too many of its words are not on the page"
        return ""

    def _holds(self, word: str) -> bool:
        return word in self._words or any(
            alike(word, other) or self._known.same(word, other) for other in self._words
        )
