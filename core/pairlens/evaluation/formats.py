"""The result folder of the BabyLM 2025 evaluation pipeline, as it writes and reads it, and our own numbers beside it.

    <output_dir>/<model>/<revision or main>/zero_shot/<backend>/<task>/<data>/
        best_temperature_report.txt     means in per cent by each column of the task, then the average
        predictions.json                the candidate that scores highest, item by item
        numbers.csv                     ours: every number with interval, counts, chance, length alone, and what the
                                        pipeline's rule (a tie is correct) makes of the same scores
        undecided.csv                   ours: ties, decisions too close to call, and what was left out and why

As in the pipeline, the average is over paradigms (entity tracking: over splits), but other columns are averaged over
items. Two differences: the model's folder is the whole last part of its name (the pipeline drops what follows the
last dot), and an item that could not be scored has an empty prediction and is in no average.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pairlens.analysis.items import sentences, undecided
from pairlens.analysis.summary import mean_of_means, metrics_under, summarise
from pairlens.files.tables import write_table, write_texts
from pairlens.metrics import METRICS
from pairlens.policies import Policy
from pairlens.statistics.candidates import sentence_values
from pairlens.statistics.choice import between
from pairlens.types import Item, Metric, Task

REPORT = "best_temperature_report.txt"
PREDICTIONS = "predictions.json"
NUMBERS = "numbers.csv"
UNDECIDED = "undecided.csv"
SECRET = "Its texts are not to be made public: hand the file in, do not put it online."
_REPORTED = ("share", "correlation")
"""Scales of metrics that the pipeline has a report for."""
_SECTIONS = ("field", "ratio", "UID")
"""The order of a report's blocks; other columns follow."""


def folder_for(output_dir: Path, model_name: str, revision: str, backend: str, task: str, data: Path) -> Path:
    """The pipeline's folder for a run; names cannot lead out of `output_dir`."""
    model, branch, name = Path(model_name).resolve().name, (revision or "main").replace("/", "-"), data.resolve().name
    for ending in (".gz", ".xz", ".jsonl"):
        name = name.removesuffix(ending)
    return output_dir / model / branch / "zero_shot" / backend / task / name


def write_babylm(
    folder: Path,
    candidates: pd.DataFrame,
    summary: pd.DataFrame,
    task: Task,
    policy: Policy,
    rule: str = "",
    temperature: float = 1.0,
    *,
    backend: str = "",
    items: Iterable[Item] = (),
) -> Path:
    """Write the four files of a run into its folder and return it; InputError if that cannot be written.

    `candidates` are scores at `temperature`, `summary` is theirs (`pairlens.analysis.summary`). Tasks that decide
    nothing (surprisals) get neither report nor predictions; those that prefer no candidate no predictions, nor do
    confidential ones, unless their `items` are given. Predictions of an earlier run are removed.
    """
    metric = METRICS[metrics_under(task, rule)[0 if name_under(task, policy) == task.name else -1]]
    labels = compared(task, policy, backend)
    predicted = with_texts(candidates, items) if items else candidates
    if labels:
        predicted = predicted[predicted["label"].isin(labels)]
    texts = {}
    if metric.scale in _REPORTED:
        decided = between(candidates, *labels, policy) if labels else metric.statistics(candidates, policy)
        texts[REPORT] = report(metric, decided, task, temperature)
    if texts and predicted["text"].notna().all() and "formula" not in candidates:
        texts[PREDICTIONS] = json.dumps(predictions(predicted, task, policy, rule), ensure_ascii=False)
    write_texts(folder, texts)
    if PREDICTIONS not in texts:
        (folder / PREDICTIONS).unlink(missing_ok=True)
    write_table(numbers(summary, candidates, task, policy, rule), folder / NUMBERS)
    write_table(undecided(candidates, task, policy, rule), folder / UNDECIDED)
    return folder


def name_under(task: Task, policy: Policy) -> str:
    """What the pipeline calls the task: in May 2025 `wug_adj` was `wug`, and an accuracy."""
    return task.aliases[0] if task.aliases and policy.framed else task.name


def compared(task: Task, policy: Policy, backend: str) -> tuple[str, str] | None:
    """The labels of the candidates that report and predictions are about, the right one first; None for all. What a
    backend of the pipeline compares otherwise is followed only under the policy that scores as it does.
    """
    usual = task.compared.get("")
    return usual if policy.decoder == "config" else task.compared.get(backend, usual)


