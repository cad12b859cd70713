"""Heads over a model that is there: the folder, the network against plain transformers, identity, what is refused."""

import json
import shutil
from dataclasses import asdict

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from pairlens.errors import ModelError
from pairlens.models import catalogue, find, labels_of, load
from pairlens.models.loading import load_tokenizer
from pairlens.models.pooled import PooledClassifier, load_base
from pairlens.policies import Policy
from pairlens.scorers import SCORERS
from pairlens.training.heads import HeadRecipe
from pairlens.training.heads.pairs import layout
from pairlens.training.heads.trainer import add_deltas, deltas, trained_weights, write_head
from pairlens.types import Request
from tests.tiny import change_json
from workshop.cards import readme

pytestmark = pytest.mark.model

LABELS = ("entailment", "contradiction", "neutral")
PAIRS = (
    ("The keys to the cabinet are on the table.", "The cat sleeps."),
    ("The cat sleeps.", "The keys to the cabinet are on the table."),
    ("No", "Sarah laughs when the dogs that chase the cat fall asleep."),
)
BASES = ("bert", "roberta", "eurobert", "llama", "gpt2")


def head_of(base, folder, rank=4, task="classifier", labels=LABELS):
    """Write a head over `base` with random weights and deltas; the network, with the deltas beside the base."""
    torch.manual_seed(3)
    network = PooledClassifier(load_base(base), layout(load_tokenizer(base)).between[0], len(labels))
    add_deltas(network.base, rank)
    before = trained_weights(network.base)
    with torch.no_grad():
        for parameter in network.parameters():
            if parameter.requires_grad:
                parameter.copy_((parameter + torch.randn_like(parameter) * 0.05).half().float())
    weights = deltas(network.base, before)
    for part, module in (("dense", network.dense), ("out", network.out)):
        weights |= {f"head.{part}.{name}": p.detach() for name, p in module.named_parameters()}
    training = {"pairs": 9, "held_out_pairs": 3, "steps": 2, "minutes": 0.1, "validation_accuracy": 50.0}
    card = {"name": folder.name, "title": folder.name, "kind": task, "description": "", "base": base.name}
    card |= {"labels": list(labels), "parameters": 90, "recipe": asdict(HeadRecipe(rank=rank)), "training": training}
    write_head(folder, base, weights, card)
    return network.eval()


@pytest.fixture
def base(tiny):
    return find(tiny("bert"))


@pytest.fixture
def folder(base, home):
    head_of(base, home / "models" / "a-head")
    return home / "models" / "a-head"


@pytest.mark.parametrize(("architecture", "rank"), [*((base, 4) for base in BASES), ("bert", 0), ("llama", 0)])
def test_what_is_loaded_says_the_same_as_what_was_trained(tiny, home, architecture, rank):
    base, place = find(tiny(architecture)), home / "models" / "a-head"
    trained = head_of(base, place, rank)
    loaded = load(find("a-head"), "classifier")
    ids = torch.tensor([[*range(5, 12), trained.separator, *range(8, 14)]])
    with torch.no_grad():
        expected, found = trained(input_ids=ids).logits, loaded.module(input_ids=ids).logits
        loaded.module.base = load_base(base)
        unchanged = loaded.module(input_ids=ids).logits
    torch.testing.assert_close(found, expected, atol=5e-3, rtol=1e-3)
    assert (unchanged - expected).abs().max() > 0.02, "what was learned in the base counts"


