"""SyntaxGym as it was published (Hu et al. 2020): an item counts if the first prediction of its suite holds.

Their results have one row per item, also where a suite has two predictions; in `fgd_hierarchy` the second one wants
equal surprisals, which no model has, and yet models reach 70 %.
"""

import pandas as pd

from pairlens.metrics._formulas import predictions
from pairlens.policies import Policy
from pairlens.statistics.share import Share


def first_formulas(candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:
    table = predictions(candidates, policy)
    later = table["number"] != "1"
    table["excluded"] = table["excluded"].mask(later, "only the first prediction of an item counts here")
    table[["tie", "undecided"]] = table[["tie", "undecided"]].mask(later, other=False)
    numbers = ["correct", "margin", "length_only", "chance"]
    table[numbers] = table[numbers].mask(later)
    return table


METRIC = Share(
    name="first_formula",
    title="First prediction",
    finding="The first prediction of an item holds for $model in $value of $items.",
    formula="share of items whose first prediction about the surprisals of regions holds",
    higher_is_better=True,
    cites=("hu2020systematic",),
    decide=first_formulas,
    under=("conditional",),
)
