"""Telling an answer from none: a logistic model of the evidence, and two thresholds.

A version carries one model for each of `evidence.KINDS` that was fitted with its encoder. What
no model fits is judged by none: the outcome is then ``unknown``.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Self

from index_artifacts.errors import ConfigError
from index_artifacts.evidence import KINDS

if TYPE_CHECKING:
    from index_artifacts.evidence import Evidence

ANSWER, LOW_CONFIDENCE, NONE, UNKNOWN = "answer", "low_confidence", "none", "unknown"
OUTCOMES = (ANSWER, LOW_CONFIDENCE, NONE, UNKNOWN)


@dataclass(frozen=True, slots=True)
class Verdict:
    """An outcome out of `OUTCOMES` and its confidence in [0, 1], None where it is unknown."""

    outcome: str
    confidence: float | None


NO_VERDICT = Verdict(NONE, 0.0)
"""Where nothing was found, nothing has to be weighed."""


@dataclass(frozen=True, slots=True)
class Model:
    """confidence = 1 / (1 + exp(-(bias + Σ weight · (figure - mean) / spread))).

    The tuples run parallel to the figures of its kind. A figure that is missing counts as the
    mean. From ``high`` on the outcome is an answer, below ``low`` it is none. ``encoder`` is the
    fingerprint that it was fitted with, empty where it needs no vectors; ``errors`` are the
    shares of DEV questions that came out wrong, by what they were.
    """

    weights: tuple[float, ...]
    means: tuple[float, ...]
    spreads: tuple[float, ...]
    bias: float
    low: float
    high: float
    encoder: str = ""
    errors: dict[str, float] = field(default_factory=dict)

    def judge(self, figures: tuple[float | None, ...]) -> Verdict:
        """The verdict on figures in the order of the model's kind."""
        total = self.bias
        columns = zip(figures, self.weights, self.means, self.spreads, strict=True)
        for figure, weight, mean, spread in columns:
            if figure is not None:
                total += weight * (figure - mean) / spread
        confidence = 1 / (1 + math.exp(-max(-50.0, min(50.0, total))))
        if confidence >= self.high:
            return Verdict(ANSWER, confidence)
        return Verdict(LOW_CONFIDENCE if confidence >= self.low else NONE, confidence)


@dataclass(frozen=True, slots=True)
class Calibration:
    """The models of a version, by kind of evidence."""

    models: dict[str, Model] = field(default_factory=dict)

    def judge(self, evidence: Evidence) -> Verdict:
        """The verdict on a first hit."""
        model = self.models.get(evidence.kind)
        if model is None:
            return Verdict(UNKNOWN, None)
        return model.judge(evidence.values(evidence.kind))

    def fitting(self, encoder: str) -> Calibration:
        """Only the models that a version with the encoder of this fingerprint may use."""
        kept = {kind: m for kind, m in self.models.items() if m.encoder in {"", encoder}}
        return Calibration(kept)

    def to_dict(self) -> dict[str, Any]:
        """As a manifest holds it."""
        return {kind: asdict(model) for kind, model in self.models.items()}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """Read `to_dict`'s form; raises `ConfigError` where it is another."""
        try:
            models = {kind: _model(kind, fields) for kind, fields in values.items()}
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise ConfigError(f"the calibration is not one of this edgewiki: {error}") from None
        return cls(models)


def _model(kind: str, fields: dict[str, Any]) -> Model:
    rows = {name: tuple(map(float, fields[name])) for name in ("weights", "means", "spreads")}
    if {len(row) for row in rows.values()} != {len(KINDS[kind])}:
        raise ValueError(f"{kind} needs {len(KINDS[kind])} weights, means and spreads")
    model = Model(**{**fields, **rows})
    if not all(rows["spreads"]) or not 0 <= model.low <= model.high <= 1:
        raise ValueError(f"{kind} has a spread of 0, or thresholds out of order")
    return model