def test_the_network_is_the_base_the_means_of_its_states_and_two_layers(folder, base):
    loaded = load(find("a-head"), "classifier")
    plain = transformers.AutoModel.from_pretrained(base.folder)
    weights = load_file(folder / "head.safetensors")
    name = "encoder.layer.1.intermediate.dense"
    down, up = (weights[f"delta.{name}.weight.{side}"].float() for side in ("down", "up"))
    merged = plain.get_submodule(name).weight + (down @ up).T
    torch.testing.assert_close(loaded.module.base.get_submodule(name).weight, merged)
    part = loaded.tokenizer.pair.between[0]
    ids, seen = torch.tensor([[5, 6, 7, part, 8, 9, 0, 0]]), torch.tensor([[1, 1, 1, 1, 1, 1, 0, 0]])
    with torch.no_grad():
        states = loaded.module.base(input_ids=ids, attention_mask=seen).last_hidden_state[0]
        one, other = states[:3].mean(0), states[3:6].mean(0)
        joined = torch.cat([one, other, (one - other).abs(), one * other])
        expected = loaded.module.out(torch.nn.functional.gelu(loaded.module.dense(joined)))
        torch.testing.assert_close(loaded.module(input_ids=ids, attention_mask=seen).logits[0], expected)


@pytest.mark.parametrize("architecture", BASES)
def test_a_pair_scores_the_same_alone_and_among_others(tiny, home, architecture):
    head_of(find(tiny(architecture)), home / "models" / "a-head")
    scorer = SCORERS["entailment"].open(find("a-head"), Policy())
    asked = [Request(f"{a}\n{b}\n", label) for a, b in PAIRS for label in LABELS]
    together = [score.total for score in scorer.score(asked)]
    alone = [scorer.score([request])[0].total for request in reversed(asked)][::-1]
    assert together == pytest.approx(alone, abs=1e-4)
    assert len(set(together)) > 3


def test_a_layout_without_anything_between_gets_an_end_symbol(tiny, home):
    base, place = find(tiny("gpt2")), home / "models" / "a-head"
    head_of(base, place)
    tokenizer = load(find("a-head"), "classifier").tokenizer
    assert load(base, "causal").tokenizer.pair.between == ()
    assert tokenizer.pair.between == (tokenizer.end,)
    stated = json.loads((place / "config.json").read_text())["pair"]
    assert stated["between"] == [tokenizer.end]


def test_it_is_listed_with_its_labels_and_its_identity_covers_head_and_base(folder, base, tiny, tmp_path):
    model = next(model for model in catalogue() if model.name == "a-head")
    assert (model.kind, labels_of(model)) == ("classifier", LABELS)
    assert "of 3 pairs held out 50.0 % are right" in readme(model.card)
    before = find("a-head")
    assert before.weights != base.weights
    shutil.copytree(folder, tmp_path / "copy")
    assert find(tmp_path / "copy").weights == before.weights, "a copy elsewhere still finds its base"
    assert before.tokenizer == base.tokenizer
    weights = load_file(folder / "head.safetensors")
    save_file({**weights, "head.out.bias": weights["head.out.bias"] + 1}, folder / "head.safetensors")
    assert find("a-head").weights != before.weights
    other = tiny("bert", seed=8)
    change_json(folder / "config.json", base=str(other))
    with pytest.raises(ModelError, match="other weights"):
        find("a-head")
    assert "a-head" not in {model.name for model in catalogue()}
    change_json(folder / "config.json", base_weights=find(other).weights)
    assert find("a-head").weights != before.weights


def test_damaged_heads_those_of_another_shape_bases_that_are_gone_and_other_configs_are_refused(folder, tiny):
    weights = load_file(folder / "head.safetensors")
    save_file({**weights, "head.dense.weight": torch.zeros(3, 3)}, folder / "head.safetensors")
    with pytest.raises(ModelError, match="does not fit its base"):
        load(find("a-head"), "classifier")
    (folder / "head.safetensors").write_bytes(b"0" * 64)
    with pytest.raises(ModelError, match=r"head\.safetensors is damaged"):
        load(find("a-head"), "classifier")
    no_head = r"the config\.json of its head has the task"
    gone = ({"base": "gone"}, "'a-head' is a head over 'gone', which is missing")
    for change, sentence in (gone, ({"task": "regression"}, no_head), ({"task": None}, no_head)):
        change_json(folder / "config.json", **change)
        with pytest.raises(ModelError, match=sentence):
            find("a-head")
    with pytest.raises(ModelError, match="a head stands on a causal or masked one"):
        load_base(find(tiny("t5")))
