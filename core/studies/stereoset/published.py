"""What was published about StereoSet, and whether it may stand beside what was measured here."""

from functools import cache

import pandas as pd

from core.files.stereoset.examples import INTERSENTENCE, INTRASENTENCE
from core.settings import ROOT
from core.studies.stereoset.cells import AGGREGATIONS
from core.studies.stereoset.measured import OVERALL, Measured

METRICS = ("ss", "lms", "icat")
_AS_PUBLISHED = ("", "stereoset")
"""Predictions made elsewhere, and the preset that scores as the programs do."""
_PUBLISHED_N = {
    ("en", INTRASENTENCE): 2106, ("en", INTERSENTENCE): 2123, ("en", OVERALL): 4229,
    ("de", INTRASENTENCE): 2103,
}  # fmt: skip
"""Examples of the published figures, by language and task; other languages have as many as English."""


def published_rows(measured: Measured, kind: str, language: str, preset: str = "") -> pd.DataFrame:
    """What was published about this task and language: system, metric, value, same, note.

    `same` says whether it is about as many examples, scored and averaged and with ties counted alike; the `note` says
    who published it, and what is different. `preset` is the one under which a model of ours was asked, if one was.
    """
    known = figures(language, kind)
    known = known[(known["bias_type"] == OVERALL) & known["metric"].isin(METRICS)]
    known = known[known["aggregation"].isin(["term_means", "pooled"])].assign(
        other=known["aggregation"] != "term_means"
    )
    known = known.sort_values("other", kind="stable").drop_duplicates(
        ["source", "system", "method", "case", "metric"]
    )
    rows = []
    for _, row in known.sort_index().iterrows():
        aggregation = row["aggregation"] if row["other"] else ""
        differences = _differences(measured, (language, kind), aggregation)
        if preset not in _AS_PUBLISHED:
            differences.append(f"scored under the preset {preset} here, by the programs there")
        note = f"{row['source']}. " + (f"Not comparable: {'; '.join(differences)}." if differences else "")
        name = ", ".join(filter(None, [row["system"], row["method"], row["case"]]))
        rows.append((name, row["metric"], row["value"], not differences, note.strip()))
    frame = pd.DataFrame(rows, columns=["system", "metric", "value", "same", "note"])
    return frame.drop_duplicates(["system", "metric"])


def _differences(measured: Measured, about: tuple[str, str], aggregation: str) -> list[str]:
    cell, n = measured.cell(about[1]), _PUBLISHED_N.get(about, _PUBLISHED_N["en", about[1]])
    differences = [f"{cell.n:,} examples here, {n:,} there"] if cell.n != n else []
    if measured.ties != "legacy" and (cell.ties or cell.related_ties):
        differences.append("ties count one half here, and for the anti-stereotype there")
    if aggregation:
        differences.append(f"{AGGREGATIONS[aggregation]} there")
    return differences


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
    known = _figures()
    keep = known["language"] == language
    for name, wanted in (("kind", kind), ("aggregation", aggregation)):
        if wanted:
            keep &= known[name] == wanted
    return known[keep].reset_index(drop=True)
