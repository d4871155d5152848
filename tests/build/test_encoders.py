"""Where a build takes its encoder from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from build.config import BuildConfig
from build.encoders import model_folder

if TYPE_CHECKING:
    import pytest


def test_a_build_takes_the_model_that_make_has_prepared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EDGEWIKI_MODEL_DIR", raising=False)
    of_the_source = tmp_path / "source" / "model"
    monkeypatch.setattr("build.encoders._OF_THE_SOURCE", of_the_source)
    config = BuildConfig()
    assert model_folder(config) == Path("~/.cache/edgewiki/model").expanduser()
    of_the_source.mkdir(parents=True)
    (of_the_source / "encoder.json").write_text("{}")
    assert model_folder(config) == of_the_source
    named = config.model_copy(update={"model_dir": tmp_path / "named"})
    assert model_folder(named) == tmp_path / "named"
