"""From the settings to the forge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index_artifacts.errors import ConfigError

if TYPE_CHECKING:
    from functions.forge import Forge
    from functions.settings import Settings


def open_forge(settings: Settings) -> Forge:
    """The forge of ``settings``; asks it for nothing yet.

    Raises `ConfigError`, which names the setting, where there is none or it could not be asked.
    """
    if not settings.forge:
        raise ConfigError("EDGEWIKI_FORGE is empty: name what keeps the wiki, github or gitea")
    token = settings.forge_token.get_secret_value()
    if not token:
        raise ConfigError(
            "EDGEWIKI_FORGE_TOKEN is empty: make a token for the contents and workflows of "
            f"{settings.forge_repository}"
        )
    from functions.forge.gitea import Gitea  # httpx is not for every cold start
    from functions.forge.github import GitHub

    kind = GitHub if settings.forge == "github" else Gitea
    return kind(
        kind.exchange(settings.forge_api, token),
        settings.forge_repository,
        settings.forge_branch,
        settings.forge_workflow,
    )
