"""The tuning file: the shipped one, and a wiki's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from build.tuning import SHIPPED, read_tuning
from index_artifacts.errors import ConfigError
from index_artifacts.tuning import Tuning
from tests.tiny_wiki import build


def test_the_shipped_file_is_what_the_code_takes_for_default() -> None:
    assert read_tuning().tuning == Tuning()


def test_the_shipped_file_says_what_it_was_fitted_on_and_what_it_gets_wrong() -> None:
    values = json.loads(SHIPPED.read_text("utf-8"))
    assert {row["split"] for row in values["fitted_on"]} == {"dev"}
    models = values["calibration"]
    assert set(models) == {"hybrid", "vector", "lexical", "reading"}
    assert models.pop("reading")["errors"]["answerable_none"] <= 0.03
    for model in models.values():
        assert model["errors"]["answerable_none"] <= 0.03
        assert model["errors"]["far_answer"] <= 0.06
        shares = [model["errors"][f"near_{o}"] for o in ("answer", "low_confidence", "none")]
        assert sum(shares) == pytest.approx(1, abs=0.001)


def test_a_wikis_own_file_goes_into_its_versions(tmp_path: Path) -> None:
    values = json.loads(SHIPPED.read_text("utf-8"))
    values["weights"]["lemma_weight"] = 0.123
    (tmp_path / "wiki").mkdir()
    (tmp_path / "wiki" / "own.json").write_text(json.dumps(values))
    manifest = build(tmp_path, tuning_file=Path("own.json")).manifest
    assert manifest.tuning["lemma_weight"] == 0.123
    assert "tuning_file" not in manifest.config
    # Another encoder than the one it was fitted with: only what needs no vectors is kept.
    assert set(manifest.calibration) == {"lexical"}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "No such file"),
        ("{", "is not one of this edgewiki"),
        ("[]", "is not one of this edgewiki"),
        ('{"format": "edgewiki-tuning/9"}', "its format is 'edgewiki-tuning/9'"),
        ('{"format": "edgewiki-tuning/1"}', "is not one of this edgewiki: 'weights'"),
        (
            '{"format": "edgewiki-tuning/1", "weights": {"lema": 1}, "calibration": {}}',
            "tuning lema = 1 is unknown",
        ),
    ],
)
def test_a_file_that_is_none_is_named(tmp_path: Path, content: str | None, reason: str) -> None:
    file = tmp_path / "tuning.json"
    if content is not None:
        file.write_text(content)
    with pytest.raises(ConfigError, match=reason) as caught:
        read_tuning(file)
    assert str(file) in str(caught.value)


def test_a_build_refuses_a_broken_file_before_anything_slow(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"tuning_file": Path("missing.json")}
    with pytest.raises(ConfigError, match=r"missing\.json"):
        build(tmp_path, **settings)
    assert not (tmp_path / "artifact").exists()
