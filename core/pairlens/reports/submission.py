"""One file out of many results, as a challenge wants it handed in, and what it still lacks.

The results lie in the folders of the BabyLM pipeline (`pairlens.evaluation.formats`); what is not there is listed.
"""

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path
from typing import Any

import pandas as pd

from pairlens.analysis import reading
from pairlens.analysis.summary import metrics_under
from pairlens.errors import InputError
from pairlens.evaluation import predictions
from pairlens.evaluation.formats import REPORT, SECRET
from pairlens.files.suites import Elsewhere, Entry, Part, Suite, check_sizes, compare_sizes
from pairlens.files.tables import read_json, write_texts
from pairlens.metrics import METRICS
from pairlens.tasks import TASKS
from pairlens.types import Item, Metric, Task

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
    begun: bool = True,
) -> Submission:
    """What lies in a model's folder of results; predictions on the full sets are those of `revision`.

    With `checkpoints` (revisions in order), `fast_eval_results` has a list per benchmark with what each reaches, as
    shares of 1 by paradigm, for which `evaluation_data` are read. InputError if the run that has `begun`
    left none.
    """
    home = model_folder(results_dir, model, begun=begun)
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


def model_folder(results_dir: Path, model: str, *, begun: bool = True) -> Path:
    """Where a model's results lie (the pipeline drops what follows the last dot), or, before a run has `begun`, will
    lie; InputError with those there are.
    """
    named = Path(model).resolve().name
    for name in (named, named.partition("@")[0], Path(named).stem):
        if (results_dir / name).is_dir():
            return results_dir / name
    if not begun:
        return results_dir / named
    there = sorted(folder.name for folder in results_dir.glob("*/"))
    raise InputError(f"there are no results of '{named}', but of {', '.join(there) or 'none'}", str(results_dir))


def what_is_missing(pieces: Sequence[Piece]) -> pd.DataFrame:
    """What a submission still needs: columns key, items, state, note; what is missing first, what is present last."""
    rows = sorted(pieces, key=lambda piece: (MISSING, FAULTY, ELSEWHERE, PRESENT).index(piece.state))
    return pd.DataFrame(map(astuple, rows), columns=[field.name for field in fields(Piece)])


def why_not_run(part: Part, n_checkpoints: int) -> str:
    """Why a benchmark of a suite cannot be run on so many checkpoints; empty if it can."""
    if part.path is None:
        return f"its data are not at {part.expected}"
    several = TASKS[part.entry.task].prediction == "checkpoints"
    return "it needs several checkpoints" if several and n_checkpoints < 2 else ""


Taken = tuple[dict[str, Any], list[str], list[str]]
"""What some files hold together, a sentence for each that is not there, and one for each that is at fault."""


def _entry(entry: Entry, folder: Path, backend: str, checkpoints: Sequence[str]) -> tuple[dict[str, Any], Piece]:
    task, path = TASKS[entry.task], entry.full.results_of(backend)
    content, missing, faults = _take(folder, [path])
    names = checkpoints if task.prediction == "checkpoints" else ()
    if content:
        faults += check_sizes(entry, _counts(content), names=names) + _unscored(entry.key, content)
    piece = _judged(entry.key, "full", [*missing, *_kept_back(task, folder / path)], faults)
    if content and task.confidential:
        piece = replace(piece, note=f"{piece.note} {SECRET}".lstrip())
    return content, piece


def _other(other: Elsewhere, folder: Path, backend: str) -> tuple[dict[str, Any], Piece]:
    content, missing, faults = _take(folder, [path.format(backend=backend) for path in other.results])
    if not content and not faults:
        return {}, Piece(other.key, "", ELSEWHERE, f"{other.why}.")
    sizes = {name: n for name, n in other.sizes.items() if name in content}
    return content, _judged(other.key, "full", missing, [*faults, *compare_sizes(other.key, _counts(content), sizes)])


