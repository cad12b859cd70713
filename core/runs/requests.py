"""A task's items as the requests of a run, and the identity of that run."""

from __future__ import annotations

import dataclasses
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from core import __version__, identity
from core.analysis.summary import NAMED, metrics_under
from core.errors import InputError, PolicyError, unknown
from core.files.row_mistakes import collected
from core.messages import counted
from core.metrics import METRICS
from core.rules import RULES
from core.scoring.recipe import Recipe, now
from core.settings import settings
from core.store import Store
from core.store.files import secret
from core.store.processes import started_at
from core.store.runs import ItemRow
from core.tasks import TASKS
from core.text.faults import faults_in
from core.text.lexical_sets import shared_words
from core.types import Item, Request, Task, refuse_taken

_NAME_SETS = "Name the set of each in a column `contrast`."


_PLACES = 8
_SAME, _CONTRADICTING = "the same text twice in an item", "the texts of another item with right and wrong exchanged"
Place = tuple[str, int | None]
"""An item, and the row of its file, if known."""


@dataclass(frozen=True)
class Plan:
    """A task's items under a recipe: the rows of the run's table of items, and the distinct requests.

    `rule` is the task's rule by which candidates become requests, `faults` what is wrong with its
    texts or, as they share their words, with its items.
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
        """The line printed beside every number of this run."""
        r, unusual = self.recipe, "" if self.rule == self.task.rules[0] else self.rule
        return identity.signature(
            self.task.name, self.task.version, unusual, self.data, r.kind, r.model, r.policy, __version__
        )

    def missing(self, store: Store, temperatures: Sequence[float] = ()) -> int:
        """How many requests the store cannot answer yet, at temperature 1 and at these."""
        rule = RULES[self.rule]
        known = store.known(
            self.recipe.fingerprint, boundary=rule.forms, temperatures=temperatures, by_token=rule.shared,
            keys=self.requests,
        )  # fmt: skip
        return len(self.requests.keys() - known)

    def scored_by_group(self, store: Store) -> pd.DataFrame:
        """How much of it is scored, by the task's main group: group, done (0 to 1), texts."""
        known = store.known(self.recipe.fingerprint, keys=self.requests)
        main = self.task.groups[0]
        group_keys = [(row.groups[main], row.request_key) for row in self.rows]
        rows = pd.DataFrame(group_keys, columns=["group", "key"])
        by_group = rows.assign(done=rows["key"].isin(known)).groupby("group", sort=False)
        return by_group.agg(done=("done", "mean"), texts=("key", "nunique")).reset_index()


