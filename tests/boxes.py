"""Mail written by hand, in real boxes that the standard library makes."""

from __future__ import annotations

import mailbox
from email.message import EmailMessage
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from email.message import Message
    from pathlib import Path


def mail(
    text: str = "Hello.",
    *,
    number: int = 1,
    subject: str = "Hello",
    sender: str = "Ana Malá <ana@example.org>",
    answers: int = 0,
    date: str = "Tue, 03 Feb 2026 10:00:00 +0100",
) -> EmailMessage:
    """A message whose id is ``<number@example.org>``, in reply to that of number ``answers``."""
    message = EmailMessage()
    message["From"] = sender
    message["To"] = "Team <team@example.org>"
    message["Subject"] = subject
    message["Date"] = date
    message["Message-ID"] = f"<{number}@example.org>"
    if answers:
        message["In-Reply-To"] = f"<{answers}@example.org>"
    message.set_content(text)
    return message


def raw(headers: str, body: bytes | str = "Hello.\n") -> bytes:
    """A message as bytes, just as they are given."""
    content = body if isinstance(body, bytes) else body.encode()
    return headers.encode() + b"\n\n" + content


def write_mbox(path: Path, messages: Iterable[Message | bytes]) -> Path:
    """Write an mbox as mail programs do."""
    path.parent.mkdir(parents=True, exist_ok=True)
    box = mailbox.mbox(path)
    for message in messages:
        box.add(message)
    box.close()
    return path


def write_maildir(path: Path, messages: Iterable[tuple[EmailMessage | bytes, str]]) -> Path:
    """Write a Maildir; beside each message its flags, such as ``S`` for seen."""
    path.parent.mkdir(parents=True, exist_ok=True)
    box = mailbox.Maildir(path)
    for message, flags in messages:
        item = mailbox.MaildirMessage(message)
        item.set_subdir("cur")
        item.set_flags(flags)
        box.add(item)
    box.close()
    return path
