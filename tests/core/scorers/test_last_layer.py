"""The last layer at the positions that are read: which networks allow it, what is saved, and that numbers stay."""

import pytest
import torch

from pairlens.models import find, load
from pairlens.scorers._forward import Forward
from pairlens.scorers._output import LastLayer, last_layer
from pairlens.scorers._probes import everything
from pairlens.scorers._trie import Input
from tests.tiny import CAUSAL, MASKED

pytestmark = pytest.mark.model

NARROW = ("bert", "roberta", "distilbert", "electra", "deberta-v2", "modernbert", "eurobert")
WHOLE = ("albert",)
"""One layer run many times has no last one."""
ROWS = [Input((5, 9, 11, 6)), Input((7, 8)), Input((10, 12, 9, 7))]
ONE_EACH = [(1, 0), (2, 3), (0, 2)]
SEVERAL = [(1, 1), (0, 3), (2, 2), (0, 1), (1, 0)]


def narrows(network, places=ONE_EACH):
    """Whether a layer's output has one position per row where one of each is read."""
    forward, positions = Forward(network), []

    def note(layer, inputs, output):
        positions.append((output[0] if isinstance(output, tuple) else output).shape[1])

    for stack in network.module.modules():
        for layer in stack if isinstance(stack, torch.nn.ModuleList) else ():
            layer.register_forward_hook(note)
    forward(ROWS, places)
    assert 4 in positions, "the layers before it see the whole row"
    return 1 in positions


def alone(network, places):
    return torch.stack([network.module(input_ids=torch.tensor([ROWS[row].ids])).logits[0, at] for row, at in places])


@pytest.mark.parametrize("architecture", ["bert", "roberta", "electra", "deberta-v2", "modernbert"])
def test_heads_that_look_at_the_first_position_allow_it(tiny, architecture):
    network = load(find(tiny(architecture, labels=("no", "yes"))), "classifier")
    assert narrows(network, [(2, 0), (0, 0), (1, 0)])
    values = everything(Forward(network)(ROWS[:2], [(1, 0), (0, 0)]))
    assert torch.allclose(values, alone(network, [(1, ...), (0, ...)]), atol=1e-5)


@pytest.mark.parametrize("architecture", [*MASKED, *CAUSAL[:2]])
def test_the_probe_says_which_networks_allow_it_and_numbers_are_those_of_the_whole_row_alone(tiny, architecture):
    network = load(find(tiny(architecture)), "masked" if architecture in MASKED else "causal")
    assert narrows(network) == (architecture in NARROW) and set(MASKED) == {*NARROW, *WHOLE}
    forward = Forward(network)
    for places in (ONE_EACH, SEVERAL):
        assert torch.allclose(everything(forward(ROWS, places)), alone(network, places), atol=1e-4)


@pytest.fixture
def bert(tiny):
    return load(find(tiny("bert")), "masked")


def test_a_layer_that_moves_states_behind_its_attention_is_left_whole_and_without_a_stack_there_is_none(bert):
    """Its feed-forward part sees neighbours, so no position can be left out."""
    mixing = bert.module.bert.encoder.layer[-1].intermediate
    usual = mixing.forward
    mixing.forward = lambda states: usual(states + states.roll(1, 1))
    assert not narrows(bert)
    assert last_layer(torch.nn.Linear(2, 2)) is None


def test_removed_hooks_leave_the_layer_as_it_was_and_what_follows_the_attention_sees_what_is_read_only(bert):
    ids, layer = torch.tensor([ROWS[0].ids]), bert.module.bert.encoder.layer[-1]
    usual, narrow = bert.module(input_ids=ids).logits, LastLayer(layer, layer.attention.self)
    with narrow.at(torch.tensor([[2]])):
        assert bert.module(input_ids=ids).logits.shape[:2] == (1, 1)
    assert torch.equal(bert.module(input_ids=ids).logits, usual)
    narrow.remove()
    with narrow.at(torch.tensor([[2]])):
        assert torch.equal(bert.module(input_ids=ids).logits, usual)
    forward, seen = Forward(bert), []
    for one in bert.module.bert.encoder.layer:
        one.intermediate.register_forward_pre_hook(lambda _, inputs: seen.append(tuple(inputs[0].shape[:2])))
    forward(ROWS, ONE_EACH)
    assert seen == [(3, 4), (3, 1)]


def test_a_head_that_refuses_narrow_states_gets_whole_rows(bert):
    def refuse(_, inputs, output):
        if output[0].shape[1] < inputs[0].shape[1]:
            raise ValueError("whole rows, please")

    bert.module.bert.register_forward_hook(refuse)
    assert not narrows(bert)
