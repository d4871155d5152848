"""What an identity provider says of somebody, read for role and collections.

Tokens and logins are read by the same rules. Nothing here verifies anything.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from functions.access import Role
from index_artifacts.errors import ConfigError

if TYPE_CHECKING:
    from functions.settings import Settings

ASYMMETRIC = frozenset(["RS256", "RS384", "RS512", "PS256", "PS384", "PS512",
                        "ES256", "ES384", "ES512", "EdDSA"])  # fmt: skip
EVERYTHING = "*"


@dataclass(frozen=True, slots=True)
class ClaimRules:
    """Which claims count, and what the provider's words in them mean here."""

    role_claim: str
    collections_claim: str
    roles: dict[str, Role]
    workspaces: dict[str, frozenset[str] | None]

    @classmethod
    def from_settings(cls, settings: Settings) -> ClaimRules:
        """Raises `ConfigError`, which names the setting."""
        return cls(
            settings.jwt_role_claim,
            settings.jwt_collections_claim,
            _roles(settings.jwt_roles),
            _workspaces(settings.jwt_workspaces),
        )

    def role(self, claims: dict[str, Any]) -> Role:
        """The highest role that is claimed, guest where none is."""
        named = _listed(claims, self.role_claim)
        return max((self.roles[name] for name in named if name in self.roles), default=Role.GUEST)

    def collections(self, claims: dict[str, Any]) -> frozenset[str] | None:
        """The collections that may be read, None for all; without a claim there are none."""
        found: set[str] = set()
        everything = self.role(claims) is Role.ADMIN
        for workspace in _listed(claims, self.collections_claim):
            chosen = self.workspaces.get(workspace, frozenset([workspace]))
            everything |= chosen is None
            found |= chosen or set()
        return None if everything else frozenset(found)

    def lacks(self, claims: dict[str, Any]) -> bool:
        """Whether nothing is said of the role, or of collections."""
        return not (_listed(claims, self.role_claim) and _listed(claims, self.collections_claim))


def accepted_algorithms(settings: Settings) -> list[str]:
    """The algorithms that a provider may sign with. Raises `ConfigError` for any other one."""
    algorithms = [name.strip() for name in settings.jwt_algorithms.split(",") if name.strip()]
    for name in algorithms:
        if name not in ASYMMETRIC:
            there = ", ".join(sorted(ASYMMETRIC))
            raise ConfigError(
                f"EDGEWIKI_JWT_ALGORITHMS: {name!r} is not for public keys; there are: {there}"
            )
    return algorithms


def _listed(claims: dict[str, Any], path: str) -> list[str]:
    """The text or texts under ``path``; what is of another kind is as good as absent."""
    found: Any = claims.get(path)
    if found is None:
        found = claims
        for name in path.split("."):
            found = found.get(name) if isinstance(found, dict) else None
    texts = [found] if isinstance(found, str) else found
    return [text for text in texts if isinstance(text, str)] if isinstance(texts, list) else []


def _roles(text: str) -> dict[str, Role]:
    named = {role.name.lower(): role for role in Role}
    for word, name in _object("EDGEWIKI_JWT_ROLES", text).items():
        try:
            named[word] = Role.named(name)
        except ValueError as error:
            raise ConfigError(f"EDGEWIKI_JWT_ROLES: {error}") from None
    return named


def _workspaces(text: str) -> dict[str, frozenset[str] | None]:
    found: dict[str, frozenset[str] | None] = {}
    for workspace, given in _object("EDGEWIKI_JWT_WORKSPACES", text).items():
        names = [given] if isinstance(given, str) else given
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ConfigError(
                f"EDGEWIKI_JWT_WORKSPACES: {workspace!r}: give a list of collections, or *"
            )
        found[workspace] = None if EVERYTHING in names else frozenset(names)
    return found


def _object(setting: str, text: str) -> dict[str, Any]:
    if not text.strip():
        return {}
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise ConfigError(f"{setting}: give a JSON object")
    return value
