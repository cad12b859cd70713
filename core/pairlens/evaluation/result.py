"""A finished run, read back from the store: what is shown or downloaded of it, and its texts as they were read."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from pairlens import identity
from pairlens.analysis import published
from pairlens.analysis.items import items_by_margin, undecided
from pairlens.analysis.reading import write_reading
from pairlens.analysis.summary import OVERALL, metrics_under, written
from pairlens.errors import ModelError, StoreError
from pairlens.evaluation.evaluate import Context, has_finished, run, stored_metrics
from pairlens.evaluation.formats import folder_for, name_under, write_babylm
from pairlens.evaluation.receipts.methods import provenance
from pairlens.evaluation.receipts.run import MOST_WORKED, receipt
from pairlens.evaluation.receipts.scored_by import kind_named
from pairlens.evaluation.requests import Plan, task_of
from pairlens.evaluation.run_list import headline_of
from pairlens.evaluation.samples import is_sample
from pairlens.files.datasets import of_task
from pairlens.messages import counted
from pairlens.metrics import METRICS
from pairlens.models import find
from pairlens.policies import Policy
from pairlens.results.result import Provenance, Result
from pairlens.results.text import text as printed
from pairlens.rules import RULES
from pairlens.scorers import SCORERS
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.types import Candidate, Model, Task

if TYPE_CHECKING:
    from pairlens.charts.drawing import Chart

_TELLING = ((), ("preset",), ("data",), ("scorer",), ("rule",), ("preset", "data"), ("preset", "scorer", "rule"))
"""Fields of manifests that distinguish runs of one model, the shortest combination first."""


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """A run's manifest and tables.

    `metrics` is a summary (`pairlens.analysis.summary.summarise`), `paradigms` the headline metric's rows for the
    task's main group with `section`, the value of the second group. `items` are sorted by margin; `undecided` are
    ties, too close to call or left out, with the reason.
    """

    manifest: Mapping[str, Any]
    task: Task
    policy: Policy
    rule: str
    candidates: pd.DataFrame
    metrics: pd.DataFrame
    paradigms: pd.DataFrame
    items: pd.DataFrame
    undecided: pd.DataFrame

    @property
    def run_id(self) -> str:
        return str(self.manifest["run_id"])

    @property
    def main_group(self) -> str:
        """The column that holds an item's paradigm."""
        return self.task.groups[0]

    @property
    def numbers(self) -> pd.DataFrame:
        """A row per number, the headline first: name, group_by, group, value, low, high, n, ties, ..."""
        return self.metrics

    @property
    def value(self) -> float:
        """The headline, the first of the numbers."""
        return float(self.metrics["value"].iloc[0])

    @property
    def faults(self) -> str:
        """What `data lint` calls an error in its texts, where, and that it was scored; empty if there is none."""
        return str(self.manifest.get("faults", ""))

    @property
    def signature(self) -> str:
        """The line to print beside each of its numbers."""
        return str(self.manifest["signature"])

    def receipt(
        self, metric: str = "", group: str = "", item: str = "", *, all_items: bool = False
    ) -> dict[str, Any]:
        """How a number was made, down to the tokens (`pairlens.evaluation.receipts`), as plain values."""
        return receipt(Store(), self.run_id, metric, group, item, most=None if all_items else MOST_WORKED)

    def methods(self) -> str:
        """A sentence about the headline that a paper can print."""
        return self._provenance.methods

    def bibtex(self) -> str:
        """BibTeX entries to cite."""
        return self._provenance.bibtex

    @cached_property
    def _provenance(self) -> Provenance:
        return provenance(Store(), self.run_id, worked=False)

    def result(self) -> Result:
        """Its findings, tables and charts, as pages and reports show them."""
        # Of a higher wing, which takes a second to load and is needed by those who look only.
        described: Result = import_module("pairlens.reports.run_report.result").result_of([self], Store())
        return described

    def __str__(self) -> str:
        return printed(self.result(), "paradigms" if len(self.paradigms) else "numbers")

    def _repr_html_(self) -> str:
        from pairlens.results.notebook import html

        return html(self.result(), "paradigms" if len(self.paradigms) else "numbers")

    @property
    def chart(self) -> Chart:
        """Its value by paradigm, as a chart of Altair's."""
        return self.result().chart

    def __repr__(self) -> str:
        headline = headline_of(self.manifest) or "no number"
        return f"{self.run_id}: {self.manifest['title']}, {self.manifest['model']}: {headline}"


