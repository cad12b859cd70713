"""Masked next-token prediction: a masked token's log-probability is read at the position before it.

For models trained that way (BehnamGhader et al. 2024, "LLM2Vec"; Charpentier & Samuel 2024, "GPT or BERT: why not
both?"). The first token is scored only if the tokenizer puts a special token before it.
"""

from __future__ import annotations

from core.models import load
from core.policies import Policy
from core.scorers import refuse_mismatch
from core.types import Model, Scorer, ScorerKind


def _open(model: Model, policy: Policy) -> Scorer:
    refuse_mismatch(SCORER, model)
    from core.scorers._masking import MaskingScorer

    return MaskingScorer(load(model, "masked", policy.dtype), policy, shift=1)


SCORER = ScorerKind(
    name="mntp",
    version=1,
    title="mntp: each token given all others, its place masked, read one position earlier",
    accepts=frozenset({"masked"}),
    reads=("pll", "dtype", "window"),
    open=_open,
)
