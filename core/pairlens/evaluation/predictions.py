"""Numbers from another program's predictions, without a model: its name is then only a label.

A file of the BabyLM pipeline, `predictions.json`, holds the preferred candidate of every item, paradigm by paradigm;
for wug tasks also the probability of the first. There are no margins, and a tie is known only between candidates of
one text.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from pairlens.analysis.summary import metrics_under, summarise
from pairlens.errors import InputError
from pairlens.files.tables import read_json, read_lines
from pairlens.metrics import METRICS
from pairlens.policies import preset
from pairlens.statistics.candidates import rows_of
from pairlens.types import Item, Task

POLICY = preset("babylm-2025")
"""The policy of such files: ties count as correct."""

Predictions = Mapping[str, Sequence[Mapping[str, Any]]]
"""By paradigm, the predictions of its items in reading order."""
_TEMPLATE = "template"


def read(path: Path) -> Predictions:
    """The predictions of a file, also as .gz or .xz; InputError, with the expected form, for any other file."""
    expected = '{"<UID>": {"predictions": [{"id": ..., "pred": ...}, ...]}}'
    content = read_json(path, expected)
    if not isinstance(content, dict) or not content:
        raise InputError(f"holds no predictions. Expected {expected}.", path.name)
    for uid, entry in content.items():
        listed = entry.get("predictions") if isinstance(entry, dict) else None
        if not isinstance(listed, list) or not all(isinstance(one, dict) and "pred" in one for one in listed):
            raise InputError(f"no list of predictions under '{uid}'. Expected {expected}.", path.name)
    return {uid: entry["predictions"] for uid, entry in content.items()}


def candidates_of(task: Task, items: Iterable[Item], predicted: Predictions) -> pd.DataFrame:
    """A candidate table (`pairlens.metrics`) whose `logprob` only marks the preferred candidate: 0, others -1; or the
    logarithms of the first candidate's probability and of its complement, where that is given.

    InputError if items and predictions are not of the same data; an item with an empty prediction has no scores. A
    single paradigm may have the task's name in the predictions, as newer versions of the pipeline name those of the
    wug tests.
    """
    column, labels = task.averaged[-1], task.compared.get("")
    by_uid: dict[str, list[Item]] = {}
    for item in items:
        known = tuple(candidate for candidate in item.candidates if not labels or candidate.label in labels)
        by_uid.setdefault(item.groups[column], []).append(replace(item, candidates=known))
    if [*predicted] == [task.name] and len(by_uid) == 1:
        by_uid = dict(zip(predicted, by_uid.values(), strict=True))
    if unknown := [uid for uid in predicted if uid not in by_uid]:
        raise InputError(f"predictions for '{unknown[0]}', which the data do not have: {', '.join(by_uid)}")
    rows: list[dict[str, object]] = []
    for uid, predictions in predicted.items():
        if (n := len(predictions)) != len(by_uid[uid]):
            raise InputError(f"{n:,} predictions for '{uid}', whose data are {len(by_uid[uid]):,} items")
        if len({prediction.get("prob") is None for prediction in predictions if _text(prediction)}) > 1:
            raise InputError(f"only some predictions for '{uid}' have a 'prob': give all of them one, or none")
        for item, prediction in zip(by_uid[uid], predictions, strict=True):
            item_rows = rows_of(item, _logprobs(item, prediction, uid, quoted=not task.confidential))
            rows.extend({**row, column: uid} for row in item_rows)
    return pd.DataFrame(rows)


def _logprobs(item: Item, prediction: Mapping[str, Any], uid: str, *, quoted: bool) -> list[float]:
    """A prediction names a candidate by the completion, or in older files by the sentence."""
    text, first = _text(prediction), prediction.get("prob")
    preferred = [
        text in (candidate.text.strip(), (candidate.context + candidate.text).strip())
        for candidate in item.candidates
    ]
    if text and not any(preferred):
        what = f"the prediction {text[:60]!r}" if quoted else "the prediction"
        raise InputError(f"{what} is none of the candidates of item '{item.id}'", uid)
    if first is not None:
        if isinstance(first, bool) or not isinstance(first, int | float) or not 0 <= first <= 1:
            raise InputError(f"'prob' of item '{item.id}' must be from 0 to 1, found {str(first)[:40]}", uid)
        if len(preferred) != 2:
            raise InputError(f"'prob' of item '{item.id}', which has {len(preferred)} candidates, not two", uid)
        return [math.log(share) if share > 0 else -math.inf for share in (first, 1 - first)]
    if not text:
        return [math.nan] * len(preferred)
    return [0.0 if one else -1.0 for one in preferred]


def _text(prediction: Mapping[str, Any]) -> str:
    return str(prediction["pred"]).strip()


def summary(candidates: pd.DataFrame, task: Task) -> pd.DataFrame:
    """A summary (`pairlens.analysis.summary`) of such a table, without what choices alone do not give; only the first
    metric of a task with more candidates than the pipeline compares.
    """
    known = metrics_under(task)[:1] if task.compared else ()
    table = summarise(candidates, task, POLICY, only=known).assign(length_only=math.nan)
    if knows_probabilities(candidates):
        return table
    return table[[METRICS[name].averages for name in table["name"]]].reset_index(drop=True)


def knows_probabilities(candidates: pd.DataFrame) -> bool:
    """Whether the table has probabilities, not only choices."""
    return not candidates["logprob"].dropna().isin((0.0, -1.0)).all()


def reported_metric(candidates: pd.DataFrame, task: Task) -> str:
    """The metric of the pipeline's report: the headline, or the last that choices alone give (an accuracy)."""
    names = metrics_under(task)
    if knows_probabilities(candidates) or METRICS[names[0]].averages:
        return names[0]
    return [name for name in names if METRICS[name].averages][-1]


def read_log_ratios(path: Path) -> list[float]:
    """The numbers of a file (.txt), also as .gz or .xz; InputError with file and line where there is none."""
    ratios = []
    for number, line in enumerate(read_lines(path), start=1):
        with suppress(ValueError):
            if math.isfinite(value := float(line)):
                ratios.append(value)
                continue
        raise InputError(f"expected a number alone, found {line[:40]!r}.", f"{path.name}, line {number}")
    return ratios


def log_ratio_candidates(items: Sequence[Item], path: Path) -> pd.DataFrame:
    """A candidate table (`pairlens.metrics`): the first candidate has the logarithm of the ratio, in nats, the other
    0.

    Of a sentence under several templates, the file's name stands for the one that the numbers are of. InputError if
    there are not as many numbers as sentences.
    """
    values = read_log_ratios(path)
    sentences = [item for item in items if item.groups.get(_TEMPLATE) == items[0].groups.get(_TEMPLATE)]
    if (n := len(values)) != len(sentences):
        fault = f"{n:,} numbers, but the data are {len(sentences):,} sentences: give the data they are of."
        raise InputError(fault, path.name)
    rows: list[dict[str, object]] = []
    for item, value in zip(sentences, values, strict=True):
        groups = {**item.groups, _TEMPLATE: path.stem} if _TEMPLATE in item.groups else item.groups
        rows.extend(rows_of(replace(item, groups=groups), [value * math.log(10), 0.0]))
    return pd.DataFrame(rows)
