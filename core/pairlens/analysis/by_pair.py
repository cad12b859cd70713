"""Which sentence of each pair a model prefers."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pairlens import measures
from pairlens.analysis.experiment import EXPECTED, UNEXPECTED, Analysis, Columns, refuse_taken
from pairlens.errors import InputError

Reals = NDArray[np.float64]

_OURS = ("tie", "undecided", "item", "sentid_expected", "sentid_unexpected", "n_words_expected", "n_words_unexpected")
_SIDES = (EXPECTED, UNEXPECTED)
_TAKEN = ("model", "pairid", *_SIDES, "diff", "acc", *_OURS, "reason")


def by_pair(
    regions: pd.DataFrame, sentences: pd.DataFrame, columns: Columns, analysis: Analysis, *, region: str = ""
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The pairs of one region, by default the first (the ROI or the whole sentence), and the pairs left out.

    The first table has one row per model and pair, NLPScholar's columns first, under its names:

    model, [conditions], pairid
    expected, unexpected    the region's `analysis.measure` in the sentence that should win and in the other
    diff                    expected - unexpected
    acc                     1 if the expected one is the more probable (the less surprising), 0 if not, and a tie what
                            `analysis.ties` says
    tie, undecided          exactly equal; no tie, but surprisals that differ by at most `measures.PRECISION` nats
    item                    repeated over conditions; the pair if there is no item
    sentid_expected, sentid_unexpected, n_words_expected, n_words_unexpected

    The second table has `model`, `pairid` and `reason`, of complete pairs. One is one expected and one unexpected
    sentence of the same `pairid` in the same conditions; a `pairid` may recur under others and is then another pair.
    Raises InputError if there are no pairs, and for a condition that always differs between the two sentences.
    """
    refuse_taken(columns.conditions, _TAKEN)
    pairs = _pairs(sentences, columns)
    chosen = regions[regions["region"] == (region or regions["region"].iloc[0])] if len(regions) else regions
    expected, unexpected = sides = [_side(pairs, chosen, side) for side in _SIDES]
    reason = expected["reason"].where(expected["reason"].notna(), unexpected["reason"])
    counts = reason.isna()
    table = expected.assign(**_decisions(expected, unexpected, analysis))
    for side, rows in zip(_SIDES, sides, strict=True):
        table[f"n_words_{side}"] = rows["n_words"]
    excluded = table.loc[~counts, ["model", "pairid"]].assign(reason=reason[~counts])
    order = ["model", *columns.conditions, "pairid", *_SIDES, "diff", "acc", *_OURS]
    whole = table.loc[counts, order].astype({"n_words_expected": int, "n_words_unexpected": int})
    return whole.reset_index(drop=True), excluded.reset_index(drop=True)


def whole_pairs(sentences: pd.DataFrame, conditions: Sequence[str], what: str = "sentence") -> pd.DataFrame:
    """One row per complete pair, in order: `pairid`, the conditions, `expected` and `unexpected` (this column)."""
    key = ["pairid", *conditions]
    if not {"pairid", "comparison"} <= set(sentences):
        return pd.DataFrame(columns=[*key, EXPECTED, UNEXPECTED])
    whole = sentences[broken_pairs(sentences, conditions) == ""]
    by_side = {side: whole[whole["comparison"] == side] for side in (EXPECTED, UNEXPECTED)}
    named = [part[[*key, what]].rename(columns={what: side}) for side, part in by_side.items()]
    return named[0].merge(named[1], on=key)


