"""Which finished run holds the scores of each way, and which ways have none yet. This module scores nothing."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from pairlens.analysis.multiverse import ADDED_UP, policies_for, scored_in_words
from pairlens.analysis.summary import metrics_under
from pairlens.errors import ModelError, PolicyError, StoreError, unknown
from pairlens.evaluation.requests import task_of
from pairlens.evaluation.zero_shot import meaningless
from pairlens.identity import WHOLE
from pairlens.models import find
from pairlens.policies import PRESETS, Policy, preset_for
from pairlens.rules import RULES
from pairlens.scorers import SCORERS
from pairlens.store import Store
from pairlens.text import prepare
from pairlens.types import Model, Scorer, ScorerKind, Task

BY_LENGTH = ("word", "character", "slor")
"""Aggregations that no policy has, because they need the text as well as its scores."""
_TEXTS = {"auto": "typography as usual", "typographic": "typography mapped", "as-typed": "text as typed"}
_JOINED = {"": "", "en": ", English joined", "fr": ", French joined"}
"""What a tokenizer sees, short enough for a chart; `CHOICES` has the full descriptions."""
_OF_WHOLE_TEXTS = ("joint", "conditional")
"""Rules under which a candidate is scored as a text, so that its words can be counted."""
_REPEATS = ("cases", "cases_unspaced")
"""Rules with the score of `conditional` or `gap`, and additional requests."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way: a policy (how texts are scored), a rule of the task, and an aggregation, a key of `ADDED_UP`.

    `reads` are the policy fields that the scorer reads, `texts` those that change what a tokenizer sees.
    """

    policy: Policy
    rule: str
    added_up: str
    reads: tuple[str, ...]
    texts: tuple[str, ...] = ("leading_space",)

    @property
    def scoring(self) -> tuple[object, ...]:
        """Identifies the scores it needs, so that ways can share them, as a form with and without its end does."""
        question = "form" if RULES[self.rule].forms else self.rule
        fields = self.policy.scoring((*self.reads, *self.texts))
        return (question, *sorted(fields.items()))

    @property
    def identity(self) -> tuple[object, ...]:
        """Identifies its number, ties aside. A first token that counts as certain matters in means only."""
        certain = self.added_up == "token" and "first_token" in self.reads and self.policy.first_token == "one"
        return (self.scoring, self.rule, self.added_up, certain)

    def in_words(self, usual_rule: str) -> str:
        """How texts are scored and aggregated, short enough for a chart."""
        return " · ".join(filter(None, [self.scored_in_words(usual_rule), ADDED_UP[self.added_up]]))

    def scored_in_words(self, usual_rule: str) -> str:
        """The same without the aggregation. Another rule always has the base policy, which is not mentioned."""
        if self.rule != usual_rule:
            return RULES[self.rule].about
        parts = scored_in_words(self.policy, self.reads)
        if {"text", "detokenise"} & set(self.texts):
            parts.append(_TEXTS[self.policy.text] + _JOINED[self.policy.detokenise])
        return " · ".join(parts)


def ways_of(
    task: Task, kind: ScorerKind, base: Policy, rule: str, metric: str, *, same_texts: bool
) -> tuple[list[Way], dict[str, str]]:
    """All distinct ways for a scorer, the base policy and rule first; and by name, why others are meaningless.

    They vary first token and PLL variant (if read), the leading space of causal models, sum and mean; for the base
    policy and whole texts also means per word and character and SLOR; and the task's other rules with this metric.
    Unless presets give the same texts as the base policy (`same_texts`), they are ways of their own.
    """
    texts = ("leading_space",) if same_texts else ("leading_space", "text", "detokenise")
    distinct: dict[tuple[object, ...], Way] = {}
    left_out: dict[str, str] = {}
    own_meaningless = meaningless(task, rule, kind, base)  # the run exists, and is shown all the same
    for policy, question, added_up in _varied(task, kind, base, rule, metric, same_texts=same_texts):
        if kind.name == WHOLE and added_up in ("token", "slor"):  # its tokens are not known
            continue
        value = "mean" if added_up == "token" else "sum"
        way = Way(policy.but(sentence_value=value, name=base.name), question, added_up, kind.reads, texts)
        reason = "" if own_meaningless and way.rule == rule else meaningless(task, way.rule, kind, way.policy)
        if reason:
            left_out[way.scored_in_words(rule)] = reason
        else:
            distinct.setdefault(way.identity, way)
    return list(distinct.values()), left_out


def _varied(
    task: Task, kind: ScorerKind, base: Policy, rule: str, metric: str, *, same_texts: bool
) -> Iterator[tuple[Policy, str, str]]:
    """Policy, rule and aggregation of every way, with repetitions."""
    yield base, rule, _value_of(base)
    if kind.whole:
        return
    for policy in policies_for(kind, base):
        yield policy, rule, _value_of(policy)
        # lengths of texts fit their scores if the first word is scored, or unscored by the base policy
        whole = policy.first_token in ("bos", base.first_token) and policy.leading_space == base.leading_space
        if whole and rule in _OF_WHOLE_TEXTS:
            yield from ((policy, rule, added_up) for added_up in BY_LENGTH)
    same = (rule, {"cases": "conditional", "cases_unspaced": "conditional"}.get(rule), *_REPEATS)
    for other in task.rules if kind.accepts else ():  # nothing else was scored by another program
        if other in same or metric not in metrics_under(task, other):
            continue
        values = ADDED_UP if other in _OF_WHOLE_TEXTS else ("sum", "token")
        yield from ((base, other, added_up) for added_up in values)
    for policy in () if same_texts else (preset_as(name, task, base) for name in PRESETS):
        yield policy, rule, _value_of(policy)


def presets_of(way: Way, task: Task) -> list[str]:
    """The presets that give this way's number, up to their tie rules."""
    named = []
    for name in PRESETS:
        policy = preset_as(name, task, way.policy)
        if Way(policy, way.rule, _value_of(policy), way.reads, way.texts).identity == way.identity:
            named.append(name)
    return named


