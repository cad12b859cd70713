"""The tables of findings as a page shows them: for its charts, and beside what a visitor expects of each pair."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.analysis.experiment import EXPECTED, UNEXPECTED
from core.analysis.interaction import Interaction
from core.messages import counted
from core.studies.experiment.design import Design, whole_pairs
from core.studies.experiment.findings import Findings

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


MOST = 12
"""So many pairs are asked for, spread evenly over the table."""
Sides = tuple[str, str]


def to_predict(design: Design) -> dict[Sides, str]:
    """Pairs of sentences as A and B, with the letter of the expected one.

    Which one is A is drawn from the texts, always in the same way: a table names the expected one first.
    """
    pairs = whole_pairs(design.sentences, design.columns.conditions)
    places = np.unique(np.linspace(0, len(pairs) - 1, min(MOST, len(pairs))).round().astype(int))
    chosen = pairs.iloc[places][[EXPECTED, UNEXPECTED]].itertuples(index=False, name=None)
    return dict(_as_letters(expected, unexpected) for expected, unexpected in chosen if expected != unexpected)


def beside(findings: Findings, choices: Mapping[Sides, str]) -> pd.DataFrame:
    """The pairs that somebody decided: expected and unexpected sentence, her choice (`you`), a column per model.

    `choices` are letters by pair, as `to_predict` gives them.
    """
    letters = to_predict(findings.design)
    rows = [_row(pair, letters[pair], choices[pair]) for pair in letters if choices.get(pair)]
    table = pd.DataFrame(rows, columns=["text_expected", "text_unexpected", "you"])
    columns = findings.design.columns
    for model, of_model in findings.by_pair.groupby("model", sort=False):
        decided = pairs_by_condition(of_model, columns.conditions, findings.design.sentences)
        decided = decided.drop_duplicates(["text_expected", "text_unexpected"])
        preferred = decided[["text_expected", "text_unexpected", "preferred"]].rename(columns={"preferred": model})
        table = table.merge(preferred, how="left", on=["text_expected", "text_unexpected"])
    said = {EXPECTED: columns.expected, UNEXPECTED: columns.unexpected}
    return table.replace(dict.fromkeys(table.columns[2:], said)).rename(
        columns={f"text_{side}": name for side, name in said.items()}
    )


def tally(table: pd.DataFrame, expected: str) -> str:
    """`You chose the expected sentence in 5 of 8 pairs; english-small prefers it in 6 of them.`"""
    right = (table.drop(columns=table.columns[:2]) == expected).sum()
    theirs = "".join(f"; {model} prefers it in {n} of them" for model, n in right.drop("you").items())
    return f"You chose the {expected} sentence in {right['you']} of {counted(len(table), 'pair')}{theirs}."


def _as_letters(expected: str, unexpected: str) -> tuple[Sides, str]:
    first = hashlib.sha256(f"{expected}\0{unexpected}".encode()).digest()[0] % 2 == 0
    return ((expected, unexpected), "A") if first else ((unexpected, expected), "B")


def _row(pair: Sides, letter: str, choice: str) -> tuple[str, str, str]:
    expected, unexpected = pair if letter == "A" else pair[::-1]
    return expected, unexpected, EXPECTED if choice == letter else UNEXPECTED
