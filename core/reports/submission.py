"""One file out of many results, as a challenge wants it handed in, and what it still lacks.

The results lie in the folders of the BabyLM pipeline (`core.runs.formats`), whether Pairlens or the pipeline itself
wrote them. Nothing is made up: what is not there is listed, a checkpoint that was not evaluated is null in its list.
"""

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from core.analysis import reading
from core.analysis.summary import metrics_under
from core.errors import InputError
from core.files.suites import Elsewhere, Entry, Suite, check_sizes, compare_sizes
from core.files.tables import read_json, write_texts
from core.metrics import METRICS
from core.runs import predictions
from core.runs.formats import REPORT, SECRET
from core.tasks import TASKS
from core.types import Item, Metric, Task

FAST = "fast_eval_results"
PRESENT, FAULTY, MISSING, ELSEWHERE = "present", "faulty", "missing", "not covered here"
_EXPECTED = '{"<UID>": {"predictions": [...]}}, or for age of acquisition {"results": [{"step": ...}, ...]}'
_NAMED = 3


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a submission: the key of a benchmark, `full` or `fast` or neither, its state, and what to know."""

    key: str
    items: str
    state: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Submission:
    """What is there of a submission: the content of the file that is handed in, and every piece it should have."""

    home: Path
    content: Mapping[str, Any]
    pieces: tuple[Piece, ...]


def gather(
    results_dir: Path,
    model: str,
    backend: str,
    suite: Suite,
    *,
    revision: str = "main",
    checkpoints: Sequence[str] = (),
    evaluation_data: Path = Path("evaluation_data"),
) -> Submission:
    """What lies in a model's folder of results. Predictions on the full sets are those of `revision`.

    With `checkpoints`, the names of their revisions in order, `fast_eval_results` has a list per benchmark with what
    each checkpoint reaches, as shares of 1 by paradigm; for that the `evaluation_data` are read too. InputError if
    the model has no results.
    """
    home = model_folder(results_dir, model)
    results = {entry.key: _entry(entry, home / revision, backend, checkpoints) for entry in suite.entries}
    results |= {other.key: _other(other, home / revision, backend) for other in suite.elsewhere}
    content: dict[str, Any] = {key: predicted for key, (predicted, _) in results.items() if predicted}
    pieces = [piece for _, piece in results.values()]
    if not checkpoints:
        return Submission(home, content, (*pieces, Piece(FAST, "fast", MISSING, "no checkpoints were asked for.")))
    lists, fast_pieces = _fast_results(home, backend, suite, checkpoints, evaluation_data)
    return Submission(home, content | ({FAST: lists} if lists else {}), (*pieces, *fast_pieces))


def collate(submission: Submission, suite: Suite, backend: str) -> Path:
    """Write the file that is handed in, into the model's folder; InputError if it cannot be written."""
    name = suite.collated.format(backend=backend)
    write_texts(submission.home, {name: json.dumps(submission.content)})
    return submission.home / name


def model_folder(results_dir: Path, model: str) -> Path:
    """Where a model's results lie: under the last part of its name, or under what the pipeline makes of it.

    The pipeline drops what follows the last dot. InputError, with the folders that are there, if there is none.
    """
    named = Path(model).resolve().name
    for name in (named, named.partition("@")[0], Path(named).stem):
        if (results_dir / name).is_dir():
            return results_dir / name
    there = sorted(folder.name for folder in results_dir.glob("*/"))
    raise InputError(f"there are no results of '{named}', but of {', '.join(there) or 'none'}", str(results_dir))


def what_is_missing(pieces: Sequence[Piece]) -> pd.DataFrame:
    """What a submission still needs: columns key, items, state, note; what is missing first, what is present last."""
    order = [MISSING, FAULTY, ELSEWHERE, PRESENT]
    rows = sorted(pieces, key=lambda piece: order.index(piece.state))
    return pd.DataFrame(
        [(one.key, one.items, one.state, one.note) for one in rows], columns=["key", "items", "state", "note"]
    )


def _entry(entry: Entry, folder: Path, backend: str, checkpoints: Sequence[str]) -> tuple[dict[str, Any], Piece]:
    taken = take(folder, [entry.full.results_of(backend)])
    task = TASKS[entry.task]
    names = checkpoints if task.prediction == "checkpoints" else ()
    faults = check_sizes(entry, counts(taken.content), names=names) if taken.content else []
    faults += unscored(entry.key, taken.content)
    missing = [*taken.missing, *kept_back(task, folder / entry.full.results_of(backend))]
    piece = judged(entry.key, "full", missing, [*taken.faults, *faults])
    if taken.content and task.confidential:
        piece = replace(piece, note=f"{piece.note} {SECRET}".lstrip())
    return taken.content, piece


def _other(other: Elsewhere, folder: Path, backend: str) -> tuple[dict[str, Any], Piece]:
    taken = take(folder, [path.format(backend=backend) for path in other.results])
    if not taken.content and not taken.faults:
        return {}, Piece(other.key, "", ELSEWHERE, f"{other.why}.")
    sizes = {name: n for name, n in other.sizes.items() if name in taken.content}
    faults = compare_sizes(other.key, counts(taken.content), sizes)
    return taken.content, judged(other.key, "full", taken.missing, [*taken.faults, *faults])


@dataclass(frozen=True, slots=True)
class Reached:
    """What one checkpoint reaches, by paradigm; None without usable predictions. `fault` says what is wrong.

    `absent` is why there are no predictions, where that is known.
    """

    values: dict[str, float | None] | None
    fault: str = ""
    absent: tuple[str, ...] = ()


