"""How often and how clearly a model prefers the expected sentence, by condition."""

from typing import Any

import numpy as np
import pandas as pd

from pairlens.analysis._over_items import against_zero, t_interval
from pairlens.analysis.experiment import EXPECTED, UNEXPECTED, Analysis, Columns, refuse_taken
from pairlens.statistics.few import CLUSTERED, CLUSTERED_T, WILSON
from pairlens.statistics.intervals import over_items
from pairlens.statistics.paired import holm

ALL = "all"
TEST = "paired t over items, by condition with Holm's correction"
"""The test of `p_t`, and the correction of `p_holm`."""

_PUBLISHED = ("acc", "diff", "expected", "unexpected", "macrodiff")
_OURS = (
    "overall", "measure", "n", "n_items", "ties", "undecided", "acc_low", "acc_high", "diff_low", "diff_high", "t",
    "df", "p_t", "p_wilcoxon", "dz", "skew", "p_holm",
)  # fmt: skip

_OWN = ("model", "position", "label", "mean", "low", "high", "n", "region")


def by_cond(pairs: pd.DataFrame, columns: Columns, analysis: Analysis) -> pd.DataFrame:
    """One row per model over all its pairs, then one per condition cell; `pairs` is `by_pair`'s first table.

    model, [conditions]          `all` in the row over all pairs
    acc, diff, expected, unexpected    means over the pairs, in `analysis.measure`
    macrodiff                    mean of expected - mean of unexpected. Only complete pairs enter, so it equals `diff`
                                 up to rounding; NLPScholar's file has it
    overall                      whether the row is the one over all pairs
    measure                      the measure of `diff`, `expected` and `unexpected`
    n, n_items                   numbers of pairs and of independent items
    ties, undecided              numbers of pairs
    acc_low, acc_high            95 % interval of `acc` over items (`pairlens.statistics.intervals.over_items`)
    diff_low, diff_high, t, df, p_t    95 % t interval of `diff` and paired t test over items
    p_wilcoxon, dz, skew         of the items' means: signed-rank test, effect size, skewness
                                 (`pairlens.analysis._over_items`)
    p_holm                       p_t with Holm's (1979) correction over a model's condition rows; the row over all
                                 pairs is a single test

    Without conditions there is only the row over all pairs. Cells come in the order in which they first appear.
    """
    refuse_taken(columns.conditions, ("model", *_PUBLISHED, *_OURS))
    rows, conditions = [], list(columns.conditions)
    for model, of_model in pairs.groupby("model", sort=False):
        rows.append({"model": model, **dict.fromkeys(conditions, ALL), "overall": True, **_row(of_model)})
        for values, cell in of_model.groupby(conditions, sort=False, dropna=False) if conditions else ():
            named = dict(zip(conditions, values, strict=True))
            rows.append({"model": model, **named, "overall": False, **_row(cell)})
    table = (
        pd.DataFrame(rows)
        .reindex(columns=["model", *columns.conditions, *_PUBLISHED, *_OURS])
        .astype({"overall": bool})
    )
    table = table.assign(measure=analysis.measure, p_holm=table["p_t"])
    for _, of_model in table[~table["overall"]].groupby("model"):
        table.loc[of_model.index, "p_holm"] = holm(of_model["p_t"].to_numpy(np.float64))
    return table


def intervals(table: pd.DataFrame) -> dict[str, str]:
    """By what it is an interval of in such a table: its method, as in
    `pairlens.evaluation.receipts.bibtex.STATISTICS`."""
    several = table["n"] > table["n_items"]
    if not several.any():
        return {"shares": WILSON, "differences": "Student's t"}
    single = {} if several.all() else {"shares with one pair per item": WILSON}
    return {"shares": CLUSTERED, **single, "differences": CLUSTERED_T}


def overall(table: pd.DataFrame) -> pd.DataFrame:
    return table[table["overall"]]


def cells(table: pd.DataFrame) -> pd.DataFrame:
    """The rows by condition; without conditions, the rows over all pairs."""
    by_condition = table[~table["overall"]]
    return table if by_condition.empty else by_condition


def _row(pairs: pd.DataFrame) -> dict[str, Any]:
    means = {name: float(pairs[name].mean(skipna=False)) for name in ("acc", "diff", "expected", "unexpected")}
    items = against_zero(pairs["diff"].to_numpy(np.float64), pairs["item"].to_numpy())
    accuracy = over_items(pairs["acc"], pd.Series(0, pairs.index), pairs["item"])
    return {
        **items,
        **means,
        "macrodiff": means["expected"] - means["unexpected"],
        "n": len(pairs),
        "ties": int(pairs["tie"].sum()),
        "undecided": int(pairs["undecided"].sum()),
        "acc_low": accuracy.low,
        "acc_high": accuracy.high,
        "diff_low": items["low"],
        "diff_high": items["high"],
        "p_t": items["p"],
    }


