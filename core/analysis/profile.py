"""Mean surprisal along the sentence, by condition, for region plots."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.analysis._over_items import t_interval
from core.analysis.experiment import Analysis, Columns, refuse_taken

_OWN = ("model", "position", "label", "mean", "low", "high", "n", "region")


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
    places = places.assign(inside=_inside(places, sentences), code=pd.factorize(places["model"])[0])
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
    inside = words[has_bars & located].astype({"bar": int})
    by_bar = inside.groupby(["model", "sentid", "bar"], sort=False)["surp"]
    between = by_bar.agg(analysis.region_summary, skipna=False).reset_index().rename(columns={"bar": "position"})
    texts = {
        (sentid, place): sentence[start:end].strip()
        for sentid, sentence, bars in zip(barred.index, barred["sentence"], barred["bars"], strict=True)
        for place, (start, end) in enumerate(bars)
    }
    between["text"] = [texts[key] for key in zip(between["sentid"], between["position"], strict=True)]
    return pd.concat([plain.loc[~has_bars, columns], between[columns]], ignore_index=True)


def _inside(places: pd.DataFrame, sentences: pd.DataFrame) -> NDArray[np.bool_]:
    """Whether each position lies in the ROI of its sentence."""
    rois = sentences.set_index("sentid")["roi"] if "roi" in sentences else pd.Series(dtype=object)
    inside = {(sentid, place) for sentid, roi in rois.items() if isinstance(roi, tuple) for place in roi}
    return np.array([key in inside for key in zip(places["sentid"], places["position"], strict=True)], bool)


def _labels(places: pd.DataFrame) -> pd.Series:
    """By group, the text that more than half of its rows share; empty if there is none."""
    counts = places.groupby(["group", "text"], sort=False).size().rename("n").reset_index()
    often = counts[counts["n"] > counts.groupby("group")["n"].transform("sum") / 2].set_index("group")["text"]
    return often.reindex(places["group"].unique(), fill_value="")
