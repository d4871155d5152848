"""Are the statements of an answer in the pages that it cites? Checked again, from nothing.

This shares no code with the checks of the answer engine, and no shortcuts: it reads the whole
cited page from the version and holds the delivered text against it. It knows less (no lemmas, no
units, no negation), so that it may call a right statement unsupported, which a person then reads.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from eval.answer_text import holds, without_sources
from index_artifacts.answers.graph_engine import FACTS
from index_artifacts.documents import ListRequest, list_documents, read_document

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from functions.tools.answer import AnswerClaim, AnswerResponse
    from index_artifacts.index import Index

QUOTE, NUMBER, NAME, FORBIDDEN, TEXT = "quote", "number", "name", "forbidden", "text"
"""What may be wrong: the quote is not in a cited page, a number or name is in none of them, a
forbidden string is in the claim, or the answer says what none of its claims does."""

_WORD = re.compile(r"[^\W_]+")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_THOUSANDS = re.compile(r"(?<![\d.,:])\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)")
_ISO = re.compile(r"(?<!\d)(\d{4})-0?(\d{1,2})-0?(\d{1,2})(?!\d)")
_DATE = re.compile(r"(?<![\d.])0?(\d{1,2})\.\s*0?(\d{1,2})\.\s*(\d{4})(?!\d)")
_CITATION = re.compile(r"\[\d+\]")
_LINK_TARGET = re.compile(r"\]\([^()\s]*\)")
# Before a sentence's first word: nothing, or the end of another, with marks around.
_BEGINS = re.compile(r"(?:^|[.!?:;…\n])[\s\W]*$")
_NUMERALS = {
    "1": "jeden jedna jedno jedného jednej jedną jednego one один одна одно одного одной",
    "2": "dva dve dvě dvoch dvou dvaja dwa dwie dwóch two два две двух",
    "3": "tri tři tři troch tří traja trzy trzech three три трёх трех",
    "4": "štyri štyroch čtyři čtyř cztery czterech four четыре четырёх четырех",
    "5": "päť piatich pět pěti pięć pięciu five пять пяти",
    "6": "šesť šiestich šest šesti sześć sześciu six шесть шести",
    "7": "sedem siedmich sedm sedmi siedem siedmiu seven семь семи",
    "8": "osem ôsmich osm osmi osiem ośmiu eight восемь восьми",
    "9": "deväť deviatich devět devíti dziewięć dziewięciu nine девять девяти",
    "10": "desať desiatich deset deseti dziesięć dziesięciu ten десять десяти",
    "11": "jedenásť jedenáct jedenaście eleven одиннадцать",
    "12": "dvanásť dvanáct dwanaście twelve двенадцать",
    "15": "pätnásť patnáct piętnaście fifteen пятнадцать",
    "20": "dvadsať dvacet dwadzieścia twenty двадцать",
    "30": "tridsať třicet trzydzieści thirty тридцать",
    "50": "päťdesiat padesát pięćdziesiąt fifty пятьдесят",
}


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A delivered statement that its pages do not prove: ``kind`` of fault, and what it is."""

    kind: str
    what: str
    claim: str


