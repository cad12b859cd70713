"""Two models on the same pairs: is the difference of their accuracies more than chance?"""

from __future__ import annotations

from core.errors import InputError
from core.statistics import paired
from core.statistics.paired import Comparison
from core.studies.nli.evaluated import Evaluation


def compare(first: Evaluation, second: Evaluation) -> Comparison:
    """Compare two evaluations pair by pair, over the related sets of the first.

    Raises InputError if they tell other classes apart, or share no pair.
    """
    if first.classes != second.classes:
        raise InputError(
            f"they are judged by different classes ({', '.join(first.classes)}; {', '.join(second.classes)}), so "
            "their accuracies do not compare."
        )
    columns = ["id", "gold_class", "correct"]
    ours = first.answers[[*columns, "related_set"]]
    both = ours.merge(second.answers[columns], on="id", suffixes=("_a", "_b"))
    if both.empty:
        raise InputError("the two have no pair in common.")
    if (both["gold_class_a"] != both["gold_class_b"]).any():
        raise InputError("the two have other gold labels for the same pairs.")
    a, b = (both[f"correct_{one}"].astype("float64") for one in "ab")
    return paired.compare(a, b, both["related_set"])
