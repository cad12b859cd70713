"""When a model learns a word and when children do: learning curves over checkpoints, and how far the ages agree.

Chang & Bergen 2022 (TACL 10): a sigmoid is fitted to a word's negative surprisal over the logarithm of the words seen
in training; the word is acquired where the curve is halfway between chance and its best. For children, it is the age
at which a sigmoid fitted to the monthly shares of children who say the word reaches one half.

The BabyLM evaluation takes chance in bits but surprisal in nats, and fits single contexts instead of their means, so
that the best is that of a single context: `published=True` does the same. By default, units agree, and a checkpoint's
surprisal is the mean over contexts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core import measures
from core.analysis._sigmoid import crossing
from core.statistics.candidates import Reals, reals

VOCABULARY = 300_000
"""The original's number of words among which chance chooses."""
MONTHS = tuple(range(16, 31))
_FEWEST_CHECKPOINTS = 4
_FEWEST_MONTHS = 3
_FEWEST_WORDS = 3


@dataclass(frozen=True, slots=True)
class Agreement:
    """Pearson's `r` of the ages over `n` words, with its p-value and 95 % interval (Fisher 1915); NaN for too few.

    `words` has one row per word of the model: `word`, `model_age` (log10 of words seen), `child_age` (months), and
    `excluded`, why it is not among the `n`; missing if it is.
    """

    r: float
    low: float
    high: float
    p: float
    n: int
    words: pd.DataFrame


def surprisal_table(step: str, words_seen: float, candidates: pd.DataFrame) -> pd.DataFrame:
    """The surprisals of a checkpoint, from its candidate table (`core.metrics`) for the task `aoa`.

    step, words_seen       the checkpoint: its name, and the number of words it was trained on
    word                   str
    context_id, context    int from 0 for each word, and str
    surprisal              bits; NaN if the word could not be scored
    """
    return pd.DataFrame(
        {
            "step": step,
            "words_seen": float(words_seen),
            "word": candidates["UID"].to_numpy(),
            "context_id": candidates.groupby("UID").cumcount().to_numpy(),
            "context": candidates["context"].to_numpy(),
            "surprisal": measures.surprisal(reals(candidates["logprob"])),
        }
    )


def learning_curves(surprisals: pd.DataFrame) -> pd.DataFrame:
    """Mean `surprisal` (bits) of each `word` per `words_seen`, over the `n` contexts that were scored."""
    grouped = surprisals.groupby(["word", "words_seen"], sort=False)["surprisal"]
    return grouped.agg(surprisal="mean", n="count").reset_index()


def model_ages(surprisals: pd.DataFrame, *, vocabulary: int = VOCABULARY, published: bool = False) -> pd.DataFrame:
    """One row per `word`: its `age` (log10 of words seen), and `excluded`, why it has none; missing if it has one.

    `surprisals` are rows of `surprisal_table` for several checkpoints; the module explains `published`.
    """
    scored = surprisals[np.isfinite(surprisals["surprisal"])].sort_values("words_seen", kind="stable")
    if published:
        points = scored.assign(surprisal=measures.nats(scored["surprisal"].to_numpy(np.float64)))
    else:
        points = learning_curves(scored)
    by_word = {word: rows for word, rows in points.groupby("word")}
    nothing = points.iloc[:0]
    ages = {word: _model_age(by_word.get(word, nothing), vocabulary) for word in surprisals["word"].unique()}
    return _ages(ages)


def _model_age(points: pd.DataFrame, vocabulary: int) -> tuple[float, str]:
    if points["words_seen"].nunique() < _FEWEST_CHECKPOINTS:
        return math.nan, f"it was scored at fewer than {_FEWEST_CHECKPOINTS} checkpoints"
    seen = np.log10(points["words_seen"].to_numpy(np.float64) + 1)
    known = -points["surprisal"].to_numpy(np.float64)
    halfway = (known.max() - math.log2(vocabulary)) / 2
    return crossing(seen, known, halfway, (known.max() - known.min(), 1.0, seen.mean(), known.min()))


def child_ages(children: pd.DataFrame, threshold: float = 0.5) -> pd.DataFrame:
    """One row per `word`: the `age` in months at which this share of children says it, and `excluded`, why there is
    none; missing if there is one.

    `children` as from `read_children`: the columns `word` and months of age, with shares from 0 to 1.
    """
    months = [month for month in MONTHS if month in children.columns]
    x, shares = np.array(months, np.float64), children[months].to_numpy(np.float64)
    return _ages({w: _child_age(x, s, threshold) for w, s in zip(children["word"], shares, strict=True)})


def _child_age(months: Reals, shares: Reals, threshold: float) -> tuple[float, str]:
    known = ~np.isnan(shares)
    if known.sum() < _FEWEST_MONTHS:
        return math.nan, f"children's shares are known for fewer than {_FEWEST_MONTHS} months"
    x, y = months[known], shares[known]
    bounds = (0, 0, x[0], -0.5), (2, 1, x[-1], 0.5)
    age, why = crossing(x, y, threshold, (1.0, 0.1, x.mean(), 0.0), bounds)
    return age, why and f"children: {why}"


def _ages(ages: dict[str, tuple[float, str]]) -> pd.DataFrame:
    table = pd.DataFrame(
        {"word": list(ages), "age": [age for age, _ in ages.values()], "excluded": [why for _, why in ages.values()]}
    ).astype({"word": "str", "age": "float64", "excluded": "str"})
    return table.assign(excluded=table["excluded"].where(table["excluded"] != ""))


def compare(model: pd.DataFrame, children: pd.DataFrame) -> Agreement:
    """How closely a model's ages of acquisition follow children's; the tables of `model_ages` and `child_ages`."""
    words = model.merge(children, on="word", how="left", suffixes=("_model", "_child"), indicator=True)
    unknown = (words["_merge"] == "left_only").map({True: "it is not among the children's words", False: None})
    words = pd.DataFrame(
        {
            "word": words["word"],
            "model_age": words["age_model"],
            "child_age": words["age_child"],
            "excluded": words["excluded_model"].fillna(words["excluded_child"]).fillna(unknown),
        }
    )
    counted = words[words["excluded"].isna()]
    return Agreement(*_pearson(counted["model_age"], counted["child_age"]), len(counted), words)


def _pearson(a: pd.Series, b: pd.Series) -> tuple[float, float, float, float]:
    """r with the bounds of its interval, and p; all NaN for fewer than three pairs or if one side is constant."""
    from scipy.stats import pearsonr

    if len(a) < _FEWEST_WORDS or a.nunique() < 2 or b.nunique() < 2:
        return math.nan, math.nan, math.nan, math.nan
    found = pearsonr(a.to_numpy(np.float64), b.to_numpy(np.float64))
    interval = found.confidence_interval(0.95)
    return float(found.statistic), float(interval.low), float(interval.high), float(found.pvalue)
