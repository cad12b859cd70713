"""Numbers from another program's predictions, without a model: its name is then only a label.

A file of the BabyLM pipeline, `predictions.json`, holds the preferred candidate of every item, paradigm by paradigm;
for wug tasks also the probability of the first. Only these choices are known: there are no margins, and a tie is
known only where an item's candidates are the same text.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from core.analysis.summary import metrics_under, summarise
from core.errors import InputError
from core.files.tables import read_json, read_lines
from core.metrics import METRICS
from core.policies import preset
from core.statistics.candidates import rows_of
from core.types import Item, Task

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
    """A candidate table (`core.metrics`) whose `logprob` only marks the preferred candidate: 0, others -1.

    Where the probability of the first candidate is given, `logprob` has its logarithm and that of the complement.
    Paradigms keep the order of the predictions. InputError if items and predictions are not of the same data; an item
    with an empty prediction has no scores. A single paradigm may have the task's name in the predictions, as newer
    versions of the pipeline name those of the wug tests.
    """
    column, labels = task.averaged[-1], task.compared.get("")
    by_uid: dict[str, list[Item]] = {}
    for item in items:
        known = tuple(one for one in item.candidates if not labels or one.label in labels)
        by_uid.setdefault(item.groups[column], []).append(replace(item, candidates=known))
    if [*predicted] == [task.name] and len(by_uid) == 1:
        by_uid = dict(zip(predicted, by_uid.values(), strict=True))
    if unknown := [uid for uid in predicted if uid not in by_uid]:
        raise InputError(f"predictions for '{unknown[0]}', which the data do not have: {', '.join(by_uid)}")
    rows: list[dict[str, object]] = []
    for uid, predictions in predicted.items():
        if len(predictions) != len(by_uid[uid]):
            raise InputError(
                f"{len(predictions):,} predictions for '{uid}', whose data are {len(by_uid[uid]):,} items"
            )
        if len({one.get("prob") is None for one in predictions if _text(one)}) > 1:
            raise InputError(f"only some predictions for '{uid}' have a 'prob': give all of them one, or none")
        for item, prediction in zip(by_uid[uid], predictions, strict=True):
            item_rows = rows_of(item, _logprobs(item, prediction, uid, quoted=not task.confidential))
            rows.extend({**row, column: uid} for row in item_rows)
    return pd.DataFrame(rows)


def _logprobs(item: Item, prediction: Mapping[str, Any], uid: str, *, quoted: bool) -> list[float]:
    """A prediction names a candidate by the completion, or in older files by the sentence."""
    text, first = _text(prediction), prediction.get("prob")
    preferred = [text in (one.text.strip(), (one.context + one.text).strip()) for one in item.candidates]
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
    """A summary (`core.analysis.summary`) of such a table, without the numbers that choices alone do not give.

    Without probabilities there is no correlation with people; numbers of tokens are unknown. Of a task with more
    candidates than the pipeline compares, only its first metric is known.
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
    """The metric of the pipeline's report: the headline, or the last one that choices alone give if no more is known.

    For wug tasks that is the accuracy that the pipeline had before.
    """
    names = metrics_under(task)
    if knows_probabilities(candidates) or METRICS[names[0]].averages:
        return names[0]
    return [name for name in names if METRICS[name].averages][-1]


def read_log_ratios(path: Path) -> list[float]:
    """The numbers of a file (.txt), also as .gz or .xz; InputError with file and line where there is none."""
    ratios = []
    for number, line in enumerate(read_lines(path), start=1):
        try:
            value = float(line)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise InputError(f"expected a number alone, found {line[:40]!r}.", f"{path.name}, line {number}")
        ratios.append(value)
    return ratios


def log_ratio_candidates(items: Sequence[Item], path: Path) -> pd.DataFrame:
    """A candidate table (`core.metrics`): the first candidate has the logarithm of the ratio, in nats, the other 0.

    Where each sentence is an item under several templates, the scores are of one of them; which, the numbers do not
    say, so that the file's name stands for it. InputError if there are not as many numbers as sentences.
    """
    values = read_log_ratios(path)
    asked = [item for item in items if item.groups.get(_TEMPLATE) == items[0].groups.get(_TEMPLATE)]
    if len(values) != len(asked):
        raise InputError(
            f"{len(values):,} numbers, but the data are {len(asked):,} sentences: give the data they are of.",
            path.name,
        )
    rows: list[dict[str, object]] = []
    for item, value in zip(asked, values, strict=True):
        groups = {**item.groups, _TEMPLATE: path.stem} if _TEMPLATE in item.groups else item.groups
        rows.extend(rows_of(replace(item, groups=groups), [value * math.log(10), 0.0]))
    return pd.DataFrame(rows)
