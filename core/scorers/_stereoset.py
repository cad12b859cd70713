"""The word in a gap as the programs of StereoSet score it, to reproduce published numbers (Nadeem et al. 2021).

The word is cut into tokens w1 .. wk on its own. For each of them the text has the tokens before it, written out, and
one mask in place of the rest of the word; the token is read at this mask. A text with a second gap has a second mask,
and the first one is read. Encoder-decoders read the token after their start symbol and the mask. The programs let T5
generate and took the mask to come first, without looking; here it does.

This is no scorer to choose (it is not in `core.scorers.SCORERS`): it knows gaps only. See `_rest_of_word`.
"""

from __future__ import annotations

from core.models import load
from core.policies import Policy
from core.scorers import refuse_mismatch
from core.types import Model, Scorer, ScorerKind


def _open(model: Model, policy: Policy) -> Scorer:
    refuse_mismatch(WORD_IN_GAP, model)
    from core.scorers._rest_of_word import RestOfWordScorer

    return RestOfWordScorer(load(model, model.kind, policy.dtype))


WORD_IN_GAP = ScorerKind(
    name="stereoset",
    version=1,
    title="stereoset: each token of a word, one mask in place of the rest of it",
    accepts=frozenset({"masked", "seq2seq"}),
    reads=("dtype",),
    open=_open,
    speed=5.0,
)
