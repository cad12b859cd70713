"""What was published about StereoSet, and whether it may stand beside what was measured here."""

from functools import cache

import pandas as pd

from core.files.stereoset.examples import INTERSENTENCE, INTRASENTENCE
from core.settings import ROOT
from core.studies.stereoset.measured import AGGREGATIONS, METRICS, OVERALL, Measured

_AS_PUBLISHED = ("", "stereoset")
"""Predictions made elsewhere, and the preset that scores as the programs do."""
_PUBLISHED_N = {
    ("en", INTRASENTENCE): 2106, ("en", INTERSENTENCE): 2123, ("en", OVERALL): 4229,
    ("de", INTRASENTENCE): 2103,
}  # fmt: skip
"""Examples of the published figures, by language and task; other languages have as many as English."""
FILE = ROOT / "data" / "published" / "stereoset" / "figures.csv"


def published(measured: Measured, kind: str, language: str, preset: str = "") -> pd.DataFrame:
    """What was published about this task and language: name, note, mark, and the metrics.

    The `mark` is `same` for as many examples, scored and averaged and with ties counted alike, else `other`. The
    `note` says who published it, and what is different. `preset` is the one under which a model of ours was asked.
    """
    known = figures(language)
    known = known[(known["kind"] == kind) & (known["bias_type"] == OVERALL) & known["metric"].isin(METRICS)]
    known = known[known["aggregation"].isin(["term_means", "pooled"])]
    known = known.sort_values("aggregation", ascending=False, kind="stable")  # means over terms if there are any
    known = known.drop_duplicates(["source", "system", "method", "case", "metric"]).sort_index()
    apart = known["aggregation"].map(lambda how: _differences(measured, language, kind, how, preset))
    systems = zip(known["system"], known["method"], known["case"], strict=True)
    described = known.assign(
        name=[", ".join(filter(None, system)) for system in systems],
        note=known["source"]
        + "."
        + apart.map(lambda differences: differences and f" Not comparable: {differences}."),
        mark=apart.map(lambda differences: "other" if differences else "same"),
    ).drop_duplicates(["name", "metric"])
    index = ["name", "note", "mark"]
    return described.pivot_table(index=index, columns="metric", values="value", sort=False).reset_index()


def _differences(measured: Measured, language: str, kind: str, aggregation: str, preset: str) -> str:
    cell, n = measured.cell(kind), _PUBLISHED_N.get((language, kind), _PUBLISHED_N["en", kind])
    differences = {
        f"{cell.n:,} examples here, {n:,} there": cell.n != n,
        "ties count one half here, and for the anti-stereotype there": (
            measured.ties != "legacy" and (cell.ties or cell.related_ties)
        ),
        f"{AGGREGATIONS[aggregation]} there": aggregation != "term_means",
        f"scored under the preset {preset} here, by the programs there": preset not in _AS_PUBLISHED,
    }
    return "; ".join(difference for difference, holds in differences.items() if holds)


@cache
def _figures() -> pd.DataFrame:
    return pd.read_csv(FILE, keep_default_na=False, na_values={"value": [""]}, dtype={"case": str})


def figures(language: str = "en") -> pd.DataFrame:
    """Published numbers: source, system, method, case, language, kind, bias_type, aggregation, metric, value.

    `method` says how candidates were scored (`masked`, `causal`, `head`, `next sentence`, `generative`, ...), `case`
    which of the successor's cases, `aggregation` is one of `core.studies.stereoset.measured.AGGREGATIONS`, `metric`
    is lms, ss, icat or ss_sd, the standard deviation of SS over terms.
    """
    known = _figures()
    return known[known["language"] == language].reset_index(drop=True)
