"""Whether a text follows another: against plain transformers; a head that would be random is refused."""

import math
import shutil

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from pairlens.errors import InputError, ModelError
from pairlens.models import find
from pairlens.policies import Policy
from pairlens.scorers import SCORERS, accepting
from pairlens.types import Extras, Request
from tests.core.models.test_heads import head_of
from tests.tiny import change_json, tiny_model

pytestmark = pytest.mark.model

PAIRS = (
    ("The keys to the cabinet are on the table.", "The cat sleeps."),
    ("The cat sleeps.", "The keys to the cabinet are on the table."),
    ("No", "Sarah laughs when the dogs that chase the cat fall asleep."),
    ("Sarah laughs.", "No"),
)
ASKED = [Request(first, " " + second) for first, second in PAIRS]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A tiny BERT that was trained on both tasks, as published ones are."""
    folder = tiny_model(tmp_path_factory.mktemp("models") / "bert-nsp", "bert")
    torch.manual_seed(5)
    model = transformers.BertForPreTraining(transformers.AutoConfig.from_pretrained(folder))
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, 0, 0.2)
    model.save_pretrained(folder)
    return folder


@pytest.fixture
def scorer(folder):
    return SCORERS["next_sentence"].open(find(folder, kind="next-sentence"), Policy())


def test_it_is_what_plain_transformers_says_of_one_token_whatever_else_is_scored(folder, scorer):
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.BertForNextSentencePrediction.from_pretrained(folder).eval()
    expected = []
    for first, second in PAIRS:
        with torch.no_grad():
            logits = model(**tokenizer(first, second, return_tensors="pt")).logits[0]
        expected.append(float(logits.log_softmax(-1)[0]))
    found = scorer.score(ASKED)
    assert [score.total for score in found] == pytest.approx(expected, abs=1e-5)
    assert len({round(value, 4) for value in expected}) == len(PAIRS)
    for request, score in zip(ASKED, scorer.score(ASKED), strict=True):
        ((start, end),) = score.spans
        assert request.text[start:end] == request.continuation.strip()
        assert (score.tokens, score.ids) == (("next",), (0,))
    together = [score.total for score in scorer.score(ASKED)]
    assert [scorer.score([request])[0].total for request in ASKED] == pytest.approx(together, abs=1e-5)
    assert [score.total for score in scorer.score(ASKED * 40)] == pytest.approx(together * 40, abs=1e-5)
    (score,) = scorer.score(ASKED[:1], Extras(top=2, entropy=True))
    (outcomes,) = score.tops
    assert {name for name, _ in outcomes} == {"next", "not next"}
    assert math.fsum(math.exp(value) for _, value in outcomes) == pytest.approx(1, abs=1e-6)
    assert score.entropies[0] == pytest.approx(-sum(math.exp(v) * v for _, v in outcomes), abs=1e-6)


def test_a_trained_head_is_served_too(tiny, home):
    head_of(find(tiny("llama")), home / "models" / "follows", task="next-sentence", labels=("next", "not next"))
    model = find("follows")
    assert (model.kind, accepting(model.kind)) == ("next-sentence", ["next_sentence"])
    scores = SCORERS["next_sentence"].open(model, Policy()).score(ASKED)
    assert all(score.total < 0 for score in scores)
    assert scores[0].total != scores[1].total


def test_a_head_that_is_not_in_the_checkpoint_is_refused_with_the_reason(folder, tmp_path, tiny):
    copy = shutil.copytree(folder, tmp_path / "copy")
    weights = load_file(copy / "model.safetensors")
    kept = {name: tensor for name, tensor in weights.items() if "seq_relationship" not in name}
    assert len(kept) == len(weights) - 2
    save_file(kept, copy / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelError, match=r"lacks weights that a next-sentence model needs \(cls\.seq_relationship"):
        SCORERS["next_sentence"].open(find(copy, kind="next-sentence"), Policy())
    with pytest.raises(ModelError, match="is a masked model, not a next-sentence one"):
        find(tiny("bert"), kind="next-sentence")
    with pytest.raises(ModelError, match="take the scorer masked"):
        SCORERS["next_sentence"].open(find(tiny("bert")), Policy())
    copy = shutil.copytree(tiny("bert"), tmp_path / "masked")
    change_json(copy / "config.json", architectures=["BertForNextSentencePrediction"])
    with pytest.raises(ModelError, match="they would be random"):
        SCORERS["next_sentence"].open(find(copy), Policy())


def test_what_cannot_be_scored_is_refused(scorer):
    for context, text, message in (
        ("", "The cat sleeps.", "what it follows is unknown"),
        ("The cat sleeps.", "  ", "no tokens to score"),
        ("The cat sleeps.", " cat" * 80, "longer than the 64 that the model can see"),
    ):
        with pytest.raises(InputError, match=message):
            scorer.score([Request(context, text)])
