"""When a model learns a word and when children do: learning curves over checkpoints, and how far the ages agree.

Chang & Bergen 2022 (TACL 10): a sigmoid is fitted to a word's negative surprisal over the logarithm of the words seen
in training; the word is acquired where the curve is halfway between chance and its best. For children, it is the age
at which a sigmoid fitted to the monthly shares of children who say the word reaches one half.

The BabyLM evaluation takes chance in bits but surprisal in nats, and fits single contexts instead of their means, so
that the best is that of a single context: `published=True` does the same. By default, units agree, and a checkpoint's
surprisal is the mean over contexts.
"""

import json
import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from pairlens import measures
from pairlens.errors import InputError
from pairlens.files.tables import read_table, write_texts
from pairlens.statistics.candidates import Reals, reals

_EVALUATIONS = 1_000

Bounds = tuple[Sequence[float], Sequence[float]]


def crossing(
    x: Reals, y: Reals, level: float, start: Sequence[float], bounds: Bounds = ((-math.inf,) * 4, (math.inf,) * 4)
) -> tuple[float, str]:
    """Where a rising sigmoid through the points, fitted from `start`, reaches `level`; NaN and why, if nowhere."""
    from scipy.optimize import OptimizeWarning, curve_fit

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", OptimizeWarning)  # only the parameters are used, not their covariance
            (a, b, c, d), _ = curve_fit(_sigmoid, x, y, p0=start, bounds=bounds, maxfev=_EVALUATIONS)
    except RuntimeError:
        return math.nan, f"no sigmoid was found in {_EVALUATIONS:,} steps"
    if a <= 0 or b <= 0:
        return math.nan, "no rising sigmoid fits it"
    share = (level - d) / a
    if not 0 < share < 1:
        return math.nan, "its sigmoid does not reach the threshold"
    at = c + math.log(share / (1 - share)) / b
    if not x.min() <= at <= x.max():
        return math.nan, "its sigmoid reaches the threshold before the first or after the last point"
    return float(at), ""


def _sigmoid(x: Reals, a: float, b: float, c: float, d: float) -> Reals:
    from scipy.special import expit

    return np.asarray(a * expit(b * (x - c)) + d, np.float64)


VOCABULARY = 300_000
"""The original's number of words among which chance chooses."""
MONTHS = tuple(range(16, 31))
_FEWEST_CHECKPOINTS = 4
_FEWEST_MONTHS = 3
_FEWEST_WORDS = 3


@dataclass(frozen=True, slots=True)
class Agreement:
    """Pearson's `r` of the ages over `n` words with its p-value and 95 % interval (Fisher 1915); NaN for too few.

    `words`: `word`, `model_age` (log10 of words seen), `child_age` (months), `excluded` (why it is in no `n`, or
    missing).
    """

    r: float
    low: float
    high: float
    p: float
    n: int
    words: pd.DataFrame


def surprisal_table(step: str, words_seen: float, candidates: pd.DataFrame) -> pd.DataFrame:
    """A checkpoint's candidates for the task `aoa`: step, words_seen, word, context_id, context, surprisal (bits)."""
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
    """One row per `word`: its `age` (log10 of words seen), or why it is `excluded`; the module explains `published`.

    `surprisals` are rows of `surprisal_table` for several checkpoints.
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
    """One row per `word`: the `age` in months at which this share of children says it, or why it is `excluded`."""
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
    words["excluded"] = words["excluded_model"].fillna(words["excluded_child"]).fillna(unknown)
    words = words.rename(columns={"age_model": "model_age", "age_child": "child_age"})
    words = words[["word", "model_age", "child_age", "excluded"]]
    counted = words[words["excluded"].isna()]
    return Agreement(*_pearson(counted["model_age"], counted["child_age"]), len(counted), words)


def _pearson(a: pd.Series, b: pd.Series) -> tuple[float, float, float, float]:
    """r with the bounds of its interval, and p; all NaN for fewer than three pairs or if one side is constant."""
    from scipy.stats import pearsonr

    if len(a) < _FEWEST_WORDS or a.nunique() < 2 or b.nunique() < 2:
        return math.nan, math.nan, math.nan, math.nan
    correlation = pearsonr(a.to_numpy(np.float64), b.to_numpy(np.float64))
    interval = correlation.confidence_interval(0.95)
    return float(correlation.statistic), float(interval.low), float(interval.high), float(correlation.pvalue)


_COLUMNS = ("step", "words_seen", "word", "context_id", "context", "surprisal")
_KEYS = {"words_seen": "word_count", "word": "target_word"}
"""The original's names for columns of `pairlens.analysis.acquisition.surprisal_table`."""


def write_surprisals(path: Path, surprisals: pd.DataFrame, model_name: str) -> None:
    """Write the original's `surprisal.json` in nats, NaN where unscored; InputError if that cannot be."""
    n_steps = int(surprisals["step"].nunique())
    metadata = {"model_name": model_name, "use_bos_only": False, "total_steps": n_steps, "completed_steps": n_steps}
    table = surprisals[list(_COLUMNS)].rename(columns=_KEYS)
    table = table.assign(
        word_count=table["word_count"].astype("int64"),
        surprisal=measures.nats(table["surprisal"].to_numpy(np.float64)),
    )
    document = {"metadata": metadata, "results": table.to_dict("records")}
    write_texts(path.parent, {path.name: json.dumps(document, indent=2)})


def read_children(path: Path) -> pd.DataFrame:
    """Shares of children who say each `word`, by months of age (16 to 30; some may be missing).

    A .csv table as those made from Wordbank's inventories, with the columns `word`, `16`, `17`, ...; others and
    repeated words are ignored. InputError for a table without these, and for a share that is not a number from 0 to
    1.
    """
    table = read_table(path)
    months = [month for month in MONTHS if str(month) in table.columns]
    if "word" not in table.columns or not months or table.empty:
        headings = ", ".join(map(str, table.columns))
        raise InputError(
            f"expected a column 'word' and months of age (16 to 30), with rows; found {headings}.", path.name
        )
    table = table.drop_duplicates("word")
    columns: dict[str | int, pd.Series] = {month: _shares(table[str(month)], path.name) for month in months}
    return pd.DataFrame({"word": table["word"]} | columns)


def _shares(column: pd.Series, where: str) -> pd.Series:
    shares = pd.to_numeric(column.replace({"": None, "NA": None}), errors="coerce")
    wrong = (shares.isna() & ~column.isin(["", "NA"])) | ~shares.fillna(0).between(0, 1)
    if wrong.any():
        place = int(np.flatnonzero(wrong)[0])
        cell = str(column.iloc[place])[:40]
        raise InputError(f"expected a share from 0 to 1, found {cell!r}.", f"{where}, column {column.name}")
    return shares.astype("float64")
