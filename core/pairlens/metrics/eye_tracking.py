"""How much of people's eye movements in reading the surprisal of words predicts: a mean over four times."""

from pairlens.statistics.regression import EYE_TRACKING, PLAIN, PredictivePower

METRIC = PredictivePower(
    name="eye_tracking",
    title="Eye tracking",
    finding="Surprisal under $model explains $value of what word frequency, length and position leave unexplained in "
    "eye-tracking times.",
    measured=EYE_TRACKING,
    base=PLAIN,
    base_in_words="log frequency, length and position of the word",
)
