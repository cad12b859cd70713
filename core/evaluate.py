"""A benchmark's items through a recipe into a stored run: resumable, and the same question has the same run."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core import __version__, identity
from core.analysis.summary import headline, summarise
from core.datasets import name_of
from core.errors import PolicyError, StoreError, unknown
from core.group_names import refuse_taken
from core.incomparable import incomparable
from core.recipe import Recipe, now
from core.rules import RULES
from core.scoring import Progress, score_missing, scores_now
from core.settings import ROOT, settings
from core.store import Store, catalog
from core.store.arrivals import keep_shipped
from core.store.files import secret
from core.store.provenance import windows
from core.store.removal import delete_replaced
from core.store.runs import ItemRow
from core.tasks import TASKS
from core.types import PLAIN, Extras, Item, Request, Scorer, Task

__all__ = ["Plan", "Progress", "Recipe", "data_name", "evaluate", "plan", "run", "save", "scores_now"]


@dataclass(frozen=True)
class Plan:
    """A task's items on their way to a recipe: the rows that say what was asked, and the distinct requests.

    `rule` names how a candidate is asked about, one of the task's rules.
    """

    task: Task
    rule: str
    recipe: Recipe
    rows: Sequence[ItemRow]
    requests: Mapping[str, Request]
    data: str
    n_items: int

    @property
    def run_id(self) -> str:
        """The same question has the same run: task, data, scores and policy name it, and groups other than usual."""
        policy = dataclasses.asdict(self.recipe.policy)
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


def plan(task: Task, items: Iterable[Item], recipe: Recipe, rule: str = "") -> Plan:
    """The requests of these items under a recipe, each distinct one once. Reads no scores and loads no model.

    `rule` is one of the task's, by default its usual one; PolicyError, with the choices, if it is none of them.
    InputError for a group that is called like a column of the tables of a run.
    """
    rule = rule or task.rules[0]
    if rule not in task.rules:
        raise PolicyError(unknown(f"rule of {task.title}", rule, task.rules))
    chosen = RULES[rule]
    salt = secret(settings().store) if task.confidential else ""
    rows: list[ItemRow] = []
    requests: dict[str, Request] = {}
    asked: list[str] = []
    n_items = 0
    for item in items:
        n_items += 1
        refuse_taken(item.groups, item.id)
        asked.append(identity.canonical([item.id, item.gold, dict(item.groups)]))
        for number, candidate in enumerate(item.candidates):
            context, text = (None, None) if task.confidential else (candidate.context, candidate.text)
            asked.append(identity.canonical([candidate.label, candidate.context, candidate.text]))
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
    return Plan(task, rule, recipe, rows, requests, identity.dataset_hash(asked), n_items)


def evaluate(
    task: Task,
    path: Path,
    recipe: Recipe,
    store: Store,
    *,
    rule: str = "",
    extras: Extras = PLAIN,
    scorer: Callable[[], Scorer] | None = None,
    rescore: bool = False,
) -> Iterator[Progress]:
    """Run a task on a data set and store the run; the last Progress says how it went and names the run.

    A run that was stopped, by an error, a kill or a user, goes on where it was when asked for again.
    """
    planned = plan(task, task.read(path), recipe, rule)
    yield from run(planned, store, data=data_name(path), extras=extras, scorer=scorer, rescore=rescore)


def data_name(path: Path) -> str:
    """What a run calls its data: the last part of the path, or a fetched data set's name, or `our sample` for ours.

    A task's second sample is named too.
    """
    samples = ROOT / "data" / "samples"
    if not path.resolve().is_relative_to(samples):
        return name_of(path) or path.name
    folder = path.resolve().relative_to(samples).parts[:1]
    return "our sample" if set(folder) <= set(TASKS) else f"our sample ({folder[0]})"


def run(
    planned: Plan,
    store: Store,
    *,
    data: str = "",
    title: str = "",
    extras: Extras = PLAIN,
    scorer: Callable[[], Scorer] | None = None,
    rescore: bool = False,
) -> Iterator[Progress]:
    """Score a plan and store it as a run. `data` is the data set's name, `title` what a user calls the run.

    Items with a text that cannot be scored are excluded; the manifest's `refused` has the reason by item.
    """
    if RULES[planned.rule].forms:  # scored with the ends of words, also where only the form is compared
        extras = dataclasses.replace(extras, boundary=True)
    manifest = _manifest(planned, data, title)
    earlier = store.manifest(planned.run_id) if store.has_finished(planned.run_id) else None
    if not earlier:  # a finished run stays finished, whatever happens to the attempt to make it again
        store.begin(manifest, planned.rows)
    progress = Progress(len(planned.requests), 0, 0, 0, 0.0)
    refused: dict[str, str] = {}
    try:
        for progress in score_missing(
            planned.requests, planned.recipe, store, extras=extras, scorer=scorer, rescore=rescore,
            tokens=not planned.task.confidential, by_token=RULES[planned.rule].shared, refused=refused,
        ):  # fmt: skip
            yield dataclasses.replace(progress, run_id=manifest["run_id"])
        kept = keep_shipped(store, planned.recipe.fingerprint, planned.requests.keys())
        _refuse_gaps(planned, store, refused)
        refused.update(incomparable(RULES[planned.rule], planned.rows, planned.requests, planned.recipe, store))
    except BaseException as error:
        stopped = isinstance(error, (GeneratorExit, KeyboardInterrupt))
        how = {"state": "cancelled"} if stopped else {"state": "failed", "error": str(error)}
        if not store.has_finished(planned.run_id):
            store.update({**manifest, **how, "finished": now()})
        raise
    reasons = {row.item_id: refused[row.request_key] for row in planned.rows if row.request_key in refused}
    if planned.task.confidential:  # a reason may quote the text
        reasons = dict.fromkeys(reasons, "a text of it cannot be scored")
    if not earlier:
        store.update({**manifest, "refused": reasons})
    metrics = summarise(store.candidates(manifest["run_id"]), planned.task, planned.recipe.policy, planned.rule)
    done = {**manifest, "finished": now(), "scored": progress.scored, "reused": progress.reused}
    if earlier and not progress.scored:
        # a look-up says nothing about how long scoring takes, nor makes the run that of a copy of the model
        done = {**earlier, "title": manifest["title"] if title else earlier["title"]}
    done |= {**headline(metrics), **windows(store.parts(planned.recipe.fingerprint))}
    store.update({**done, "state": "done", "refused": reasons}, metrics)
    if progress.scored or kept or not earlier:
        catalog.publish(store)
        delete_replaced(store)


def save(
    items: Sequence[Item],
    recipe: Recipe,
    store: Store,
    *,
    title: str = "",
    scorer: Callable[[], Scorer] | None = None,
) -> str:
    """Store typed pairs as a run of their own (with the masses at word ends) and return its id."""
    planned = plan(TASKS["pairs"], items, recipe)
    for _ in run(planned, store, data="typed", title=title, extras=Extras(boundary=True), scorer=scorer):
        continue
    return planned.run_id


def _refuse_gaps(planned: Plan, store: Store, refused: Collection[str]) -> None:
    """StoreError if scores that were stored a moment ago are gone: items must not be left out without a reason."""
    gaps = planned.requests.keys() - store.known(planned.recipe.fingerprint, keys=planned.requests) - set(refused)
    if gaps:
        raise StoreError(f"{len(gaps)} scores were damaged while the run went on: start it again, the rest is kept.")


def _manifest(planned: Plan, data: str, title: str) -> dict[str, Any]:
    recipe = planned.recipe
    model = recipe.model
    return {
        "run_id": planned.run_id,
        "title": title or f"{planned.task.title}: {data}",
        "task": planned.task.name,
        "task_version": planned.task.version,
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
        "state": "running",
        "pid": os.getpid(),
        "created": now(),
    }
