"""Reading times and surprisal: the regressions behind the metrics, and the files of BabyLM's reading task."""

import json
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pairlens import measures
from pairlens.errors import InputError
from pairlens.files.tables import ending, read_json, read_records, write_texts
from pairlens.metrics import METRICS
from pairlens.policies import Policy
from pairlens.statistics import regression
from pairlens.statistics.candidates import rows_of
from pairlens.statistics.jackknife import left_out, symmetrical
from pairlens.statistics.regression import MEASURED, PLAIN, SPILLOVER, SURPRISAL, PredictivePower, reading_statistics
from pairlens.types import Item

DESIGNS: Mapping[str, tuple[str, ...]] = {"plain": PLAIN, "spillover": SPILLOVER}
"""The base regressions by name: predictors of the word alone, and of the word before it too."""

_KEYS = {
    "measured": "Predicted variable",
    "coefficient": "Coefficient",
    "t": "Number of standard deviations",
    "p": "P-value",
    "r2": "R2",
    "r2_change": "Change in R2 from baseline",
    "aic": "AIC",
    "aic_change": "Change in AIC from baseline",
}
"""Columns of `regressions`, and the original's names for them."""
_SCORES = {"EYE TRACKING SCORE": "eye_tracking", "SELF-PACED READING SCORE": "self_paced"}
_TABLES = {"predictive_power.jsonl": "plain", "predictive_power_spillover.jsonl": "spillover"}
_EXPECTED = '{"reading": {"predictions": [{"id": 0, "pred": 10.4, "prev_pred": 9.8}, ...]}}'
TITLES = {
    "RTfirstfix": "First fixation",
    "RTfirstpass": "First pass",
    "RTgopast": "Go-past",
    "RTrightbound": "Right-bounded",
    "self_paced_reading_time": "Self-paced",
}
_COLUMNS = ["measured", "bits", "effect", "low", "high", "slope", "slope_low", "slope_high", "n", "n_clusters"]
_STEPS = 25


def regressions(candidates: pd.DataFrame, base: Sequence[str] = PLAIN) -> pd.DataFrame:
    """What surprisal adds to a regression of each time and each amplitude, by ordinary least squares (statsmodels).

    measured               the predicted variable
    coefficient            of surprisal: milliseconds or microvolts per nat
    t, p                   of the coefficient, two-sided; they treat words as independent, which they are not
    r2, r2_change          of the model, and its gain over the base
    aic, aic_change        Akaike's criterion of the model, and the same difference (negative is better)
    n                      words

    `base` is one of DESIGNS. Base and model are fitted to the same words. Numbers are NaN if there are too few words,
    or if the other predictors determine surprisal.
    """
    statistics = reading_statistics(candidates, base)
    return pd.DataFrame([_regression(statistics, measured, base) for measured in MEASURED])


def _regression(statistics: pd.DataFrame, measured: str, base: Sequence[str]) -> dict[str, Any]:
    from statsmodels.regression.linear_model import OLS
    from statsmodels.tools.sm_exceptions import SingularMatrixWarning

    values = statistics[[*base, SURPRISAL, measured]].dropna().to_numpy(np.float64)
    columns = np.column_stack([regression.design(values[:, : len(base)]), values[:, -2]])
    row: dict[str, Any] = {"measured": measured, **dict.fromkeys(list(_KEYS)[1:], np.nan), "n": len(values)}
    rank = np.linalg.matrix_rank
    if len(values) <= columns.shape[1] or rank(columns) <= rank(columns[:, :-1]):  # surprisal is determined
        return row
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SingularMatrixWarning)  # of the base
        without, model = (OLS(values[:, -1], these, hasconst=True).fit() for these in (columns[:, :-1], columns))
    numbers = {
        "coefficient": model.params[-1],
        "t": model.tvalues[-1],
        "p": model.pvalues[-1],
        "r2": model.rsquared,
        "r2_change": model.rsquared - without.rsquared,
        "aic": model.aic,
        "aic_change": model.aic - without.aic,
    }
    return row | {name: float(value) for name, value in numbers.items()}


def correlations(candidates: pd.DataFrame) -> pd.DataFrame:
    """Pearson's `r` of surprisal with each `measured` variable, over the `n` words that have both."""
    statistics = reading_statistics(candidates)
    surprisal, times = statistics[SURPRISAL], [statistics[name] for name in MEASURED]
    r = [float(surprisal.corr(time)) for time in times]
    n = [int((surprisal.notna() & time.notna()).sum()) for time in times]
    return pd.DataFrame({"measured": MEASURED, "r": r, "n": n})


def read_predictions(path: Path) -> pd.DataFrame:
    """Surprisals written by BabyLM's reading task, in `prediction.jsonl` or `predictions.json`, also compressed.

    Columns: `number` of the row in the data, from 0; `word` (missing in .json); `surprisal` and `prev_surprisal` in
    nats, NaN where missing. The original's key "Logprob" holds surprisals.
    """
    keys = ("Index", "Logprob", "Prev_Logprob")
    if ending(path) != ".json":
        records = ((f"line {line}", record) for line, record in read_records(path, nan=True))
    else:
        keys = ("id", "pred", "prev_pred")
        try:
            content = read_json(path, _EXPECTED, nan=True)["reading"]["predictions"]
        except (KeyError, TypeError):
            raise InputError(f"expected {_EXPECTED}.", path.name) from None
        listed = content if isinstance(content, list) else [content]
        records = ((f"prediction {place}", record) for place, record in enumerate(listed))
    predictions = [_prediction(record, keys, f"{path.name}, {where}") for where, record in records]
    return pd.DataFrame(predictions, columns=["number", "word", SURPRISAL, "prev_surprisal"])


