"""Sequence classifiers: how likely each of a model's labels is for a premise and a hypothesis.

A request's context holds the two texts, a line each, and its continuation is one of the model's labels: the score is
log p(label | premise, hypothesis) under the softmax over all labels. Requests about the same pair are one forward
pass. A pair is framed as the model's tokenizer frames two texts; one that is longer than the model can see is not cut
but refused. See `_pairs`.
"""

from core.models import labels_of, load
from core.policies import Policy
from core.scorers import refuse_mismatch
from core.types import Model, Scorer, ScorerKind


def _open(model: Model, policy: Policy) -> Scorer:
    refuse_mismatch(SCORER, model)
    from core.scorers._pairs import LabellingScorer

    labels = labels_of(model)
    return LabellingScorer(load(model, "classifier", policy.dtype), labels)


SCORER = ScorerKind(
    name="entailment",
    version=1,
    title="entailment: a label for a premise and a hypothesis",
    accepts=frozenset({"classifier"}),
    reads=("dtype",),
    open=_open,
    instead="A classifier has labels of its own, which are no answer to $task: take a language model.",
    quantity="Log-probabilities of labels",
    whole=True,
    speed=400.0,
)
