"""The two forms of each item, from a candidate table."""

from __future__ import annotations

import pandas as pd

from core.tasks._agreement_pairs import shared_marks


def is_right(candidates: pd.DataFrame) -> pd.Series:
    """Whether each row of a candidate table holds the right candidate; False for items without one."""
    return (candidates["label"] == candidates["gold"]).fillna(False).astype(bool)


def forms(candidates: pd.DataFrame) -> pd.DataFrame:
    """The `right` and the `wrong` form, by item: the first word after the prefix, without marks that end both."""
    words = candidates.assign(word=candidates["text"].str.split(n=1).str[0])
    right = is_right(candidates)
    sides = {"right": words[right], "wrong": words[~right]}
    pairs = pd.DataFrame(
        {name: rows.drop_duplicates("item").set_index("item")["word"] for name, rows in sides.items()}
    )
    marks = [shared_marks(*pair) for pair in pairs.itertuples(index=False)]
    return pd.DataFrame(
        {name: [word.removesuffix(end) for word, end in zip(pairs[name], marks, strict=True)] for name in pairs},
        pairs.index,
        dtype="str",
    )
