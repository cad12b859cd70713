"""Our own small samples, in words that never read like the published set."""

from pairlens.messages import Message, one_or_more
from pairlens.types import Metric

SAMPLE = "our sample"
"""How the name of a run's data begins (`pairlens.evaluation.evaluate.data_name`) if they are ours."""


def is_sample(data: str) -> bool:
    return data.startswith(SAMPLE)


def items_of(data: str, n: int, noun: str) -> Message:
    """The items of a number, for the end of a sentence: `pairs`, or of our own sample `our 100 sample pairs`."""
    if not is_sample(data):
        return Message("{noun}s", noun=noun)
    return one_or_more("our {n:,} sample {noun}", "our {n:,} sample {noun}s", n=n, noun=noun)


def finding_of(metric: Metric, data: str) -> str:
    """The metric's `finding`; one about our own sample has $items (`items_of`) at its beginning if nowhere else."""
    finding = metric.finding
    if not is_sample(data) or "$items" in finding:
        return finding
    return f"On $items, {finding[0].lower()}{finding[1:]}"