def read(store: Store, run_id: str) -> Run:
    """The run of that id; StoreError if there is none or it is not finished."""
    manifest = store.manifest(run_id)
    if manifest["state"] != "done":
        raise StoreError(f"Run '{run_id}' is {manifest['state']}. {manifest.get('error', 'It is not finished yet.')}")
    task, policy, rule = task_of(manifest), Policy(**manifest["policy"]), manifest.get("rule", "")
    candidates, metrics = store.candidates(run_id), stored_metrics(store, run_id)
    under = candidates, task, policy, rule
    paradigms = _paradigms(metrics, candidates, task)
    return Run(
        manifest, task, policy, rule, candidates, metrics, paradigms, items_by_margin(*under), undecided(*under)
    )


def settle(planned: Plan, store: Store, data: str) -> str | None:
    """The finished run of a plan, made now if all its scores are stored (no model is needed); else None."""
    if has_finished(planned, store):
        return planned.run_id
    if planned.missing(store):
        return None
    for _ in run(planned, Context(store, data=data)):
        continue
    return planned.run_id


def so_far(planned: Plan, store: Store) -> str:
    """The main number of a run under way, over the items whose texts are all scored; empty where there is none yet.

    A mean over items, in the order of the data: the headline may be one over paradigms, and items to come may differ.
    """
    metric = METRICS[metrics_under(planned.task, planned.rule)[0]]
    if not metric.averages or not store.has_begun(planned.run_id):
        return ""
    candidates = store.candidates(planned.run_id)
    is_scored = candidates["logprob"].notna().groupby(candidates["item"], sort=False).transform("all")
    correct = metric.statistics(candidates[is_scored], planned.recipe.policy)["correct"].dropna()
    if correct.empty:
        return ""
    number = f"{metric.title.lower()} {written(float(correct.mean()), metric.scale)}"
    return f"So far: {number}, over the first {len(correct):,} of {counted(planned.n_items, planned.task.noun)}."


def babylm_archive(result: Run, revision: str = "") -> bytes:
    """The result folder of the BabyLM pipeline as a zip file."""
    manifest = result.manifest
    packed = BytesIO()
    with tempfile.TemporaryDirectory() as scratch:
        top = Path(scratch)
        name = name_under(result.task, result.policy)
        folder = folder_for(top, manifest["model"], revision, manifest["scorer"], name, Path(manifest["data"]))
        kind = kind_named(manifest["scorer"])
        if result.task.prediction == "surprisal":
            write_reading(folder.parent, result.candidates, result.policy)
        else:
            write_babylm(
                folder, result.candidates, result.metrics, result.task, result.policy, result.rule,
                backend=kind.backend if kind else "",
            )  # fmt: skip
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(path for path in top.rglob("*") if path.is_file()):
                archive.write(file, file.relative_to(top))
    return packed.getvalue()


def labels(results: Sequence[Run]) -> list[str]:
    """Names for runs shown side by side (`names_of`)."""
    return names_of([result.manifest for result in results])


def names_of(manifests: Sequence[Mapping[str, Any]]) -> list[str]:
    """Names for runs shown side by side: the model, with the fields that distinguish them, or with their ids."""
    short = short_names([str(manifest["model"]) for manifest in manifests])
    models = [short[str(manifest["model"])] for manifest in manifests]
    for more in (*_TELLING, ("run_id",)):
        named = zip(models, manifests, strict=True)
        names = [" · ".join((model, *(str(manifest.get(field, "")) for field in more))) for model, manifest in named]
        if len(set(names)) == len(names):
            break
    return names


def language_of(run: Run) -> str:
    """The code of the language that the texts are in; empty if they are in several, or the visitor's own."""
    data = run.manifest["data"]
    for known in of_task(run.task.name):
        if known.name == data:
            return known.languages[0] if len(known.languages) == 1 else run.task.language
    return run.task.language if is_sample(data) else ""


def short_names(models: Sequence[str]) -> dict[str, str]:
    """By name of a model, the last part of its path or hub name, with as many before it as tell them all apart."""
    parts = {name: [part for part in name.split("/") if part] or [name] for name in models}
    for depth in range(1, max(map(len, parts.values()), default=1)):
        short = {name: "/".join(of_name[-depth:]) for name, of_name in parts.items()}
        if len(set(short.values())) == len(short):
            return short
    return {name: name for name in models}


