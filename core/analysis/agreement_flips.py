"""Whether counting the end of the word changes the decision between two forms.

*acceptée* is a prefix of *acceptées*: to a model of word pieces, the probability of the shorter form includes that
of the longer one, so that it is never the less likely of the two. With the end of the word counted, it can be.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core import measures
from core.analysis.items import forms
from core.metrics import METRICS
from core.policies import Policy

_DECISIONS = ("wrong", "tie", "right")


@dataclass(frozen=True, slots=True)
class Flips:
    """What counting the end of the word changes.

    `n` items count both ways; in `prefixed` of all pairs, one form is a prefix of the other. `items` has one row per
    item whose decision changes, the largest change first: item, right, wrong (the forms), word, form (`right`,
    `wrong` or `tie`, with the end of the word and without), margin_word, margin_form (bits).
    """

    n: int
    prefixed: int
    items: pd.DataFrame


def flips(word: pd.DataFrame, form: pd.DataFrame, policy: Policy) -> Flips:
    """Compare candidate tables of the same items with the end of the word (`word`) and without it (`form`)."""
    margins = [_margins(table, policy) for table in (word, form)]
    both = pd.concat(margins, axis=1, keys=["word", "form"], join="inner").dropna()
    decisions = both.map(np.sign).astype(int)
    changed = both[decisions["word"] != decisions["form"]]
    named = decisions.loc[changed.index].map(lambda sign: _DECISIONS[sign + 1])
    pairs = forms(word)
    items = named.assign(
        margin_word=measures.bits(changed["word"].to_numpy()), margin_form=measures.bits(changed["form"].to_numpy())
    )
    items = pairs.join(items, how="inner")
    change = (items["margin_word"] - items["margin_form"]).abs()
    order = change.sort_values(ascending=False, kind="stable").index
    return Flips(len(both), _prefixed(pairs), items.loc[order].reset_index())


def _margins(candidates: pd.DataFrame, policy: Policy) -> pd.Series:
    """By item, in nats; missing where the item does not count."""
    margins: pd.Series = METRICS["accuracy"].statistics(candidates, policy).set_index("item")["margin"]
    return margins


def _prefixed(pairs: pd.DataFrame) -> int:
    """In how many pairs one form is a prefix of the other."""
    known = pairs.dropna()
    both = zip(known["right"], known["wrong"], strict=True)
    return sum(a != b and (a.startswith(b) or b.startswith(a)) for a, b in both)
