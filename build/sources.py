"""What kinds of documents a build reads, and where: ``[[sources]]`` in ``edgewiki.toml``."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, field_validator

if TYPE_CHECKING:
    from collections.abc import Iterable

Kind = Literal["markdown", "text", "mail"]

MARKDOWN = frozenset({".md", ".markdown", ".mdown", ".mkd"})
_TEXT = frozenset({".txt", ".text"})
_MAILDIR = frozenset({"cur", "new"})
_BOXES = frozenset({".mbox", ".mbx", ".eml"})
FOREIGN_MAIL = frozenset({".msg", ".pst", ".ost", ".olm", ".dbx", ".emlx", ".gz"})
"""What mail is kept in and is not read here; it is in the report."""


class SourceConfig(BaseModel):
    """Documents of one kind, in every file of it below ``path``, which may be a file, too."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Kind = "markdown"
    path: str = ""
    summaries: bool = True

    @field_validator("path")
    @classmethod
    def _normal(cls, value: str) -> str:
        return normal_path(value)

    def __str__(self) -> str:
        return f"{self.kind} in {self.path}" if self.path else self.kind

    def holds(self, name: str) -> bool:
        """True where the file called ``name`` lies below ``path``."""
        return not self.path or name == self.path or name.startswith(f"{self.path}/")

    def reads(self, name: str) -> bool:
        """True where a file there of this name is of this kind."""
        suffix = PurePosixPath(name).suffix.lower()
        if self.kind == "markdown":
            return suffix in MARKDOWN
        if self.kind == "text":
            return suffix in _TEXT
        # A box may be called "Inbox" or "archive.2025": its first bytes tell, later.
        named = suffix in _BOXES or suffix in FOREIGN_MAIL or suffix[1:].isdigit() or not suffix
        return named or is_maildir(name) or name == self.path


MARKDOWN_PAGES = (SourceConfig(),)


def source_of(name: str, sources: Iterable[SourceConfig]) -> SourceConfig | None:
    """The source that the file called ``name`` belongs to: the one that lies deepest.

    A ``.txt`` that no source reads as text may be a mailing list's archive.
    """
    holding = [source for source in sources if source.holds(name)]
    fitting = [source for source in holding if source.reads(name)]
    if not fitting and PurePosixPath(name).suffix.lower() in _TEXT:
        fitting = [source for source in holding if source.kind == "mail"]
    return max(fitting, key=lambda source: len(source.path), default=None)


def patterns_of(sources: Iterable[SourceConfig]) -> list[str]:
    """Git patterns of the names that say of what kind a file is."""
    suffixes = {"markdown": MARKDOWN, "text": _TEXT, "mail": _BOXES}
    kinds = {source.kind for source in sources}
    return sorted(f"*{suffix}" for kind in kinds for suffix in suffixes[kind])


def is_maildir(name: str) -> bool:
    """True where a file's place says that it is a message of a Maildir."""
    return PurePosixPath(name).parent.name in _MAILDIR


def normal_path(value: str) -> str:
    """A path in the wiki without superfluous parts; raises `ValueError` where it leaves it."""
    parts = [part for part in value.split("/") if part not in {"", "."}]
    if ".." in parts:
        raise ValueError("may not leave the wiki")
    return "/".join(parts)
