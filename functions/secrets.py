"""Secrets that lie in AWS: one JSON object of variables a place, read once at a cold start."""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING, Any

from index_artifacts.errors import ConfigError, UnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable

_HINT = "check the name, the region and the function's rights"


def read_secrets(places: str) -> dict[str, str]:
    """The variables kept at ``places``, the setting EDGEWIKI_SECRETS; a later place ranks above.

    What is no text is JSON. Raises `ConfigError` for a place of another kind and for what is no
    object, `UnavailableError` where AWS gives nothing.
    """
    found: dict[str, str] = {}
    for place in (part.strip() for part in places.split(",")):
        if not place:
            continue
        kind, _, name = place.partition(":")
        if kind not in READERS or not name:
            raise ConfigError(
                f"EDGEWIKI_SECRETS: {place!r} is no place: give ssm:<parameter> or "
                "secretsmanager:<id>"
            )
        found |= _variables(place, READERS[kind](place, name))
    return found


def _variables(place: str, text: str) -> dict[str, str]:
    try:
        values = json.loads(text)
    except ValueError:
        values = None
    if not isinstance(values, dict):
        raise ConfigError(f'{place} holds no JSON object such as {{"EDGEWIKI_API_KEYS": […]}}')
    return {
        name: value if isinstance(value, str) else json.dumps(value)
        for name, value in values.items()
    }


def _parameter(place: str, name: str) -> str:
    return str(
        _asked(place, "ssm", lambda c: c.get_parameter(Name=name, WithDecryption=True))[
            "Parameter"
        ]["Value"]
    )


def _secret(place: str, name: str) -> str:
    found = _asked(place, "secretsmanager", lambda c: c.get_secret_value(SecretId=name))
    if "SecretString" not in found:
        raise ConfigError(f"{place} holds bytes; keep a JSON text there")
    return str(found["SecretString"])


READERS: dict[str, Callable[[str, str], str]] = {"ssm": _parameter, "secretsmanager": _secret}


def _asked(place: str, service: str, ask: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
    import boto3.session
    from botocore.config import Config
    from botocore.exceptions import BotoCoreError, ClientError

    config = Config(connect_timeout=2, read_timeout=5, retries={"total_max_attempts": 3})
    try:
        made = boto3.session.Session().client(service, config=config)  # type: ignore[call-overload]
        with closing(made) as client:
            return dict(ask(client))
    except (BotoCoreError, ClientError) as error:
        raise UnavailableError(f"{place} cannot be read: {error}: {_HINT}") from error
