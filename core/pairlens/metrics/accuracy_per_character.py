"""Accuracy where a long choice is not at a disadvantage: log-probabilities are divided by the number of characters.

This is `acc_norm` of lm-evaluation-harness, which counts the characters of the choice without the space before it.
"""

import pandas as pd

from pairlens.policies import Policy
from pairlens.statistics.candidates import reals
from pairlens.statistics.choice import choices
from pairlens.statistics.share import Share


def _decide(candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:
    characters = candidates["text"].str.removeprefix(" ").str.len().clip(lower=1)
    divided = candidates.assign(logprob=reals(candidates["logprob"]) / reals(characters))
    return choices(divided, policy.but(sentence_value="sum"))


METRIC = Share(
    name="accuracy_per_character",
    title="Accuracy per character",
    finding="$model prefers the right one in $value of $items, if log-probabilities are divided by characters.",
    formula="share of items in which the right candidate has the highest log-probability per character",
    higher_is_better=True,
    decide=_decide,
    version=1,
    note="The acc_norm of lm-evaluation-harness; margins are per character.",
)