def _fast_results(
    home: Path, backend: str, suite: Suite, checkpoints: Sequence[str], evaluation_data: Path
) -> tuple[dict[str, list[Any]], list[Piece]]:
    """By key, if any has something, an entry per checkpoint of the model's folder (None: nothing); and the pieces."""
    lists: dict[str, list[Any]] = {}
    pieces: list[Piece] = []
    for part in suite.parts(evaluation_data, fast=True):
        entry = part.entry
        if part.path is None:
            pieces.append(Piece(entry.key, "fast", MISSING, f"its data are not at {part.expected}."))
            continue
        items = list(TASKS[entry.task].read(part.path))
        results = {name: _reached(entry, items, home / name, backend) for name in checkpoints}
        if any(values for values, _, _ in results.values()):
            lists[entry.key] = [values for values, _, _ in results.values()]
        lacking = [name for name, (values, _, fault) in results.items() if values is None and not fault]
        absent = f"{len(lacking)} of {len(results)} checkpoints are not evaluated: {', '.join(lacking)}."
        why = dict.fromkeys(reason for _, reasons, _ in results.values() for reason in reasons)
        faults = [f"{name}: {fault}" for name, (_, _, fault) in results.items() if fault]
        pieces.append(_judged(entry.key, "fast", [absent, *why] if lacking else [], faults))
    return lists, pieces


def _reached(
    entry: Entry, items: Sequence[Item], folder: Path, backend: str
) -> tuple[dict[str, float | None] | None, list[str], str]:
    """What one checkpoint reaches, by paradigm (None without usable predictions), why it has none, what is wrong."""
    path = folder / entry.fast.results_of(backend) if entry.fast else folder
    task = TASKS[entry.task]
    if not path.is_file():
        return None, _kept_back(task, path), ""
    try:
        if task.prediction == "surprisal":
            candidates = reading.candidate_table(reading.read_predictions(path), items)
        else:
            candidates = predictions.candidates_of(task, items, predictions.read(path))
        sizes = {str(uid): part["item"].nunique() for uid, part in candidates.groupby(task.averaged[-1])}
        return dict(_values(entry, task, candidates)), [], " ".join(check_sizes(entry, sizes, fast=True))
    except InputError as error:
        reason = f"{path} does not fit the data" if task.confidential else str(error).rstrip(".")
        return None, [], f"{reason}."


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


def _take(folder: Path, paths: Sequence[str]) -> Taken:
    """The contents of these files below a folder, as far as they are there and in the format."""
    content: dict[str, Any] = {}
    missing = [f"there is no {folder / path}." for path in paths if not (folder / path).is_file()]
    faults: list[str] = []
    for path in (folder / path for path in paths if (folder / path).is_file()):
        try:
            content |= _read(path)
        except InputError as error:
            faults.append(str(error))
    return content, missing, faults


def _kept_back(task: Task, path: Path) -> list[str]:
    """Why a confidential task has no predictions at this path although it was run, as a report there tells."""
    if not task.confidential or path.is_file() or not (path.parent / REPORT).is_file():
        return []
    return [f"{task.title} was run, but predictions hold its texts: they are written only with --write-confidential."]


def _counts(content: Mapping[str, Any]) -> dict[str, int]:
    """How many predictions there are by paradigm, or by checkpoint for age of acquisition."""
    if isinstance(content.get("results"), list):
        return dict(Counter(str(result["step"]) for result in content["results"]))
    return {uid: len(entry["predictions"]) for uid, entry in content.items()}


def _unscored(key: str, content: Mapping[str, Any]) -> list[str]:
    """A sentence if predictions are empty, as Pairlens writes them for items that could not be scored."""
    entries = (entry for entry in content.values() if type(entry) is dict)
    n = sum(row.get("pred") == "" for entry in entries for row in entry.get("predictions", ()))
    return [f"{key}: {n:,} predictions are empty, these items could not be scored."] if n else []


def _judged(key: str, items: str, missing: Sequence[str], faults: Sequence[str]) -> Piece:
    """A piece is missing if anything of it is, else faulty or present; with the first reasons."""
    reasons = [*missing, *faults]
    more = f" And {len(reasons) - _NAMED} more." if len(reasons) > _NAMED else ""
    state = MISSING if missing else FAULTY if faults else PRESENT
    return Piece(key, items, state, " ".join(reasons[:_NAMED]) + more)


def _read(path: Path) -> dict[str, Any]:
    content = read_json(path, _EXPECTED, nan=True)
    try:
        _counts(content)
        _unscored("", content)
    except (TypeError, KeyError, AttributeError):
        raise InputError(f"expected {_EXPECTED}.", str(path)) from None
    return dict(content)
