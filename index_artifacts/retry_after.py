"""How long a busy server asks to be left alone."""

from __future__ import annotations

import math
import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def retry_after(headers: Mapping[str, str]) -> float:
    """Seconds; 0 where it says nothing, or nothing that can be read.

    ``Retry-After`` holds seconds or a date; some servers also send ``retry-after-ms``.
    """
    milliseconds = _seconds(headers.get("retry-after-ms", "")) / 1000
    value = headers.get("retry-after", "")
    return milliseconds or _seconds(value) or _until(value)


def _seconds(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        return 0.0
    return seconds if math.isfinite(seconds) and seconds > 0 else 0.0


def _until(value: str) -> float:
    try:
        return max(parsedate_to_datetime(value).timestamp() - time.time(), 0.0)
    except (TypeError, ValueError, OverflowError):
        return 0.0
