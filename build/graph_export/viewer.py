"""The library that draws pictures in a browser: cytoscape.js, as ``make graph-viewer`` puts it."""

from __future__ import annotations

from pathlib import Path

from index_artifacts.errors import ConfigError

# Below the repository, like the model; an installed wheel has none, and takes --viewer.
DEFAULT_VIEWER = Path(__file__).parents[2] / ".edgewiki" / "graph-viewer"
_LIBRARY = Path("node_modules", "cytoscape", "dist", "cytoscape.min.js")


def read_library(folder: Path | None = None) -> str:
    """The text of cytoscape.js in a folder where npm installed it; else in the default one.

    Raises `ConfigError` where it is not there yet.
    """
    path = (folder or DEFAULT_VIEWER) / _LIBRARY
    try:
        return path.read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        raise ConfigError(
            f"{path} is not there: run `make graph-viewer` where edgewiki's source is, or name "
            "the folder of its node_modules by --viewer or EDGEWIKI_GRAPH_VIEWER"
        ) from None
