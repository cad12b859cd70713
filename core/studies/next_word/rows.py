"""Predictions as the rows of charts and tables.

Bars have rank, label, adds (the text that continues the prefix, empty if nothing can), probability, and remark, which
is shown on hover.
"""

from __future__ import annotations

import math

import pandas as pd

from core import measures
from core.studies.compare.pair import in_unit
from core.studies.next_word import wording
from core.studies.next_word.forms import FormComparison
from core.studies.next_word.next_token import NextTokens

_COLUMNS = ["rank", "label", "adds", "probability", "remark"]


def word_bars(seen: NextTokens) -> pd.DataFrame:
    """The likeliest whole words; the remark gives their pieces."""
    rows = [
        (rank, wording.named(word), "" if word.ends_text else word.before + word.text,
         measures.probability(word.logprob), f"cut as {' '.join(word.pieces)}")
        for rank, word in enumerate(seen.words.words if seen.words else (), start=1)
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=_COLUMNS)


def piece_bars(seen: NextTokens) -> pd.DataFrame:
    """The likeliest pieces; the remark is how often their word continues."""
    remarks = [
        "" if math.isnan(share) else f"the word goes on: {wording.share(share)}" for share in seen.pieces["goes_on"]
    ]
    return seen.pieces.rename(columns={"piece": "label"}).assign(remark=remarks)[_COLUMNS]


def form_rows(choice: FormComparison, unit: str) -> pd.DataFrame:
    """Forms, the likeliest first: form, probability (of the whole word, as written), whole, only, n_pieces, pieces.

    `whole` and `only` are surprisals in `unit`, bits or nats.
    """
    rows = [
        (form.text, wording.share(measures.probability(form.whole)), in_unit(-form.whole, unit),
         in_unit(-form.only, unit), len(form.pieces), " ".join(form.pieces))
        for form in choice.ranked
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["form", "probability", "whole", "only", "n_pieces", "pieces"])
