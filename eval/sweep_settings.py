"""Which settings a sweep tries: factors and their values, one at a time or all together."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from index_artifacts.errors import ConfigError
from index_artifacts.tuning import Tuning

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Number = int | float
    Factors = Mapping[str, tuple[Number, ...]]
    """Name of a setting → the values to try."""

CHUNK, OVERLAP = "chunk_max_tokens", "chunk_overlap_tokens"
BUILT = (CHUNK, OVERLAP)
"""Settings that need a build; every other one is a weight of `Tuning`."""

DEFAULT_VALUES: Factors = {
    CHUNK: (80, 180, 450, 900),
    OVERLAP: (0, 35, 70, 140),
    "rrf_k": (5.0, 60.0, 500.0),
}
MOST_SETTINGS = 64

_WHOLE = {CHUNK, OVERLAP} | {field.name for field in fields(Tuning) if field.type == "int"}
_OF_WEIGHTED = frozenset({
    "lemma_weight", "trigram_weight", "cosine_slope",
    "cross_lemma_weight", "cross_trigram_weight", "cross_cosine_slope",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Setting:
    """What is other than in the default, by name; nothing for the default itself."""

    changes: tuple[tuple[str, Number], ...] = ()

    @property
    def name(self) -> str:
        """As a table shows it."""
        return ", ".join(f"{name} {value:g}" for name, value in self.changes) or "default"

    @property
    def built(self) -> tuple[tuple[str, Number], ...]:
        """The changes that need a build."""
        return tuple(change for change in self.changes if change[0] in BUILT)

    @property
    def tuning(self) -> dict[str, Number]:
        """The changed weights."""
        return {name: value for name, value in self.changes if name not in BUILT}

    @property
    def system(self) -> str:
        """What to ask, by its name in `eval.systems`: ``rrf_`` weights act in that fusion alone."""
        return "hybrid-rrf" if any(map(_of_rrf, self.tuning)) else "hybrid"


DEFAULT = Setting()


def parse_factors(texts: Sequence[str], *, built: bool = True) -> Factors:
    """Factors from ``NAME=VALUE,VALUE`` or, of those in `DEFAULT_VALUES`, ``NAME`` alone.

    None at all means those in `DEFAULT_VALUES`. Without ``built``, only weights may vary.
    Raises `ConfigError` for an unknown name, one given twice, or a value that is no such number.
    """
    names = DEFAULT_VALUES if built else [name for name in DEFAULT_VALUES if name not in BUILT]
    factors: dict[str, tuple[Number, ...]] = {}
    for text in texts or names:
        name, given, values = text.partition("=")
        name = name.strip()
        _check_name(name, built=built)
        if name in factors:
            raise ConfigError(f"--vary {name}: given twice; write its values into one list")
        if not given and name not in DEFAULT_VALUES:
            raise ConfigError(f"--vary {name}: say its values, such as {name}=0.1,0.5")
        factors[name] = _values(name, values) if given else DEFAULT_VALUES[name]
    return factors


def plan(
    factors: Factors, base: Mapping[str, Number], *, grid: bool = False, most: int = MOST_SETTINGS
) -> list[Setting]:
    """The default and every other setting, each once, those of one build beside each other.

    ``base`` has the default's value of every setting. An overlap may be half of a chunk at most
    and is cut to that. Raises `ConfigError` where there would be more than ``most`` settings, or
    where factors that exclude each other were to be combined.
    """
    count = prod(map(len, factors.values())) if grid else sum(map(len, factors.values()))
    if count > most:
        raise ConfigError(
            f"{count} settings are more than {most}: name fewer values, leave out --grid, or "
            "raise --max-settings"
        )
    if grid:
        _check_fusions(factors)
        combined = [
            dict(zip(factors, values, strict=True)) for values in product(*factors.values())
        ]
    else:
        combined = [{name: value} for name, values in factors.items() for value in values]
    settings = dict.fromkeys(_setting(values, base) for values in combined)
    builds = list(dict.fromkeys(((), *(setting.built for setting in settings))))
    every = dict.fromkeys((DEFAULT, *settings))
    return sorted(every, key=lambda setting: builds.index(setting.built))


def _setting(values: Mapping[str, Number], base: Mapping[str, Number]) -> Setting:
    wanted = {**base, **values}
    changed = {**values, OVERLAP: min(wanted[OVERLAP], wanted[CHUNK] // 2)}
    # In its own fusion, a weight of reciprocal ranks is not the default even at its default.
    kept = [name for name in changed if changed[name] != base[name] or _of_rrf(name)]
    kept.sort(key=lambda name: BUILT.index(name) if name in BUILT else len(BUILT))
    return Setting(tuple((name, changed[name]) for name in kept))


def _values(name: str, text: str) -> tuple[Number, ...]:
    kind: type[int] | type[float] = int if name in _WHOLE else float
    try:
        values = tuple(dict.fromkeys(kind(part) for part in text.split(",") if part.strip()))
    except ValueError:
        values = ()
    if not values or any(not 0 <= value < 1e6 for value in values):
        wanted = "whole numbers" if name in _WHOLE else "numbers"
        raise ConfigError(f"--vary {name}={text}: give {wanted} from 0, separated by commas")
    return values


def _check_name(name: str, *, built: bool) -> None:
    known = (*BUILT, *(field.name for field in fields(Tuning)))
    if name not in known:
        raise ConfigError(f"--vary {name}: unknown; there are {', '.join(known)}")
    if name in BUILT and not built:
        raise ConfigError(f"--vary {name}: needs a build, so leave out --artifact")


def _check_fusions(factors: Iterable[str]) -> None:
    ranks = [name for name in factors if _of_rrf(name)]
    weights = [name for name in factors if name in _OF_WEIGHTED]
    if ranks and weights:
        raise ConfigError(
            f"{ranks[0]} and {weights[0]} belong to two fusions, of which one is asked: "
            "leave out --grid, or sweep one after the other"
        )


def _of_rrf(name: str) -> bool:
    return name.startswith("rrf_")


def settings_of(config: Mapping[str, Any], tuning: Tuning) -> dict[str, Number]:
    """The default's value of every setting, from a build's settings and a version's weights."""
    return {**{name: config[name] for name in BUILT}, **tuning.to_dict()}
