"""Sequence classifiers: how likely each of a model's labels is for a premise and a hypothesis.

A request's context holds the two texts, a line each, and its continuation is one of the model's labels: the score is
log p(label | premise, hypothesis) under the softmax over all labels. A pair is framed as the tokenizer frames two
texts; one that is longer than the model can see is refused. See `_pairs`.
"""

from pairlens.models import labels_of
from pairlens.policies import Policy
from pairlens.scorers import network_for
from pairlens.types import Model, Scorer, ScorerKind


def _open(model: Model, policy: Policy) -> Scorer:
    from pairlens.scorers._pairs import LabellingScorer

    return LabellingScorer(network_for(SCORER, model, policy), labels_of(model))


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
