"""The tables of findings as charts draw them: a name for each condition, a label for each position."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from core.analysis.interaction import Interaction

ALL = "all sentences"
"""Name of the only condition, where a design has none."""
_LONGEST = 24
_SEPARATOR = " · "


def cell_names(table: pd.DataFrame, conditions: Sequence[str]) -> pd.Series:
    """The name of each row's condition: its values, joined."""
    if not conditions:
        return pd.Series(ALL, index=table.index, dtype="str")
    joined, *others = (table[name].astype("str") for name in conditions)
    for values in others:
        joined = joined + _SEPARATOR + values
    return joined


def lines(profile: pd.DataFrame, conditions: Sequence[str], facets: Sequence[str]) -> pd.DataFrame:
    """One model's `core.analysis.by_cond` for `core.charts.experiment.along_the_sentence`.

    `facet` and `line` name the row's condition: `facets` are the conditions that get a chart of their own.
    """
    within = [name for name in conditions if name not in facets]
    rows = profile.assign(
        facet=cell_names(profile, facets),
        line=cell_names(profile, within),
        comparison=profile.get("comparison", ""),
        surp=profile["mean"],
    )
    words = rows.groupby(["facet", "position"])["label"].transform(_joined)
    return rows.assign(label=words.where(words != "", rows["position"].astype("str")))


def pairs_by_condition(pairs: pd.DataFrame, conditions: Sequence[str], sentences: pd.DataFrame) -> pd.DataFrame:
    """Pairs with the name of their condition (`cell`), their two texts and which of them is `preferred`."""
    texts = sentences.set_index("sentid")["sentence"]
    preferred = pairs["acc"].gt(0.5).map({True: "expected", False: "unexpected"}).mask(pairs["tie"], "tie")
    return pairs.assign(
        cell=cell_names(pairs, conditions),
        preferred=preferred,
        **{f"text_{side}": pairs[f"sentid_{side}"].map(texts) for side in ("expected", "unexpected")},
    )


def of_model(table: pd.DataFrame, model: str) -> pd.DataFrame:
    """The rows of one model."""
    return table[table["model"] == model].reset_index(drop=True)


def crossed(found: Interaction, model: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Cells and items of an interaction under one model, for `core.charts.experiment.interaction_plot`.

    `facet` is the level of the first of three factors, empty with two.
    """
    names = dict(zip(found.factors[-2:], ("first", "second"), strict=True))
    cells = of_model(found.cells, model).rename(columns={**names, "mean": "value"})
    cells["facet"] = cells[found.factors[0]] if len(found.factors) > 2 else ""
    levels = cells.drop_duplicates("cell")[["cell", "facet", "first", "second"]]
    items = of_model(found.items, model).drop(columns="value")
    values = items.melt(["region", "item"], list(levels["cell"]), "cell", "value")
    return cells, values.merge(levels, on="cell")


def reach(cells: pd.DataFrame, items: pd.DataFrame) -> list[float]:
    """The ends of an axis for the intervals of all cells and for their items, with a margin."""
    drawn = pd.concat([cells["value"], cells["low"], cells["high"], items["value"]])
    low, high = float(drawn.min()), float(drawn.max())
    room = 0.05 * (high - low) or 1.0
    return [low - room, high + room]


def _joined(words: pd.Series) -> str:
    """The words that the conditions have at a position, joined; empty where they are too long or one is missing."""
    joined = " / ".join(words.unique())
    return joined if words.ne("").all() and len(joined) <= _LONGEST else ""
