"""Published figures of StereoSet and of its successor, to stand beside one's own.

All are about the development set in the named language, with ties as published (`legacy`).
"""

from __future__ import annotations

from functools import cache

import pandas as pd

from core.settings import ROOT

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
