"""One message: its headers and text in any charset, HTML, attachments, and MIME that is broken."""

from __future__ import annotations

import random
from email.message import EmailMessage
from email.mime.application import MIMEApplication
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText

import pytest

from build.mail.message import Attachment, Mail, NoMailError, read_mail
from tests.boxes import mail, raw

HEADERS = "From: Ana <ana@example.org>\nSubject: x\nMessage-ID: <1@x>\nDate: 3 Feb 2026 10:00 +0000"


def read(message: EmailMessage | bytes, fallback: str = "") -> Mail:
    return read_mail(message if isinstance(message, bytes) else bytes(message), fallback)


def codes(found: Mail) -> list[str]:
    return [code for _, code, _ in found.problems]


@pytest.mark.parametrize(
    ("written", "subject"),
    [
        ("=?utf-8?B?xIxhasOt?=", "Čají"),
        ("=?iso-8859-2?Q?=C8aj=ED?=", "Čají"),
        ("=?windows-1251?B?z/Do4uXy?=", "Привет"),
        ("=?utf-8?Q?=C4?=\n =?utf-8?Q?=8Caj?=", "Čaj"),
        ("=?utf-8?Q?a?= =?utf-8?Q?b?= c", "ab c"),
        ("=?nonsense?Q?a=20b?=", "a b"),
        ("=?utf-8?B?!!!?=", "=?utf-8?B?!!!?="),
        ("Re: two\n\tlines", "Re: two lines"),
        ("evil\x1b[31m\u202etxt", "evil[31mtxt"),
    ],
)
def test_a_subject_is_decoded_to_one_line(written: str, subject: str) -> None:
    assert read(raw(f"From: a@b\nSubject: {written}")).subject == subject


@pytest.mark.parametrize(
    ("data", "fallback"), [("Čaj".encode(), ""), ("Čaj".encode("cp1250"), "cp1250")]
)
def test_a_header_with_bare_bytes_is_read_as_a_page_would_be(data: bytes, fallback: str) -> None:
    assert read(b"From: a@b\nSubject: " + data + b"\n\nx", fallback).subject == "Čaj"


@pytest.mark.parametrize(
    ("charset", "data", "text"),
    [
        ("iso-8859-2", "žltý kôň".encode("iso-8859-2"), "žltý kôň"),
        ("windows-1250", "„žltý“".encode("cp1250"), "„žltý“"),
        ("koi8-r", "привет".encode("koi8-r"), "привет"),
        ("us-ascii", "žltý".encode(), "žltý"),
        ("iso-8859-1", b"\x93quoted\x94", "“quoted”"),
        ("utf-8", "žltý".encode("cp1250"), "žltý"),
        ("x-unknown", "žltý".encode(), "žltý"),
        ("base64", b"plain", "plain"),
        ("punycode", b"plain-x", "plain-x"),
    ],
)
def test_a_text_is_read_in_the_charset_that_fits_it(charset: str, data: bytes, text: str) -> None:
    headers = f"{HEADERS}\nContent-Type: text/plain; charset={charset}"
    found = read(raw(headers, data), fallback="cp1250")
    assert (found.text, codes(found)) == (text, [])


def test_bytes_that_no_charset_reads_are_reported() -> None:
    found = read(raw(f"{HEADERS}\nContent-Type: text/plain; charset=utf-8", b"a\xffb"))
    assert (found.text, codes(found)) == ("a\ufffdb", ["charset"])


HTML = """<html><head><title>T</title><style>p {color: red}</style></head><body>
<div style="display: none">Preview that nobody sees</div>
<p>Dear <b>Bo</b>ris,<br>see <a href="https://example.org/plan">the plan</a>.</p>
<ul><li>one</li><li>two</li></ul><table><tr><td>a</td><td>b</td></tr></table>
<div class="gmail_signature">Ana</div>
<div class="gmail_quote">On 3 Feb Boris &lt;b@x&gt; wrote:<blockquote>Old text</blockquote></div>
</body></html>"""


def test_html_becomes_text_without_what_is_hidden_and_its_quotes_are_folded() -> None:
    message = mail("", subject="Re: x")
    message.set_content(HTML, subtype="html")
    found = read(message)
    assert found.text == (
        "Dear Boris,\nsee the plan <https://example.org/plan>.\n\n- one\n- two\n\na | b"
    )
    assert "Old text" in found.folded
    assert "nobody sees" not in found.text + found.folded


def test_of_two_versions_the_plain_one_is_read_unless_it_is_a_mere_hint() -> None:
    message = mail("Plain text of the mail.")
    message.add_alternative("<p>Rich text of the mail.</p>", subtype="html")
    assert read(message).text == "Plain text of the mail."
    hint = mail("See the HTML part.")
    hint.add_alternative("<p>" + "Rich text of the mail. " * 20 + "</p>", subtype="html")
    assert read(hint).text.startswith("Rich text of the mail. Rich")


def test_attachments_are_listed_with_their_decoded_names() -> None:
    message = mail("See below.")
    message.add_attachment(b"x" * 2000, maintype="application", subtype="pdf", filename="plán.pdf")
    message.add_attachment("Inner.\n", filename="note.txt")
    message.add_attachment(mail("Forwarded.", subject="Old one"))
    found = read(message)
    assert found.text == "See below."
    assert found.attachments == (
        Attachment("plán.pdf", "application/pdf", 2000),
        Attachment("note.txt", "text/plain", 7),
        Attachment("Old one", "message/rfc822", 0),
    )


