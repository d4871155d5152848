"""Bytes of any origin become text, or a line of the report."""

from __future__ import annotations

import pytest

from build import decoding
from build.decoding import decode
from build.report import Report


def decoded(data: bytes, fallback: str = "") -> tuple[str | None, list[tuple[str, str, int]]]:
    report = Report()
    text = decode("a.md", data, fallback, report)
    return text, [(row["severity"], row["code"], row["line"]) for row in report.rows()]


def test_utf8_is_taken_as_it_is() -> None:
    text = "# Žltý kôň 🐎\n\nŁódź, ёлка, é.\n"
    assert decoded(text.encode()) == (text, [])


def test_one_byte_order_mark_goes_and_a_second_is_text() -> None:
    assert decoded(b"\xef\xbb\xbf---\n") == ("---\n", [])
    assert decoded(b"\xef\xbb\xbf\xef\xbb\xbfa") == ("\ufeffa", [])


@pytest.mark.parametrize("end", [b"\r\n", b"\r"])
def test_line_ends_of_windows_and_old_macs_become_line_feeds(end: bytes) -> None:
    assert decoded(b"a" + end + end + b"b" + end) == ("a\n\nb\n", [])


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_is_known_by_its_mark_and_reported(encoding: str) -> None:
    data = ("\ufeff" + "# Kôň\r\n").encode(encoding)
    assert decoded(data) == ("# Kôň\n", [("repaired", "encoding", 0)])


def test_another_encoding_is_skipped_at_its_first_wrong_line() -> None:
    data = "# Nadpis\n\nkůň\n".encode("cp1250")
    assert decoded(data) == (None, [("skipped", "encoding", 3)])


def test_a_declared_fallback_reads_it_and_says_so() -> None:
    data = "# Nadpis\n\nŽluťoučký kůň\n".encode("cp1250")
    assert decoded(data, "cp1250") == (
        "# Nadpis\n\nŽluťoučký kůň\n",
        [("repaired", "encoding", 3)],
    )


def test_a_fallback_that_does_not_fit_either_skips_the_page() -> None:
    assert decoded(b"a\n\x81\x8d\n", "cp1250") == (None, [("skipped", "encoding", 2)])


def test_nul_characters_are_replaced_where_they_stand() -> None:
    assert decoded(b"a\nb\0c\0\n") == ("a\nb\ufffdc\ufffd\n", [("repaired", "nul", 2)])


@pytest.mark.parametrize("data", [b"", b"\n \r\n\t\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"])
def test_nothing_but_space_is_an_empty_page(data: bytes) -> None:
    assert decoded(data) == (None, [("skipped", "empty", 0)])


POINTER = (
    b"version https://git-lfs.github.com/spec/v1\n"
    b"oid sha256:98ea6e4f216f2fb4b69fff9b3a44842c38686ca685f3f55dc48c5d3fb1107be4\nsize 84977\n"
)


@pytest.mark.parametrize("data", [POINTER, POINTER.replace(b"\n", b"\r\n"), POINTER.rstrip()])
def test_an_lfs_pointer_is_not_the_page(data: bytes) -> None:
    assert decoded(data) == (None, [("skipped", "lfs-pointer", 0)])


@pytest.mark.parametrize("data", [b"How LFS works:\n\n" + POINTER, POINTER + b"\nThis is one.\n"])
def test_a_page_about_lfs_pointers_is_a_page(data: bytes) -> None:
    assert decoded(data) == (data.decode(), [])


def test_a_page_beyond_the_limit_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "MAX_BYTES", 10)
    assert decoded(b"x" * 10)[0] == "x" * 10
    assert decoded(b"x" * 11) == (None, [("skipped", "too-large", 0)])