def _fast_results(
    home: Path, backend: str, suite: Suite, checkpoints: Sequence[str], evaluation_data: Path
) -> tuple[dict[str, list[Any]], list[Piece]]:
    """By key, one entry per checkpoint in their order, None where there is nothing; and how each piece is.

    Keys of which no checkpoint has anything are left out. `home` is the folder of the model.
    """
    lists: dict[str, list[Any]] = {}
    pieces: list[Piece] = []
    for part in suite.parts(evaluation_data, fast=True):
        entry = part.entry
        if part.path is None:
            pieces.append(Piece(entry.key, "fast", MISSING, f"its data are not at {part.expected}."))
            continue
        items = list(TASKS[entry.task].read(part.path))
        results = {name: _reached(entry, items, home / name, backend) for name in checkpoints}
        if any(result.values for result in results.values()):
            lists[entry.key] = [result.values for result in results.values()]
        lacking = [name for name, result in results.items() if result.values is None and not result.fault]
        absent = f"{len(lacking)} of {len(results)} checkpoints are not evaluated: {', '.join(lacking)}."
        why = dict.fromkeys(reason for result in results.values() for reason in result.absent)
        faults = [f"{name}: {result.fault}" for name, result in results.items() if result.fault]
        pieces.append(judged(entry.key, "fast", [absent, *why] if lacking else [], faults))
    return lists, pieces


def _reached(entry: Entry, items: Sequence[Item], folder: Path, backend: str) -> Reached:
    path = folder / entry.fast.results_of(backend) if entry.fast else folder
    task = TASKS[entry.task]
    if not path.is_file():
        return Reached(None, absent=tuple(kept_back(task, path)))
    try:
        if task.prediction == "surprisal":
            candidates = reading.candidate_table(reading.read_predictions(path), items)
        else:
            candidates = predictions.candidates_of(task, items, predictions.read(path))
        sizes = {str(uid): part["item"].nunique() for uid, part in candidates.groupby(task.averaged[-1])}
        return Reached(dict(_values(entry, task, candidates)), " ".join(check_sizes(entry, sizes, fast=True)))
    except InputError as error:
        reason = f"{path} does not fit the data" if task.confidential else str(error).rstrip(".")
        return Reached(None, f"{reason}.")


def _values(entry: Entry, task: Task, candidates: pd.DataFrame) -> Iterator[tuple[str, float | None]]:
    """The numbers of predictions by the rules of the BabyLM pipeline: ties are correct."""
    if entry.values:
        for name, of in entry.values.items():
            yield name, _value(METRICS[of], candidates)
        return
    metric = METRICS[metrics_under(task)[0]]
    if not (metric.averages or predictions.knows_probabilities(candidates)):
        raise InputError(f"{metric.title} needs the probability of every prediction ('prob')")
    for uid, part in candidates.groupby(task.averaged[-1], sort=False):
        yield str(uid), _value(metric, part)


def _value(metric: Metric, candidates: pd.DataFrame) -> float | None:
    statistics = metric.statistics(candidates, predictions.POLICY)
    value = metric.value(statistics[statistics["excluded"].isna()])
    return None if math.isnan(value) else value


@dataclass(frozen=True, slots=True)
class Taken:
    """What some files hold together, a sentence for each that is not there, and one for each that cannot be read."""

    content: dict[str, Any]
    missing: tuple[str, ...]
    faults: tuple[str, ...]


def take(folder: Path, paths: Sequence[str]) -> Taken:
    """The contents of these files below a folder, as far as they are there and in the format."""
    content: dict[str, Any] = {}
    missing: list[str] = []
    faults: list[str] = []
    for path in paths:
        if not (folder / path).is_file():
            missing.append(f"there is no {folder / path}.")
            continue
        try:
            content |= _read(folder / path)
        except InputError as error:
            faults.append(str(error))
    return Taken(content, tuple(missing), tuple(faults))


def kept_back(task: Task, path: Path) -> list[str]:
    """Why a confidential task has no predictions at this path although it was run, as a report there tells."""
    if not task.confidential or path.is_file() or not (path.parent / REPORT).is_file():
        return []
    return [f"{task.title} was run, but predictions hold its texts: they are written only with --write-confidential."]


def counts(content: Mapping[str, Any]) -> dict[str, int]:
    """How many predictions there are by paradigm, or by checkpoint for age of acquisition."""
    if isinstance(content.get("results"), list):
        return dict(Counter(str(result["step"]) for result in content["results"]))
    return {uid: len(entry["predictions"]) for uid, entry in content.items()}


def unscored(key: str, content: Mapping[str, Any]) -> list[str]:
    """A sentence if predictions are empty, as Pairlens writes them for items that could not be scored."""
    rows = (
        row for entry in content.values() for row in (entry.get("predictions", ()) if type(entry) is dict else ())
    )
    n = sum(row.get("pred") == "" for row in rows)
    return [f"{key}: {n:,} predictions are empty, these items could not be scored."] if n else []


def judged(key: str, items: str, missing: Sequence[str], faults: Sequence[str]) -> Piece:
    """The piece for which this was found: missing if anything is, else faulty or present, with the first reasons."""
    reasons = [*missing, *faults]
    more = f" And {len(reasons) - _NAMED} more." if len(reasons) > _NAMED else ""
    state = MISSING if missing else FAULTY if faults else PRESENT
    return Piece(key, items, state, " ".join(reasons[:_NAMED]) + more)


def _read(path: Path) -> dict[str, Any]:
    content = read_json(path, _EXPECTED, nan=True)
    try:
        counts(content)
        unscored("", content)
    except (TypeError, KeyError, AttributeError):
        raise InputError(f"expected {_EXPECTED}.", str(path)) from None
    return dict(content)
