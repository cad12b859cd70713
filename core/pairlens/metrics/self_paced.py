"""How much of people's times in self-paced reading the surprisal of words predicts.

The word before, its length, surprisal and products are in the base regression; words without one do not count.
"""

from pairlens.statistics.regression import SELF_PACED, SPILLOVER, PredictivePower

METRIC = PredictivePower(
    name="self_paced",
    title="Self-paced reading",
    finding="Surprisal under $model explains $value of what word frequency, length, position and the word before "
    "leave unexplained in self-paced reading times.",
    values=("surprisal", "prev_surprisal"),
    measured=SELF_PACED,
    base=SPILLOVER,
    base_in_words="log frequency, length and position of the word, length and surprisal of the word before",
)