def with_texts(candidates: pd.DataFrame, items: Iterable[Item]) -> pd.DataFrame:
    """The table with the contexts and texts of its candidates, which are not stored if they are confidential."""
    known = {(item.id, number): one for item in items for number, one in enumerate(item.candidates)}
    rows = [known[key] for key in zip(candidates["item"], candidates["candidate"], strict=True)]
    return candidates.assign(context=[row.context for row in rows], text=[row.text for row in rows])


def report(metric: Metric, statistics: pd.DataFrame, task: Task, temperature: float = 1.0) -> str:
    """The text of a report, from one row per item (`pairlens.metrics`), in the order of the rows."""
    lines = [f"TEMPERATURE: {temperature:.2f}", ""]
    if not metric.averages:
        rho = f"{metric.value(statistics[statistics['excluded'].isna()]):.2f}"
        lines += ["### UID SPEARMAN'S RHO", f"avg: {rho}", "", "### AVERAGE SPEARMAN'S RHO", rho, "\n"]
        return "\n".join(lines)
    columns = [name for name in (*task.groups, "ratio") if name in statistics and name not in task.averaged[:-1]]
    for section in sorted(columns, key=lambda name: [*_SECTIONS, name].index(name)):
        groups = statistics.dropna(subset=["correct"]).groupby(section, sort=False)["correct"]
        # as in the pipeline the sum is multiplied before it is divided, which decides how halves are rounded
        means = {str(name): 100.0 * float(part.sum()) / len(part) for name, part in groups}
        if section in task.averaged[-1:]:  # the means that are averaged next stand below those they are made of
            for column in task.averaged[:-1]:
                by_column = statistics.groupby(column, sort=False)
                # splits that the pipeline does not know stand after those that it knows, as they were read
                parts = sorted(by_column, key=lambda part: [*task.splits, part[0]].index(part[0]))
                means |= {str(name): 100 * mean_of_means(part, task.averaged) for name, part in parts}
        lines += [f"### {section.upper()} ACCURACY", *(f"{name}: {mean:.2f}" for name, mean in means.items()), ""]
    lines += ["### AVERAGE ACCURACY", f"{100 * mean_of_means(statistics, task.averaged):.2f}", "\n"]
    return "\n".join(lines)


def predictions(candidates: pd.DataFrame, task: Task, policy: Policy, rule: str = "") -> dict[str, dict[str, Any]]:
    """The candidate that scores highest (`joint`: its whole text), the first in a tie, numbered per paradigm."""
    valued = candidates.assign(value=sentence_values(candidates, policy))
    valued["unscored"] = valued["value"].isna().groupby(valued["item"]).transform("any")
    whole = task.prediction == "sentence" or rule == "joint"
    valued["pred"] = sentences(valued) if whole else valued["text"]
    best = valued.sort_values("value", ascending=False, kind="stable").drop_duplicates("item").set_index("item")
    best = best.loc[candidates["item"].unique()]
    rows = pd.DataFrame({"pred": best["pred"].mask(best["unscored"], "")})
    uids = best[task.averaged[-1]] if task.averaged else pd.Series(task.name, best.index)
    if "ratio" in best and name_under(task, policy) == task.name:
        logprobs = valued.pivot(index="item", columns="candidate", values="logprob").astype("float64")
        with np.errstate(invalid="ignore"):  # where a form has no score
            share = np.exp(logprobs.iloc[:, 0] - np.logaddexp.reduce(logprobs.to_numpy(), axis=1)).loc[rows.index]
        rows["prob"] = share.astype(object).mask(share.isna(), None)  # JSON has no NaN
        uids = uids.mask(uids.notna(), task.name)  # what the pipeline calls them, whatever the file's name
    return {
        str(name): {"predictions": part.assign(id=[f"{name}_{n}" for n in range(len(part))]).to_dict("records")}
        for name, part in rows.groupby(uids, sort=False)
    }


def numbers(
    summary: pd.DataFrame, candidates: pd.DataFrame, task: Task, policy: Policy, rule: str = ""
) -> pd.DataFrame:
    """A summary (`pairlens.analysis.summary`) with `ties_correct`: the value if ties count as correct, as there."""
    published = summarise(candidates, task, policy.but(ties="correct"), rule) if summary["ties"].any() else summary
    return summary.assign(ties_correct=published["value"])
