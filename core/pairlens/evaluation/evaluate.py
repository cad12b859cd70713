"""A benchmark's items scored into a stored run: resumable, the same request is the same run; its numbers again."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pairlens.analysis.preferences import preference
from pairlens.analysis.summary import headline, summarise
from pairlens.errors import InputError, StoreError
from pairlens.evaluation.estimate import share
from pairlens.evaluation.readers import items_of
from pairlens.evaluation.requests import Plan, manifest_of, metric_versions, plan, task_of
from pairlens.evaluation.samples import SAMPLE
from pairlens.files.datasets import name_of
from pairlens.messages import Message, packed
from pairlens.models import unknown_token
from pairlens.places import bundled, program
from pairlens.policies import Policy
from pairlens.rules import RULES
from pairlens.scoring.into_store import Progress, score_missing
from pairlens.scoring.recipe import Recipe, now
from pairlens.statistics.verdicts import VERDICT
from pairlens.store import Store, catalog, uploads, visitors
from pairlens.store.elsewhere import keep_shipped
from pairlens.store.parts import windows
from pairlens.store.removal import delete_replaced
from pairlens.store.runs import ItemRow, is_intact
from pairlens.store.store import changing_runs
from pairlens.tasks import TASKS
from pairlens.types import PLAIN, Extras, Item, Scorer, Task


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
    """Run a task on a data set and store the run, which the last Progress names; an interrupted one continues."""
    planned = plan(task, items_of(task, path), recipe, rule)
    yield from run(planned, Context(store, data=data_name(path), extras=extras, scorer=scorer, rescore=rescore))


def data_name(path: Path) -> str:
    """The name of a run's data: the path's last part, a fetched data set's name, or `our sample` (and which one)."""
    samples = bundled("samples")
    if not path.resolve().is_relative_to(samples):
        return name_of(path) or uploads.name_of(path)
    folder = path.resolve().relative_to(samples).parts[:1]
    return SAMPLE if set(folder) <= set(TASKS) else f"{SAMPLE} ({folder[0]})"


@dataclass(frozen=True, slots=True)
class Context:
    """Where a plan's run is stored, and how its texts are scored.

    `data` is the data set's name, `title` the user's name for the run. `scorer` opens another scorer than the
    recipe's; `rescore`: also what is stored already. Others have just stored `scored` of its texts, in so many
    `seconds` of all processors; `refused` are reasons by request key. If more runs follow at once, the `last` one is
    `tidy` for all.
    """

    store: Store
    data: str = ""
    title: str = ""
    extras: Extras = PLAIN
    scorer: Callable[[], Scorer] | None = None
    rescore: bool = False
    scored: int = 0
    seconds: float = 0.0
    refused: Mapping[str, str] = field(default_factory=dict)
    last: bool = True


def run(planned: Plan, context: Context) -> Iterator[Progress]:
    """Score a plan and store it as a run; items with a text that cannot be scored are `refused` in the manifest."""
    store, title, refused = context.store, context.title, dict(context.refused)
    manifest = manifest_of(planned, context.data, title)
    if not visitors.may_change("runs", planned.run_id) and store.has_begun(planned.run_id):
        title = ""  # it has that of whoever ran it first
    earlier = store.finished(planned.run_id)  # it stays finished, whatever happens to the attempt to repeat it
    if begun := not has_finished(planned, store):
        visitors.claim("runs", planned.run_id, new=not store.has_begun(planned.run_id))
        with changing_runs(store):  # nobody deletes or restores it meanwhile
            store.begin(earlier or manifest, planned.rows)
    try:
        for progress in score_missing(
            planned.requests, planned.recipe, store, extras=extras_of(planned, context.extras),
            scorer=context.scorer, rescore=context.rescore, tokens=not planned.task.confidential,
            by_token=RULES[planned.rule].shared, refused=refused,
        ):  # fmt: skip
            yield replace(progress, run_id=planned.run_id)
        copied = keep_shipped(store, planned.recipe.fingerprint, planned.requests.keys())
        reasons = _exclusions(planned, store, refused)
    except BaseException as error:
        stopped = isinstance(error, (GeneratorExit, KeyboardInterrupt))
        how = {"state": "cancelled"} if stopped else {"state": "failed", "error": str(error)}
        if not store.has_finished(planned.run_id):
            with suppress(StoreError):  # on a full disk; what is raised says so
                store.update({**manifest, **how, "finished": now()})
        raise
    messages = {item: packed(reason) for item, reason in reasons.items() if isinstance(reason, Message)}
    left_out = {"refused": dict(reasons)} | ({"refused_messages": messages} if messages else {})
    if not earlier:
        store.update({**manifest, **left_out})
    scored = context.scored + progress.scored
    done = {
        **manifest,
        "finished": now(),
        "scored": scored,
        "reused": progress.reused - context.scored,
        "seconds": round(context.seconds + progress.seconds * share(), 3),
    }
    if earlier and not scored:  # a look-up has neither a duration nor provenance of its own
        faults = {"faults": planned.faults} if planned.faults else {}
        done = {**earlier, "title": title or earlier["title"], **faults}
        done.pop("refused_messages", None)  # those of now follow
    candidates = store.candidates(planned.run_id)
    metrics = summarise(candidates, planned.task, planned.recipe.policy, planned.rule)
    numbers = {
        **headline(metrics),
        **(preference(candidates, planned.recipe.policy) if planned.task.name == "pairs" else {}),
        **windows(store.parts(planned.recipe.fingerprint)),
        "metric_versions": metric_versions(planned.task, planned.rule),
    }
    store.update({**done, **left_out, **numbers, "state": "done"}, metrics)
    if context.last and (scored or copied or begun):
        tidy(store)


