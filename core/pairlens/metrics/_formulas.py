"""Whether what an item predicts about its regions holds: its `formula`, evaluated on their surprisals."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pairlens import measures
from pairlens.files.formulas import Operation, chance, formula_of, regions_of, verdict
from pairlens.policies import Policy
from pairlens.statistics.candidates import Reals, group_columns, reals, sentence_values

_OF_TIES = {"half": 0.5, "correct": 1.0, "wrong": 0.0}


def predictions(candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:
    """One row per item, in the table's order, with its groups. A region that is no candidate has 0 bits: it is empty.

    correct      1 if the formula holds, 0 if not; a tie counts as `policy.ties` says; NaN if the item is excluded
    tie          it fails only because the sides of a `<` or `>` are equal, exactly
    undecided    no tie, but the margin is within `measures.PRECISION`
    margin       by how much it holds (`pairlens.files.formulas.Verdict`), nats (per token if means); negative if it
                 fails
    length_only  `correct` if every token had one bit, ties counted 1/2
    chance       the share of all orders of the regions' surprisals in which it holds
                 (`pairlens.files.formulas.chance`)
    excluded     why the item does not count; missing if it does
    """
    codes, items = pd.factorize(candidates["item"])
    first_rows = np.unique(codes, return_index=True)[1]
    rows = candidates.iloc[first_rows]
    values = np.stack([-measures.bits(sentence_values(candidates, policy)), reals(candidates["n_scored"])])
    holds, tie = np.zeros(len(items), np.bool_), np.zeros(len(items), np.bool_)
    margin, by_length, blind = np.full((3, len(items)), np.nan)
    for text, of_formula in candidates.groupby("formula", sort=False).indices.items():
        formula = formula_of(str(text))
        places, grid = _grid(formula, codes[of_formula], candidates["label"].iloc[of_formula], values[:, of_formula])
        truth, short = verdict(formula, grid[0]), verdict(formula, grid[1])
        holds[places], tie[places], margin[places] = truth.holds, truth.tie, measures.nats(truth.margin)
        by_length[places], blind[places] = short.holds + short.tie / 2, chance(formula)
    unscored = np.isnan(margin)
    empty = candidates["text"].eq("").groupby(codes).all().to_numpy()
    why = np.where(empty, "all its regions are empty", "a region could not be scored")
    return pd.DataFrame(
        {
            "item": rows["item"].to_numpy(),
            "correct": np.where(unscored, np.nan, np.where(tie, _OF_TIES[policy.ties], holds)),
            "tie": tie,
            "undecided": ~unscored & ~tie & (np.abs(margin) <= measures.PRECISION),
            "margin": margin,
            "length_only": np.where(unscored, np.nan, by_length),
            "chance": np.where(unscored, np.nan, blind),
            "excluded": pd.Series(why, rows.index, "object").where(unscored).to_numpy(),
            **{name: rows[name].to_numpy() for name in group_columns(candidates)},
        }
    )


def _grid(
    formula: Operation, items: NDArray[np.intp], labels: pd.Series, values: Reals
) -> tuple[NDArray[np.intp], list[dict[str, Reals]]]:
    """The items of these rows, each once, and for each kind of values, by label of a region, those of the items."""
    places, columns = np.unique(items, return_inverse=True)
    known = [region.label for region in regions_of(formula)]
    cells = np.zeros((len(values), len(known), len(places)))
    cells[:, pd.Index(known).get_indexer(pd.Index(labels)), columns] = values
    return places, [dict(zip(known, layer, strict=True)) for layer in cells]