def _prediction(record: Any, keys: tuple[str, str, str], where: str) -> tuple[int, str | None, float, float]:
    try:
        number, surprisal, before = (record[key] for key in keys)
        return int(number), record.get("Word"), *(np.nan if s is None else float(s) for s in (surprisal, before))
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        raise InputError(f"expected the numbers {', '.join(keys)}, found {str(record)[:80]}.", where) from None


def candidate_table(predictions: pd.DataFrame, items: Sequence[Item]) -> pd.DataFrame:
    """The candidate table (`pairlens.metrics`) of predictions; InputError if numbers or words do not match the
    items."""
    ordered = predictions.sort_values("number")
    if ordered["number"].tolist() != list(range(len(items))):
        raise InputError(
            f"expected predictions numbered from 0 to {len(items) - 1:,}, one for each word of the data; "
            f"found {len(predictions):,}"
        )
    rows: list[dict[str, object]] = []
    prediction: Any
    for item, prediction in zip(items, ordered.itertuples(), strict=True):
        if not pd.isna(prediction.word) and prediction.word != item.candidates[0].text.removeprefix(" "):
            where = f"prediction {prediction.number}"
            raise InputError(f"the prediction is for {prediction.word!r}, the data has another word", where)
        surprisals = {"word": prediction.surprisal, "previous": prediction.prev_surprisal}
        rows += rows_of(item, [-surprisals[candidate.label] for candidate in item.candidates])
    return pd.DataFrame(rows)


def write_reading(folder: Path, candidates: pd.DataFrame, policy: Policy) -> None:
    """Write the files of BabyLM's reading task, NaN for missing numbers; InputError if they cannot be written."""
    counted = regression.as_counted(candidates, policy)
    scores = {
        title: METRICS[name].value(METRICS[name].statistics(candidates, policy)) for title, name in _SCORES.items()
    }
    related = correlations(counted).itertuples(index=False)
    tables = {name: regressions(counted, DESIGNS[kind]) for name, kind in _TABLES.items()}
    contents = {
        "report.txt": "".join(f"{title}: {100 * value:.2f}\n" for title, value in scores.items()),
        "correlations.txt": "".join(f"{row.measured}\t{row.r:.4f}\n" for row in related),
        **{name: _jsonl(table[[*_KEYS]].rename(columns=_KEYS)) for name, table in tables.items()},
        **_surprisals(counted),
    }
    write_texts(folder, contents)


def _surprisals(candidates: pd.DataFrame) -> dict[str, str]:
    statistics, words = reading_statistics(candidates), candidates[candidates["label"] == "word"]
    table = pd.DataFrame({
        "Index": range(len(words)),
        "Sentence": words["context"].to_numpy(),
        "Word": words["text"].str.removeprefix(" ").to_numpy(),
        "Logprob": statistics[SURPRISAL],
        "Prev_Logprob": statistics["prev_surprisal"],
    })  # fmt: skip
    short = table[["Index", "Logprob", "Prev_Logprob"]].set_axis(["id", "pred", "prev_pred"], axis=1)
    predictions = json.dumps({"reading": {"predictions": short.to_dict("records")}})
    return {"prediction.jsonl": _jsonl(table), "predictions.json": predictions}


def _jsonl(table: pd.DataFrame) -> str:
    return "".join(json.dumps(record) + "\n" for record in table.to_dict("records"))


def partial_effects(metric: PredictivePower, candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:
    """For each measured time, the line of surprisal in its regression on the base, its pairwise products and that.

    measured                      the time
    bits                          surprisal, from its least to its greatest value among the words, in even steps
    effect, low, high             milliseconds more than at mean surprisal with all other predictors at their means,
                                  and a 95 % band
    slope, slope_low, slope_high  milliseconds per bit, and its 95 % interval
    n, n_clusters                 words, and the sentences that they are in

    The errors of words of one sentence may depend on each other: sentences are left out one by one (CR3). No rows for
    a time that too few words or sentences have, or whose base determines surprisal.
    """
    statistics = metric.statistics(candidates, policy)
    lines = (_line(statistics, measured, metric.base) for measured in metric.measured)
    return pd.concat(
        [pd.DataFrame(columns=_COLUMNS), *(line for line in lines if line is not None)], ignore_index=True
    )


def slopes_in_words(lines: pd.DataFrame) -> str:
    """What each time costs per bit under the first model of such lines, which have a `title` for the time."""
    slopes = lines[lines["model"] == lines["model"].iloc[0]].drop_duplicates("measured")
    return "; ".join(
        f"{row.title.lower()} {row.slope:+.1f} ms per bit ({row.slope_low:.1f} to {row.slope_high:.1f})"
        for row in slopes.itertuples()
    )


def _line(statistics: pd.DataFrame, measured: str, base: tuple[str, ...]) -> pd.DataFrame | None:
    rows = statistics.dropna(subset=[*base, SURPRISAL, measured])
    codes, n_clusters = left_out(rows["contrast"] if "contrast" in rows else rows["item"])
    if n_clusters < 2:
        return None
    slope, without = regression.partial_slope(rows, measured, base, codes)
    slope, low, high = (one / measures.bits(1.0) for one in (slope, *symmetrical(slope, without)))
    if np.isnan(slope):
        return None
    bits = measures.bits(rows[SURPRISAL].to_numpy(np.float64))
    steps = np.linspace(bits.min(), bits.max(), _STEPS)
    away = steps - bits.mean()
    ends = np.sort(np.outer(away, [low, high]), axis=1)
    about = {"slope": slope, "slope_low": low, "slope_high": high, "n": len(rows), "n_clusters": n_clusters}
    lines = {"bits": steps, "effect": slope * away, "low": ends[:, 0], "high": ends[:, 1]}
    return pd.DataFrame({"measured": measured, **lines, **about})
