"""Forms after a beginning into whose run states of another beginning are put (activation patching).

Vig et al. 2020 ("Investigating gender bias in language models using causal mediation analysis") and Finlayson et al.
2021 ("Causal analysis of syntactic agreement mechanisms in neural language models") intervene on neurons of language
models, Geiger et al. 2021 ("Causal abstractions of neural networks") interchange the states of two inputs, Meng et
al. 2022 ("Locating and editing factual associations in GPT") make maps of layers and positions. The ladder, where
an earlier layer's states stand for the last one's, is the logit lens (nostalgebraist 2020).

This is no scorer to choose (it is not in `core.scorers.SCORERS`): see `_patch` for what it is asked, and `_patching`.
"""

from __future__ import annotations

from core.models import load
from core.policies import Policy
from core.scorers import refuse_mismatch
from core.types import Model, Scorer, ScorerKind


def _open(model: Model, policy: Policy) -> Scorer:
    refuse_mismatch(PATCHED, model)
    from core.scorers._patching import PatchedScorer

    return PatchedScorer(load(model, "causal", policy.dtype), policy)


PATCHED = ScorerKind(
    name="patched",
    version=1,
    title="patched: a form after a beginning into which states of another were put",
    accepts=frozenset({"causal"}),
    reads=("first_token", "dtype"),
    open=_open,
    speed=2.0,
)
