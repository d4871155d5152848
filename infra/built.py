"""What `sam build` made: functions, the layer behind them, and how large they are."""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import yaml

from infra.slim_layer import size_of

if TYPE_CHECKING:
    from pathlib import Path

FUNCTION = "AWS::Serverless::Function"
LAYER = "AWS::Serverless::LayerVersion"
MAX_MB = 200
"""Unpacked, a function with its layer; Lambda refuses more than 250."""
CARRIED = {"functions", "index_artifacts", "parameters.cksum"}
"""What a function's folder holds."""


@dataclass(frozen=True, slots=True)
class BuiltFunction:
    """A function as it goes to Lambda: ``folder`` is /var/task, ``layer`` is /opt."""

    name: str
    handler: str
    folder: Path
    layer: Path

    @property
    def module(self) -> str:
        """The module of the handler."""
        return self.handler.rpartition(".")[0]

    @property
    def megabytes(self) -> float:
        """Its size with its layer, unpacked."""
        return (size_of(self.folder) + size_of(self.layer)) / 1e6


def read_build(folder: Path) -> list[BuiltFunction]:
    """The functions below ``folder``, which is ``.aws-sam/build``."""
    resources = yaml.safe_load((folder / "template.yaml").read_text())["Resources"]
    layers = [
        folder / resource["Properties"]["ContentUri"]
        for resource in resources.values()
        if resource["Type"] == LAYER
    ]
    if len(layers) != 1:
        raise ValueError(f"the template has {len(layers)} layers; the sizes are those of one")
    return [
        BuiltFunction(
            name, resource["Properties"]["Handler"],
            folder / resource["Properties"]["CodeUri"], layers[0],
        )
        for name, resource in resources.items()
        if resource["Type"] == FUNCTION
    ]  # fmt: skip


def runs_here(layer: Path) -> bool:
    """Tell whether the layer's compiled modules are for this machine."""
    ending = f"-{platform.machine()}-linux-gnu.so"
    return sys.platform == "linux" and any(
        path.name.endswith(ending) for path in layer.rglob("*.so")
    )


def pure_part(layer: Path, folder: Path) -> Path:
    """Fill ``folder`` with links to the layer's packages that any Python can import."""
    folder.mkdir()
    for path in (layer / "python").iterdir():
        compiled = path.suffix == ".so" or any(path.rglob("*.so*"))
        if not compiled and not path.name.endswith(".dist-info"):
            (folder / path.name).symlink_to(path.resolve())
    return folder