def preset_as(name: str, task: Task, base: Policy) -> Policy:
    """The preset for this task, with the base policy's windows: these matter for long texts only."""
    chosen = preset_for(name, task.sets)
    same = chosen.windows == base.windows
    return chosen if same else chosen.but(windows=base.windows, name=f"{name}, changed")


def _value_of(policy: Policy) -> str:
    return {"sum": "sum", "mean": "token"}[policy.sentence_value]


_SAME = ("task", "task_version", "data_hash", "weights", "scorer")
"""What the runs of a multiverse share."""


@dataclass(frozen=True)
class Layout:
    """A finished run, its ways (its own first) and, by scoring, the run that holds the scores.

    `model` is the run's if it still exists with the same weights, else None: `absent` says why. `left_out` says by
    name why ways would be meaningless.
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
        return str(self.manifest["run_id"])

    @property
    def rule(self) -> str:
        return str(self.manifest.get("rule") or self.task.rules[0])

    @property
    def policy(self) -> Policy:
        return self.ways[0].policy

    @property
    def stored(self) -> list[Way]:
        return [way for way in self.ways if way.scoring in self.runs]

    @property
    def missing(self) -> list[Way]:
        return [way for way in self.ways if way.scoring not in self.runs]

    def run_of(self, way: Way) -> str:
        return self.runs[way.scoring]

    def label(self, way: Way) -> str:
        return way.in_words(self.rule)

    def presets(self, way: Way) -> list[str]:
        """The presets that give the way's number, ties aside; none for another rule or another program's scores."""
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
    stored: dict[tuple[object, ...], str] = {}
    for one in (manifest, *same):  # it may be listed to others only
        rule = one.get("rule") or manifest["rule"]
        way = Way(Policy(**one["policy"]), rule, own.added_up, own.reads, own.texts)
        stored.setdefault(way.scoring, one["run_id"])
    return stored
