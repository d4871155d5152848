"""Publishing what has passed the gate."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from build.publish import Judged, Published, publish, refuse_older
from eval.gate import Verdict, judge
from eval.gate_opening import open_live, open_new
from eval.gate_text import forced_reason, refusal, summary
from eval.golden_set import load_golden
from index_artifacts.artifact import open_artifact
from index_artifacts.errors import ConfigError, GateError, IntegrityError, NotFoundError
from index_artifacts.version_store import read_pointer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from build.config import BuildConfig
    from index_artifacts.store import Store
    from index_artifacts.version_store import Pointer

    Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Publishing:
    """What is to be published, and how.

    ``against`` is the channel whose version the gate compares with, None for the one that is
    published to. ``force`` overrules order and gate, the gate with a ``reason`` alone;
    ``allow_older`` overrules the order of commits.
    """

    wiki: Path
    artifact: Path
    against: str | None = None
    force: bool = False
    allow_older: bool = False
    reason: str = ""
    signing_key: bytes | None = None


@dataclass(frozen=True, slots=True)
class GatedPublish:
    """What publishing did, and the verdict, None where there was nothing to judge."""

    published: Published
    verdict: Verdict | None

    def to_dict(self) -> dict[str, Any]:
        """For ``--json`` and for a job's report."""
        gate = self.verdict.to_dict() if self.verdict else None
        return {**asdict(self.published), "gate": gate}


def publish_gated(
    what: Publishing,
    config: BuildConfig,
    store: Store,
    *,
    say: Callable[[str], None],
    progress: Progress = lambda *_: None,
) -> GatedPublish:
    """Ask the golden set of the new and of the served version, then publish or refuse.

    Raises `GateError` where a metric falls by more than the margin, or ``force`` has no
    ``reason``; `ConfigError` for a golden set that cannot be read; and what
    `build.publish.publish` does.
    """
    channel = config.channel
    older = what.force or what.allow_older
    manifest = open_artifact(what.artifact).manifest
    refuse_older(store, channel, manifest, force=older)  # before anything slow
    live = _served(store, what.against or channel, force=what.force)
    verdict = _verdict(what, config, store, live, say, progress)
    reason = what.reason
    if verdict and verdict.breaches:
        if not (what.force and reason):
            raise GateError(refusal(verdict, what.against or channel, forced=what.force))
        reason = forced_reason(verdict, reason)
    for line in summary(verdict) if verdict else ():
        say(line)
    judges_channel = verdict is not None and what.against in {None, channel}
    done = publish(
        what.artifact,
        store,
        channel,
        force=older,
        reason=reason,
        signing_key=what.signing_key,
        judged=Judged(live.version if live else None) if judges_channel else None,
        on_progress=say,
    )
    return GatedPublish(done, verdict)


def _served(store: Store, channel: str, *, force: bool) -> Pointer | None:
    """What ``channel`` serves, None where it serves nothing or a broken pointer is forced."""
    try:
        return read_pointer(store, channel)[0]
    except NotFoundError:
        return None
    except IntegrityError:
        if force:
            return None
        raise


def _verdict(
    what: Publishing,
    config: BuildConfig,
    store: Store,
    live: Pointer | None,
    say: Callable[[str], None],
    progress: Progress,
) -> Verdict | None:
    if not config.gate_enabled:
        say("gate: switched off by the settings")
        return None
    golden = what.wiki / config.gate_golden
    if not golden.exists():
        if "gate_golden" in config.model_fields_set:
            raise ConfigError(f"{golden}: [gate] golden names it, and there is no such golden set")
        say(f"gate: the wiki has no {config.gate_golden}: nothing to compare by")
        return None
    questions = load_golden(golden, "dev")
    new = open_new(what.artifact)
    if live is not None and live.version == new.index.manifest.version:
        say(f"gate: {live.version} is served already")
        return None
    try:
        served = open_live(store, live, new) if live else None
    except GateError as error:
        if not (what.force and what.reason):
            raise
        say(f"gate: overruled: {error}")
        return None
    return judge(
        questions, new, served,
        metrics=config.gate_metrics, margin=config.gate_margin, progress=progress,
    )  # fmt: skip