def compared(results: Sequence[Run], metric: str) -> pd.DataFrame:
    """A number of several runs with published figures: rows for `pairlens.charts.accuracy.accuracy_beside`.

    Those that the first run allows are drawn (mark `same`); the others (`other`) are listed. None stand beside our
    own sample.
    """
    rows = []
    for result, name in zip(results, labels(results), strict=True):
        number = result.metrics[result.metrics["name"] == metric].iloc[0][["value", "low", "high", "chance"]]
        rows.append({"name": name, "mark": "run", "note": result.manifest["model"], **number})
    first = results[0]
    if is_sample(first.manifest["data"]):
        return pd.DataFrame(rows)
    overall = first.metrics[(first.metrics["name"] == metric) & (first.metrics["group_by"] == OVERALL)]
    figures = published.beside(first.task.name, metric, overall, condition(first)).rename(columns={"system": "name"})
    others = figures.sort_values("value", ascending=False, kind="stable")[["name", "value", "mark", "note", "source"]]
    return pd.concat([pd.DataFrame(rows), others], ignore_index=True)


def condition(result: Run) -> published.Run:
    """What decides whether a published figure may be drawn beside a run."""
    return published.Run(result.policy, result.rule, result.manifest.get("data_hash", ""))


def by_paradigm(result: Run, metric: str) -> pd.DataFrame:
    """The rows of a metric for the task's main group with `section`; empty if it has no numbers by paradigm."""
    return _paradigms(result.metrics, result.candidates, result.task, metric)


def _paradigms(metrics: pd.DataFrame, candidates: pd.DataFrame, task: Task, metric: str = "") -> pd.DataFrame:
    """The rows of the main group with their sections: the second group's value if it is unique, else their own."""
    main, *others = task.groups
    metric = metric or metrics["name"].iloc[0]
    rows: pd.DataFrame = metrics[(metrics["group_by"] == main) & (metrics["name"] == metric)]
    nested = bool(others) and candidates.groupby(main)[others[0]].nunique().le(1).all()
    section = candidates.drop_duplicates(main).set_index(main, drop=False)[others[0] if nested else main]
    return rows.assign(section=rows["group"].map(section).fillna(rows["group"]))


WHOLE_TEXTS = ("joint", "conditional", "cases", "cases_unspaced")
"""The rules whose requests follow from context and text alone; others score part of the text."""


def scored_texts(result: Run, store: Store) -> pd.DataFrame:
    """One row per item and candidate: the text as the tokenizer saw it, and its score.

    Columns: item, candidate, label, gold, `context` and `text` (prepared by the policy, leading space included),
    logprob (nats, NaN if not scored), n_tokens, n_scored, n_straddling. StoreError if the texts cannot be rebuilt:
    each must have the key under which its score is stored.
    """
    rows = store.items(result.manifest["run_id"])
    rows = rows[rows["weight"] != 0]
    manifest = result.manifest
    card: Mapping[str, Any] = {}
    if result.policy.text != "as-typed":  # which depends on the model, if it is still here
        with suppress(ModelError):
            card = find(manifest["model"]).card
    model = Model(manifest["model"], "", Path(), "", "", "", card=card)
    own = manifest["scorer"] in SCORERS  # texts of other programs are as they stand
    kind = SCORERS[manifest["scorer"] if own else "causal"]
    recipe, terms = Recipe(model, kind, result.policy), RULES[result.rule].terms
    known: dict[tuple[str, str], tuple[str, str, str]] = {}
    texts_read = []
    for context, text, key in zip(rows["context"], rows["text"], rows["request_key"], strict=True):
        if (context, text) not in known:
            request = recipe.request(terms(Candidate(text, "", context))[0])
            key_of_text = identity.request_key(manifest["fingerprint"], request)
            known[context, text] = request.context, request.continuation, key_of_text
        *read, key_of_text = known[context, text]
        if key_of_text != key:
            raise StoreError(
                f"The texts of run '{manifest['run_id']}' as its model read them cannot be made again: "
                f"'{manifest['model']}' is not here any more, or the scores came from another program."
            )
        texts_read.append(read)
    texts = pd.DataFrame(texts_read, columns=["context", "text"], dtype="str")
    names = rows[["item_id", "candidate", "label", "gold"]].rename(columns={"item_id": "item"}).reset_index(drop=True)
    scores = result.candidates[["item", "candidate", "logprob", "n_tokens", "n_scored", "n_straddling"]]
    return names.join(texts).merge(scores, on=["item", "candidate"], how="left")
