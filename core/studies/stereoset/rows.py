"""What was measured, as rows for charts and tables. All numbers are in per cent."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pandas as pd

from core.files.stereoset.examples import ANTI, INTERSENTENCE, STEREOTYPE, UNRELATED, Examples
from core.statistics.mover import Estimate
from core.studies.stereoset.cells import AGGREGATIONS, Scores
from core.studies.stereoset.chance import band
from core.studies.stereoset.definitions import Definition, of_kind
from core.studies.stereoset.measured import OVERALL, Measured, bias_types


def score_rows(named: Mapping[str, Measured], kind: str) -> pd.DataFrame:
    """LMS, SS and ICAT of several models: model, measure, value, low, high, terms, quiet (SS that says nothing)."""
    rows = []
    for name, measured in named.items():
        cell = measured.cell(kind)
        found = cell.term_means
        for title, one in (("LMS", found.lms), ("SS", found.ss), ("ICAT", found.icat)):
            quiet = title != "LMS" and cell.looks_random
            rows.append({"model": name, "measure": title, **_bounds(one), "terms": cell.n_terms, "quiet": quiet})
    return pd.DataFrame(rows)


def bias_rows(named: Mapping[str, Measured], kind: str) -> pd.DataFrame:
    """SS by bias type: model, bias_type, value, low, high, n, terms, quiet."""
    rows = []
    for name, measured in named.items():
        cells = {found.bias_type: found for found in measured.cells if found.kind == kind}
        for bias_type in bias_types(found for found in cells if found != OVERALL):
            cell = cells[bias_type]
            about = {"n": cell.n, "terms": cell.n_terms, "quiet": cell.looks_random}
            rows.append({"model": name, "bias_type": bias_type, **_bounds(cell.term_means.ss), **about})
    return pd.DataFrame(rows)


def term_rows(measured: Measured, kind: str) -> pd.DataFrame:
    """The terms of a task: term, bias_type, n, value (SS), low, high, lms, icat, outside."""
    terms = measured.terms[measured.terms["kind"] == kind]
    return terms.drop(columns="kind").rename(columns={"ss": "value"}).reset_index(drop=True)


def funnel(measured: Measured, kind: str) -> pd.DataFrame:
    """The band by number of examples, one more on either side than terms have: n, low, high, centre."""
    sizes, centre = term_rows(measured, kind)["n"], measured.cell(kind).around_ss.centre
    n = np.arange(max(1, sizes.min() - 1), sizes.max() + 2, dtype=np.float64)
    low, high = band(n, centre)
    return pd.DataFrame({"n": n, "low": low, "high": high, "centre": centre})


def definition_rows(defined: Mapping[Definition, Measured], kind: str) -> pd.DataFrame:
    """Three numbers under every definition: definition (in words), aggregation, LMS, SS, ICAT, usual.

    `defined` has what was measured under each, the one of the headline first.
    """
    rows = []
    for name, measured in of_kind(defined, kind).items():
        cell = measured.cell(kind)
        for aggregation, title in AGGREGATIONS.items():
            found = getattr(cell, aggregation)
            known = isinstance(found, Scores)
            rows.append(
                {
                    "definition": name,
                    "aggregation": title,
                    "LMS": found.lms.value if known else math.nan,
                    "SS": found.ss.value if known else math.nan,
                    "ICAT": found.icat.value if known else found.value,
                    "usual": measured is next(iter(defined.values())) and found is cell.term_means,
                }
            )
    return pd.DataFrame(rows)


def triple_rows(examples: Examples, measured: Measured, kind: str) -> pd.DataFrame:
    """`Measured.triples` of a task with the texts, and which of the pair is preferred."""
    rows = measured.triples if kind == OVERALL else measured.triples[measured.triples["kind"] == kind]
    by_id = {(example.kind, example.id): example for example in examples}
    found = [by_id[key] for key in zip(rows["kind"], rows["example"], strict=True)]
    texts = {
        f"{name}_text": [one.of(label).sentence for one in found]
        for name, label in (("stereotype", STEREOTYPE), ("anti", ANTI), ("unrelated", UNRELATED))
    }
    prefers = np.select([rows["tie"], rows["stereotype"] > rows["anti-stereotype"]], ["tie", STEREOTYPE], ANTI)
    return rows.assign(**texts, prefers=prefers).reset_index(drop=True)


def pair_of(row: pd.Series) -> tuple[str, str]:
    """A triple's stereotype and anti-stereotype as whole texts; the context goes before sentences that follow it."""
    before = f"{row['context']} " if row["kind"] == INTERSENTENCE else ""
    return before + row["stereotype_text"], before + row["anti_text"]


def _bounds(one: Estimate) -> dict[str, float]:
    return {"value": one.value, "low": one.low, "high": one.high}