def test_pictures_in_the_text_are_no_attachments() -> None:
    message = mail("Hello.")
    message.add_alternative("<p>Hello. <img src=cid:1></p>", subtype="html")
    rich = message.get_payload(1)
    assert isinstance(rich, EmailMessage)
    rich.add_related(b"x", "image", "png", cid="<1>", filename="image001.png", disposition="inline")
    message.add_attachment(b"BEGIN:VCALENDAR", maintype="text", subtype="calendar")
    assert [attachment.name for attachment in read(message).attachments] == ["text/calendar"]


def test_lines_that_a_mail_program_broke_are_joined_again() -> None:
    headers = f"{HEADERS}\nContent-Type: text/plain; format=flowed"
    body = "One long \nsentence.\n From here.\n-- \nAna\n"
    assert read(raw(headers, body)).text == "One long sentence.\nFrom here."


def test_of_an_encrypted_mail_its_headers_are_read_and_the_report_says_so() -> None:
    message = MIMEMultipart("encrypted", protocol="application/pgp-encrypted")
    message["From"], message["Subject"] = "a@b", "Secret"
    message.attach(MIMEApplication(b"Version: 1", "pgp-encrypted"))
    message.attach(MIMEText("-----BEGIN PGP MESSAGE-----\nabc\n"))
    found = read(message.as_bytes())
    assert (found.subject, found.text, codes(found)[-1]) == ("Secret", "", "encrypted")


def test_a_mail_without_an_id_gets_one_made_of_what_it_says() -> None:
    first, again, other = (
        read(raw("From: a@b\nSubject: x\nX-Received-By: 1", text))
        for text in ("Hello.", "Hello.", "Good bye.")
    )
    assert first.message_id.startswith("no-id-")
    assert first.message_id == again.message_id != other.message_id


@pytest.mark.parametrize(
    ("headers", "date"),
    [
        ("Date: Tue, 3 Feb 2026 23:30:00 -0500", "2026-02-04T04:30:00+00:00"),
        ("Date: 3 Feb 26 10:00", "2026-02-03T10:00:00+00:00"),
        ("Date: yesterday\nReceived: by x; Tue, 3 Feb 2026 10:00:00 +0000",
         "2026-02-03T10:00:00+00:00"),
        ("Date: 99 Foo 2026 10:00", None),
        ("Date: Fri, 1 Jan 1850 00:00:00 +0000", None),
    ],
)  # fmt: skip
def test_a_date_is_told_in_utc_or_left_out(headers: str, date: str | None) -> None:
    found = read(raw(f"From: a@b\n{headers}"))
    assert (found.date.isoformat() if found.date else None) == date
    assert ("mail-date" in codes(found)) == (date is None)


BROKEN = {
    "no end": f"{HEADERS}\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nHello.\n",
    "no border": f"{HEADERS}\nContent-Type: multipart/mixed\n\nHello.\n",
    "bad base64": f"{HEADERS}\nContent-Transfer-Encoding: base64\n\nSGVs*bG8u\n",
    "bad quoted-printable": f"{HEADERS}\nContent-Transfer-Encoding: quoted-printable\n\nHello=2\n",
    "unknown encoding": f"{HEADERS}\nContent-Transfer-Encoding: foo\n\nHello.\n",
    "NUL in charset": f"{HEADERS}\nContent-Type: text/plain; charset=a\0b\n\nHello\xff.\n",
    "no type": f"{HEADERS}\nContent-Type: ;;;\n\nHello.\n",
    "deep comment": f"To: {'(' * 50_000}\n{HEADERS}\n\nHello.\n",
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_a_broken_mail_is_read_as_far_as_it_goes(data: str) -> None:
    found = read(data.encode("latin-1"))
    assert found.text.startswith("Hello")
    assert found.message_id == "1@x"


def test_what_cannot_be_taken_apart_is_refused_with_a_reason() -> None:
    types = "".join(
        f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(3000)
    )
    with pytest.raises(NoMailError, match="cannot be read"):
        read(f"{HEADERS}\n{types}".encode())
    with pytest.raises(NoMailError, match="neither From"):
        read(b"just some text\n\nof somebody\n")


def test_no_damage_stops_the_reading_of_a_mail() -> None:
    message = mail("Žltý kôň\n> q\n")
    message.add_alternative("<p>Text <b>x</b><blockquote>q</blockquote>", subtype="html")
    message.add_attachment(b"abc", maintype="application", subtype="pdf", filename="š.pdf")
    whole, chance = bytes(message), random.Random(1)
    readable = 0
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 12)):
            at = chance.randrange(len(data))
            data[at : at + chance.choice((0, 1, 40))] = chance.randbytes(chance.randint(0, 8))
        try:
            found = read(bytes(data))
        except NoMailError:
            continue
        readable += 1
        "".join((found.subject, found.text, found.folded, found.message_id)).encode()
    assert readable > 200


def test_markup_that_is_never_closed_costs_no_more_than_its_length() -> None:
    for tag in ("<div>", "<a href=http://x.y/z>", "<blockquote>"):
        html = f"{HEADERS}\nContent-Type: text/html\n\n{tag * 5000}deep"
        assert "deep" in read(html.encode()).text
