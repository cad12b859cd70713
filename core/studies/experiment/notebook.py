"""A Jupyter notebook that reproduces an experiment's numbers and its figure from exported tables."""

from __future__ import annotations

from collections.abc import Sequence

from core.files.exports.notebooks import notebook

_INTRODUCTION = """\
# {title}

Made from tables that Pairlens exported: `profile.csv` has the mean surprisal at each position, `pairs.csv`, where
sentences form pairs, one row per pair and model. Needs pandas and altair (`pip install pandas altair`)."""

_LOAD = """\
import altair as alt
import pandas as pd

profile = pd.read_csv("profile.csv", keep_default_na=False, na_values={{"mean": "", "low": "", "high": ""}})
conditions = {conditions!r}
profile.head()"""

_BY_CONDITION = """\
pairs = pd.read_csv("pairs.csv", keep_default_na=False, na_values={{"diff": "", "acc": ""}})
by_condition = pairs.groupby(["model", *conditions], sort=False).agg(
    pairs=("acc", "size"),
    expected_wins=("acc", "mean"),
    expected=("expected", "mean"),
    unexpected=("unexpected", "mean"),
    difference=("diff", "mean"),
).reset_index()
by_condition"""

_FIGURE = """\
has_comparison = "comparison" in profile
base = alt.Chart(profile).encode(
    x=alt.X("position:O", title="Position"),
    color=alt.Color("line:N", title="Condition"),
    detail=["comparison:N"] if has_comparison else [],
    tooltip=["label", "position", "mean", "low", "high", "n"],
)
line = base.mark_line(point=True).encode(y=alt.Y("mean:Q", title="Surprisal (bits)"))
if has_comparison:
    line = line.encode(strokeDash=alt.StrokeDash("comparison:N", title="Sentences"))
interval = base.mark_rule().encode(y="low:Q", y2="high:Q")
figure = (interval + line).properties(width=560, height=240).facet(row="model:N")
figure"""


def write(title: str, conditions: Sequence[str], *, measure: str = "") -> str:
    """The notebook as JSON (nbformat 4.5). `measure` is what pairs are compared by; empty without pairs."""
    texts = [
        ("markdown", _INTRODUCTION.format(title=title)),
        ("code", _LOAD.format(conditions=list(conditions))),
    ]
    if measure:
        texts += [
            ("markdown", f"## By condition\n\n`expected`, `unexpected` and `difference` are in: {measure}."),
            ("code", _BY_CONDITION.format()),
        ]
    texts += [
        ("markdown", "## Surprisal along the sentences\n\nMeans with 95 % intervals over sentences."),
        ("code", _FIGURE),
    ]
    return notebook(texts)
