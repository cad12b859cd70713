"""Encoder-decoders that fill a gap: the pseudo-log-likelihood of each token, hidden from the encoder.

This is the backend `enc_dec_mask` of the BabyLM pipeline. See `_encoder_decoder`.
"""

from pairlens.policies import Policy
from pairlens.scorers import network_for
from pairlens.scorers._encoding import framed
from pairlens.types import Model, Scorer, ScorerKind


def _open(model: Model, policy: Policy) -> Scorer:
    from pairlens.scorers._encoder_decoder import InfillingScorer
    from pairlens.scorers._words_apart import RewrittenScorer

    network = network_for(SCORER, model, policy)
    if policy.tokens == "rewritten":
        return RewrittenScorer(network)
    return InfillingScorer(framed(network) if policy.framed else network, policy)


SCORER = ScorerKind(
    name="seq2seq_mask",
    version=1,
    title="seq2seq_mask: each token given all others in the encoder, its place masked",
    accepts=frozenset({"seq2seq"}),
    reads=("pll", "words_by", "dtype", "window", "decoder", "tokens"),
    open=_open,
    backend="enc_dec_mask",
    quantity="Pseudo-log-likelihoods",
)
