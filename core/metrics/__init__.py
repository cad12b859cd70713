"""Numbers about a run, one file each: `core.metrics.METRICS[name]`.

A metric's `statistics` takes the *candidate table* of a run, one row per item and candidate:

    item           str    id of the item
    candidate      int    its place in the item, from 0
    label          str    `good`, `bad`, ...
    gold           str    the label that is right, missing if none is
    context, text  str    as scored (missing for confidential tasks)
    logprob        float  sum of the scored tokens' log-probabilities, nats; NaN if it could not be scored
    n_tokens       int    tokens of the text
    n_scored       int    those that have a log-probability
    n_straddling   int    tokens that reach from the context into the text
    and one column per group of the task (`UID`, `field`, ...), str
"""

from __future__ import annotations

from core.discovery import Registry
from core.types import Metric

METRICS: Registry[Metric] = Registry(__name__, list(__path__), "METRIC")
