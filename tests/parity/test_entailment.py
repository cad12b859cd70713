"""The entailment scorer against plain transformers: one unpadded pair at a time, framed by its own tokenizer."""

import inspect

import pytest
import torch
import transformers

from pairlens.models import find
from pairlens.policies import Policy
from pairlens.scorers import SCORERS
from pairlens.types import Request

TOLERANCE = 1e-5
LABELS = ("contradiction", "neutral", "entailment")
PAIRS = (
    ("The key to the cabinets is on the table.", "The keys to the cabinet are on the table."),
    ("No author", "Él sabe que la niña canta mejor que su hermana."),
    ("Él sabe que la niña canta mejor que su hermana.", "No author"),
    ("Which boats has the boy who sold them painted so quickly?", "Nobody would ever believe the stories."),
    ("A", "B"),
)


@torch.no_grad()
def plain(folder, premise, hypothesis):
    """Log-probabilities of the labels, in double precision."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    takes = inspect.signature(model.forward).parameters
    given = {name: ids for name, ids in tokenizer(premise, hypothesis, return_tensors="pt").items() if name in takes}
    return model(**given).logits[0].double().log_softmax(-1).tolist()


@pytest.mark.parametrize("architecture", ["bert", "roberta", "deberta-v2", "eurobert", "albert"])
def test_each_pair_equals_its_own_forward_pass(tiny, architecture):
    folder = tiny(architecture, labels=LABELS)
    opened = SCORERS["entailment"].open(find(folder), Policy())
    requests = [Request(f"{premise}\n{hypothesis}\n", label) for premise, hypothesis in PAIRS for label in LABELS]
    expected = [value for pair in PAIRS for value in plain(folder, *pair)]
    assert [score.total for score in opened.score(requests)] == pytest.approx(expected, abs=TOLERANCE)
