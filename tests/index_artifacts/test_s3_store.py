"""The S3 store: rights, settings, and what servers answer when something is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from botocore.exceptions import ClientError
from moto import mock_aws

from index_artifacts.errors import (
    ConfigError,
    ConflictError,
    EdgewikiError,
    NotFoundError,
    StoreError,
    UnavailableError,
    UnsupportedError,
)
from index_artifacts.s3_errors import Request, explain
from index_artifacts.s3_store import S3Store
from index_artifacts.store import open_store
from tests.careless_s3 import careless_store
from tests.s3_server import S3Server, make_client, unused_port

if TYPE_CHECKING:
    from pathlib import Path


def test_a_store_opens_by_its_url_and_environment(
    s3_server: S3Server, s3_bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in s3_server.environ().items():
        monkeypatch.setenv(name, value)
    store = open_store(f"s3://{s3_bucket}/deep/prefix/")
    assert isinstance(store, S3Store)
    store.require_conditional_writes()
    store.write_new("a/b", b"content")
    assert store.url == f"s3://{s3_bucket}/deep/prefix"
    assert open_store(store.url).read("a/b").data == b"content"
    store.close()


def test_uploads_with_checksums_are_accepted(
    s3_server: S3Server, s3_bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in s3_server.environ().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("EDGEWIKI_S3_CHECKSUMS", "when_supported")
    store = S3Store.from_url(f"s3://{s3_bucket}")
    (tmp_path / "source").write_bytes(b"content")
    assert store.upload_new("a/b", tmp_path / "source")
    assert store.read("a/b").data == b"content"
    store.close()


def test_a_wrong_secret_is_refused(s3_server: S3Server, s3_bucket: str) -> None:
    with (
        s3_server.store(s3_bucket, secret="wrong") as store,
        pytest.raises(UnavailableError, match=r"a/b .*credentials.*SignatureDoesNotMatch"),
    ):
        store.read("a/b")


def test_an_unknown_access_key_is_refused(s3_server: S3Server, s3_bucket: str) -> None:
    with (
        s3_server.store(s3_bucket, identity="nobody") as store,
        pytest.raises(UnavailableError, match="InvalidAccessKeyId"),
    ):
        store.write_new("a/b", b"")


def test_a_reader_cannot_write(s3_server: S3Server, s3_bucket: str, tmp_path: Path) -> None:
    with s3_server.store(s3_bucket) as admin:
        admin.write_new("a/b", b"content")
    (tmp_path / "source").write_bytes(b"")
    with s3_server.store(s3_bucket, identity="reader") as store:
        assert store.read("a/b").data == b"content"
        with pytest.raises(UnavailableError, match=r"wiki/a/new .*right s3:PutObject"):
            store.write_new("a/new", b"")
        with pytest.raises(UnavailableError, match=r"wiki/a/new .*right s3:PutObject"):
            store.upload_new("a/new", tmp_path / "source")
        with pytest.raises(UnavailableError, match=r"wiki/a/b .*right s3:PutObject"):
            store.replace("a/b", b"", store.read("a/b").etag)
        with pytest.raises(UnavailableError, match=r"wiki/a/b .*right s3:DeleteObject"):
            store.delete("a/b")
        assert store.read("a/b").data == b"content"


def test_two_prefixes_of_a_bucket_are_two_stores(s3_server: S3Server, s3_bucket: str) -> None:
    with s3_server.store(s3_bucket, "one") as one, s3_server.store(s3_bucket, "one-more") as two:
        one.write_new("a", b"1")
        two.write_new("a", b"2")
        assert [entry.key for entry in one.list("")] == ["a"]
        assert one.read("a").data == b"1"


def test_a_missing_bucket_is_named() -> None:
    with mock_aws():
        client = make_client(None, "moto", "moto")
        store = S3Store("nowhere", "", client)
        with pytest.raises(NotFoundError, match="no bucket 'nowhere'"):
            store.read("a")
        with pytest.raises(NotFoundError, match="no bucket 'nowhere'"):
            store.write_new("a", b"")
        with pytest.raises(NotFoundError, match="no bucket 'nowhere'"):
            list(store.list(""))
        client.close()


def test_a_listing_of_many_pages_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOTO_S3_DEFAULT_MAX_KEYS", "10")
    with mock_aws():
        client = make_client(None, "moto", "moto")
        client.create_bucket(Bucket="wiki")
        for number in range(35):
            client.put_object(Bucket="wiki", Key=f"a/{number:02}", Body=b"")
        client.put_object(Bucket="wiki", Key="a/folder/", Body=b"")
        keys = [entry.key for entry in S3Store("wiki", "", client).list("a/")]
        assert keys == [f"a/{number:02}" for number in range(35)]
        client.close()


def test_an_unwritable_target_is_named(tmp_path: Path) -> None:
    with mock_aws():
        client = make_client(None, "moto", "moto")
        client.create_bucket(Bucket="wiki")
        store = S3Store("wiki", "", client)
        store.write_new("a", b"content")
        with pytest.raises(UnavailableError, match=r"a cannot be written to .*nowhere"):
            store.download("a", tmp_path / "nowhere" / "target")
        with pytest.raises(UnavailableError, match="nowhere cannot be read"):
            store.upload_new("b", tmp_path / "nowhere")
        client.close()


def test_a_server_that_is_down_is_named(tmp_path: Path) -> None:
    endpoint = f"http://127.0.0.1:{unused_port()}"
    client = make_client(endpoint, "key", "secret")
    store = S3Store("wiki", "", client)
    with pytest.raises(UnavailableError, match=rf"{endpoint} does not answer"):
        store.read("channels/latest.json")
    with pytest.raises(UnavailableError, match=endpoint):
        store.write_new("a", b"")
    with pytest.raises(UnavailableError, match=endpoint):
        store.download("a", tmp_path / "a")
    with pytest.raises(UnavailableError, match=endpoint):
        list(store.list(""))
    client.close()


def test_missing_credentials_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    for name in ("AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE"):
        monkeypatch.setenv(name, str(tmp_path / "none"))
    store = S3Store.from_url("s3://wiki")
    with pytest.raises(UnavailableError, match="AWS_ACCESS_KEY_ID"):
        store.read("a")
    store.close()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("EDGEWIKI_S3_ENDPOINT", "s3.example.org"),
        ("EDGEWIKI_S3_PATH_STYLE", "yes"),
        ("EDGEWIKI_S3_CHECKSUMS", "never"),
        ("EDGEWIKI_S3_CONDITIONAL_WRITES", "maybe"),
        ("EDGEWIKI_S3_TIMEOUT_SECONDS", "soon"),
        ("EDGEWIKI_S3_TIMEOUT_SECONDS", "-1"),
        ("AWS_MAX_ATTEMPTS", "many"),
    ],
)
def test_a_wrong_setting_is_named(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigError, match=value):
        S3Store.from_url("s3://wiki/prefix")


@pytest.mark.parametrize(
    ("endpoint", "choice", "style"),
    [
        ("", "", "auto"),
        ("", "true", "path"),
        ("http://127.0.0.1:1", "", "path"),
        ("http://127.0.0.1:1", "false", "auto"),
    ],
)
def test_an_endpoint_means_path_style(
    endpoint: str, choice: str, style: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDGEWIKI_S3_ENDPOINT", endpoint)
    monkeypatch.setenv("EDGEWIKI_S3_PATH_STYLE", choice)
    store = S3Store.from_url("s3://wiki")
    config = store._client.meta.config
    assert getattr(config, "s3", None) == {"addressing_style": style}
    store.close()


@pytest.mark.parametrize("url", ["s3://key:secret@wiki/a", "s3:///a", "s3://wiki/a?region=x"])
def test_a_wrong_url_is_refused_and_gives_no_secret_away(url: str) -> None:
    with pytest.raises(ConfigError, match="s3://bucket/prefix") as caught:
        S3Store.from_url(url)
    assert "secret" not in str(caught.value)


def test_a_prefix_stays_inside_the_bucket() -> None:
    with pytest.raises(StoreError, match="is not a key"):
        S3Store.from_url("s3://wiki/../other")


def test_a_server_that_ignores_conditions_is_unsupported() -> None:
    with careless_store("ignores") as store, pytest.raises(UnsupportedError) as caught:
        store.require_conditional_writes()
    assert "ignores If-None-Match" in str(caught.value)
    assert "http://127.0.0.1" in str(caught.value)
    assert "EDGEWIKI_S3_CONDITIONAL_WRITES=off" in str(caught.value)


def test_a_server_that_knows_half_of_the_conditions_is_unsupported() -> None:
    with (
        careless_store("ignores If-Match") as store,
        pytest.raises(UnsupportedError, match="ignores If-Match"),
    ):
        store.require_conditional_writes()


def test_a_server_that_rejects_conditions_is_unsupported() -> None:
    with (
        careless_store("rejects") as store,
        pytest.raises(UnsupportedError, match=r"http://127.*EDGEWIKI_S3_CONDITIONAL_WRITES=off"),
    ):
        store.require_conditional_writes()


def test_without_conditional_writes_one_publisher_still_works(tmp_path: Path) -> None:
    with careless_store("rejects", conditional_writes=False) as store:
        store.require_conditional_writes()
        assert store.write_new("a", b"one")
        assert not store.write_new("a", b"two")
        etag = store.replace("a", b"two", store.read("a").etag)
        with pytest.raises(ConflictError):
            store.replace("a", b"three", '"another"')
        (tmp_path / "source").write_bytes(b"three")
        assert not store.upload_new("a", tmp_path / "source")
        assert (store.read("a").data, store.read("a").etag) == (b"two", etag)


def test_a_write_whose_answer_was_lost_is_ours() -> None:
    with careless_store("loses answers") as store:
        assert store.write_new("a", b"one")
        etag = store.replace("a", b"two", store.read("a").etag)
        assert (store.read("a").data, store.read("a").etag) == (b"two", etag)
        assert not store.write_new("a", b"three")


def test_a_race_that_goes_on_is_asked_again() -> None:
    with careless_store("is racing") as store:
        assert store.write_new("a", b"one")


@pytest.mark.parametrize(
    ("status", "code", "expected", "words"),
    [
        (404, "NoSuchKey", NotFoundError, "a/b"),
        (404, "NoSuchBucket", NotFoundError, "no bucket 'wiki'"),
        (403, "AccessDenied", UnavailableError, "s3:ListBucket on the bucket"),
        (400, "ExpiredToken", UnavailableError, "session token"),
        (301, "PermanentRedirect", UnavailableError, "EDGEWIKI_S3_REGION"),
        (400, "RequestTimeout", UnavailableError, "answered 400"),
        (503, "SlowDown", UnavailableError, "answered 503"),
        (412, "PreconditionFailed", ConflictError, "somebody else"),
        (501, "NotImplemented", UnsupportedError, "conditional writes"),
    ],
)
def test_an_answer_has_its_error(
    status: int, code: str, expected: type[EdgewikiError], words: str
) -> None:
    answer = ClientError(
        {"Error": {"Code": code}, "ResponseMetadata": {"HTTPStatusCode": status}},  # type: ignore[typeddict-item]
        "GetObject",
    )
    error = explain(answer, Request("s3:GetObject", "wiki", "a/b", "https://s3.example.org"))
    assert type(error) is expected
    assert words in str(error)
    assert "s3.example.org" in str(error)
