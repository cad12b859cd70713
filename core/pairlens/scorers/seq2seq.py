"""Encoder-decoders that continue a text: each token given the context, which the encoder reads, and earlier tokens.

This is the backend `enc_dec_prefix` of the BabyLM pipeline. See `_encoder_decoder`.
"""

from pairlens.policies import Policy
from pairlens.scorers import network_for
from pairlens.types import Model, Scorer, ScorerKind


def _open(model: Model, policy: Policy) -> Scorer:
    from pairlens.scorers._encoder_decoder import ContinuationScorer
    from pairlens.scorers._words_apart import RewrittenScorer

    network = network_for(SCORER, model, policy)
    return RewrittenScorer(network) if policy.tokens == "rewritten" else ContinuationScorer(network, policy)


SCORER = ScorerKind(
    name="seq2seq",
    version=1,
    title="seq2seq: each token given the context in the encoder and those before it in the decoder",
    accepts=frozenset({"seq2seq"}),
    reads=("dtype", "window", "stride", "decoder", "tokens"),
    open=_open,
    backend="enc_dec_prefix",
    context="encoded",
    speed=500.0,
)
