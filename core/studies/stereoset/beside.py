"""Models beside published figures, and what stands in the way of comparing them."""

from __future__ import annotations

import math

import pandas as pd

from core.files.stereoset.examples import INTERSENTENCE, INTRASENTENCE
from core.studies.stereoset.cells import AGGREGATIONS, Cell
from core.studies.stereoset.measured import OVERALL, Measured
from core.studies.stereoset.published import figures

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
        differences = [
            *_differences(cell, measured.ties, (language, kind), aggregation),
            *(
                [f"scored under the preset {preset} here, by the programs there"]
                if preset not in _AS_PUBLISHED
                else []
            ),
        ]
        said = f"{row['source']}. " + (f"Not comparable: {'; '.join(differences)}." if differences else "")
        rows.append(
            {
                "system": ", ".join(filter(None, [row["system"], row["method"], row["case"]])),
                "measure": row["metric"].upper(),
                "value": row["value"],
                "same": not differences,
                "note": said.strip(),
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
