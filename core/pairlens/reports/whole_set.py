"""What a model reaches on published sets: beside the number of our own sample, which is none of them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pairlens.evaluation.result import Run
from pairlens.evaluation.run_list import headline_of
from pairlens.files.datasets import Dataset, of_task
from pairlens.messages import Message, joined
from pairlens.policies import Policy, preset_for
from pairlens.reports.model_evaluation import SETS
from pairlens.scorers import default_for
from pairlens.store import Store

TITLES: Mapping[str, str] = {
    "sick": "SICK",
    "sick_br": "SICK-BR",
    "assin2": Message("ASSIN 2's test part"),
    "stereoset_intersentence": Message("StereoSet between sentences"),
}
"""Published sets of tasks whose numbers are not shares of items, by their names on cards."""
_FIELDS = {"value": "macro", "low": "low", "high": "high"}
_NONE: Mapping[str, object] = {}
_SAME = ("rule", "weights", "scorer", "scorer_version", "task_version", "metric_versions")
"""Fields of manifests that are the same, with every field of the policy, where two numbers can stand together."""


@dataclass(frozen=True, slots=True)
class OnWholeSet:
    """The number as text with its interval, the title of the set, its `n` items and their noun, the run, if any."""

    shown: str
    title: str
    n: int
    noun: str
    run_id: str = ""

    @property
    def in_words(self) -> str:
        """`On the 67,000 pairs of BLiMP itself: 69.8 % (67.9 to 71.6), according to its model card.`"""
        source = "in a run on this machine" if self.run_id else "according to its model card"
        return f"On the {self.n:,} {self.noun} of {self.title} itself: {self.shown}, {source}."


def on_whole_set(result: Run, store: Store, card: Mapping[str, Any]) -> OnWholeSet | None:
    """What the run's model reaches by the same rule on a published set: in the latest run here, else by its card."""
    known = {dataset.name: dataset for dataset in of_task(result.task.name)}
    return _run(result, store, known) or _card(result, card)


def _run(result: Run, store: Store, known: Mapping[str, Dataset]) -> OnWholeSet | None:
    runs = store.runs()
    wanted = {"state": "done", "task": result.task.name, "scorer": result.manifest["scorer"]}
    here = runs["data"].isin(list(known))
    for column, value in wanted.items():
        here &= runs[column] == value
    for text in runs.loc[here, "manifest"]:
        manifest = json.loads(text)
        same = all(manifest.get(field) == result.manifest.get(field) for field in _SAME)
        if same and _alike(Policy(**manifest["policy"]), result.policy) and (shown := headline_of(manifest)):
            return OnWholeSet(
                shown, known[manifest["data"]].title, manifest["n"], f"{result.task.noun}s", manifest["run_id"]
            )
    return None


def _card(result: Run, card: Mapping[str, Any]) -> OnWholeSet | None:
    """Cards have the headline under the usual rule and the preset `pairlens`, but for what a set chooses itself."""
    manifest = result.manifest
    kind = str(manifest.get("model_kind", ""))
    usual = bool(kind) and manifest["scorer"] == default_for(kind)
    for one in SETS if usual else ():
        figures = card.get("scores", {}).get(one.key)
        same = one.task == result.task.name and (one.rule or result.task.rules[0]) == result.rule
        same = same and _alike(result.policy, preset_for("pairlens", result.task.sets), one.choices)
        if not one.own and same and isinstance(figures, Mapping) and "low" in figures and _of_now(figures, manifest):
            shares = {name: figures[field] / 100 for name, field in _FIELDS.items()}
            noun = f"{result.task.noun}s"
            return OnWholeSet(headline_of({**manifest, **shares}), one.title, figures["pairs"], noun)
    return None


def _alike(one: Policy, other: Policy, choices: Mapping[str, object] = _NONE) -> bool:
    """Whether two policies say the same of all but these fields, whatever they are called."""
    return one.but(name="", **choices) == other.but(name="", **choices)


def _of_now(figures: Mapping[str, Any], manifest: Mapping[str, Any]) -> bool:
    """Whether a card's number is by the versions of the run's task and scorer, as far as it says."""
    fields = dict(part.partition(":")[::2] for part in str(figures.get("signature", "")).split("|"))
    task, scorer = (f"{manifest[name]}.v{manifest[f'{name}_version']}" for name in ("task", "scorer"))
    return (fields.get("task", task), fields.get("scorer", scorer)) == (task, scorer)


def on_cards(name: str, card: Mapping[str, Any], task: str, noun: str) -> str:
    """A sentence about the sets of `TITLES` on which the model of that name was measured; empty if none."""
    parts = [
        Message(
            "{title} {numbers} ({n:,} {noun})",
            numbers=_numbers(figures), n=figures["pairs"], noun=Message(noun), title=TITLES[key],
        )
        for key, figures in card.get("scores", {}).items()
        if key in TITLES and str(figures.get("signature", "")).startswith(f"task:{task}.")
    ]  # fmt: skip
    if not parts:
        return ""
    sets = joined(parts, "; ")
    return Message("{name} on published sets, according to its model card: {sets}.", name=name, sets=sets)


def _numbers(figures: Mapping[str, Any]) -> Message:
    if "macro_f1" in figures:
        return Message("macro-F1 {f1:.3f}", f1=figures["macro_f1"] / 100)
    means = {"lms": figures["macro"], "ss": figures["ss"], "icat": figures["icat"]}
    return Message("LMS {lms:.1f}, SS {ss:.1f}, ICAT {icat:.1f}", **means)


def for_demonstration(card: Mapping[str, Any]) -> str:
    """A warning with the sets of the card where a baseline reaches the model, and what both reach; else empty."""
    parts = []
    for key, figures in card.get("scores", {}).items():
        ahead = {name: share for name, share in figures.get("baselines", {}).items() if share >= figures["macro"]}
        if key in TITLES and ahead:
            rules = (
                Message("{rule} {share:.1f} %", rule=Message(rule), share=share) for rule, share in ahead.items()
            )
            facts = {"title": TITLES[key], "share": figures["macro"], "rules": joined(rules, ", ")}
            parts.append(Message("{title} (this model {share:.1f} %, {rules})", **facts))
    if not parts:
        return ""
    return Message("For demonstration only: simple rules do better on {sets}.", sets=joined(parts, "; "))
