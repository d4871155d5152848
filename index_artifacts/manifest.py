"""The manifest: one canonical JSON document that names everything a version is made of."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from index_artifacts.errors import IntegrityError, SignatureError

FORMAT = 1

MANIFEST_FILE = "manifest.json"
INDEX_FILE = "index.sqlite"
GRAPH_FILE = "graph.pickle"
MODEL_FOLDER = "model/"

_NAME_PART = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file of a version: its name below the artifact, its sha256 (hex), its bytes.

    Raises `IntegrityError` for a name that leads out of the artifact or a malformed hash.
    """

    name: str
    sha256: str
    size: int

    def __post_init__(self) -> None:
        """Whoever joins ``name`` to a folder may trust it."""
        if not all(_NAME_PART.fullmatch(part) for part in self.name.split("/")):
            raise IntegrityError(f"the manifest lists {self.name!r}, no name inside an artifact")
        if not _SHA256.fullmatch(self.sha256) or self.size < 0:
            raise IntegrityError(f"the manifest has no sha256 and size for {self.name}")


@dataclass(frozen=True, slots=True)
class Source:
    """The commit that was compiled.

    ``ancestors`` holds the nearest first-parent and merged ancestors, newest first, so that
    publishing can tell older from newer without the repository. A plain folder has no
    revision, and then no order.
    """

    revision: str | None = None
    committed_at: str | None = None
    dirty: bool = False
    ancestors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything about a version. Built deterministically: it holds no clock and no host."""

    version: str
    source: Source
    files: tuple[FileEntry, ...]
    counts: dict[str, int]
    config: dict[str, Any]
    analyzer: str
    encoder: dict[str, Any]
    tuning: dict[str, Any] = field(default_factory=dict)
    calibration: dict[str, Any] = field(default_factory=dict)
    report: tuple[dict[str, Any], ...] = ()
    format: int = FORMAT
    signature: str | None = None

    def file(self, name: str) -> FileEntry:
        """Return the entry called ``name``; raises `IntegrityError` where there is none."""
        for entry in self.files:
            if entry.name == name:
                return entry
        raise IntegrityError(f"version {self.version}: its manifest lists no {name}")

    def to_json(self) -> bytes:
        """Canonical JSON: sorted keys, no spaces, UTF-8, a final newline."""
        return canonical_json(asdict(self))

    def sign(self, key: bytes) -> Manifest:
        """Return this manifest with an HMAC-SHA256 signature over its canonical JSON."""
        return replace(self, signature=self._mac(key))

    def verify_signature(self, key: bytes) -> None:
        """Raise `SignatureError` where the signature is missing or made with another key."""
        if self.signature is None:
            raise SignatureError(
                f"version {self.version} is unsigned, and this reader has a signing key: "
                "publish it again with EDGEWIKI_SIGNING_KEY set"
            )
        if not hmac.compare_digest(self.signature.encode(), self._mac(key).encode()):
            raise SignatureError(f"version {self.version} is signed with another key")

    def _mac(self, key: bytes) -> str:
        unsigned = replace(self, signature=None)
        return hmac.new(key, unsigned.to_json(), hashlib.sha256).hexdigest()

    @classmethod
    def from_json(cls, data: bytes) -> Manifest:
        """Parse a manifest; raises `IntegrityError` where it is not one of this format."""
        try:
            raw = json.loads(data)
            if raw["format"] != FORMAT:
                raise IntegrityError(
                    f"manifest format {raw['format']} is not {FORMAT}: "
                    "build the version again, or run the edgewiki that wrote it"
                )
            raw["source"]["ancestors"] = tuple(raw["source"]["ancestors"])
            raw["source"] = Source(**raw["source"])
            raw["files"] = tuple(FileEntry(**entry) for entry in raw["files"])
            raw["report"] = tuple(raw["report"])
            manifest = cls(**raw)
            if not isinstance(manifest.signature, str | None):
                raise IntegrityError("the manifest's signature is no text")
            if len({entry.name for entry in manifest.files}) < len(manifest.files):
                raise IntegrityError("the manifest lists a file twice")
            return manifest
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise IntegrityError(f"not an edgewiki manifest: {error!r}") from error


def canonical_json(value: Any) -> bytes:
    """Serialise so that equal values give equal bytes."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode() + b"\n"
