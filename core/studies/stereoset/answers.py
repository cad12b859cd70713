"""A model's answers to StereoSet out of finished runs: predictions and numbers under every definition."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from core import __version__
from core.files.stereoset.examples import Examples
from core.runs.receipts import sentences
from core.runs.receipts.bibtex import STATISTICS, keys_of_scores
from core.runs.receipts.scored_by import by_recipe
from core.statistics.few import CLUSTERED
from core.store import Store
from core.studies.stereoset.cases import CASES, WORD_VALUES, Definition, possible
from core.studies.stereoset.cells import AGGREGATIONS, FEWEST_TERMS
from core.studies.stereoset.measured import TIES, Measured, measure
from core.studies.stereoset.predictions import Predictions
from core.studies.stereoset.runs import TaskRequest, predictions
from core.tasks import TASKS


def usual(asked: Sequence[TaskRequest], wanted: Definition) -> Definition:
    """The definition that is wanted, without the choices that this way of asking does not leave."""
    cases = [one.only_case or wanted.case for one in asked if one.has_cases]
    has_words = any(one.model_class.words for one in asked)
    return Definition(cases[0] if cases else "", wanted.words if has_words else "")


def answers(
    asked: Sequence[TaskRequest], store: Store, examples: Examples, wanted: Definition, ties: str, name: str
) -> dict[Definition, tuple[Predictions, Measured]]:
    """By definition, the one that is wanted first. The runs of all that was asked must be finished."""
    reasons = dict(_reasons(asked, store))
    first, only = usual(asked, wanted), any(one.only_case for one in asked)
    defined = [one for one in possible(first) if not only or one.case == first.case]
    by_words: dict[str, dict[str, Predictions]] = {}
    for words in dict.fromkeys(one.words for one in defined):  # the runs are read once for all cases
        worded = [
            replace(each, combination=replace(each.combination, words=words)) if words else each for each in asked
        ]
        cases = [one.case or wanted.case for one in defined if one.words == words]
        by_words[words] = predictions(worded, store, cases, name)
    found = {}
    for one in defined:
        scores = by_words[one.words][one.case or wanted.case]
        measured = measure(examples, scores, ties)
        left_out = [replace(remark, text=reasons.get(remark.where, remark.text)) for remark in measured.left_out]
        found[one] = scores, replace(measured, left_out=tuple(left_out))
    return found


def missing(asked: TaskRequest, store: Store) -> int:
    """How many texts the store cannot answer yet, with the ends of texts where they count."""
    planned = asked.planned
    known = store.known(planned.recipe.fingerprint, boundary=asked.extras.boundary, keys=planned.requests)
    return len(planned.requests.keys() - known)


def methods_of_runs(asked: Sequence[TaskRequest], definition: Definition) -> str:
    """What was scored, with what and how, in sentences that a paper can print."""
    return " ".join(_method(one, definition) for one in asked)


def receipt_of_runs(
    asked: Sequence[TaskRequest], store: Store, definition: Definition, measured: Measured, examples: Examples
) -> dict[str, Any]:
    """What went into a model's numbers: the runs by task, the signatures, every number; as plain values."""
    return {
        "signature": " · ".join(one.signature(definition.case) for one in asked),
        "runs": {one.task: dict(store.manifest(one.planned.run_id)) for one in asked},
        **numbers(measured, examples),
    }


def keys(asked: Sequence[TaskRequest]) -> list[str]:
    """What to cite (`core.runs.receipts.bibtex`)."""
    scored = [key for one in asked for key in keys_of_scores(by_recipe(one.planned.recipe))]
    return [*TASKS["stereoset"].cites, *scored, *STATISTICS[CLUSTERED], *STATISTICS["MOVER"]]


def _method(one: TaskRequest, definition: Definition) -> str:
    what = one.model_class.about
    if one.has_cases:
        case = CASES[definition.case]
        what = f"case {case.letter}, {case.formula} with A the context and B the candidate, geometric means per token"
    elif one.model_class.words:
        what = f"{what}, {WORD_VALUES[definition.words]}"
    return sentences.sentence(
        sentences.computed(by_recipe(one.planned.recipe)),
        f"{one.task} candidates in the format of StereoSet (sha256 {one.planned.data[:12]})",
        what,
    )


def _reasons(asked: Sequence[TaskRequest], store: Store) -> Iterator[tuple[str, str]]:
    """Why examples were not asked about or could not be scored, by where measuring names them."""
    for one in asked:
        yield from ((remark.where, remark.text) for remark in one.left_out)
        refused = store.manifest(one.planned.run_id).get("refused") or {}
        yield from ((f"{one.task} {item}", reason) for item, reason in refused.items())


def numbers(measured: Measured, examples: Examples) -> dict[str, Any]:
    """What was measured, with every number; what there is no number for is null."""
    rows = measured.table().drop(columns="model").to_dict("records")
    return {
        "predictions": measured.name,
        "pairlens": __version__,
        "language": examples.language,
        "examples": {kind: len(found) for kind, found in examples.by_kind.items()},
        "measured": {kind: measured.cell(kind).n for kind in measured.kinds},
        "left_out": [str(remark) for remark in measured.left_out],
        "ties": measured.ties,
        "numbers": [{name: _plain(value) for name, value in row.items()} for row in rows],
    }


def methods(measured: Measured) -> str:
    """What was done with the scores, in sentences."""
    counted = "; ".join(_sentence(measured, kind) for kind in measured.kinds)
    return (
        f"LMS, SS and ICAT (Nadeem, Bethke & Reddy 2021) were computed in Pairlens {__version__}: {counted}. "
        f"Numbers are {AGGREGATIONS['term_means']}, 95 % intervals over target terms (from {FEWEST_TERMS} terms on), "
        f"that of ICAT from those of LMS and SS (Zou & Donner 2008); {TIES[measured.ties]}. "
        f"{len(measured.left_out):,} examples left out."
    )


def _sentence(measured: Measured, kind: str) -> str:
    cell = measured.cell(kind)
    scores = cell.term_means
    return (
        f"{kind} LMS {scores.lms.value:.2f}, SS {scores.ss.value:.2f}, ICAT {scores.icat.value:.2f} "
        f"({cell.n:,} examples, {cell.n_terms:,} terms, {cell.ties:,} ties)"
    )


def _plain(value: object) -> object:
    return None if isinstance(value, float) and math.isnan(value) else value
