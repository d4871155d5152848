"""A store in an S3 bucket, on AWS or on a server that speaks S3."""

from __future__ import annotations

import io
import os
import random
import time
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO
from urllib.parse import urlsplit

from boto3.exceptions import Boto3Error
from boto3.s3.transfer import TransferConfig
from botocore.exceptions import BotoCoreError, ClientError
from s3transfer.exceptions import S3DownloadFailedError

from index_artifacts.errors import (
    ConfigError,
    ConflictError,
    NotFoundError,
    UnavailableError,
    UnsupportedError,
)
from index_artifacts.pace import Pace
from index_artifacts.s3_client import conditional_writes, s3_client
from index_artifacts.s3_errors import Request, Right, explain, status_of, was_retried
from index_artifacts.store import PROBE_KEY, Entry, StoredObject, check_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from mypy_boto3_s3 import S3Client

PIECE = 256 << 10
"""A body is read so many bytes at a time, and its pace looked at after each.

Pieces of 32 KB would show a slow server sooner, and cost a cold start 0.2 s: each is a task.
"""

# 8 MB ranges on ten connections: one connection gives a function a quarter of its bandwidth.
DOWNLOAD = TransferConfig(
    multipart_threshold=8 << 20,
    multipart_chunksize=8 << 20,
    max_concurrency=10,
    io_chunksize=PIECE,
    preferred_transfer_client="classic",
)
RACE_ATTEMPTS = 5
NO_SUCH_TAG = '"00000000000000000000000000000000"'

_BOTO_ERRORS = (ClientError, BotoCoreError, Boto3Error, S3DownloadFailedError)


