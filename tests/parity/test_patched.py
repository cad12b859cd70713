"""Patched forms against hooks that know each architecture's names, one cell and one forward pass at a time."""

import math
from itertools import product

import pytest
import torch

from pairlens.models import find
from pairlens.policies import Policy
from pairlens.scorers._patch import COMPONENTS, LADDER, Patch, apart
from pairlens.scorers._unlisted import PATCHED
from pairlens.studies.inside.question import aligned
from pairlens.types import Request
from tests.parity import plain

TOLERANCE = 1e-4 * math.log(2)
NAMES = {
    "gpt2": ("transformer.h", "attn", "mlp"),
    "gpt_neox": ("gpt_neox.layers", "attention", "mlp"),
    "llama": ("model.layers", "self_attn", "mlp"),
    "qwen2": ("model.layers", "self_attn", "mlp"),
    "qwen3": ("model.layers", "self_attn", "mlp"),
    "opt": ("model.decoder.layers", "self_attn", "fc2"),
    "bloom": ("transformer.h", "self_attention.dense", "mlp.dense_4h_to_h"),
    "gemma2": ("model.layers", "post_attention_layernorm", "post_feedforward_layernorm"),
}
"""The layers of an architecture, and in each the modules whose outputs are added to the stream."""
RECEIVER, DONOR, FORM = "The key to the cabinets", "The keys to the cabinets", " laughs"
LONGER = "The teacher to the cabinets"


class Plain:
    """A model of transformers, a start symbol before its texts."""

    def __init__(self, folder, architecture):
        self.model, self.tokenizer = plain.parts(folder, "causal")
        symbol = self.tokenizer.bos_token_id
        self.start = self.tokenizer.eos_token_id if symbol is None else symbol
        stack, *parts = NAMES[architecture]
        self.layers = self.model.get_submodule(stack)
        self.parts = dict(zip(("attention", "mlp"), parts, strict=True))

    def ids(self, text):
        return [self.start, *self.tokenizer(text, add_special_tokens=False).input_ids]

    def module(self, component, layer):
        """Where the states lie, and whether at the module's output."""
        if component == "residual":
            return (self.layers[0], False) if layer == 0 else (self.layers[layer - 1], True)
        return self.layers[layer - 1].get_submodule(self.parts[component]), True

    @torch.no_grad()
    def hooked(self, component, layer, ids, change):
        """Log-probabilities of the vocabulary where `change` gives the states, (T, D), that are there instead."""

        def first(states):
            if isinstance(states, tuple):
                return first(states[0]), *states[1:]
            return change(states.reshape(len(ids), -1).clone()).view(states.shape)

        module, after = self.module(component, layer)
        if after:
            hook = module.register_forward_hook(lambda _, __, output: first(output))
        else:
            hook = module.register_forward_pre_hook(lambda _, states: first(states))
        logits = self.model(input_ids=torch.tensor([ids])).logits[0]
        hook.remove()
        return logits.double().log_softmax(-1)

    def state(self, ids, component, layer):
        """(T, D)"""
        states = []
        self.hooked(component, layer, ids, lambda one: states.append(one.clone()) or one)
        return states[0]

    def logprobs(self, ids, first, component, layer, positions, put):
        """Of the tokens from `first` on, and of a token that begins with white space after the last one."""
        logs = self.hooked(component, layer, ids, lambda states: states.index_copy_(0, torch.tensor(positions), put))
        return [logs[place - 1, ids[place]].item() for place in range(first, len(ids))], logs[-1]


@pytest.mark.parametrize(
    ("architecture", "component"),
    [
        pytest.param(*case, marks=() if sum(places) % 3 == 0 else pytest.mark.soak)
        for case, places in zip(product(NAMES, COMPONENTS), product(range(8), range(3)), strict=True)
    ],
)
def test_each_cell_equals_a_forward_pass_with_a_hook_of_its_own(tiny, architecture, component, monkeypatch):
    monkeypatch.setenv("PAIRLENS_TOKEN_BUDGET", "64")
    folder = tiny(architecture)
    scorer, reference = PATCHED.open(find(folder), Policy()), Plain(folder, architecture)
    for receiver, donor in ((RECEIVER, DONOR), (RECEIVER, LONGER)):
        own, other, whole = (reference.ids(text) for text in (receiver, donor, receiver + FORM))
        pairs = aligned(own, other).pairs
        (found,) = scorer.score([Request(receiver, FORM, Patch(component, donor, pairs).written())])
        states = {layer: reference.state(other, component, layer) for layer in range(component != "residual", 3)}
        cells = [(layer, *pair) for layer in states for pair in pairs]
        assert len(apart(found)) == len(cells) > 6
        for scores, (layer, position, of) in zip(apart(found), cells, strict=True):
            put = states[layer][[of]]
            expected, after = reference.logprobs(whole, len(own), component, layer, [position], put)
            assert scores.logprobs == pytest.approx(expected, abs=TOLERANCE), (layer, position)
            assert scores.eos_logprobs[-1] == pytest.approx(after[scorer.tokenizer.end].item(), abs=TOLERANCE)


@pytest.mark.parametrize("architecture", NAMES)
def test_a_ladder_equals_the_last_layer_fed_with_each_layer(tiny, architecture):
    folder = tiny(architecture)
    scorer, reference = PATCHED.open(find(folder), Policy()), Plain(folder, architecture)
    (found,) = scorer.score([Request(RECEIVER, FORM, Patch(LADDER).written())])
    own, whole = reference.ids(RECEIVER), reference.ids(RECEIVER + FORM)
    for layer, scores in enumerate(apart(found)):
        put = reference.state(whole, "residual", layer)
        expected, _ = reference.logprobs(whole, len(own), "residual", 2, [*range(len(whole))], put)
        assert scores.logprobs == pytest.approx(expected, abs=TOLERANCE), layer
    (unpatched,) = scorer.score([Request(RECEIVER, FORM)])
    assert apart(found)[-1].logprobs == pytest.approx(unpatched.logprobs, abs=TOLERANCE)
