"""Which sentences of a design are pairs: one expected and one unexpected that share `pairid` and all conditions."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from core.analysis.experiment import EXPECTED, UNEXPECTED


def whole_pairs(sentences: pd.DataFrame, conditions: Sequence[str]) -> pd.DataFrame:
    """One row per complete pair, in order: `pairid`, the conditions, `expected` and `unexpected` (the sentences)."""
    key = ["pairid", *conditions]
    if not {"pairid", "comparison"} <= set(sentences):
        return pd.DataFrame(columns=[*key, EXPECTED, UNEXPECTED])
    whole = sentences[broken_pairs(sentences, conditions) == ""]
    by_side = {side: whole[whole["comparison"] == side] for side in (EXPECTED, UNEXPECTED)}
    named = [part[[*key, "sentence"]].rename(columns={"sentence": side}) for side, part in by_side.items()]
    return named[0].merge(named[1], on=key)


def broken_pairs(sentences: pd.DataFrame, conditions: Sequence[str]) -> pd.Series:
    """Why each row is in no complete pair; empty where it is in one, and everywhere in a design without pairs."""
    reasons = pd.Series("", index=sentences.index, dtype="str")
    if not {"pairid", "comparison"} <= set(sentences):
        return reasons
    sides = pd.DataFrame({side: sentences["comparison"] == side for side in (EXPECTED, UNEXPECTED)})
    here = sides.groupby([sentences[name] for name in ("pairid", *conditions)]).transform("sum")
    anywhere = sides.groupby(sentences["pairid"]).transform("sum")
    broken = (here != 1).any(axis=1) | (sentences["pairid"] == "")
    why = [
        _reason(pairid, (expected, unexpected), apart)
        for pairid, expected, unexpected, apart in zip(
            sentences.loc[broken, "pairid"],
            here.loc[broken, EXPECTED],
            here.loc[broken, UNEXPECTED],
            (anywhere[broken] == 1).all(axis=1),
            strict=True,
        )
    ]
    reasons[broken] = pd.Series(why, reasons.index[broken], "str")
    return reasons


def _reason(pairid: str, counts: tuple[int, int], apart: bool) -> str:
    """`counts`: expected and unexpected sentences; `apart`: the pair's two sentences differ in their conditions."""
    if not pairid:
        return "no pairid: it is in no pair"
    if apart:
        return f"the sentences of pair {pairid} differ in their conditions"
    if max(counts) > 1:
        return f"pair {pairid} has {counts[0]} expected and {counts[1]} unexpected sentences"
    return f"pair {pairid} has no {UNEXPECTED if counts[0] else EXPECTED} sentence"
