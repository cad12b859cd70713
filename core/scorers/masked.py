"""Masked language models: the pseudo-log-likelihood of each token, read where it is masked.

Salazar et al. 2020, "Masked language model scoring"; Kauf & Ivanova 2023, "A better way to do masked language model
scoring". See `_masking`.
"""

from __future__ import annotations

from core.models import load
from core.policies import Policy
from core.scorers import refuse_mismatch
from core.types import Model, Scorer, ScorerKind


def _open(model: Model, policy: Policy) -> Scorer:
    refuse_mismatch(SCORER, model)
    from core.scorers._masking import MaskingScorer

    return MaskingScorer(load(model, "masked", policy.dtype), policy, shift=0)


SCORER = ScorerKind(
    name="masked",
    version=1,
    title="masked: each token given all others, its place masked",
    accepts=frozenset({"masked"}),
    reads=("pll", "dtype", "window"),
    open=_open,
)
