"""What a visitor predicts of the pairs of a design before she sees the result, and how it compares with models."""

import hashlib
from collections.abc import Mapping

import numpy as np
import pandas as pd

from core.analysis.by_pair import whole_pairs
from core.analysis.experiment import EXPECTED, UNEXPECTED
from core.messages import counted
from core.studies.experiment.design import Design
from core.studies.experiment.findings import Findings
from core.studies.experiment.tables import pairs

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
    roles = findings.design.columns
    names = {EXPECTED: roles.expected, UNEXPECTED: roles.unexpected}
    rows = []
    for pair, letter in to_predict(findings.design).items():
        if choice := choices.get(pair):
            texts = pair if letter == "A" else pair[::-1]
            rows.append((*texts, names[EXPECTED if choice == letter else UNEXPECTED]))
    keys = [f"text_{side}" for side in names]
    table = pd.DataFrame(rows, columns=[*keys, "you"])
    for model, of_model in pairs(findings).drop_duplicates(["model", *keys]).groupby("model", sort=False):
        table = table.merge(of_model[[*keys, "preferred"]].rename(columns={"preferred": model}), how="left", on=keys)
    return table.rename(columns={f"text_{side}": name for side, name in names.items()})


def tally(table: pd.DataFrame, expected: str) -> str:
    """`You chose the expected sentence in 5 of 8 pairs; english-small prefers it in 6 of them.`"""
    right = (table.drop(columns=table.columns[:2]) == expected).sum()
    theirs = "".join(f"; {model} prefers it in {n} of them" for model, n in right.drop("you").items())
    return f"You chose the {expected} sentence in {right['you']} of {counted(len(table), 'pair')}{theirs}."


def _as_letters(expected: str, unexpected: str) -> tuple[Sides, str]:
    first = hashlib.sha256(f"{expected}\0{unexpected}".encode()).digest()[0] % 2 == 0
    return ((expected, unexpected), "A") if first else ((unexpected, expected), "B")
