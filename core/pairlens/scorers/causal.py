"""Causal language models: each token given those before it.

What the first token is given is the policy's choice. Of texts longer than the window a token's value comes from the
first window that holds it. A start symbol that the tokenizer itself puts before texts heads every window.
"""

from pairlens.policies import Policy
from pairlens.scorers import network_for
from pairlens.scorers._encoding import framed
from pairlens.types import Model, Scorer, ScorerKind


def _open(model: Model, policy: Policy) -> Scorer:
    from pairlens.scorers._left_to_right import LeftToRightScorer
    from pairlens.scorers._words_apart import RewrittenScorer

    network = network_for(SCORER, model, policy)
    if policy.tokens == "rewritten":
        return RewrittenScorer(network)
    return LeftToRightScorer(framed(network) if policy.framed else network, policy)


SCORER = ScorerKind(
    name="causal",
    version=2,
    title="causal: each token given those before it",
    accepts=frozenset({"causal"}),
    reads=("first_token", "dtype", "window", "stride", "windows", "tokens"),
    open=_open,
    backend="causal",
    speed=1000.0,
)
