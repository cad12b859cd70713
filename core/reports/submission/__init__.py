"""One file out of many results, as a challenge wants it handed in, and what it still lacks.

`pieces` reads the result files of a model's revision, and what every checkpoint reaches on the fast sets.

The results lie in the folders of the BabyLM pipeline (`core.runs.formats`), whether Pairlens or the pipeline itself
wrote them. Nothing is made up: what is not there is listed, a checkpoint that was not evaluated is null in its list.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from core.errors import InputError
from core.files.suites import Elsewhere, Entry, Suite, check_sizes, compare_sizes
from core.files.tables import write_texts
from core.reports.submission.pieces import (
    ELSEWHERE,
    FAULTY,
    MISSING,
    PRESENT,
    Piece,
    counts,
    fast_results,
    judged,
    kept_back,
    take,
    unscored,
)
from core.runs.formats import SECRET
from core.tasks import TASKS

FAST = "fast_eval_results"


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
    content, pieces = _full(home / revision, backend, suite, checkpoints)
    if not checkpoints:
        return Submission(home, content, (*pieces, Piece(FAST, "fast", MISSING, "no checkpoints were asked for.")))
    lists, fast_pieces = fast_results(home, backend, suite, checkpoints, evaluation_data)
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


def _full(folder: Path, backend: str, suite: Suite, checkpoints: Sequence[str]) -> tuple[dict[str, Any], list[Piece]]:
    """What the final model predicts, by key."""
    content: dict[str, Any] = {}
    pieces: list[Piece] = []
    for entry in suite.entries:
        found, piece = _entry(entry, folder, backend, checkpoints)
        content |= {entry.key: found} if found else {}
        pieces.append(piece)
    for other in suite.elsewhere:
        found, piece = _other(other, folder, backend)
        content |= {other.key: found} if found else {}
        pieces.append(piece)
    return content, pieces


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
