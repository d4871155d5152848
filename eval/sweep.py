"""The sweep runner: builds and asks golden sets under each setting, and what each one costs.

Gold is a page or a heading of it, whatever the chunks are, so settings of chunking can be
compared; each build is held against its golden set before it is asked.
"""

from __future__ import annotations

import hashlib
import tempfile
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from build.config import load_config
from build.pipeline import build_version
from eval.checkpoint import append_line, read_whole_lines
from eval.golden_check import check_against
from eval.golden_set import count_look
from eval.opening import open_searcher
from eval.outcomes import RetrievalRun
from eval.retrieval import measure
from eval.sweep_settings import CHUNK, DEFAULT, Setting, settings_of
from index_artifacts.artifact import open_artifact
from index_artifacts.errors import ConfigError
from index_artifacts.manifest import INDEX_FILE, canonical_json
from index_artifacts.store import open_store
from index_artifacts.tuning import Tuning

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from build.config import BuildConfig
    from build.pipeline import BuildResult
    from eval.golden_set import GoldenSet
    from eval.retrieval import Progress
    from eval.sweep_settings import Number
    from index_artifacts.artifact import Artifact

    Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Cost:
    """What a version cost: bytes of its index, and its build where the sweep has built it.

    ``seconds`` is as it was, with vectors out of the cache. ``characters`` are those of the
    encoder's different inputs, all of which an empty cache would have it compute.
    """

    index_bytes: int
    seconds: float | None = None
    encoder_seconds: float = 0.0
    vectors_computed: int = 0
    vectors_reused: int = 0
    characters_computed: int = 0
    characters: int = 0

    @property
    def helped_by_cache(self) -> bool:
        """True where the build would have taken longer with an empty cache."""
        return self.characters_computed < self.characters


@dataclass(frozen=True, slots=True)
class Measured:
    """A golden set asked under one setting, of one system."""

    setting: Setting
    cost: Cost
    run: RetrievalRun

    def to_dict(self) -> dict[str, Any]:
        """For the checkpoint; the setting is part of its key."""
        return {"cost": asdict(self.cost), "run": self.run.to_json()}

    @classmethod
    def from_dict(cls, setting: Setting, values: dict[str, Any]) -> Self:
        """The inverse of `to_dict`."""
        return cls(setting, Cost(**values["cost"]), RetrievalRun.from_json(values["run"]))


@dataclass(frozen=True, slots=True)
class SetSweep:
    """A golden set under every setting, in the order of the plan, the default among them."""

    golden: GoldenSet
    measured: tuple[Measured, ...]
    test_looks: int = 0


@dataclass(frozen=True, slots=True)
class Target:
    """A golden set with the wiki to build, or with an ``artifact`` that is asked as it is."""

    golden: GoldenSet
    store: str | None = None
    artifact: Artifact | None = None

    @property
    def base(self) -> dict[str, Number]:
        """The default's value of every setting. Raises `ConfigError` for wrong settings."""
        if self.artifact is None:
            return settings_of(self.config().model_dump(), Tuning())
        manifest = self.artifact.manifest
        return settings_of(manifest.config, Tuning.from_dict(manifest.tuning))

    def config(self, setting: Setting = DEFAULT) -> BuildConfig:
        """The wiki's own settings with what ``setting`` changes of them."""
        own = load_config(self.golden.wiki, store=self.store)
        changes: dict[str, Any] = dict(setting.built)
        if CHUNK in changes:
            changes["chunk_min_tokens"] = min(own.chunk_min_tokens, changes[CHUNK])
        return load_config(self.golden.wiki, store=self.store, **changes)

    def key(self, setting: Setting) -> str:
        """Names whatever decides a measurement: questions, settings, wiki or version."""
        ids = [question.id for question in self.golden.questions if question.should_answer]
        if self.artifact is None:
            place = [self.config(setting).published_part(), _state(self.golden.wiki)]
        else:
            place = [self.artifact.manifest.version, self.artifact.manifest.tuning]
        parts = [self.golden.sha256, ids, setting.changes, place]
        return hashlib.sha256(canonical_json(parts)).hexdigest()


def common_base(targets: Sequence[Target]) -> dict[str, Number]:
    """The default that all ``targets`` share; raises `ConfigError` where they differ."""
    first, *others = (target.base for target in targets)
    for other, target in zip(others, targets[1:], strict=True):
        for name, value in other.items():
            if value != first[name]:
                raise ConfigError(
                    f"{target.golden.name} has {name} {value:g}, {targets[0].golden.name} has "
                    f"{first[name]:g}: sets with different defaults are swept one by one"
                )
    return first