class Pages:
    """The pages of a version, read once each."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._read: dict[str, _Page] = {}

    def page(self, path: str) -> _Page:
        """The page with its title. Raises `DocumentNotFoundError`."""
        if path not in self._read:
            reading = read_document(self._index, path, published_only=False)
            page = reading.document
            stated = (*page.authors, *page.tags, *page.categories)
            self._read[path] = _Page(page.title, reading.text, "\n".join(stated))
        return self._read[path]

    @cached_property
    def lower_case(self) -> frozenset[str]:
        """Every word that somewhere in the wiki is written without a capital letter."""
        everything = list_documents(self._index, ListRequest(published_only=False, limit=1))
        request = ListRequest(published_only=False, limit=everything.total)
        found: set[str] = set()
        for document in list_documents(self._index, request).documents:
            words = _LETTERS.findall(_composed(self.page(document.id).text))
            found.update(word for word in words if word.islower())
        return frozenset(found)


class _Page:
    def __init__(self, title: str, text: str, front_matter: str = "") -> None:
        self.title, self.text = title, text
        self._whole = f"{title}\n{text}\n{front_matter}"

    def holds_quote(self, quote: str) -> bool:
        """True where the words of ``quote`` stand in the text, in one piece."""
        wanted = " ".join(_words(quote))
        # A reader of the page sees of a link its text alone.
        readings = (self.text, _LINK_TARGET.sub("]", self.text))
        return bool(wanted) and any(
            f" {wanted} " in f" {' '.join(_words(reading))} " for reading in readings
        )

    @cached_property
    def numbers(self) -> frozenset[str]:
        found = set(_numbers(self._whole))
        # Of 1.4.2024 the year stands there alone as well, and the day without it.
        dates = [number.split(".") for number in found if number.count(".") == 2]
        found |= {part for day, month, year in dates for part in (f"{day}.{month}", year)}
        spoken = set(_composed(self._whole).casefold().split()) | {
            word.casefold() for word in _LETTERS.findall(_composed(self._whole))
        }
        return frozenset(found | {n for n, words in _NUMERALS.items() if spoken & {*words.split()}})

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(_words(self._whole))

    @cached_property
    def names(self) -> frozenset[str]:
        written = _LETTERS.findall(_composed(self._whole))
        return frozenset(_folded(word) for word in written if not word.islower())

    def holds_name(self, name: str) -> bool:
        """True where ``name`` stands here, or another case of it, written as a name."""
        folded = _folded(name)
        if folded in self.words:
            return True
        # An abbreviation has no cases.
        return not name.isupper() and any(_one_name(folded, other) for other in self.names)


def unsupported(
    response: AnswerResponse, pages: Pages, forbidden: Sequence[str] = ()
) -> tuple[Unsupported, ...]:
    """Each statement of a delivered answer that fails, with its first fault.

    A claim's quote must stand, word after word, in every page that it cites; its numbers and
    names in one of them, or in its title; no forbidden string in its text. Whatever else the
    answer says must be what one of the claims says, or one of the ``missing`` parts. A claim of
    the graph joins several pages: its quote is one of theirs, and it has none where it stands on
    front matter, of which authors, tags and categories are known.
    """
    paths = {source.number: source.path for source in response.sources}
    found = []
    for claim in response.claims:
        cited = [pages.page(paths[number]) for number in claim.citations if number in paths]
        quoting = cited
        if response.generator == FACTS:
            holding = [page for page in cited if page.holds_quote(claim.quote)]
            quoting = (holding or cited) if claim.quote else []
        fault = _fault(claim, cited, quoting, response.question, pages, forbidden)
        if len(cited) < len(claim.citations) or not cited:
            fault = (QUOTE, "it cites no source of the answer")
        if fault:
            found.append(Unsupported(*fault, claim.text))
    found += [Unsupported(TEXT, line, line) for line in _unclaimed(response)]
    return tuple(found)


def _fault(
    claim: AnswerClaim,
    cited: Sequence[_Page],
    quoting: Sequence[_Page],
    question: str,
    pages: Pages,
    forbidden: Sequence[str],
) -> tuple[str, str] | None:
    for page in quoting:
        if not page.holds_quote(claim.quote):
            return QUOTE, f"{claim.quote!r} is not in {page.title!r}"
    if missing := _missing_numbers(claim.text, cited):
        return NUMBER, missing[0]
    if missing := list(_missing_names(claim.text, cited, question, pages)):
        return NAME, missing[0]
    return next(((FORBIDDEN, one) for one in forbidden if holds(claim.text, one)), None)


def _missing_numbers(text: str, cited: Sequence[_Page]) -> list[str]:
    known = frozenset[str]().union(*(page.numbers for page in cited))
    return [number for number in _numbers(_CITATION.sub("", text)) if number not in known]


def _missing_names(text: str, cited: Sequence[_Page], question: str, pages: Pages) -> Iterator[str]:
    """Words with a capital letter that are in no page; a sentence's first may be no name."""
    composed = _composed(text)
    asked = {word.casefold() for word in _LETTERS.findall(_composed(question)) if word.islower()}
    for match in _WORD.finditer(composed):
        word = match.group()
        named = len(word) > 1 and any(letter.isupper() for letter in word)
        if not named or any(page.holds_name(word) for page in cited):
            continue
        begins = word[1:].islower() and _BEGINS.search(composed[: match.start()])
        if not (begins and (word.casefold() in asked or word.casefold() in pages.lower_case)):
            yield word


def _unclaimed(response: AnswerResponse) -> Iterator[str]:
    """Lines of the answer that are no claim's text and no part that it says is missing."""
    said = [_words(claim.text) for claim in response.claims]
    missing = [_words(part) for part in response.missing]
    stated, *others = without_sources(response.answer).split("\n\n")
    for line in stated.split("\n"):
        words = _words(_CITATION.sub("", line))
        if words and not any(_is_within(words, claim) for claim in said):
            yield line
    for block in others:  # "It is not said:", and a line for each part
        yield from (line for line in block.split("\n")[1:] if _words(line) not in missing)


def _is_within(words: Sequence[str], claim: Sequence[str]) -> bool:
    """True where ``words`` are those of ``claim`` in order; some may have been left out."""
    rest = iter(claim)
    return all(word in rest for word in words)


def _numbers(text: str) -> list[str]:
    """Numbers as they are compared: 27 300 as 27300, 0,5 as 0.5, any date as 1.4.2024."""
    dated = _DATE.sub(r"\1.\2.\3", _ISO.sub(r"\3.\2.\1", text))
    joined = _THOUSANDS.sub(lambda match: "".join(match.group().split()), dated)
    return [number.replace(",", ".") for number in _NUMBER.findall(joined)]


def _one_name(name: str, other: str) -> bool:
    """True where two folded names differ in their ending alone: Štefík, Štefíkom."""
    shared = 0
    for a, b in zip(name, other, strict=False):
        if a != b:
            break
        shared += 1
    shorter = min(len(name), len(other))
    return shared >= max(2, shorter - (2 if shorter > 4 else 1)) and (
        abs(len(name) - len(other)) <= 3
    )


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _words(text: str) -> list[str]:
    return [_folded(word) for word in _WORD.findall(_composed(text))]


def _folded(word: str) -> str:
    """Without case and accents: people, and models, leave them out."""
    apart = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))