class S3Store:
    """Objects in a bucket, below a prefix. One instance may be used by several threads."""

    def __init__(
        self, bucket: str, prefix: str, client: S3Client, *, conditional_writes: bool = True
    ) -> None:
        """``prefix`` may be empty; without ``conditional_writes`` a HEAD precedes each write."""
        self._bucket = bucket
        self._prefix = check_key(prefix.strip("/")) + "/" if prefix.strip("/") else ""
        self._client = client
        self._conditional = conditional_writes

    @classmethod
    def from_url(cls, url: str) -> S3Store:
        """Open ``s3://bucket/prefix`` with the settings of the environment.

        Asks nothing of the server yet. Raises `ConfigError` for a wrong URL or setting.
        """
        parts = urlsplit(url)
        if "@" in parts.netloc or not parts.netloc or parts.query or parts.fragment:
            raise ConfigError(
                f"the store s3://{parts.netloc.rpartition('@')[2]}{parts.path} needs the form "
                "s3://bucket/prefix; credentials belong in the environment, never in the URL"
            )
        conditional = conditional_writes(os.environ)
        client = s3_client(os.environ)
        return cls(parts.netloc, parts.path, client, conditional_writes=conditional)

    @property
    def url(self) -> str:
        """``s3://bucket/prefix``."""
        return f"s3://{self._bucket}/{self._prefix}".rstrip("/")

    def close(self) -> None:
        """Close the idle connections; a later request opens new ones."""
        self._client.close()

    def read(self, key: str) -> StoredObject:
        """Return the object, or raise `NotFoundError`."""
        name = self._name(key)
        with self._asking("s3:GetObject", name):
            return self._get(name)

    def read_if_changed(self, key: str, etag: str) -> StoredObject | None:
        """Return the object, or None where its tag is still ``etag`` (304)."""
        name = self._name(key)
        with self._asking("s3:GetObject", name):
            try:
                return self._get(name, IfNoneMatch=etag)
            except ClientError as error:
                if status_of(error) != 304:
                    raise
                return None

    def size(self, key: str) -> int | None:
        """Return the size in bytes, or None where there is no such object."""
        head = self._head(key)
        return None if head is None else int(head["ContentLength"])

    def download(self, key: str, path: Path) -> None:
        """Write the object to ``path``: small ones by one GET, large ones in parallel ranges."""
        name = self._name(key)
        try:
            with self._asking("s3:GetObject", name):
                self._client.download_file(
                    self._bucket, name, str(path), Config=DOWNLOAD, Callback=self._pace(name)
                )
        except OSError as error:
            raise UnavailableError(
                f"{self.url}: {key} cannot be written to {path}: {error.strerror or error}"
            ) from error

    def write_new(self, key: str, data: bytes) -> bool:
        """Create the object; return False where it already exists."""
        try:
            self._put(key, io.BytesIO(data), None)
        except ConflictError as error:
            return self._was_ours(error, key, data) is not None
        return True

    def upload_new(self, key: str, path: Path) -> bool:
        """Create the object from a file of at most 5 GB, in one PUT; False where it exists."""
        try:
            with path.open("rb") as body:
                self._put(key, body, None)
        except ConflictError:
            return False
        except OSError as error:
            raise UnavailableError(f"{path} cannot be read: {error.strerror}") from error
        return True

    def replace(self, key: str, data: bytes, etag: str | None) -> str:
        """Swap the object if its tag is ``etag`` (None: if it is absent); return the new tag."""
        try:
            return self._put(key, io.BytesIO(data), etag)
        except ConflictError as error:
            ours = self._was_ours(error, key, data)
            if ours is None:
                raise
            return ours

    def list(self, prefix: str) -> Iterator[Entry]:
        """Yield what lies under ``prefix``, in the order of the keys."""
        found: list[Entry] = []
        pages = self._client.get_paginator("list_objects_v2")
        with self._asking("s3:ListBucket", self._prefix + prefix):
            for page in pages.paginate(Bucket=self._bucket, Prefix=self._prefix + prefix):
                found.extend(
                    Entry(row["Key"][len(self._prefix) :], row["Size"], row["LastModified"])
                    for row in page.get("Contents", [])
                    if not row["Key"].endswith("/")  # a console's mark for an empty folder
                )
        # AWS sorts by bytes; a server built on folders puts a/b before a-b.
        yield from sorted(found, key=lambda entry: entry.key)

    def delete(self, key: str) -> None:
        """Remove the object; it is no error where there is none."""
        name = self._name(key)
        with self._asking("s3:DeleteObject", name):
            self._client.delete_object(Bucket=self._bucket, Key=name)

    def delete_unchanged(self, key: str, etag: str) -> None:
        """Remove the object if its tag is ``etag``; raises `ConflictError` otherwise."""
        name = self._name(key)
        self._check_first(key, etag)  # servers ignored If-Match on DELETE long after that on PUT
        condition: dict[str, Any] = {"IfMatch": etag} if self._conditional else {}
        with self._asking("s3:DeleteObject", name, conditional=self._conditional):
            self._client.delete_object(Bucket=self._bucket, Key=name, **condition)

    def require_conditional_writes(self) -> None:
        """Raise `UnsupportedError` where the server ignores If-None-Match or If-Match on PUT.

        Writes ``probe/conditional-write`` once; asks nothing where the setting is ``off``.
        """
        if not self._conditional:
            return
        self.write_new(PROBE_KEY, b"edgewiki\n")
        if self.write_new(PROBE_KEY, b"If-None-Match was ignored\n"):
            raise self._unsupported("If-None-Match")
        try:
            self.replace(PROBE_KEY, b"If-Match was ignored\n", NO_SUCH_TAG)
        except ConflictError:
            return
        raise self._unsupported("If-Match")

    def _unsupported(self, header: str) -> UnsupportedError:
        return UnsupportedError(
            f"{self._client.meta.endpoint_url} ignores {header} on PUT, so two publishers could "
            "overwrite each other: use a server that has conditional writes, or set "
            "EDGEWIKI_S3_CONDITIONAL_WRITES=off and never publish twice at once"
        )

    def _name(self, key: str) -> str:
        return self._prefix + check_key(key)

    def _get(self, name: str, **condition: Any) -> StoredObject:
        found = self._client.get_object(Bucket=self._bucket, Key=name, **condition)
        pace, data = self._pace(name), bytearray()
        with closing(found["Body"]) as body:
            for piece in body.iter_chunks(PIECE):
                data += piece
                pace(len(piece))
        return StoredObject(bytes(data), found["ETag"])

    def _pace(self, name: str) -> Pace:
        return Pace(f"s3://{self._bucket}/{name} at {self._client.meta.endpoint_url}")

    def _head(self, key: str) -> Mapping[str, Any] | None:
        name = self._name(key)
        try:
            with self._asking("s3:GetObject", name):
                return self._client.head_object(Bucket=self._bucket, Key=name)
        except NotFoundError:
            return None

    def _put(self, key: str, body: BinaryIO, etag: str | None) -> str:
        """PUT where the stored tag is ``etag``, or where nothing is stored; return the new tag."""
        name = self._name(key)
        arguments: dict[str, Any] = {"IfNoneMatch": "*"} if etag is None else {"IfMatch": etag}
        if not self._conditional:
            self._check_first(key, etag)
            arguments = {}
        checksums = getattr(self._client.meta.config, "request_checksum_calculation", None)
        if checksums == "when_supported":
            arguments["ChecksumAlgorithm"] = "SHA256"
        with self._asking("s3:PutObject", name, conditional=self._conditional):
            return self._put_through_races(name, body, arguments)

    def _put_through_races(self, name: str, body: BinaryIO, arguments: dict[str, Any]) -> str:
        """Ask again on 409: S3 says it while another conditional write is still under way."""
        for attempt in range(RACE_ATTEMPTS):
            body.seek(0)
            try:
                found = self._client.put_object(
                    Bucket=self._bucket, Key=name, Body=body, **arguments
                )
                return found["ETag"]
            except ClientError as error:
                if status_of(error) != 409 or attempt == RACE_ATTEMPTS - 1:
                    raise
            time.sleep(random.uniform(0, 0.1 * 2**attempt))
        raise AssertionError("unreachable")

    def _check_first(self, key: str, etag: str | None) -> None:
        head = self._head(key)
        if (head["ETag"] if head else None) != etag:
            raise ConflictError(f"{self.url}: {key} was written by somebody else")

    def _was_ours(self, error: ConflictError, key: str, data: bytes) -> str | None:
        """Return the tag where the refused write is one of ours, whose answer was lost.

        boto3 then sends the write again, and the server refuses it as already done.
        """
        cause = error.__cause__
        if not isinstance(cause, ClientError) or not was_retried(cause):
            return None
        found = self.read(key)
        return found.etag if found.data == data else None

    @contextmanager
    def _asking(self, right: Right, name: str, *, conditional: bool = False) -> Iterator[None]:
        request = Request(right, self._bucket, name, self._client.meta.endpoint_url, conditional)
        try:
            yield
        except _BOTO_ERRORS as error:
            raise explain(error, request) from error
