"""A task's items as the requests of a run, and the identity of that run."""

import dataclasses
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pairlens import __version__, identity
from pairlens.analysis.summary import NAMED, metrics_under
from pairlens.errors import InputError, PolicyError, unknown
from pairlens.files.row_mistakes import collected
from pairlens.metrics import METRICS
from pairlens.rules import RULES
from pairlens.scoring.recipe import Recipe, now
from pairlens.settings import settings
from pairlens.store import Store
from pairlens.store.files import secret
from pairlens.store.processes import started_at
from pairlens.store.runs import ItemRow
from pairlens.tasks import TASKS
from pairlens.text.faults import Faults
from pairlens.text.lexical_sets import shared_words
from pairlens.types import TAKEN, Item, Request, Task


@dataclass(frozen=True)
class Plan:
    """A task's items under a recipe: the rows of the run's table of items, and the distinct requests. `faults`: what
    is wrong with its texts or, as they share their words, with its items.
    """

    task: Task
    rule: str
    recipe: Recipe
    rows: Sequence[ItemRow]
    requests: Mapping[str, Request]
    data: str
    n_items: int
    faults: str = ""

    @property
    def run_id(self) -> str:
        """The run's id, from task, rule, data, scores, policy, and groups other than the task's own."""
        policy = self.recipe.policy.given(self.recipe.kind.reads)
        parts = [self.task.name, self.task.version, self.rule, self.data, self.recipe.fingerprint, policy]
        if (groups := self.task.groups) != TASKS[self.task.name].groups:
            parts.append(groups)
        return f"{self.task.name}-{identity.digest(identity.canonical(parts))[:10]}"

    @property
    def signature(self) -> str:
        r, unusual = self.recipe, "" if self.rule == self.task.rules[0] else self.rule
        made_of = unusual, self.data, r.kind, r.model, r.policy, __version__
        return identity.signature(self.task.name, self.task.version, *made_of)

    def missing(self, store: Store, temperatures: Sequence[float] = ()) -> int:
        """How many requests the store cannot answer yet, at temperature 1 and at these."""
        required = {"boundary": RULES[self.rule].forms, "by_token": RULES[self.rule].shared}
        known = store.known(self.recipe.fingerprint, temperatures=temperatures, keys=self.requests, **required)
        return len(self.requests.keys() - known)


def plan(task: Task, items: Iterable[Item], recipe: Recipe, rule: str = "") -> Plan:
    """The requests of these items under a recipe, each distinct one once. Reads no scores and loads no model.

    PolicyError for a rule that is not the task's. InputError for a group with the name of a column of a run's tables,
    and where the rule asks none of the items.
    """
    rule = rule or task.rules[0]
    if rule not in task.rules:
        raise PolicyError(unknown(f"rule of {task.title}", rule, task.rules))
    chosen = RULES[rule]
    salt = secret(settings().store) if task.confidential else ""
    rows: list[ItemRow] = []
    requests: dict[str, Request] = {}
    content: list[str] = []
    n_items = n_passed_over = 0
    faults, texts = Faults(), list[str]()
    with collected(0) as reading:  # which knows the row of each item, and raises at the first that cannot be read
        for item in items:
            if chosen.asks and not all(chosen.asks in candidate.regions for candidate in item.candidates):
                n_passed_over += 1
                continue
            n_items += 1
            faults.add(item, reading.last)
            if task.guessed and NAMED not in item.groups:
                texts.append(" ".join(candidate.text for candidate in item.candidates))
            if taken := TAKEN.intersection(item.groups):
                raise InputError(
                    f"A group of item '{item.id}' is called '{min(taken)}', as a column of Pairlens' own tables is: "
                    f"rename it, for example to 'given_{min(taken)}'."
                )
            content.append(identity.canonical([item.id, item.gold, dict(item.groups)]))
            for number, candidate in enumerate(item.candidates):
                context, text = (None, None) if task.confidential else (candidate.context, candidate.text)
                content.append(identity.canonical([candidate.label, candidate.context, candidate.text]))
                for term, (raw, weight) in enumerate(zip(chosen.terms(candidate), chosen.weights, strict=True)):
                    request = recipe.request(raw)
                    key = identity.request_key(recipe.fingerprint, request, salt)
                    requests[key] = request
                    scored = (term, weight, context, text, item.groups, recipe.fingerprint, key)
                    rows.append(ItemRow(item.id, number, candidate.label, item.gold, *scored))
    if n_passed_over and not n_items:
        raise InputError(
            f"the rule '{rule}' asks about '{chosen.asks}', which none of {n_passed_over:,} items of {task.title} "
            "has: take another rule or other items"
        )
    shared = shared_words(texts, f"{task.noun}s", "Name the set of each in a column `contrast`.")
    fault_words = " ".join(filter(None, (faults.in_words(), shared)))
    return Plan(task, rule, recipe, rows, requests, identity.dataset_hash(content), n_items, fault_words)


def metric_versions(task: Task, rule: str) -> dict[str, int]:
    """The versions of the metrics of a run whose numbers are computed now."""
    return {name: METRICS[name].version for name in metrics_under(task, rule)}


def manifest_of(planned: Plan, data: str, title: str) -> dict[str, Any]:
    recipe, task, rule = planned.recipe, planned.task, RULES[planned.rule]
    model = recipe.model
    return {
        "run_id": planned.run_id,
        "title": title or f"{task.title}: {data}",
        "task": task.name,
        "task_version": task.version,
        "metric_versions": metric_versions(task, planned.rule),
        "rule": planned.rule,
        "groups": list(task.groups),
        "ends": rule.ends,
        "shared": rule.shared,
        "data": data,
        "data_hash": planned.data,
        "fingerprint": recipe.fingerprint,
        "model": model.name,
        **{name: getattr(model, name) for name in ("revision", "weights", "tokenizer", "config")},
        "model_kind": model.kind,
        "scorer": recipe.kind.name,
        "scorer_version": recipe.kind.version,
        "preset": recipe.policy.name,
        "policy": dataclasses.asdict(recipe.policy),
        "signature": planned.signature,
        "n_requests": len(planned.requests),
        "n": planned.n_items,
        **({"faults": planned.faults} if planned.faults else {}),
        "state": "running",
        "pid": os.getpid(),
        "began": started_at(os.getpid()),
        "created": now(),
    }


def task_of(manifest: Mapping[str, Any]) -> Task:
    task = TASKS[manifest["task"]]
    groups = tuple(manifest.get("groups", task.groups))
    if groups == task.groups:
        return task
    return dataclasses.replace(task, groups=groups)
