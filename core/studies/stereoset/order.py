"""Whether the order of examples, or of the sentences of one, changes a number. It must not."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace

from core.files.stereoset.examples import Example, Examples
from core.studies.stereoset.measured import Measured, measure
from core.studies.stereoset.predictions import Predictions

ORDER_CHECK = (
    "Order check: the examples, and the three sentences of each, are shuffled, and everything is measured again. "
    "Nothing may change; it would if a tie went to whichever sentence stands first."
)
_SEED = 20_210_803


def order_does_not_matter(examples: Examples, predictions: Predictions, measured: Measured) -> bool:
    """Whether everything comes out the same when examples and the sentences of each stand in another order.

    Numbers may differ by what the order of a sum changes, 1e-9 points.
    """
    generator = random.Random(_SEED)
    other = replace(
        examples,
        intrasentence=_shuffled(examples.intrasentence, generator),
        intersentence=_shuffled(examples.intersentence, generator),
    )
    again = _values(measure(other, predictions, measured.ties))
    usual = _values(measured)
    return usual.keys() == again.keys() and all(
        math.isclose(value, again[key], abs_tol=1e-9) for key, value in usual.items()
    )


def _shuffled(examples: Sequence[Example], generator: random.Random) -> tuple[Example, ...]:
    mixed = [replace(one, candidates=tuple(generator.sample(one.candidates, 3))) for one in examples]
    return tuple(generator.sample(mixed, len(mixed)))


def _values(measured: Measured) -> dict[tuple[str, str, str, str], float]:
    """Every number by task, bias type, aggregation and metric."""
    return {
        (kind, bias_type, aggregation, metric): estimate.value
        for (kind, bias_type), cell in measured.by_name.items()
        for aggregation, metric, estimate in cell.rows()
    }
