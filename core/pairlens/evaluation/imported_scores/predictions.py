"""Predictions that do not say what they predict: they are stored with the items of the data that they are of."""

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pandas as pd

from pairlens.errors import InputError
from pairlens.evaluation import formats
from pairlens.evaluation.imported_scores.logs import figures_of, unscored
from pairlens.evaluation.imported_scores.texts import Stated
from pairlens.evaluation.predictions import POLICY, candidates_of, knows_probabilities, read, reported_metric
from pairlens.evaluation.readers import items_of, readers
from pairlens.files.logs import Figure
from pairlens.files.stereoset.as_items import items as items_in
from pairlens.files.stereoset.predictions import read_predictions
from pairlens.files.stereoset.reading import read_examples
from pairlens.files.tables import files, read_lines
from pairlens.metrics import METRICS
from pairlens.statistics.verdicts import VERDICT
from pairlens.tasks import TASKS
from pairlens.tasks.stereoset import ENDINGS
from pairlens.types import Item, Task, TokenScores


def babylm(predictions: Path, data: Path, model: str) -> Stated:
    """Predictions of BabyLM's pipeline as verdicts on the items of `data`; the report beside them is compared.

    InputError if they are not of these data, or where their texts must not be kept.
    """
    task = _task(data)
    predicted, items = read(predictions), list(items_of(task, data))
    table = candidates_of(task, items, predicted)
    metric = METRICS[reported_metric(table, task)]
    decided = metric.statistics(table, POLICY)
    report = predictions.with_name(formats.REPORT)
    printed = read_lines(report) if report.is_file() else []
    figures = _same_lines(printed, formats.report(metric, decided, task).splitlines()) if printed else []
    about = {"program": "BabyLM's pipeline", "data": data.name, **figures_of(figures)}
    if knows_probabilities(table):
        known = {(row["context"], row["text"]): row["logprob"] for row in table.to_dict("records")}
        scores = {key: replace(one, logprobs=(known[key],)) for key, one in unscored(items).items() if key in known}
        return Stated(pd.DataFrame(), scores, model, about=about, items=tuple(items), task=task.name)
    verdicts = decided.set_index("item")["correct"].map(lambda value: "" if pd.isna(value) else f"{value:g}")
    uid = task.averaged[-1]
    judged = tuple(
        Item(
            item.id, item.candidates, item.gold, {**item.groups, "UID": item.groups[uid], VERDICT: verdicts[item.id]}
        )
        for item in items
        if item.id in verdicts.index
    )
    return Stated(pd.DataFrame(), unscored(judged), model, about=about, items=judged, task="answers")


def _task(data: Path) -> Task:
    known = [
        TASKS[name] for name in readers(data) if TASKS[name].averaged and TASKS[name].prediction != "checkpoints"
    ]
    if not known:
        raise InputError("no benchmark of BabyLM reads these data.", data.name)
    if known[0].confidential:
        what = f"the texts of {known[0].title} must not be kept"
        raise InputError(f"{what}: `zero-shot --from_predictions` gives the numbers without keeping them.", data.name)
    return known[0]


def _same_lines(printed: list[str], computed: list[str]) -> list[Figure]:
    """The numbers of the pipeline's report beside ours, by section and name."""
    ours, figures = _numbers(computed), []
    for name, value in _numbers(printed).items():
        figures.append(Figure(name, value, ours.get(name), "the data have no such group"))
    return figures


def _numbers(lines: list[str]) -> Mapping[str, float]:
    numbers, section = dict[str, float](), ""
    for line in lines:
        section = line.strip("# ") if line.startswith("#") else section
        name, _, value = line.rpartition(":")
        if section and line.strip() and not line.startswith("#"):
            numbers[f"{section} {name}".strip()] = float(value)
    return numbers


def stereoset(predictions: Path, data: Path, model: str) -> Stated:
    """Predictions of StereoSet's programs as scores of the sentences of `data`.

    Scores from 0 to 1 are taken as probabilities, others as they are: only the order within an example decides.
    """
    by_kind = read_predictions(predictions).by_kind
    scores: dict[tuple[str, str], TokenScores] = {}
    items: list[Item] = []
    examples = read_examples(*files(data, ENDINGS))
    for example, item in zip(examples, items_in(examples), strict=True):
        known = by_kind[example.kind]
        values = [known[candidate.id] for candidate in example.candidates if candidate.id in known]
        if len(values) < len(item.candidates):
            continue
        items.append(item)
        for (key, unknown), value in zip(unscored([item]).items(), values, strict=True):
            scores[key] = replace(unknown, logprobs=(_logarithm(value, predictions.name),))
    if not items:
        raise InputError("no score has the id of a sentence of these data.", predictions.name)
    about = {"program": "StereoSet's programs", "data": data.name}
    return Stated(pd.DataFrame(), scores, model, about=about, items=tuple(items), task="stereoset")


def _logarithm(score: float, where: str) -> float:
    if score > 1:
        raise InputError(f"a score of {score:g} is neither a probability nor a logarithm of one.", where)
    return math.log(score) if score > 0 else score or math.nan
