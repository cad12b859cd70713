"""Results on whole test sets, as model cards report them; `workshop.model_evaluation` measures them."""

import math
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pandas as pd

from pairlens.places import bundled

OWN = bundled("samples")


@dataclass(frozen=True, slots=True)
class SentenceSet:
    """Items that a task reads by a `rule` (the usual), for models of a language; numbers are per cent.

    `data` is a path below public data or, if `own`, our samples; `choices` are policy fields, `by` the groups to
    report.
    """

    key: str
    title: str
    language: str
    task: str
    data: str
    own: bool = False
    rule: str = ""
    choices: Mapping[str, object] = field(default_factory=dict)
    by: Mapping[str, str] = field(default_factory=dict)
    published: Mapping[str, float] = field(default_factory=dict)

    def path(self, public: Path) -> Path:
        return (OWN if self.own else public) / self.data


SETS = tuple(
    SentenceSet(**fields) for fields in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["set"]
)
"""The test sets of sentences."""

_TWO = 0.5
"""Chance, where one of two texts is right."""
_COLUMNS = ("set", "value", "low", "high", "chance", "baseline", "baseline_value", "items", "policy", "signature")


def score_rows(card: Mapping[str, Any]) -> pd.DataFrame:
    """One row per test set: set, value, low, high, chance (shares; NaN if there is none), the best `baseline` and its
    `baseline_value`, items, policy, signature.
    """
    rows = []
    for key, figure in _figures(card).items():
        numbers = (_share(figure.get(field)) for field in ("macro", "low", "high"))
        chance = 1 / len(figure["by_class"]) if figure.get("by_class") else _TWO
        best, value = _best(figure)
        others = figure.get("pairs"), figure.get("policy", ""), figure.get("signature", "")
        rows.append((title(key, figure), *numbers, chance, best, _share(value), *others))
    return pd.DataFrame(rows, columns=list(_COLUMNS))


def group_rows(card: Mapping[str, Any]) -> pd.DataFrame:
    """Figures for parts of the sets, of baselines and published ones: set, by, name, value (a share)."""
    rows = [
        (title(key, groups), field.removeprefix("by_"), name.replace("_", " "), _share(value))
        for key, groups in _figures(card).items()
        for field, values in groups.items()
        if field.startswith("by_") or field in ("baselines", "published")
        for name, value in values.items()
    ]
    return pd.DataFrame(rows, columns=["set", "by", "name", "value"])


def published_rows(card: Mapping[str, Any]) -> pd.DataFrame:
    """Published figures on the same items: set, name, value (a share)."""
    groups = group_rows(card)
    return groups.loc[groups["by"] == "published", ["set", "name", "value"]]


def in_words(card: Mapping[str, Any]) -> Iterator[str]:
    """Each figure with its interval and the best simple rule: `SICK 66.6 % (65.7 to 67.5; ...)`."""
    scores = _figures(card)
    for text, figure in zip(headlines(scores), scores.values(), strict=True):
        about = [f"{figure['low']:.1f} to {figure['high']:.1f}"] if "low" in figure else []
        best, value = _best(figure)
        about += [f"best simple rule, {best}: {value:.1f}"] if best else []
        yield text + (f" ({'; '.join(about)})" if about else "")


def _best(figure: Mapping[str, Any]) -> tuple[str, float | None]:
    """The simple rule that does best on a set, and what it reaches, in per cent."""
    baselines = {name.replace("_", " "): value for name, value in figure.get("baselines", {}).items()}
    best = max(baselines, key=baselines.__getitem__, default="")
    return best, baselines.get(best)


def _figures(card: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The results by set; other people's cards may hold just a number for each."""
    scores = card.get("scores", {}).items()
    return {key: figure if isinstance(figure, Mapping) else {"macro": figure} for key, figure in scores}


def _share(percent: float | None) -> float:
    return math.nan if percent is None else percent / 100


_TITLES = {
    **{one.key: one.title for one in SETS},
    "gallery": "gallery",
    "nli_held_out": "our own held-out pairs",
    "sick": "SICK",
    "sick_br": "SICK-BR",
    "assin2": "ASSIN 2",
    "stories": "our own texts",
    "stereoset_intersentence": "StereoSet between sentences (LMS)",
}


def headlines(scores: Mapping[str, Any]) -> Iterator[str]:
    """Each figure as text: `BLiMP 63.4 %`, `BLiMP (mntp) 62.0 %`, `gallery 10 of 14`."""
    for key, groups in scores.items():
        name = title(key, groups)
        if "right" in groups:
            yield f"{name} {groups['right']} of {groups['pairs']}"
        else:
            yield f"{name} {groups['macro']:.1f} %"


def title(key: str, figures: Mapping[str, Any] = MappingProxyType({})) -> str:
    """The name of a set, with an unusual scorer (`BLiMP (mntp)`) or its part (`ASSIN 2, test part`)."""
    if "part" in figures:
        return f"{title(key)}, {figures['part']}"
    known = max((one for one in _TITLES if key == one or key.startswith(f"{one}_")), key=len, default="")
    scorer = key.removeprefix(known).strip("_")
    return f"{_TITLES[known]} ({scorer})" if known and scorer else _TITLES.get(known, key)
