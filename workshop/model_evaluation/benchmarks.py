"""Language models on sets of sentences in their languages, with every scorer that is meaningful there."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pandas as pd

from pairlens.analysis.agreement import agreement_numbers
from pairlens.analysis.summary import mean_of_means
from pairlens.evaluation.zero_shot import Benchmark, meaningless, usual_rule
from pairlens.metrics import METRICS
from pairlens.policies import CHOICES, Policy, preset_for
from pairlens.reports.model_evaluation import SETS, SentenceSet
from pairlens.rules import RULES
from pairlens.scorers import SCORERS, accepting, default_for
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.tasks import TASKS
from pairlens.types import Model
from workshop import evaluation_sets
from workshop.model_evaluation.figures import Figures, Measurement, languages, percent

KINDS = ("causal", "masked", "seq2seq", "unigram")


def benchmarks(model: Model, public: Path) -> Iterator[Measurement]:
    """The measurements; with the default scorer of the model's kind, the key is that of the set.

    Our own sets that are younger than the model are left out: its text may hold their sentences.
    """
    if model.kind not in KINDS:
        return
    for one in SETS:
        younger = one.key in evaluation_sets.FOLDERS and one.key not in model.card.get("evaluation_sets", {})
        if one.language not in languages(model) or younger:
            continue
        task = TASKS[one.task]
        policy = preset_for("pairlens", task.sets).but(**one.choices)
        for name in accepting(model.kind):
            scorer = SCORERS[name]
            rule = one.rule or usual_rule(task, scorer)
            if rule and not meaningless(task, rule, scorer):
                key = one.key if name == default_for(model.kind) else f"{one.key}_{name}"
                data = one.path(public)
                yield Measurement(key, data, partial(_figures, Recipe(model, scorer, policy), one, rule, data))


def _figures(recipe: Recipe, of: SentenceSet, rule: str, data: Path, store: Store) -> Figures:
    task, policy = TASKS[of.task], recipe.policy
    run = deque(Benchmark(task, data, rule).run(recipe, store), maxlen=1)[0].run_id
    headline, table = store.metrics(run).iloc[0], store.candidates(run)
    items = METRICS[headline["name"]].statistics(table, policy)
    found: dict[str, object] = {
        "macro": percent(headline["value"]),
        **{bound: percent(headline[bound]) for bound in ("low", "high")},
        "pairs": int(headline["n"]),
        "left_out": int(headline["excluded"]),
        "ties": int(headline["ties"]),
    }
    for name, group in of.by.items():
        levels = [level for level in task.averaged if level != group]
        shares = {str(value): percent(mean_of_means(part, levels)) for value, part in items.groupby(group)}
        found[f"by_{name}"] = shares
    if of.task == "agreement":
        found["baselines"] = _baselines(table, policy)
    if of.published:
        found["published"] = dict(of.published)
    return {**found, "policy": _description(recipe, rule), "signature": store.manifest(run)["signature"]}


def _baselines(table: pd.DataFrame, policy: Policy) -> dict[str, float]:
    """Baselines without syntax on the same items: by number, by frequency, by a noun nearby."""
    numbers = agreement_numbers(table, policy)
    named = pd.concat([numbers.baselines.set_index("baseline"), numbers.heuristics.set_index("heuristic")])
    return {str(name): percent(row["share"]) for name, row in named.iterrows() if row["n"]}


def _description(recipe: Recipe, rule: str) -> str:
    """How texts were scored and compared."""
    policy = recipe.policy
    joined = f", {CHOICES['detokenise'][policy.detokenise]}" if policy.detokenise else ""
    value = CHOICES["sentence_value"][policy.sentence_value]
    return f"{recipe.kind.name}: {RULES[rule].about}, {value}, ties {policy.ties}{joined}"
