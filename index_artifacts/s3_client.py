"""The boto3 client of the S3 store, and its settings.

All come from the environment; an empty value counts as unset. Credentials, and
``AWS_MAX_ATTEMPTS``, come by boto3's own chain.

    EDGEWIKI_S3_ENDPOINT             URL of an S3-compatible server; unset: AWS
    EDGEWIKI_S3_REGION               region; unset: boto3's own chain
    EDGEWIKI_S3_PATH_STYLE           true | false; default true where an endpoint is set
    EDGEWIKI_S3_CHECKSUMS            when_required (default) | when_supported
    EDGEWIKI_S3_CONDITIONAL_WRITES   required (default) | off; off is safe for one
                                     publisher at a time, and for no more
    EDGEWIKI_S3_TIMEOUT_SECONDS      silence after which a request is sent again; default 30

Whatever the checksum setting, an upload is signed over its sha256, which the server compares.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import boto3.session
from botocore.config import Config
from botocore.exceptions import BotoCoreError

from index_artifacts.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mypy_boto3_s3 import S3Client

ATTEMPTS = 5
TIMEOUT_SECONDS = "30"


def s3_client(environ: Mapping[str, str]) -> S3Client:
    """Make a client without asking the server; raises `ConfigError` for a wrong setting."""
    endpoint = environ.get("EDGEWIKI_S3_ENDPOINT") or None
    if endpoint is not None and not endpoint.startswith(("http://", "https://")):
        raise ConfigError(
            f"EDGEWIKI_S3_ENDPOINT is {endpoint!r}: write a URL such as https://s3.example.org"
        )
    try:
        return boto3.session.Session().client(
            "s3",
            endpoint_url=endpoint,
            region_name=environ.get("EDGEWIKI_S3_REGION") or None,
            config=_config(environ, path_style=endpoint is not None),
        )
    except (BotoCoreError, ValueError) as error:
        raise ConfigError(
            f"the S3 client cannot be made: {error} (see the AWS_… and EDGEWIKI_S3_… settings)"
        ) from error


def conditional_writes(environ: Mapping[str, str]) -> bool:
    """Tell whether writes carry If-Match and If-None-Match (the default)."""
    return choice(environ, "EDGEWIKI_S3_CONDITIONAL_WRITES", "required", "off") == "required"


def choice(environ: Mapping[str, str], name: str, default: str, other: str) -> str:
    """Return one of the two values; raises `ConfigError` for any third."""
    value = environ.get(name) or default
    if value not in {default, other}:
        raise ConfigError(f"{name} is {value!r}: use {default} or {other}")
    return value


def _config(environ: Mapping[str, str], *, path_style: bool) -> Config:
    default, other = ("true", "false") if path_style else ("false", "true")
    path_style = choice(environ, "EDGEWIKI_S3_PATH_STYLE", default, other) == "true"
    checksums: Any = choice(environ, "EDGEWIKI_S3_CHECKSUMS", "when_required", "when_supported")
    retries: Any = {"mode": "standard"}
    if not environ.get("AWS_MAX_ATTEMPTS"):  # a value here would hide the one of the environment
        retries["total_max_attempts"] = ATTEMPTS
    return Config(
        retries=retries,
        connect_timeout=5,
        read_timeout=_timeout(environ),
        max_pool_connections=16,
        request_checksum_calculation=checksums,
        response_checksum_validation=checksums,
        s3={"addressing_style": "path" if path_style else "auto"},
    )


def _timeout(environ: Mapping[str, str]) -> float:
    value = environ.get("EDGEWIKI_S3_TIMEOUT_SECONDS") or TIMEOUT_SECONDS
    try:
        seconds = float(value)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 3600:
        raise ConfigError(f"EDGEWIKI_S3_TIMEOUT_SECONDS is {value!r}: use seconds, such as 30")
    return seconds
