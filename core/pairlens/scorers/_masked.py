"""What the scorers of masked models have in common: all but the position where a masked token is read."""

from pairlens.policies import Policy
from pairlens.scorers import network_for
from pairlens.scorers._encoding import framed
from pairlens.types import Model, Scorer, ScorerKind


def masked_kind(name: str, title: str, backend: str, shift: int) -> ScorerKind:
    """A scorer that reads a masked token `shift` positions before its place."""

    def opened(model: Model, policy: Policy) -> Scorer:
        from pairlens.scorers._masking import MaskingScorer
        from pairlens.scorers._words_apart import RewrittenScorer

        network = network_for(kind, model, policy)
        if policy.tokens == "rewritten":
            return RewrittenScorer(network, shift)
        network = framed(network, ended=not shift) if policy.framed else network
        return MaskingScorer(network, policy, shift=shift)

    kind = ScorerKind(
        name=name,
        version=1,
        title=title,
        accepts=frozenset({"masked"}),
        reads=("pll", "words_by", "dtype", "window", "windows", "tokens"),
        open=opened,
        backend=backend,
        quantity="Pseudo-log-likelihoods",
        speed=50.0,
    )
    return kind
