"""Models on a server: each token given those before it, as the server computes it."""

from pairlens import servers
from pairlens.policies import Policy
from pairlens.scorers import refuse_mismatch
from pairlens.scorers._encoding import framed
from pairlens.types import Model, Scorer, ScorerKind


def _open(model: Model, policy: Policy) -> Scorer:
    from pairlens.scorers._served import ServedScorer, network_at

    refuse_mismatch(SCORER, model)
    network = network_at(servers.parsed(model.name), model)
    return ServedScorer(framed(network) if policy.framed else network, policy)


SCORER = ScorerKind(
    name="served",
    version=1,
    title="served: each token given those before it, by a server",
    accepts=frozenset({"served"}),
    reads=("first_token", "window", "stride", "windows"),
    open=_open,
    backend="causal",
    speed=20.0,
)
