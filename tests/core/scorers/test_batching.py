"""Batches: the padding probe, rows of equal length, memory that runs out; windows; what is read from logits."""

import math
from dataclasses import replace

import pytest
import torch

from pairlens.errors import ModelError
from pairlens.models import find, load
from pairlens.scorers._batching import Batches, Row, alike
from pairlens.scorers._forward import Forward
from pairlens.scorers._measuring import NO_TARGET
from pairlens.scorers._probes import everything
from pairlens.scorers._trie import Input
from pairlens.settings import settings as of_home
from pairlens.types import PLAIN
from tests.tiny import CAUSAL, MASKED, SEQ2SEQ

pytestmark = pytest.mark.model

ROWS = [
    Row(ids, tuple(enumerate(ids[1:]))) for ids in [(5, 9, 11), (7, 8), (5, 9, 11, 30, 31, 40), (7, 8), (20, 21, 22)]
]


class Wrapped:
    """A network that records the shapes it is given and may spoil its logits or run out of memory."""

    def __init__(self, module, spoil=None, most_rows=math.inf):
        self.module, self.spoil, self.most_rows, self.shapes = module, spoil, most_rows, []

    def __getattr__(self, name):
        return getattr(self.module, name)

    def __call__(self, input_ids, attention_mask):
        if len(input_ids) > self.most_rows:
            raise torch.OutOfMemoryError
        self.shapes.append(tuple(input_ids.shape))
        output = self.module(input_ids=input_ids, attention_mask=attention_mask)
        if self.spoil:
            output.logits = self.spoil(output.logits)
        return output


@pytest.fixture
def network(tiny):
    return load(find(tiny("gpt2")), "causal")


def values(batches, rows=ROWS):
    return [readings["logprobs"].tolist() for readings in batches.read([[row] for row in rows], PLAIN)]


def watched(network, spoil=None):
    """Batches of a network, and the shapes of what it is given from now on."""
    module = Wrapped(network.module, spoil)
    batches = Batches(replace(network, module=module))
    module.shapes.clear()
    return batches, module.shapes


def test_rows_come_back_in_order_equal_ones_run_once_and_of_equal_length_where_padding_disturbs(network):
    batches, shapes = watched(network)
    together = values(batches)
    assert shapes == [(4, 6)]
    for row, value in zip(ROWS, together, strict=True):
        logprobs = outputs(network, row).log_softmax(-1)
        assert value == pytest.approx([logprobs[at, id].item() for at, id in row.reads], abs=1e-4)
    (readings,) = batches.read([[Row((5, 9), ((0, 9), (1, NO_TARGET)))]], PLAIN)
    assert math.isfinite(readings["logprobs"][0])
    assert math.isnan(readings["logprobs"][1])
    batches, shapes = watched(network, lambda logits: logits * (1 + logits.mean(1, keepdim=True)))
    together = values(batches)
    assert sorted(shapes) == [(1, 2), (1, 6), (2, 3)]
    assert together == [pytest.approx(values(batches, [row])[0], abs=1e-4) for row in ROWS]
    batches, _ = watched(network, lambda logits: logits.transpose(1, 2).contiguous().transpose(1, 2))
    assert values(batches) == [pytest.approx(one, abs=1e-4) for one in values(Batches(network))]


@pytest.mark.parametrize(
    ("architecture", "dtype"),
    [("gpt2", "float32"), ("llama", "bfloat16"), ("bloom", "float32"), ("bloom", "bfloat16"), ("opt", "bfloat16")],
)
def test_rounding_is_not_taken_for_a_disturbance(tiny, architecture, dtype):
    batches, shapes = watched(load(find(tiny(architecture)), "causal", dtype))
    values(batches)
    assert shapes == [(4, 6)]


