"""What answers are measured on: a version in a store, opened as a function opens it."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from build.config import load_config
from build.pipeline import build_version
from build.publish import publish
from eval.golden_check import check_against
from eval.golden_set import QUESTIONS_FILE, count_look
from eval.small_model import NAME, running_small_model
from functions.settings import load_settings
from functions.state import State
from index_artifacts.errors import ConfigError
from index_artifacts.store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from build.config import BuildConfig
    from build.pipeline import Progress
    from eval.golden_set import GoldenSet

OVERLAY = "overlay"
EXTRACTIVE, SMALL_MODEL = "extractive", "small-model"
JSON_MODES = ("schema", "object", "text")

# A core of a laptop reads 300 tokens a second with it: evidence for a minute's wait at most, and
# what it writes stays short, for it repeats itself to the limit.
_SMALL_MODEL_SETTINGS = {
    "rag_llm_max_tokens": 2_500,
    "llm_max_tokens": 384,
    "llm_timeout_seconds": 120.0,
    "llm_deadline_seconds": 240.0,
    "llm_retries": 0,
}


@dataclass(frozen=True, slots=True)
class Generator:
    """What writes the answers: ``extractive``, ``small-model``, or the URL of an endpoint.

    ``json_mode`` is how a model is asked for JSON, one of `JSON_MODES`; empty: as
    ``EDGEWIKI_LLM_JSON`` says.
    """

    name: str
    json_mode: str = ""

    def __post_init__(self) -> None:
        """Raises `ConfigError` for an unknown name or mode."""
        if self.name not in (EXTRACTIVE, SMALL_MODEL) and "://" not in self.name:
            raise ConfigError(
                f"generator {self.name!r} is unknown; use {EXTRACTIVE}, {SMALL_MODEL} or the URL "
                "of an OpenAI-compatible API, such as http://127.0.0.1:8000/v1"
            )
        if self.json_mode not in ("", *JSON_MODES):
            raise ConfigError(f"JSON mode {self.json_mode!r} is unknown; {', '.join(JSON_MODES)}")

    @contextmanager
    def settings(self) -> Iterator[dict[str, Any]]:
        """The settings of a function that asks it, while the block runs."""
        mode = {"llm_json": self.json_mode} if self.json_mode else {}
        if self.name == EXTRACTIVE:
            yield {"llm_url": "", "llm_model": ""}
        elif self.name == SMALL_MODEL:
            with running_small_model() as url:
                own = {"llm_url": url, "llm_model": NAME, "llm_api_key": ""}
                yield {**own, **_SMALL_MODEL_SETTINGS, **mode}
        else:
            yield {"llm_url": self.name, **mode}


@contextmanager
def opened_state(
    golden: GoldenSet,
    generator: Generator,
    *,
    artifact: Path | None = None,
    store: str | None = None,
    channel: str | None = None,
    progress: Progress = lambda *_: None,
) -> Iterator[State]:
    """A `State` with its version and encoder open, while the block runs.

    It serves ``channel`` of ``store``, else the folder ``artifact``, else a build of the golden
    set's wiki with its overlay; the last two are published to a store that ends with the block.
    Raises `ConfigError` where ``store`` and ``artifact`` are given or a setting is wrong, and
    whatever a build or opening a version does.
    """
    if artifact is not None and store is not None:
        raise ConfigError("give --artifact or --store, not both")
    with ExitStack() as stack:
        settings = stack.enter_context(generator.settings())
        load_settings(allow_anonymous=True, **settings)  # before anything slow
        if store is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="edgewiki-")))
            store, channel = f"file://{folder / 'store'}", "latest"
            settings["cache_dir"] = folder / "cache"
            if artifact is None:
                artifact = folder / "artifact"
                build_golden(golden, artifact, progress)
            key = os.environ.get("EDGEWIKI_SIGNING_KEY", "").encode() or None
            publish(artifact, open_store(store), channel, force=True, signing_key=key)
        named = {"channel": channel} if channel else {}
        # One version answers every question, whatever is published meanwhile.
        state = State(
            load_settings(
                store=store, allow_anonymous=True, refresh_seconds=float("inf"), **named, **settings
            )
        )
        state.version().encoder()
        yield state


@contextmanager
def opened_set(
    golden: GoldenSet,
    generator: Generator,
    *,
    artifact: Path | None = None,
    store: str | None = None,
    channel: str | None = None,
    limit: int | None = None,
    progress: Progress = lambda *_: None,
) -> Iterator[tuple[State, GoldenSet, int]]:
    """`opened_state`, the questions to ask of it, and how often TEST was looked at with this look.

    With a ``limit`` the questions are so many, evenly spread. Raises `ConfigError` as well where
    the set names a page that the version does not have.
    """
    with opened_state(
        golden, generator, artifact=artifact, store=store, channel=channel, progress=progress
    ) as state:
        check_against(golden, state.version().searcher.index)
        asked = golden.spread(limit) if limit else golden
        yield state, asked, count_look(asked) if asked.holds_test else 0


def build_golden(
    golden: GoldenSet, output: Path, progress: Progress = lambda *_: None
) -> BuildConfig:
    """Build a golden set's wiki into the folder ``output``, its overlay laid over the pages.

    Vectors are cached where the wiki's settings say (``EDGEWIKI_STORE``), so that the second
    build is quick. Raises what `build_version` does.
    """
    config = load_config(golden.wiki)
    with ExitStack() as stack:
        wiki, overlay = golden.wiki, overlay_of(golden)
        if overlay:
            wiki = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="edgewiki-")))
            config = lay_over(golden.wiki, overlay, config, wiki / "pages")
        build_version(wiki, output, config, open_store(config.store), progress=progress)
    return config


def overlay_of(golden: GoldenSet) -> Path | None:
    """The folder of pages that belong to the set and not to its wiki; None where it has none."""
    folder = golden.path.parent / OVERLAY
    return folder if golden.path.name == QUESTIONS_FILE and folder.is_dir() else None


def lay_over(wiki: Path, overlay: Path, config: BuildConfig, target: Path) -> BuildConfig:
    """Copy the pages of ``wiki`` and over them those of ``overlay`` into the new folder ``target``.

    Returns the settings that build ``target.parent``. A page in both is the overlay's.
    """
    hidden = shutil.ignore_patterns(".*")
    shutil.copytree((wiki / config.root).resolve(), target, ignore=hidden, symlinks=True)
    shutil.copytree(overlay, target, ignore=hidden, dirs_exist_ok=True)
    tuning = config.tuning_file and str((wiki / config.tuning_file).resolve())
    return config.model_copy(update={"root": target.name, "tuning_file": tuning})
