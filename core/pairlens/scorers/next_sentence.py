"""Next-sentence heads: how likely a text is what follows another one.

A request's context is the first text, its continuation the second: the score is log p(the second is next), under the
softmax over the two outputs of the head (Devlin et al. 2019; output 0: it is next). A pair is framed as the tokenizer
frames two texts, each cut alone; one that is longer than the model can see is refused.
"""

from pairlens.policies import Policy
from pairlens.scorers import network_for
from pairlens.types import Model, Scorer, ScorerKind


def _open(model: Model, policy: Policy) -> Scorer:
    from pairlens.scorers._pairs import FollowingScorer

    return FollowingScorer(network_for(SCORER, model, policy))


SCORER = ScorerKind(
    name="next_sentence",
    version=2,
    title="next sentence: whether a text follows another",
    accepts=frozenset({"next-sentence"}),
    reads=("dtype",),
    open=_open,
    instead="Next-sentence heads are asked about StereoSet: `$program stereoset predict`, page Stereotypes.",
    quantity="Log-probabilities that a sentence comes next",
    whole=True,
    speed=400.0,
)