def profile(words: pd.DataFrame, sentences: pd.DataFrame, columns: Columns, analysis: Analysis) -> pd.DataFrame:
    """One row per model, condition cell, side of the comparison (where the design has one) and position.

    model, position     a word's position, or the number of a region between bars where the sentences have these
    label               the word, or the region's text, in more than half of these sentences; else empty
    [conditions], comparison
    mean                mean surprisal over sentences, bits; of a region between bars by `analysis.region_summary`
    low, high           95 % t interval over sentences; NaN for fewer than two
    n                   sentences scored there; for a region between bars, all its words must be scored, and all words
                        of the sentence must have a known place
    region              whether the position lies in the ROI of more than half of these sentences

    Cells come in the order in which they first appear.
    """
    refuse_taken(columns.conditions, _OWN)
    by = [*columns.conditions, *(["comparison"] if "comparison" in sentences else [])]
    cell = sentences.groupby(by, sort=False, dropna=False).ngroup() if by else pd.Series(0, sentences.index)
    places = _places(words, sentences, analysis)
    rois = sentences.set_index("sentid")["roi"] if "roi" in sentences else pd.Series(dtype=object)
    inside = {(sentid, place) for sentid, roi in rois.items() if isinstance(roi, tuple) for place in roi}
    in_roi = [key in inside for key in zip(places["sentid"], places["position"], strict=True)]
    places = places.assign(inside=np.array(in_roi, bool), code=pd.factorize(places["model"])[0])
    places = places.merge(pd.DataFrame({"sentid": sentences["sentid"], "cell": cell}), on="sentid")
    places["group"] = places.groupby(["code", "cell", "position"]).ngroup()
    table = places.groupby("group").agg(
        model=("model", "first"), position=("position", "first"), cell=("cell", "first"), mean=("surp", "mean"),
        deviation=("surp", "std"), n=("surp", "count"), region=("inside", "mean"),
    )  # fmt: skip
    low, high = t_interval(*(table[name].to_numpy(np.float64) for name in ("mean", "deviation", "n")))
    table = table.assign(low=low, high=high, region=table["region"] > 1 / 2, label=_labels(places))
    conditions = sentences[by].groupby(cell).head(1).iloc[table["cell"]].set_axis(table.index)
    return pd.concat([table[[*_OWN]], conditions], axis=1)[[*_OWN[:3], *by, *_OWN[3:]]]


def _places(words: pd.DataFrame, sentences: pd.DataFrame, analysis: Analysis) -> pd.DataFrame:
    """One row per model, sentence and position: `model`, `sentid`, `position`, `text`, `surp`."""
    columns = ["model", "sentid", "position", "text", "surp"]
    plain = words.rename(columns={"wordpos": "position", "word": "text"})
    if "bars" not in sentences or not sentences["bars"].notna().any():
        return plain.assign(text=plain["text"].str.strip())[columns]
    barred = sentences[sentences["bars"].notna()].set_index("sentid")
    has_bars = words["sentid"].isin(barred.index)
    located = words["bar"].notna().groupby([words["model"], words["sentid"]]).transform("all")
    inside = (
        plain[has_bars & located].drop(columns="position").astype({"bar": int}).rename(columns={"bar": "position"})
    )
    by_bar = inside.groupby(columns[:3], sort=False)["surp"]
    between = by_bar.agg(analysis.region_summary, skipna=False).reset_index()
    spans = [
        barred["bars"][sentid][place] for sentid, place in zip(between["sentid"], between["position"], strict=True)
    ]
    texts = [
        barred["sentence"][sentid][slice(*span)].strip()
        for sentid, span in zip(between["sentid"], spans, strict=True)
    ]
    return pd.concat([plain.loc[~has_bars, columns], between.assign(text=texts)[columns]], ignore_index=True)


def _labels(places: pd.DataFrame) -> pd.Series:
    """By group, the text that more than half of its rows share; empty if there is none."""
    counts = places.groupby(["group", "text"], sort=False).size().rename("n").reset_index()
    often = counts[counts["n"] > counts.groupby("group")["n"].transform("sum") / 2].set_index("group")["text"]
    return often.reindex(places["group"].unique(), fill_value="")


def side_means(pairs: pd.DataFrame, columns: Columns) -> pd.DataFrame:
    """One row per model, condition cell and side of the comparison; `pairs` is `by_pair`'s first table.

    model, [conditions], comparison
    value        mean over pairs, in the measure of the pairs
    low, high    95 % t interval of the value over items; NaN for fewer than two
    n            pairs
    n_items      items whose values are known in this cell, and `skew`, the skewness of their means

    Cells come in the order in which they first appear.
    """
    by = ["model", *columns.conditions]
    return _means(pairs.melt([*by, "item"], [EXPECTED, UNEXPECTED], "comparison", "value"), [*by, "comparison"])


def cell_means(regions: pd.DataFrame, sentences: pd.DataFrame, columns: Columns, analysis: Analysis) -> pd.DataFrame:
    """The same for a design without pairs: means over sentences, which `n` counts, never over both sides."""
    by = ["model", *columns.conditions]
    item = sentences["item"] if "item" in sentences else sentences["sentid"]
    conditions = sentences[["sentid", *columns.conditions]].assign(
        item=item, comparison=sentences.get("comparison", "")
    )
    first = regions[regions["region"] == regions["region"].iloc[0]].dropna(subset=[analysis.measure])
    values = first[["model", "sentid", analysis.measure]].rename(columns={analysis.measure: "value"})
    return _means(values.merge(conditions, on="sentid"), [*by, "comparison"])


def _means(values: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    rows = []
    for _, part in values.groupby(by, sort=False, dropna=False):
        known = part.dropna(subset="value")
        statistics = against_zero(known["value"].to_numpy(np.float64), known["item"].to_numpy())
        rows.append({**part[by].iloc[0], "n": len(part), **statistics})
    table = pd.DataFrame(rows, columns=[*by, "mean", "n", "low", "high", "n_items", "skew"])
    return table.rename(columns={"mean": "value"})
