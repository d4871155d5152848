"""From mail to documents: one for each message, called by its Message-ID.

A message keeps its path when it is moved from box to box: the path is the source's folder, or
that of its collection where this lies deeper, and its id.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from pathspec import GitIgnoreSpec

from build.languages import detect
from build.links import REPLY
from build.mail.boxes import raw_mails
from build.mail.headers import shown_address
from build.mail.message import Mail, NoMailError, read_mail
from build.plain_text import plain_structure
from build.sources import source_of
from index_artifacts.records import Document, Link

if TYPE_CHECKING:
    from collections.abc import Iterator

    from build.config import BuildConfig
    from build.mail.boxes import RawMail
    from build.markdown import Structure
    from build.pages import Page
    from build.report import Report

_UNSAFE = re.compile(r"[^A-Za-z0-9@._+=$-]")
_LONGEST_NAME = 100
_LONGEST_TITLE = 80


class MailReader:
    """Reads boxes one after another, and knows which messages it has met."""

    def __init__(self, config: BuildConfig, report: Report) -> None:
        self._config, self._report = config, report
        self._excluded = GitIgnoreSpec.from_lines(config.exclude)
        self._met: dict[tuple[str, str, str], str] = {}
        self._paths: set[str] = set()

    def read(self, page: Page) -> Iterator[tuple[Document, Structure]]:
        """The documents of the mail in a file that are new, each with its structure."""
        collection = self._config.collection_of(page.path)
        if collection is None:
            reason = 'in no [[collections]]: add one whose path is "."'
            self._report.add("skipped", "no-collection", page.path, reason)
            return
        source = source_of(page.path, self._config.sources)
        folders = [collection.path, source.path if source else ""]
        for raw in raw_mails(page, self._report):
            try:
                mail = read_mail(raw.data, self._config.fallback_encoding)
            except NoMailError as error:
                self._note("skipped", "broken-mail", raw, str(error))
                continue
            if not self._is_met(mail, collection.name, raw):
                path = self._path(max(folders, key=len), mail)
                if self._excluded.match_file(path):
                    self._report.add(
                        "excluded", "excluded-by-config", path, "matches [wiki] exclude"
                    )
                    continue
                for severity, code, reason in mail.problems:
                    self._note(severity, code, raw, f"{reason} (<{mail.message_id}>)")
                # Settings may name a single mail by its path, to keep it private.
                own = self._config.collection_of(path) or collection
                yield self._document(mail, path, own.name)

    def _note(self, severity: str, code: str, raw: RawMail, reason: str) -> None:
        self._report.add(severity, code, raw.path, f"{raw.place}: {reason}")

    def _is_met(self, mail: Mail, collection: str, raw: RawMail) -> bool:
        """A copy of a message that this collection has already, from another box of it.

        The date has to be the same: there are programs that give two mails one id.
        """
        key = (collection, mail.message_id, mail.date.isoformat() if mail.date else "")
        first = self._met.setdefault(key, f"{raw.path}, {raw.place}")
        if first == f"{raw.path}, {raw.place}":
            return False
        reason = f"the same mail as {first} (<{mail.message_id}>)"
        self._note("note", "duplicate-mail", raw, reason)
        return True

    def _path(self, folder: str, mail: Mail) -> str:
        safe = _UNSAFE.sub("_", mail.message_id)
        safe = re.sub(r"^\.", "_", safe)[:_LONGEST_NAME]
        if safe != mail.message_id:
            safe += f"~{_digest(mail.message_id)}"
        path = "/".join(part for part in (folder, f"{safe}.eml") if part)
        if path.casefold() in self._paths:  # the same id, or one that differs by case alone
            other = _digest(f"{mail.message_id}\n{mail.date}\n{mail.subject}\n{mail.text}")
            path = f"{path.removesuffix('.eml')}~{other}.eml"
        self._paths.add(path.casefold())
        return path

    def _document(self, mail: Mail, path: str, collection: str) -> tuple[Document, Structure]:
        listed = [_attachment(a.name, a.size) for a in mail.attachments]
        ending = f"Attachments: {', '.join(listed)}" if listed else ""
        body = "\n\n".join(part for part in (mail.text, ending) if part)
        if not mail.text:
            reason = "nothing of its own below its headers: title only"
            self._report.add("note", "no-text", path, reason)
        structure = plain_structure(body, mail.text)
        title = mail.subject or _beginning(mail.text) or mail.message_id
        document = Document(
            path=path,
            collection=collection,
            title=title,
            language=detect(f"{title}\n{mail.text}", self._config.languages) or "",
            body=body,
            content_hash=hashlib.sha256(body.encode()).hexdigest(),
            authors=(mail.sender[0] or mail.sender[1],) if any(mail.sender) else (),
            permalink=mail.message_id,
            created=mail.date.strftime("%Y-%m-%dT%H:%M:%SZ") if mail.date else None,
            year=mail.date.year if mail.date else None,
            front_matter=_header_fields(mail),
            folded="\n\n".join(part for part in (_recipients(mail), mail.folded) if part),
            sections=structure.sections,
            links=tuple(Link(parent, REPLY, 1) for parent in mail.parents),
        )
        return document, structure


def _header_fields(mail: Mail) -> dict[str, object]:
    return {
        "message_id": mail.message_id,
        "from": shown_address(mail.sender),
        "to": [shown_address(person) for person in mail.recipients],
        "attachments": [
            {"name": a.name, "type": a.type, "bytes": a.size} for a in mail.attachments
        ],
    }


def _recipients(mail: Mail) -> str:
    named = ", ".join(name or address for name, address in mail.recipients)
    return f"To: {named}" if named else ""


def _attachment(name: str, size: int) -> str:
    if not size:
        return name
    return f"{name} ({size} B)" if size < 1000 else f"{name} ({round(size / 1000)} kB)"


def _beginning(text: str) -> str:
    line = " ".join(text.strip().partition("\n")[0].split())
    return line if len(line) <= _LONGEST_TITLE else line[: _LONGEST_TITLE - 1].rstrip() + "…"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]
