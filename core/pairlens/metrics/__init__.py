"""Numbers about a run, one file each: `pairlens.metrics.METRICS[name]`.

A metric's `statistics` takes the *candidate table* of a run, one row per item and candidate:

    item           str    id of the item
    candidate      int    its position in the item, from 0
    label          str    `good`, `bad`, ...
    gold           str    the right label, missing if there is none
    context, text  str    as scored (missing for confidential tasks)
    logprob        float  summed log-probability of the scored tokens, in nats; NaN if it could not be scored
    n_tokens       int    number of tokens
    n_scored       int    number of tokens with a log-probability
    n_straddling   int    number of tokens that span context and text
    and one column per group of the task (`UID`, `field`, ...), str

Under the rule `shared`, `logprob`, `n_tokens` and `n_scored` cover only the tokens that both texts share
(`pairlens.store.scores`).

Statistics have one row per item: `item`, `excluded` (why the item does not count; missing if it does), `tie` and
`undecided` (bool; false where a metric decides nothing), `length_only` (the value of choosing by number of tokens)
and `chance` (the value of choosing at random), both NaN where undefined, and the groups. Metrics that are means also
have `correct`, whose mean they are, and `margin` in nats; others have columns of their own.
"""

from pairlens.discovery import Registry
from pairlens.types import Metric

METRICS: Registry[Metric] = Registry(__name__, list(__path__), "METRIC")
