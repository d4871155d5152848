"""A version's weights and calibration: fitted by ``edgewiki eval tune``, kept in a file."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from index_artifacts.calibration import Calibration
from index_artifacts.errors import ConfigError
from index_artifacts.tuning import Tuning

SHIPPED = Path(__file__).with_name("tuning.json")
"""What a wiki gets that names no file of its own."""

FORMAT = "edgewiki-tuning/1"


@dataclass(frozen=True, slots=True)
class TuningFile:
    """What a tuning file says; beside this it names the questions it was fitted on."""

    tuning: Tuning
    calibration: Calibration


def read_tuning(path: Path | None = None) -> TuningFile:
    """Read ``path``, or the shipped file; raises `ConfigError` that names it where it is none."""
    file = path or SHIPPED
    try:
        values = json.loads(file.read_text("utf-8"))
        if values["format"] != FORMAT:
            raise ConfigError(f"its format is {values['format']!r}, not {FORMAT}")
        weights, calibration = dict(values["weights"]), dict(values["calibration"])
        return TuningFile(Tuning.from_dict(weights), Calibration.from_dict(calibration))
    except OSError as error:
        raise ConfigError(f"tuning file {file}: {error.strerror}") from None
    except (ConfigError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"tuning file {file} is not one of this edgewiki: {error}") from None
