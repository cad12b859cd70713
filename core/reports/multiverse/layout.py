"""Which finished run holds the scores of each way, and which ways have none yet. This module scores nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from core.analysis.summary import metrics_under
from core.errors import ModelError, PolicyError, StoreError, unknown
from core.models import find
from core.policies import PRESETS, Policy, preset_for
from core.reports.multiverse.ways import Way, presets_of, ways_of
from core.runs.requests import task_of
from core.scorers import SCORERS
from core.store import Store
from core.text import prepare
from core.types import Model, Scorer, ScorerKind, Task

_SAME = ("task", "task_version", "data_hash", "weights", "scorer")
"""What the runs of a multiverse share."""


@dataclass(frozen=True)
class Layout:
    """A finished run, its ways (its own first) and, by scoring, the run that holds the scores.

    `model` is the run's model if it still exists with the same weights; if None, `absent` says why. `left_out` gives,
    for ways that could be scored but would be meaningless, the reason by the name of the way.
    """

    manifest: Mapping[str, Any]
    task: Task
    metric: str
    ways: tuple[Way, ...]
    runs: Mapping[tuple[object, ...], str]
    model: Model | None
    absent: str = ""
    left_out: Mapping[str, str] = field(default_factory=dict)

    @property
    def run_id(self) -> str:
        """The id of the run."""
        return str(self.manifest["run_id"])

    @property
    def rule(self) -> str:
        """Its rule."""
        return str(self.manifest.get("rule") or self.task.rules[0])

    @property
    def policy(self) -> Policy:
        """Its policy."""
        return self.ways[0].policy

    @property
    def stored(self) -> list[Way]:
        """The ways that are queries on stored scores."""
        return [way for way in self.ways if way.scoring in self.runs]

    @property
    def missing(self) -> list[Way]:
        """The ways that need new scores."""
        return [way for way in self.ways if way.scoring not in self.runs]

    def run_of(self, way: Way) -> str:
        """The run that holds the scores of a way that is stored."""
        return self.runs[way.scoring]

    def label(self, way: Way) -> str:
        """The name of the way."""
        return way.in_words(self.rule)

    def presets(self, way: Way) -> list[str]:
        """The presets that give the way's number, up to their tie rules.

        Empty for another rule than the run's, and for scores from another program.
        """
        named = way.rule == self.rule and self.manifest["scorer"] in SCORERS
        return presets_of(way, self.task) if named else []


def lay_out(store: Store, run_id: str, metric: str = "") -> Layout:
    """The ways of a finished run's number, by default its headline's. StoreError if the run is not finished."""
    manifest = store.manifest(run_id)
    if manifest["state"] != "done":
        raise StoreError(f"Run '{run_id}' is {manifest['state']}: wait until it is finished, or run it again.")
    task, policy = task_of(manifest), Policy(**manifest["policy"])
    rule = manifest.get("rule") or task.rules[0]
    names = metrics_under(task, rule)
    if metric and metric not in names:
        raise PolicyError(unknown("metric of this run", metric, names))
    model, absent = _model_of(manifest)
    kind, name = _kind_of(manifest["scorer"]), metric or names[0]
    same = not kind.accepts or _same_texts(store.items(run_id), task, policy, model)
    ways, left_out = ways_of(task, kind, policy, rule, name, same_texts=same)
    runs = _runs(store, manifest, ways[0])
    return Layout(manifest, task, name, tuple(ways), runs, model, absent, left_out)


def _kind_of(scorer: str) -> ScorerKind:
    """The run's scorer; for scores from another program, one that reads no policy."""
    if scorer in SCORERS:
        return SCORERS[scorer]
    return ScorerKind(scorer, 0, "another program", frozenset(), (), _refuse)


def _refuse(model: Model, policy: Policy) -> Scorer:  # noqa: ARG001
    raise ModelError(f"The scores of '{model.name}' were made by another program.")


def _model_of(manifest: Mapping[str, Any]) -> tuple[Model | None, str]:
    """The model of a run, or why it cannot be used again."""
    if manifest["scorer"] not in SCORERS:
        return None, "Its scores come from another program: nothing can be rescored, and token counts are missing."
    name = manifest["model"] + (f"@{manifest['revision']}" if manifest["revision"] else "")
    try:
        model = find(name)
    except ModelError as error:
        return None, str(error)
    if model.weights != manifest["weights"]:
        return None, f"The weights of '{name}' are no longer those of this run."
    return model, ""


def _same_texts(items: pd.DataFrame, task: Task, policy: Policy, model: Model | None) -> bool:
    """Whether every preset would show the tokenizer the same texts as this policy does."""
    if model is None:
        return False
    presets = {(one.text, one.detokenise): one for one in (preset_for(name, task.sets) for name in PRESETS)}
    others = [one for texts, one in presets.items() if texts != (policy.text, policy.detokenise)]
    characters = model.card.get("characters")
    if characters is None and all(one.text != "typographic" and not one.detokenise for one in (policy, *others)):
        return True
    if items["text"].isna().any():
        return False
    for text in (items["context"] + items["text"]).unique():
        ours = prepare(text, policy, characters).text
        if any(prepare(text, other, characters).text != ours for other in others):
            return False
    return True


def _runs(store: Store, manifest: Mapping[str, Any], own: Way) -> dict[tuple[object, ...], str]:
    """By scoring, the run that holds it, on the same data with the same weights: this run first, then the newest."""
    known = (json.loads(text) for text in store.runs().query("state == 'done'")["manifest"])
    same = [one for one in known if all(one.get(field) == manifest[field] for field in _SAME)]
    found: dict[tuple[object, ...], str] = {}
    for one in (manifest, *same):  # it may be listed to others only
        rule = one.get("rule") or manifest["rule"]
        way = Way(Policy(**one["policy"]), rule, own.added_up, own.reads, own.texts)
        found.setdefault(way.scoring, one["run_id"])
    return found