def test_a_batch_that_does_not_fit_into_memory_is_halved_and_budgets_are_as_set(network, monkeypatch):
    usual = values(Batches(network))
    batches = Batches(network)
    batches._forward._network = replace(network, module=Wrapped(network.module, most_rows=2))
    assert values(batches) == [pytest.approx(one, abs=1e-4) for one in usual]
    assert batches.budget < Batches(network).budget
    batches._forward._network = replace(network, module=Wrapped(network.module, most_rows=0))
    with pytest.raises(ModelError, match="does not fit into the memory of cpu"):
        values(batches)
    assert Batches(network).budget.bit_count() == 1
    for stated, budget in (("100", 100), ("0", 1024)):
        monkeypatch.setenv("PAIRLENS_TOKEN_BUDGET", stated)
        of_home.cache_clear()
        assert Batches(network).about["token_budget"] == budget


def outputs(network, one):
    """Logits (positions, vocabulary) of one row alone."""
    decoder = {"decoder_input_ids": torch.tensor([one.decoder])} if one.decoder else {}
    return network.module(input_ids=torch.tensor([one.ids]), **decoder).logits[0]


@pytest.mark.parametrize("architecture", [*CAUSAL, *MASKED, *SEQ2SEQ])
def test_the_output_layer_of_every_architecture_sees_only_what_is_read(tiny, architecture):
    model = find(tiny(architecture))
    network = load(model, model.kind)
    forward, rows, places = Forward(network), [Input((5, 9, 11)), Input((7, 8))], [(1, 0), (0, 2)]
    if architecture in SEQ2SEQ:
        rows, places = [Input((5, 9, 11), (1, 7)), Input((7, 8), (1, 6, 5))], [(1, 2), (0, 0)]
    seen = []
    network.module.get_output_embeddings().register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0].shape))
    logits = forward(rows, places)
    assert [shape[0] for shape in seen] == [len(places)]
    alone = [outputs(network, rows[row])[at] for row, at in places]
    assert torch.allclose(everything(logits), torch.stack(alone), atol=1e-4)


@pytest.mark.parametrize("pads", [True, False])
def test_an_encoder_reads_equal_texts_of_a_batch_once(tiny, pads, monkeypatch):
    network = load(find(tiny("t5")), "seq2seq")
    rows = [
        Row(ids, tuple(enumerate(decoder[1:])), decoder)
        for ids in [(5, 9, 11), (7, 8), (20, 21, 22)]
        for decoder in [(0, 3, 7), (0, 3, 8, 9), (0, 3, 9, 8)]
    ]
    batches = Batches(network)
    batches._forward.pads = pads
    shapes = []
    encode = network.module.get_encoder()

    def seen(**named):
        shapes.append(tuple(named["input_ids"].shape))
        return encode(**named)

    monkeypatch.setattr(network.module, "get_encoder", lambda: seen)
    found = values(batches, rows)
    assert shapes == ([(3, 3)] if pads else [(2, 3), (2, 3), (1, 2), (1, 2)])
    for row, value in zip(rows, found, strict=True):
        logprobs = outputs(network, row.input).log_softmax(-1)
        assert value == pytest.approx([logprobs[at, id].item() for at, id in row.reads], abs=1e-4)


@pytest.mark.parametrize(("budget", "reach"), [(8, 0), (8, 100), (20, 5), (20, 100), (100, 0), (100, 5)])
def test_batches_of_an_encoder_decoder_keep_to_the_budget(budget, reach):
    inputs = [Input((5,) * long, (1,) * short) for long in (3, 7, 5) for short in (2, 9, 4)]
    found = list(alike(inputs, budget, reach))
    assert sorted(one for batch in found for one in batch) == sorted(inputs)
    for batch in found:
        longest = max(len(one.ids) for one in batch) + max(len(one.decoder) for one in batch)
        assert len(batch) == 1 or len(batch) * longest <= budget
        shapes = {(len(one.ids), len(one.decoder)) for one in batch}
        assert len(shapes) == 1 or max(map(max, shapes)) <= reach
