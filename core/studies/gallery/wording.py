"""The result of a model on a worked example, as a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from core import measures
from core.studies.compare.pair import Comparison
from core.studies.compare.wording import amount
from core.studies.gallery.examples import WorkedExample, verdict
from core.studies.gallery.measuring import margins
from core.text.languages import english_name


def outcome(example: WorkedExample, comparisons: Sequence[Comparison]) -> str:
    """The result of a model as a sentence."""
    name = comparisons[0].recipe.model.name
    found = margins(example, comparisons)
    right, spoken = verdict(example.expected, found), english_name(example.language)
    where = f"At {' and '.join(dict.fromkeys(example.at))}, " if example.at else ""
    if right is None:
        return f"Both sentences are fine: the preference of {name} is no judgement."
    if example.expected == "interaction":
        first, second = (
            f"{'A' if margin > 0 else 'B'} by {amount(measures.nats(abs(margin)), 'bits')}" for margin in found
        )
        end = "as expected" if right else "against expectation"
        return f"{where}{name} prefers {first} in the first pair and {second} in the second, {end}."
    if right:
        return f"{where}{name} agrees with speakers of {spoken}."
    return f"{where}{name} goes against speakers of {spoken}, who take {example.expected}."


def measured(example: WorkedExample, model_name: str) -> str:
    """The result of a bundled model in a few words; empty if it was not measured."""
    result = example.measured.get(model_name)
    if result is None:
        return ""
    by = min(abs(margin) for margin in result.margins)
    if example.expected == "interaction":
        by = abs(result.margins[0] - result.margins[1])
    size = amount(measures.nats(by), "bits")
    return {True: f"as expected, by {size}", False: f"goes wrong, by {size}", None: f"{size} apart"}[result.right]
