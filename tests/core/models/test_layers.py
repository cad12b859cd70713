"""Layers are found by a probe, and refused with the reason where it fails."""

import dataclasses
from types import SimpleNamespace

import pytest
import torch

from pairlens.errors import ModelError
from pairlens.models import find, load
from pairlens.models.layers import MLP, RESIDUAL, Layers, Put
from pairlens.policies import Policy
from pairlens.scorers._patching import PatchedScorer
from tests.tiny import CAUSAL

pytestmark = pytest.mark.model


class Skipping(torch.nn.Module):
    """Its output depends on the ids beside the last layer's states."""

    dtype = torch.float32

    def __init__(self, share):
        super().__init__()
        self.embeddings = torch.nn.Embedding(400, 8)
        self.layers = torch.nn.ModuleList(torch.nn.Linear(8, 8) for _ in range(2))
        self.head, self.share = torch.nn.Linear(8, 400), share

    def forward(self, input_ids):
        first = states = self.embeddings(input_ids)
        for layer in self.layers:
            states = layer(states)
        return SimpleNamespace(logits=self.head(states + self.share * first))


class Twice(Skipping):
    def forward(self, input_ids):
        return SimpleNamespace(logits=self.head(self.layers[1](self.layers[1](self.embeddings(input_ids)))))


class Packing(Skipping):
    """Its layers pass on dictionaries."""

    def __init__(self):
        super().__init__(0)
        self.layers = torch.nn.ModuleList(Packed(8, 8) for _ in range(2))

    def forward(self, input_ids):
        states = self.embeddings(input_ids)
        for layer in self.layers:
            states = layer(states)["states"]
        return SimpleNamespace(logits=self.head(states))


class Packed(torch.nn.Linear):
    def forward(self, states):
        return {"states": super().forward(states)}


class Bare(Skipping):
    def __init__(self):
        super().__init__(0)
        del self.layers


@pytest.mark.parametrize("architecture", CAUSAL)
def test_every_causal_architecture_is_opened(tiny, architecture):
    layers = Layers(load(find(tiny(architecture)), "causal"))
    assert layers.sites(RESIDUAL) == [(RESIDUAL, 0), (RESIDUAL, 1), (RESIDUAL, 2)]
    if architecture in ("granite", "mamba"):  # what a part adds is scaled; there is one part
        with pytest.raises(ModelError, match="cannot be told apart"):
            layers.sites(MLP)
    else:
        assert layers.sites(MLP) == [(MLP, 1), (MLP, 2)]


def test_a_network_that_fails_the_probe_is_refused_and_left_without_hooks(tiny):
    network = load(find(tiny("gpt2")), "causal")
    for module, why in (
        (Skipping(1), "does not give that text's output"),
        (Twice(0), "more than once"),
        (Bare(), "no list of layers"),
        (Packing(), "not called as those"),
    ):
        with pytest.raises(ModelError, match=why):
            Layers(dataclasses.replace(network, module=module))
        assert not any(part._forward_hooks or part._forward_pre_hooks for part in module.modules())
    assert Layers(dataclasses.replace(network, module=Skipping(0))).count == 2, "of the last states alone"


def test_hooks_change_nothing_outside_of_a_patch_and_a_spread_network_is_refused(tiny, monkeypatch):
    network = load(find(tiny("gpt2")), "causal")
    ids = torch.tensor([[3, 4, 5]])
    before = network.module(input_ids=ids).logits
    layers = Layers(network)
    with layers.putting({(RESIDUAL, 1): Put(torch.tensor([0]), torch.tensor([1]), torch.ones(1, 32))}):
        inside = network.module(input_ids=ids).logits
    assert torch.equal(network.module(input_ids=ids).logits, before)
    assert torch.equal(inside[:, 0], before[:, 0])
    assert not torch.allclose(inside[:, 1:], before[:, 1:])
    monkeypatch.setattr(network.module, "hf_device_map", {}, raising=False)
    with pytest.raises(ModelError, match="PAIRLENS_DEVICE=cpu"):
        PatchedScorer(network, Policy())