def plan(task: Task, items: Iterable[Item], recipe: Recipe, rule: str = "") -> Plan:
    """The requests of these items under a recipe, each distinct one once. Reads no scores and loads no model.

    `rule` is one of the task's, by default its first; PolicyError, with the choices, for any other. InputError for a
    group that has the same name as a column of a run's tables, and where the rule asks none of the items.
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
                texts.append(" ".join(one.text for one in item.candidates))
            refuse_taken(item.groups, item.id)
            content.append(identity.canonical([item.id, item.gold, dict(item.groups)]))
            for number, candidate in enumerate(item.candidates):
                context, text = (None, None) if task.confidential else (candidate.context, candidate.text)
                content.append(identity.canonical([candidate.label, candidate.context, candidate.text]))
                for term, (raw, weight) in enumerate(zip(chosen.terms(candidate), chosen.weights, strict=True)):
                    request = recipe.request(raw)
                    key = identity.request_key(recipe.fingerprint, request, salt)
                    requests[key] = request
                    rows.append(
                        ItemRow(
                            item.id, number, candidate.label, item.gold, term, weight, context, text,
                            item.groups, recipe.fingerprint, key,
                        )
                    )  # fmt: skip
    if n_passed_over and not n_items:
        raise InputError(
            f"the rule '{rule}' asks about '{chosen.asks}', which none of {n_passed_over:,} items of {task.title} "
            "has: take another rule or other items"
        )
    shared = shared_words(texts, f"{task.noun}s", _NAME_SETS)
    fault_words = " ".join(filter(None, (faults.in_words(), shared)))
    return Plan(task, rule, recipe, rows, requests, identity.dataset_hash(content), n_items, fault_words)


def metric_versions(task: Task, rule: str) -> dict[str, int]:
    """The versions of the metrics of a run whose numbers are computed now."""
    return {name: METRICS[name].version for name in metrics_under(task, rule)}


def manifest_of(planned: Plan, data: str, title: str) -> dict[str, Any]:
    """The manifest of a run when it begins."""
    recipe = planned.recipe
    model = recipe.model
    return {
        "run_id": planned.run_id,
        "title": title or f"{planned.task.title}: {data}",
        "task": planned.task.name,
        "task_version": planned.task.version,
        "metric_versions": metric_versions(planned.task, planned.rule),
        "rule": planned.rule,
        "groups": list(planned.task.groups),
        "ends": RULES[planned.rule].ends,
        "shared": RULES[planned.rule].shared,
        "data": data,
        "data_hash": planned.data,
        "fingerprint": recipe.fingerprint,
        "model": model.name,
        "revision": model.revision,
        "weights": model.weights,
        "tokenizer": model.tokenizer,
        "config": model.config,
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
    """The task of a run, with the groups of its numbers."""
    task = TASKS[manifest["task"]]
    groups = tuple(manifest.get("groups", task.groups))
    if groups == task.groups:
        return task
    return dataclasses.replace(task, groups=groups)  # type: ignore[type-var]  # tasks are dataclasses


@dataclass(slots=True)
class Faults:
    """What `data lint` calls an error in the texts of a run: how many of them have it, and where.

    Items are given to `add` one by one in the order of their files. That a text is empty or a region is not in it,
    scoring says itself.
    """

    _places: dict[str, list[Place]] = field(default_factory=lambda: defaultdict(list))
    _rights: dict[int, tuple[int, Place] | None] = field(default_factory=dict)
    _n: int = 0
    _last: int = 0
    _several_files: bool = False

    def add(self, item: Item, row: int | None) -> None:
        """Look at one item: at each of its texts, whether two are the same, and whether an earlier item had them."""
        self._several_files |= (row or 0) < self._last
        self._last, place = row or 0, (item.id, row)
        texts = [one.context + one.text for one in item.candidates]
        self._n += len(texts)
        for text in texts:
            for fault in faults_in(text):
                self._places[fault].append(place)
        if len(set(texts)) < len(texts):
            self._places[_SAME].append(place)
        elif item.gold is not None:
            rights = [text for text, one in zip(texts, item.candidates, strict=True) if one.label == item.gold]
            self._compare(hash(frozenset(texts)), hash(tuple(rights)), place)

    def _compare(self, texts: int, right: int, place: Place) -> None:
        """With the item that had these texts first; None where it is known that its right one was another."""
        known = self._rights.setdefault(texts, (right, place))
        if known is None or known[0] != right:
            self._places[_CONTRADICTING] += [known[1], place] if known else [place]
            self._rights[texts] = None

    def in_words(self) -> str:
        """One line: how many texts, which errors, and in which rows or, of several files, items; empty for none."""
        if not (n := sum(map(len, self._places.values()))):
            return ""
        faults = "; ".join(f"{fault} ({self._where(places)})" for fault, places in self._places.items())
        have = "has what data lint calls an error and is" if n == 1 else "have what data lint calls errors and are"
        return f"{n:,} of {counted(self._n, 'text')} {have} scored all the same: {faults}."

    def _where(self, places: list[Place]) -> str:
        by_row = all(row for _, row in places) and not self._several_files
        names = [*dict.fromkeys(f"{row:,}" if by_row else item for item, row in places)]
        more = f" and {len(names) - _PLACES:,} more" if len(names) > _PLACES else ""
        return f"{'row' if by_row else 'item'}{'s' if len(names) > 1 else ''} {', '.join(names[:_PLACES])}{more}"
