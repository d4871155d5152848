"""From front matter as written to the fields every page has."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING

from index_artifacts.answers.markdown import visible_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from build.front_matter import FrontMatter, Value
    from build.report import Report

_FALSE = {"false", "no", "off", "0"}
_TRUE = {"true", "yes", "on", "1", ""}
_ISO_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}(?:$|[T ].*)")
_DAY_FIRST = re.compile(
    r"(\d{1,2})([-./])\s?(\d{1,2})\2\s?(\d{4})(?:[ ,]+(\d{1,2}:\d{2}(?::\d{2})?))?"
)
_WIKILINK = re.compile(r"\[\[([^\[\]]+)\]\]")
_CREATED = ("created", "date", "created_at", "datum")
_SUMMARY = ("summary", "description", "abstract", "perex")
_LONGEST_SUMMARY = 1_000
_UPDATED = ("updated", "modified", "lastmod", "last_modified", "updated_at")


@dataclass(frozen=True, slots=True)
class Metadata:
    """The fields that front matter supplies; what it does not say is empty or None."""

    title: str = ""
    language: str = ""
    published: bool = True
    authors: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    permalink: str = ""
    created: str | None = None
    updated: str | None = None
    year: int | None = None
    summary: str = ""
    links: tuple[tuple[str, int], ...] = ()
    """Wikilinks in values, with their lines."""


def read_metadata(path: str, front: FrontMatter, report: Report) -> Metadata:
    """Normalise front matter; each value that makes no sense is dropped and reported."""
    reader = _Reader(path, front, report)
    reader.drop_impossible_dates()
    created, updated = reader.date(*_CREATED), reader.date(*_UPDATED)
    return Metadata(
        title=reader.text("title"),
        language=reader.text("lang", "language", "locale").lower().replace("_", "-").split("-")[0],
        published=reader.flag("published"),
        authors=reader.listed("author", "authors"),
        tags=reader.listed("tag", "tags", "keywords"),
        categories=reader.listed("category", "categories"),
        aliases=reader.listed("alias", "aliases"),
        permalink=reader.text("permalink").strip("/"),
        created=created,
        updated=updated,
        year=reader.year() or (int(created[:4]) if created else None),
        summary=reader.summary(),
        links=tuple(reader.wikilinks()),
    )


class _Reader:
    """Looks up fields by any of their names, at the top level or in Grav's ``taxonomy``."""

    def __init__(self, path: str, front: FrontMatter, report: Report) -> None:
        self._path, self._report, self._lines = path, report, front.lines
        self._values = front.values
        taxonomy = front.values.get("taxonomy")
        self._taxonomy = taxonomy if isinstance(taxonomy, dict) else {}

    def text(self, *names: str) -> str:
        for name in names:
            value = self._values.get(name)
            if isinstance(value, str) and value.strip():
                return " ".join(value.split())
        return ""

    def listed(self, *names: str) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for source in (self._values, self._taxonomy):
            for name in names:
                found |= dict.fromkeys(_items(source.get(name, "")))
        return tuple(found)

    def summary(self) -> str:
        """The author's own, without markup; a switch or a number in its place is none."""
        text = visible_text(self.text(*_SUMMARY))
        if not any(map(str.isalpha, text)) or text.lower() in _TRUE | _FALSE:
            return ""
        if len(text) > _LONGEST_SUMMARY:
            return text[: _LONGEST_SUMMARY - 1].rsplit(" ", 1)[0] + "…"
        return text

    def flag(self, name: str) -> bool:
        value = self.text(name).lower()
        if value not in _TRUE | _FALSE:
            self._warn(name, f"{name} {value!r} is neither true nor false: taken as true")
        return value not in _FALSE

    def date(self, *names: str) -> str | None:
        for name in names:
            value = self.text(name)
            if not value:
                continue
            if parsed := parse_date(value):
                return parsed
            self._warn(name, f"{name} {value!r} is not a date (YYYY-MM-DD): dropped")
        return None

    def year(self) -> int | None:
        for name in ("year", "rok"):
            value = self.text(name)
            if re.fullmatch(r"[12]\d{3}", value):
                return int(value)
            if value:
                self._warn(name, f"{name} {value!r} is not a year: dropped")
        return None

    def drop_impossible_dates(self) -> None:
        """An ISO date that no calendar has is a slip, in whatever field it stands."""
        for name, value in list(self._values.items()):
            if not isinstance(value, str) or name in (*_CREATED, *_UPDATED):
                continue
            if re.fullmatch(r"\d{4}-\d{2}-\d{2}", value) and parse_date(value) is None:
                self._warn(name, f"{name} {value!r} is no date in any calendar: dropped")
                del self._values[name]

    def wikilinks(self) -> Iterable[tuple[str, int]]:
        for name, value in self._values.items():
            for text in _flatten(value):
                for target in _WIKILINK.findall(text):
                    yield target.split("|")[0].strip(), self._lines.get(name, 1)

    def _warn(self, name: str, reason: str) -> None:
        line = self._lines.get(name, 1)
        self._report.add("degraded", "front-matter-value", self._path, reason, line)


def parse_date(text: str) -> str | None:
    """Return ``text`` as ISO 8601, or None where it is no date.

    Day-first forms with dots, dashes or slashes are read too; an American month-first date is
    read only where no day-first reading exists.
    """
    text = text.strip()
    if re.fullmatch(r"[12]\d{3}(?:-(?:0[1-9]|1[0-2]))?", text):
        return text  # ISO 8601 lets a date stop at the year or the month
    if _ISO_DATE.fullmatch(text):
        return _iso(text)
    if match := _DAY_FIRST.fullmatch(text):
        first, separator, second, year, time = match.groups()
        day, month = int(first), int(second)
        if separator == "/" and month > 12:
            day, month = month, day
        return _iso(f"{year}-{month:02}-{day:02}" + (f"T{time}" if time else ""))
    return None


def _iso(text: str) -> str | None:
    day, separator, time = text.replace(" ", "T", 1).partition("T")
    try:
        parsed = date(*map(int, day.split("-"))).isoformat()
        if not separator:
            return parsed
        time = re.sub(r"^(\d:)", r"0\1", time.replace(" ", ""))  # 9:05 is 09:05
        return datetime.fromisoformat(f"{parsed}T{time}").isoformat()
    except ValueError:
        return None


def _items(value: Value) -> list[str]:
    if isinstance(value, str):
        return [part for item in value.split(",") if (part := " ".join(item.split()))]
    if isinstance(value, dict):
        return _items(value.get("name", ""))
    return [text for item in value for text in _entry(item)]


def _entry(item: Value) -> list[str]:
    # An entry of a real list may hold a comma ("Novák, Ján"); [[Server]] parses as a list.
    if isinstance(item, str):
        return [" ".join(item.split())] if item.strip() else []
    if isinstance(item, dict):
        return _items(item)
    return [text.strip() for text in _flatten(item) if text.strip()]


def _flatten(value: Value) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _flatten(item)
    elif len(value) == 1 and isinstance(value[0], list) and len(value[0]) == 1:
        yield f"[[{value[0][0]}]]"  # YAML reads a wikilink as a list in a list
    else:
        for item in value:
            if isinstance(item, list) and len(item) == 1 and isinstance(item[0], list):
                yield from (f"[[{text}]]" for text in _flatten(item[0]))
            else:
                yield from _flatten(item)
