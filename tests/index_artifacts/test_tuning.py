"""The weights of retrieval, as a manifest holds them."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from index_artifacts.errors import ConfigError
from index_artifacts.tuning import Tuning


def test_weights_survive_a_manifest() -> None:
    tuning = Tuning(lemma_weight=0.7, candidates=50, rrf_k=10.0)
    assert Tuning.from_dict(json.loads(json.dumps(tuning.to_dict()))) == tuning


def test_a_manifest_of_before_a_weight_existed_gets_its_default() -> None:
    assert Tuning.from_dict({"body_weight": 3}) == Tuning(body_weight=3)
    assert Tuning.from_dict({}) == Tuning()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("speed", 1.0),
        ("rrf_k", "60"),
        ("rrf_k", None),
        ("rrf_k", True),
        ("rrf_k", math.nan),
        ("rrf_k", math.inf),
        ("candidates", 0.5),
    ],
)
def test_a_weight_that_cannot_be_used_is_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=rf"tuning {name} = "):
        Tuning.from_dict({name: value})


def test_column_weights_stand_in_the_order_of_the_columns() -> None:
    tuning = Tuning(title_weight=4, headings_weight=3, keywords_weight=2, body_weight=1)
    assert tuning.column_weights == (4, 3, 2, 1)
