"""What was measured and what was published, as rows for charts and tables. All numbers are in per cent."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache

import numpy as np
import pandas as pd

from core.files.stereoset.examples import ANTI, INTERSENTENCE, INTRASENTENCE, STEREOTYPE, UNRELATED, Examples
from core.settings import ROOT
from core.statistics.mover import Estimate
from core.studies.stereoset.cases import Definition, of_kind
from core.studies.stereoset.cells import AGGREGATIONS, Cell, band
from core.studies.stereoset.measured import OVERALL, Measured


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
        for bias_type, cell in list(measured.by_bias_type(kind).items())[:-1]:
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
            numbers = {metric.upper(): one.value for which, metric, one in cell.rows() if which == aggregation}
            usual = measured is next(iter(defined.values())) and aggregation == "term_means"
            rows.append({"definition": name, "aggregation": title, **numbers, "usual": usual})
    return pd.DataFrame(rows, columns=["definition", "aggregation", "LMS", "SS", "ICAT", "usual"])


def triple_rows(examples: Examples, measured: Measured, kind: str) -> pd.DataFrame:
    """`Measured.triples` of a task with the texts, and which of the pair is preferred."""
    rows = measured.of_kind(kind)
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


_AS_PUBLISHED = ("", "stereoset")
"""Predictions made elsewhere, and the preset that scores as the programs do."""
_PUBLISHED_N = {
    ("en", INTRASENTENCE): 2106, ("en", INTERSENTENCE): 2123, ("en", OVERALL): 4229,
    ("de", INTRASENTENCE): 2103,
}  # fmt: skip
"""Examples of the published figures, by language and task; other languages have as many as English."""


def published_rows(measured: Measured, kind: str, language: str, preset: str = "") -> pd.DataFrame:
    """What was published about this task and language: system, measure, value, same, note.

    `same` says whether it is about as many examples, scored and averaged and with ties counted alike; the `note` says
    who published it, and what is different. `preset` is the one under which a model of ours was asked, if one was.
    """
    cell = measured.cell(kind)
    known = figures(language, kind)
    known = known[(known["bias_type"] == OVERALL) & known["metric"].isin(["lms", "ss", "icat"])]
    known = known[known["aggregation"].isin(["term_means", "pooled"])].assign(
        other=known["aggregation"] != "term_means"
    )
    known = known.sort_values("other", kind="stable").drop_duplicates(
        ["source", "system", "method", "case", "metric"]
    )
    rows = []
    for _, row in known.sort_index().iterrows():
        aggregation = row["aggregation"] if row["other"] else ""
        differences = _differences(cell, measured.ties, (language, kind), aggregation)
        if preset not in _AS_PUBLISHED:
            differences.append(f"scored under the preset {preset} here, by the programs there")
        note = f"{row['source']}. " + (f"Not comparable: {'; '.join(differences)}." if differences else "")
        rows.append(
            {
                "system": ", ".join(filter(None, [row["system"], row["method"], row["case"]])),
                "measure": row["metric"].upper(),
                "value": row["value"],
                "same": not differences,
                "note": note.strip(),
            }
        )
    return pd.DataFrame(rows, columns=["system", "measure", "value", "same", "note"]).drop_duplicates(
        ["system", "measure"]
    )


def _differences(cell: Cell, ties: str, about: tuple[str, str], aggregation: str) -> list[str]:
    n = _PUBLISHED_N.get(about, _PUBLISHED_N["en", about[1]])
    found = [f"{cell.n:,} examples here, {n:,} there"] if cell.n != n else []
    if ties != "legacy" and (cell.ties or cell.related_ties):
        found.append("ties count one half here, and for the anti-stereotype there")
    if aggregation:
        found.append(f"{AGGREGATIONS[aggregation]} there")
    return found


def beside_rows(scored: pd.DataFrame, known: pd.DataFrame, measure: str) -> pd.DataFrame:
    """One number of models (`rows.score_rows`) above what was published, for `accuracy_beside`.

    name, value, low, high (shares), chance, note, mark (`run`, `same`, `other`).
    """
    own = scored[scored["measure"] == measure].rename(columns={"model": "name"}).assign(mark="run", note="")
    others = known[known["measure"] == measure].rename(columns={"system": "name"})
    others = others.assign(mark=others["same"].map({True: "same", False: "other"}), low=math.nan, high=math.nan)
    rows = pd.concat([frame for frame in (own, others) if len(frame)], ignore_index=True)
    shares = {column: rows[column] / 100 for column in ("value", "low", "high")}
    chance = math.nan if measure == "ICAT" else 0.5
    return rows[["name", "note", "mark"]].assign(**shares, chance=chance)


def beside_finding(rows: pd.DataFrame, measure: str) -> str:
    """Where the first model stands among published figures that may be compared."""
    first, comparable = rows.iloc[0], rows[rows["mark"] == "same"]
    said = f"{measure} of {first['name']}: {100 * first['value']:.1f}."
    if comparable.empty:
        return said
    low, high = (100 * getattr(comparable["value"], end)() for end in ("min", "max"))
    return f"{said} Published on the same examples: {low:.1f} to {high:.1f}."


FILE = ROOT / "data" / "published" / "stereoset" / "figures.csv"


@cache
def _figures() -> pd.DataFrame:
    return pd.read_csv(FILE, keep_default_na=False, na_values={"value": [""]}, dtype={"case": str})


def figures(language: str = "en", kind: str = "", aggregation: str = "") -> pd.DataFrame:
    """Published numbers: source, system, method, case, language, kind, bias_type, aggregation, metric, value.

    `method` says how candidates were scored (`masked`, `causal`, `head`, `next sentence`, `generative`, ...), `case`
    which of the successor's cases, `aggregation` is one of `core.studies.stereoset.cells.AGGREGATIONS`, `metric` is
    lms, ss, icat or ss_sd, the standard deviation of SS over terms.
    """
    found = _figures()
    keep = found["language"] == language
    for name, wanted in (("kind", kind), ("aggregation", aggregation)):
        if wanted:
            keep &= found[name] == wanted
    return found[keep].reset_index(drop=True)
