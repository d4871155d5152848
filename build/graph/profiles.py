"""Reading extraction profiles, packaged ones by name and others by their path."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from pydantic import ValidationError

from build.graph.profile import Compiled, Profile, rules_of
from index_artifacts.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PACKAGED = Path(__file__).parent / "profiles"
_SUFFIX = ".toml"


def load_profiles(names: Sequence[str], wiki: Path) -> tuple[Compiled, ...]:
    """Read the profiles of ``[graph] profiles``; a path is relative to the folder ``wiki``.

    Raises `ConfigError`, which names the file and, where something in it is wrong, the line.
    """
    return tuple(_load(name, wiki) for name in names)


def packaged() -> list[str]:
    """The names of the profiles that come with edgewiki."""
    return sorted(file.stem for file in _PACKAGED.glob(f"*{_SUFFIX}"))


def _load(name: str, wiki: Path) -> Compiled:
    file = wiki / name if name.endswith(_SUFFIX) else _PACKAGED / f"{name}{_SUFFIX}"
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError:
        known = ", ".join(packaged())
        raise ConfigError(
            f"[graph] profiles: there is no {name!r}; known are {known}, or give a path of yours, "
            f"relative to edgewiki.toml, that ends in {_SUFFIX}"
        ) from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: not UTF-8: {error}") from None
    return _Source(file, text).compiled()


class _Source:
    """A profile's text, in which the line of whatever is wrong can be found."""

    def __init__(self, file: Path, text: str) -> None:
        self._file, self._lines = file, text.splitlines()
        self._text = text

    def compiled(self) -> Compiled:
        """The profile, with all its patterns tried; raises `ConfigError`."""
        profile = self._profile()
        compiled = Compiled(self._file.stem, profile)
        for place, pattern in _patterns(profile):
            try:
                compiled.pattern(pattern)
            except re.error as error:
                self._refuse(place, pattern, f"{pattern!r} is no regular expression: {error}")
            except KeyError as error:
                reason = f"{pattern!r} names the vocabulary {error}, which [words] has not"
                self._refuse(place, pattern, reason)
            except RecursionError:
                self._refuse(place, pattern, f"{pattern!r} names a vocabulary that names itself")
        self._require_known_subjects(profile)
        return compiled

    def _profile(self) -> Profile:
        try:
            return Profile(**tomllib.loads(self._text))
        except tomllib.TOMLDecodeError as error:
            line = re.search(r"at line (\d+)", str(error))
            number = int(line[1]) if line else len(self._lines)
            raise ConfigError(f"{self._file}:{number}: not valid TOML: {error}") from None
        except ValidationError as error:
            first = error.errors()[0]
            place = tuple(first["loc"])
            key = ".".join(str(part) for part in place)
            message = first["msg"].removeprefix("Value error, ")
            self._refuse(place, "", f"{key}: {message} (given: {first['input']!r})")

    def _require_known_subjects(self, profile: Profile) -> None:
        known = {subject.name for subject in profile.subjects}
        for table, place, rule in rules_of(profile):
            key = {"links": "to", "titles": "to", "mentions": "on"}.get(table, "")
            unknown = set(getattr(rule, key, ())) - known
            if unknown:
                reason = f"{rule.name} names the subject {min(unknown)!r}, which is none of "
                self._refuse((table, place, key), min(unknown), reason + ", ".join(sorted(known)))

    def _refuse(self, place: tuple[int | str, ...], literal: str, reason: str) -> NoReturn:
        raise ConfigError(f"{self._file}:{self._line(place, literal)}: {reason}")

    def _line(self, place: tuple[int | str, ...], literal: str) -> int:
        """The 1-based line of ``literal``, or of the key, below the table that ``place`` names."""
        start = self._table(place)
        key = next((part for part in place[1:] if isinstance(part, str)), str(place[0]))
        wanted = re.compile(rf"\s*(?:\"{re.escape(key)}\"|{re.escape(key)})\s*=")
        written = {literal, literal.replace("\\", "\\\\")} - {""}
        end = next(
            (n for n in range(start + 1, len(self._lines)) if self._lines[n].startswith("[")),
            len(self._lines),
        )
        below = range(start, end)
        found = [n for n in below if any(form in self._lines[n] for form in written)]
        found += [n for n in below if wanted.match(self._lines[n])]
        return (found or [start])[0] + 1

    def _table(self, place: tuple[int | str, ...]) -> int:
        """The 0-based line of the header of a table, or the first one."""
        name = re.escape(str(place[0]))
        if len(place) > 1 and isinstance(place[1], int):
            headers = [
                n for n, line in enumerate(self._lines) if re.match(rf"\[\[{name}\]\]", line)
            ]
            return headers[place[1]] if place[1] < len(headers) else 0
        full = ".".join(str(part) for part in place[:2])
        for header in (full, str(place[0])):
            for number, line in enumerate(self._lines):
                if line.startswith((f"[{header}]", f"[[{header}]]")):
                    return number
        return 0


def _patterns(profile: Profile) -> Iterator[tuple[tuple[int | str, ...], str]]:
    """Every pattern of a profile with its place."""
    for vocabulary, values in profile.words.items():
        for value, words in values.items():
            yield from ((("words", vocabulary, value), word) for word in words)
    yield from ((("closing",), pattern) for pattern in profile.closing)
    for table, place, rule in rules_of(profile):
        for key in ("patterns", "headings", "titles"):
            for pattern in getattr(rule, key, ()):
                yield (table, place, key), pattern