def broken_pairs(sentences: pd.DataFrame, conditions: Sequence[str]) -> pd.Series:
    """Why each row is in no complete pair; empty where it is in one, and everywhere in a design without pairs."""
    reasons = pd.Series("", index=sentences.index, dtype="str")
    if not {"pairid", "comparison"} <= set(sentences):
        return reasons
    sides = pd.DataFrame({side: sentences["comparison"] == side for side in (EXPECTED, UNEXPECTED)})
    here = sides.groupby([sentences[name] for name in ("pairid", *conditions)]).transform("sum")
    broken = (here != 1).any(axis=1) | (sentences["pairid"] == "")
    if not broken.any():
        return reasons
    anywhere = sides.groupby(sentences["pairid"]).transform("sum")
    pair, n_expected, n_unexpected = "pair " + sentences["pairid"], here[EXPECTED], here[UNEXPECTED]
    several = (
        pair + " has " + n_expected.astype("str") + " expected and " + n_unexpected.astype("str") + " unexpected"
    )
    lacking = (
        pair + " has no " + n_expected.gt(0).map({True: UNEXPECTED, False: EXPECTED}).astype("str") + " sentence"
    )
    reasons = reasons.mask(broken, lacking).mask(broken & (here > 1).any(axis=1), several + " sentences")
    apart = broken & (anywhere == 1).all(axis=1)
    reasons = reasons.mask(apart, "the sentences of " + pair + " differ in their conditions")
    return reasons.mask(sentences["pairid"] == "", "no pairid: it is in no pair")


def _pairs(sentences: pd.DataFrame, columns: Columns) -> pd.DataFrame:
    """One row per complete pair: `pairid`, conditions, `item` and the two sentids."""
    if not {"pairid", "comparison"} <= set(sentences):
        raise InputError(
            "The table has no pairs: name the columns that identify the pair and the sentence that should win."
        )
    paired = sentences[sentences["pairid"].fillna("").ne("") & sentences["comparison"].isin(_SIDES)]
    both = paired.groupby("pairid")["comparison"].nunique() == len(_SIDES)
    for name in columns.conditions:
        shared = paired.groupby(["pairid", name], dropna=False)["comparison"].nunique() == len(_SIDES)
        if both.any() and not shared.any():
            raise InputError(
                f"The condition '{name}' differs between the two sentences of every pair: it is part of the "
                "comparison. Leave it out of the conditions."
            )
    pairs = whole_pairs(paired, columns.conditions, "sentid")
    named = pairs["pairid"]
    if "item" in paired:
        named = pairs[EXPECTED].map(paired.set_index("sentid")["item"]).fillna("")
    pairs = pairs.assign(item=named.where(named != "", "pair " + pairs["pairid"]))
    return pairs.rename(columns={side: f"sentid_{side}" for side in _SIDES})


def _side(pairs: pd.DataFrame, regions: pd.DataFrame, side: str) -> pd.DataFrame:
    """One sentence of each pair under each model, with the values of its region and, in `reason`, why it has none."""
    every = pd.DataFrame({"model": regions["model"].unique()}).merge(pairs, how="cross")
    values = regions.drop(columns=["region", "text", "n_tokens"])
    joined = every.merge(values, left_on=["model", f"sentid_{side}"], right_on=["model", "sentid"], how="left")
    return joined.assign(reason=f"{side} sentence: " + joined["excluded"])


def _decisions(expected: pd.DataFrame, unexpected: pd.DataFrame, analysis: Analysis) -> dict[str, NDArray[Any]]:
    """The columns that say which sentence wins.

    Where every measure follows from the surprisal, all decide alike; comparing surprisals keeps decisions that would
    be lost where probabilities underflow.
    """
    values = [side[analysis.measure].to_numpy(np.float64) for side in (expected, unexpected)]
    surprisals = [side["surp"].to_numpy(np.float64) for side in (expected, unexpected)]
    with np.errstate(invalid="ignore"):  # two infinite numbers are equal, though their difference is NaN
        apart = np.where(surprisals[0] == surprisals[1], 0.0, surprisals[1] - surprisals[0])
        diff = values[0] - values[1]
    by_mean = analysis.measure == "prob" and analysis.word_probability == "mean"
    lead = diff if by_mean else apart
    tie = lead == 0
    undecided = ~tie & (np.abs(measures.nats(apart)) <= measures.PRECISION)
    share = {"half": 0.5, "correct": 1.0, "wrong": 0.0}[analysis.ties]
    return {
        **dict(zip(_SIDES, values, strict=True)),
        "diff": diff,
        "acc": np.where(tie, share, lead > 0),
        "tie": tie,
        "undecided": undecided,
    }
