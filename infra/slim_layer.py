"""Takes out of a built layer what no function imports: it is unpacked before a cold start.

``python infra/slim_layer.py FOLDER``, where FOLDER is what becomes ``/opt/python``.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# What index_artifacts and functions call, and what boto3 may need to find credentials.
AWS_SERVICES = {"s3", "ssm", "secretsmanager", "lambda", "sts", "sso", "sso-oidc"}
UNUSED = (
    "bin",
    "boto3/examples",
    # The Python module has the whole engine in it; this is the one for C and C++.
    "onnxruntime/capi/libonnxruntime.so*",
    "onnxruntime/datasets",
    "onnxruntime/quantization",
    "onnxruntime/tools",
    "onnxruntime/transformers",
    # The encoder's own tokenizer takes their place.
    "hf_xet*",
    "huggingface_hub*",
    "tokenizers*",
    "numpy/f2py",
    # Not numpy/testing: scipy and others import it, and it is small.
    "*/**/tests",
)


def slim(folder: Path) -> int:
    """Delete what is not needed below ``folder``; return the bytes that this frees."""
    before = size_of(folder)
    for path in [*_unused_services(folder), *(p for name in UNUSED for p in folder.glob(name))]:
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    return before - size_of(folder)


def size_of(folder: Path) -> int:
    """The bytes of all files below ``folder``, as Lambda counts them."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _unused_services(folder: Path) -> Iterator[Path]:
    """The folders of services in the AWS libraries; files beside them are of all services."""
    for data in (folder / "botocore" / "data", folder / "boto3" / "data"):
        yield from (path for path in data.iterdir() if _is_unused(path))


def _is_unused(path: Path) -> bool:
    return path.is_dir() and path.name not in AWS_SERVICES


if __name__ == "__main__":
    freed = slim(Path(sys.argv[1]))
    print(f"the layer: {freed / 1e6:.1f} MB that nothing imports are left out", file=sys.stderr)