def sweep(
    targets: Sequence[Target],
    settings: Sequence[Setting],
    *,
    progress: Progress = lambda *_: None,
    say: Say = lambda _: None,
    checkpoint: Path | None = None,
) -> list[SetSweep]:
    """Measure every setting on every target; ``settings`` is what `plan` returns.

    Settings that share a build are asked of one artifact, built in a temporary folder. With
    ``checkpoint``, each measurement is written there, and one that a killed sweep has left is
    not made again. A set that holds TEST questions is looked at once.
    Raises `ConfigError` for a value that a build refuses, before anything slow, and where a set
    does not fit its wiki; what `build_version` raises.
    """
    for target in (target for target in targets if target.artifact is None):
        for setting in settings:
            target.config(setting)
    log = _Log(checkpoint)
    done, total = 0, len(targets) * len(settings)
    sweeps = []
    for target in targets:
        looks = count_look(target.golden) if target.golden.holds_test else 0
        measured = []
        for _, group in groupby(settings, key=lambda setting: setting.built):
            for one in _of_one_build(target, list(group), log, progress, say):
                measured.append(one)
                done += 1
                progress("settings", done, total)
        sweeps.append(SetSweep(target.golden, tuple(measured), looks))
    return sweeps


def _of_one_build(
    target: Target, settings: list[Setting], log: _Log, progress: Progress, say: Say
) -> Iterator[Measured]:
    known = {setting: log.get(target, setting) for setting in settings}
    if all(known.values()):
        yield from (one for one in known.values() if one)
        return
    with _version(target, settings[0], progress) as (artifact, cost):
        searcher = open_searcher(artifact)
        check_against(target.golden, searcher.index)
        for setting in settings:
            if (one := known[setting]) is None:
                say(f"{target.golden.name}: {setting.name}")
                weights = {**artifact.manifest.tuning, **setting.tuning}
                searcher.tuning = Tuning.from_dict(weights)
                run = measure(searcher, target.golden, [setting.system], progress=progress)
                one = Measured(setting, cost, run)
                log.add(target, one)
            yield one


@contextmanager
def _version(
    target: Target, setting: Setting, progress: Progress
) -> Iterator[tuple[Artifact, Cost]]:
    """The version to ask and its cost; one that is built here is deleted afterwards."""
    if target.artifact is not None:
        yield target.artifact, Cost(_index_bytes(target.artifact))
        return
    config = target.config(setting)
    with tempfile.TemporaryDirectory(prefix="edgewiki-sweep-") as temporary:
        folder = Path(temporary) / "artifact"
        store = open_store(config.store)
        built = build_version(target.golden.wiki, folder, config, store, progress=progress)
        artifact = open_artifact(folder)
        yield artifact, _cost(artifact, built)


def _cost(artifact: Artifact, built: BuildResult) -> Cost:
    work = built.encoder_work
    return Cost(
        index_bytes=_index_bytes(artifact),
        seconds=round(built.seconds, 2),
        encoder_seconds=round(work.seconds, 2),
        vectors_computed=built.embeddings_computed,
        vectors_reused=built.embeddings_reused,
        characters_computed=work.characters_computed,
        characters=work.characters,
    )


def _index_bytes(artifact: Artifact) -> int:
    return next(entry.size for entry in artifact.manifest.files if entry.name == INDEX_FILE)


def _state(wiki: Path) -> str:
    """Changes when a file of the wiki does; hidden folders, such as Git's, do not count."""
    digest = hashlib.sha256()
    for file in sorted(wiki.rglob("*")):
        hidden = any(part.startswith(".") for part in file.relative_to(wiki).parts)
        if not hidden and file.is_file():
            status = file.stat()
            digest.update(f"{file} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


class _Log:
    """Measurements in a JSON lines file, by their key; without a path, nothing is kept."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        lines = read_whole_lines(path) if path is not None and path.is_file() else []
        self._known = {line.pop("key"): line for line in lines}

    def get(self, target: Target, setting: Setting) -> Measured | None:
        values = self._known.get(target.key(setting)) if self._known else None
        return Measured.from_dict(setting, values) if values else None

    def add(self, target: Target, measured: Measured) -> None:
        if self._path is not None:
            key = target.key(measured.setting)
            append_line(self._path, {"key": key, **measured.to_dict()})