def tidy(store: Store) -> None:
    """What follows new runs, in time that grows with the store: `results.duckdb` is made again, leftovers go."""
    catalog.publish(store)
    delete_replaced(store)


def extras_of(planned: Plan, extras: Extras = PLAIN) -> Extras:
    """What is scored beside log-probabilities: what was asked for, and what the rule needs."""
    return replace(extras, boundary=extras.boundary or RULES[planned.rule].forms)


def has_finished(planned: Plan, store: Store) -> bool:
    """Whether the run of a plan is done; it is then among the runs of whoever asks."""
    if not store.has_finished(planned.run_id):
        return False
    visitors.claim("runs", planned.run_id, new=False)
    return True


def save(
    items: Sequence[Item],
    recipe: Recipe,
    store: Store,
    title: str = "",
    *,
    scorer: Callable[[], Scorer] | None = None,
    link: str = "",
) -> str:
    """Store pairs as a run of their own (with the masses at word ends) and return its id; InputError without any.

    `link` is the query of the page that they were saved from, which shows them there as they were.
    """
    if not items:
        raise InputError("There is no complete pair to save.")
    planned = plan(TASKS["pairs"], items, recipe)
    for _ in run(planned, Context(store, data="typed", title=title, extras=Extras(boundary=True), scorer=scorer)):
        continue
    done = store.manifest(planned.run_id)
    if done.get("link", "") != link and visitors.may_change("runs", planned.run_id):
        store.update({**done, "link": link})  # the same pairs may have been saved from another page
    return planned.run_id


def _exclusions(planned: Plan, store: Store, refused: Mapping[str, str]) -> dict[str, str]:
    """Why items are excluded, by item; `refused` has the reasons by request key for texts that cannot be scored.

    StoreError if scores that were just stored are gone: items must not be excluded without a reason.
    """
    gaps = planned.requests.keys() - store.known(planned.recipe.fingerprint, keys=planned.requests) - refused.keys()
    if gaps:
        raise StoreError(f"{len(gaps)} scores were damaged while the run went on: start it again, the rest is kept.")
    rule, rows = RULES[planned.rule], planned.rows
    reasons = _unlike_parts(rows, planned.recipe.fingerprint, store) if rule.subtracts and not rule.forms else {}
    unknown = unknown_token(planned.recipe.model) if rule.forms else ""
    if unknown:  # forms outside the vocabulary all score alike
        strange = store.requests_with(planned.recipe.fingerprint, unknown, planned.requests)
        for row in rows:
            if row.request_key in strange:
                form = planned.requests[row.request_key].continuation.strip()
                reasons[row.item_id] = f"'{form}' is not in the model's vocabulary"
    reasons |= {row.item_id: refused[row.request_key] for row in rows if row.request_key in refused}
    if planned.task.confidential:  # a reason may quote the text
        return dict.fromkeys(reasons, "a text of it cannot be scored")
    return reasons


def _unlike_parts(rows: Sequence[ItemRow], fingerprint: str, store: Store) -> dict[str, str]:
    """Texts whose scored tokens differ with and without their context, as far as counts show."""
    with_context, without = (pd.Series([row.request_key for row in rows if row.term == term]) for term in (0, 1))
    keys = {*with_context, *without}
    counts = store.scores(fingerprint, 1.0, keys).set_index("request_key")[["n_tokens", "n_scored", "n_straddling"]]
    there, here = (counts.reindex(part).to_numpy(np.float64) for part in (with_context, without))
    known = ~np.isnan(there + here).any(axis=1)
    differences = [
        ("it has no context that could be taken away", (with_context == without).to_numpy()),
        ("without its context not all of it is scored", here[:, 0] != here[:, 1]),
        ("without its context it is cut into other tokens", (there != here).any(axis=1)),
    ]
    reasons = np.select([holds for _, holds in differences], [why for why, _ in differences], "")
    items = [row.item_id for row in rows if row.term == 0]
    return {item: why for item, why, is_known in zip(items, reasons.tolist(), known, strict=True) if why and is_known}


log = logging.getLogger(__name__)


def stored_metrics(store: Store, run_id: str) -> pd.DataFrame:
    """The metrics of a run (`pairlens.analysis.summary`); those of a finished one are made again if they are damaged.
    StoreError if the run is not finished, or if its items or scores are gone, too.
    """
    if store.finished(run_id) and not is_intact(store.table_path(run_id, "metrics")):
        metrics, manifest = _computed(store, run_id)
        try:
            store.update(manifest, metrics)
        except StoreError as error:  # in a home that cannot be written
            log.warning("%s", error)
            return metrics
    return store.metrics(run_id)


def recompute(store: Store, run_id: str) -> None:
    """Compute a run's numbers and store them; StoreError if its items are damaged or scores are no longer stored."""
    metrics, manifest = _computed(store, run_id)
    store.update(manifest, metrics)


def _computed(store: Store, run_id: str) -> tuple[pd.DataFrame, dict[str, Any]]:
    """The numbers, and the manifest with the main ones."""
    manifest = store.manifest(run_id)
    candidates, task, rule = store.candidates(run_id), task_of(manifest), manifest["rule"]
    items = candidates[~candidates["item"].isin([*manifest.get("refused", ())])]
    if gone := 0 if VERDICT in items else int(items["logprob"].isna().sum()):  # verdicts have no scores
        raise StoreError(
            f"The numbers of run '{run_id}' are damaged, and {gone:,} of its scores are no longer stored: run it "
            f"again, or delete it ({program()} runs delete {run_id})."
        )
    metrics = summarise(candidates, task, Policy(**manifest["policy"]), rule)
    versions = metric_versions(task, rule)
    return metrics, {**manifest, **headline(metrics), "metric_versions": versions}
