"""Rows that share one: how they are laid out, which networks may, and that each token's number stays what it is."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from pairlens.models import find, load
from pairlens.scorers import _batching, _probes
from pairlens.scorers._batching import Batches, Row
from pairlens.scorers._forward import Forward
from pairlens.scorers._trie import Input, Tree, plant
from pairlens.types import PLAIN, Extras
from tests.tiny import CAUSAL

pytestmark = pytest.mark.model

SHARING = ("gpt2", "gpt_neox", "opt", "llama", "qwen2", "qwen3", "gemma", "cohere", "granite")
ALONE = ("bloom", "gpt_neo", "mistral", "gemma2", "mamba", "llama-dynamic", "llama-longrope")
"""Positions made from the batch's mask; windows shorter than any shared row; no attention at all; positions that
depend on the longest row of a batch."""
EVERYTHING = Extras(boundary=True, entropy=True, top=3, temperatures=(0.5, 2.0))


def drawn(count, stem=4, most=12):
    """Rows that share beginnings, of different length, each predicting its own tokens and one of its own."""
    generator = torch.Generator().manual_seed(0)
    ids = torch.randint(5, 90, (count, most), generator=generator).tolist()
    rows = [(*ids[i % 3][:stem], *ids[i][: 2 + i % (most - stem)]) for i in range(count)]
    return [Row(row, (*zip(range(len(row) - 1), row[1:], strict=True), (len(row) - 1, 7))) for row in rows]


@pytest.fixture
def shared(monkeypatch):
    """Rows are shared whatever that saves. `shared(batches)`: what their network runs from now on."""
    monkeypatch.setattr(_batching, "_WORTH_SHARING", 0)

    def watch(batches):
        assert batches._forward.together >= 0, "the probe is over"
        run, whole = [], batches._forward._whole
        monkeypatch.setattr(batches._forward, "_whole", lambda asked: run.extend(asked) or whole(asked))
        return run

    return watch


def same(network, rows, alone, watch):
    """What is run of these rows, after all numbers about them were compared with those of each alone."""
    batches = Batches(network)
    run = watch(batches)
    for many, one in zip(batches.read([[row] for row in rows], EVERYTHING), alone, strict=True):
        assert many.keys() == one.keys()
        for name in set(one) - {"top_ids"}:
            assert many[name] == pytest.approx(one[name], abs=1e-4, nan_ok=True), name
    return batches, run


@given(
    rows=st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=9).map(tuple), min_size=1, max_size=30),
    width=st.integers(1, 20),
)
def test_a_tree_holds_each_beginning_once_and_lets_a_token_see_those_before_it_in_its_row(rows, width):
    inputs = {Input(ids) for ids in rows}
    trees = list(plant(inputs, width, 2 * width))
    assert sorted(one for tree in trees for one in tree.paths) == sorted(inputs)
    for tree in trees:
        assert tree.tokens == len({one.ids[:end] for one in tree.paths for end in range(1, len(one.ids) + 1)})
        assert tree.tokens <= 2 * width or len(tree.paths) == 1
        for one, path in tree.paths.items():
            assert [tree.ids[place] for place in path] == list(one.ids)
            assert [tree.depths[place] for place in path] == list(range(len(path)))
            for depth, place in enumerate(path):
                seen = [other for other in range(place + 1) if place < tree.ends[other]]
                assert seen == path[: depth + 1]


@given(longest=st.integers(300, 600), fewer=st.integers(5, 100), after=st.integers(1, 3), most=st.integers(700, 2000))
def test_long_rows_that_share_nearly_everything_share_a_row_up_to_its_limit(longest, fewer, after, most):
    text = tuple(range(longest))
    rows = {Input((*text[:end], *[-1 - n] * after)) for end in range(longest - fewer, longest) for n in range(3)}
    trees = list(plant(rows, 128, most))
    assert all(tree.tokens <= most for tree in trees)
    assert len(trees) <= 1 + 3 * fewer * after // (most - longest + 1)
    assert sum(tree.tokens for tree in trees) <= len(trees) * longest + 3 * fewer * after


@given(length=st.integers(5, 60), after=st.integers(2, 40))
def test_rows_share_a_longer_row_only_where_that_saves_attention(length, after):
    rows = {Input((*range(length), *[-1 - n] * after)) for n in range(60)}
    for tree in plant(rows, 64, 10_000):
        assert tree.tokens <= 64 or len(tree.paths) == 1 or 2 * after * tree.tokens <= (length + after) ** 2


@pytest.mark.parametrize("architecture", ["gpt2", "llama", "gemma"])
def test_long_rows_in_one_give_the_numbers_of_plain_code(tiny, architecture, monkeypatch, shared):
    network = load(find(tiny(architecture)), "causal")
    generator = torch.Generator().manual_seed(1)
    text = torch.randint(5, 90, (network.window - 3,), generator=generator).tolist()
    rows = [
        Row((*text[:end], *tail), ((end + len(tail) - 1, 7),))
        for end in range(len(text) // 2, len(text), 3)
        for tail in ((), (6,), (8, 9))
    ]
    monkeypatch.setattr(_batching, "TREE_TOKENS", 32)
    batches = Batches(network)
    trees = shared(batches)
    values = [one["logprobs"].item() for one in batches.read([[row] for row in rows], PLAIN)]
    assert max(one.tokens for one in trees) > 32
    assert sum(one.tokens for one in trees) < sum(len(row.ids) for row in rows) / 4
    with torch.inference_mode():
        for row, value in zip(rows, values, strict=True):
            logits = network.module(input_ids=torch.tensor([row.ids])).logits[0, -1].double()
            assert value == pytest.approx(logits.log_softmax(-1)[7].item(), abs=1e-5)


@pytest.mark.parametrize("architecture", CAUSAL)
def test_the_probe_says_which_networks_may_share_rows_and_numbers_stay(tiny, architecture, shared):
    network, rows = load(find(tiny(architecture)), "causal"), drawn(20)
    batches = Batches(network)
    assert (batches._forward.together > 0) == (architecture in SHARING)
    assert set(CAUSAL) == {*SHARING, *ALONE}
    same(network, rows, [next(batches.read([[row]], EVERYTHING)) for row in rows], shared)


def test_beginnings_are_run_once_and_apart_where_they_do_not_fit_into_memory(tiny, shared, monkeypatch):
    batches, rows = Batches(load(find(tiny("gpt2")), "causal")), drawn(40)
    assert batches._forward.together
    trees = shared(batches)
    list(batches.read([[row] for row in rows], PLAIN))
    distinct = {row.ids[:end] for row in rows for end in range(1, len(row.ids) + 1)}
    size = sum(one.tokens for one in trees)
    assert len(distinct) <= size < 1.2 * len(distinct) < sum(len(row.ids) for row in rows)
    monkeypatch.setattr(_batching, "TREE_TOKENS", 32)
    rows = [Row((5,) * 60, ((59, 7),)), Row((6,) * 50, ((49, 7),))]
    wanted = {row.input: dict.fromkeys(row.reads, 0) for row in rows}
    laid = [one.row for batch in batches._batches(wanted) for one in batch]
    assert sorted(laid) == sorted(row.input for row in rows)
    batches, rows = Batches(load(find(tiny("gpt2")), "causal")), drawn(20)
    usual = [next(batches.read([[row]], PLAIN))["logprobs"] for row in rows]
    assert batches._forward.together
    whole = batches._forward._whole

    def small(trees):
        if isinstance(trees[0], Tree):
            raise torch.OutOfMemoryError
        return whole(trees)

    monkeypatch.setattr(batches._forward, "_whole", small)
    for one, other in zip(batches.read([[row] for row in rows], PLAIN), usual, strict=True):
        assert one["logprobs"] == pytest.approx(other, abs=1e-4)


def test_networks_that_take_no_notice_of_masks_do_not_share_and_configs_say_at_which_lengths_positions_change(tiny):
    network = load(find(tiny("llama")), "causal")

    class Deaf:
        def __getattr__(self, name):
            return getattr(network.module, name)

        def __call__(self, attention_mask=None, **arguments):
            return network.module(**arguments, attention_mask=None)

    assert Forward(network).together
    assert not Forward(replace(network, module=Deaf())).together
    for config, expected in (
        ({"sliding_window": 64, "layers": {"local_attention": 16}}, 16),
        ({"sliding_window": None, "rope_parameters": {"rope_type": "default"}}, 1 << 30),
        ({"rope_parameters": {"full": {"rope_type": "dynamic", "original_max_position_embeddings": 32}}}, 32),
        ({"rope_parameters": {"rope_type": "longrope"}, "original_max_position_embeddings": 48}, 48),
    ):
        assert _probes.reach(SimpleNamespace(to_dict=lambda config=config: config)) == expected


def of_halves(count):
    """The rows of `drawn` for a decoder, over three texts in the encoder."""
    sources = [(9, 6, 8), (7,), (5, 5, 12, 11)]
    return [Row(sources[i // 5 % 3], row.reads, row.ids) for i, row in enumerate(drawn(count))]


@given(st.lists(st.tuples(st.integers(0, 2), st.lists(st.integers(0, 3), min_size=1, max_size=9)), min_size=1))
def test_rows_of_a_decoder_share_one_only_with_the_same_text_in_the_encoder(drawn):
    inputs = {Input((source,), tuple(decoder)) for source, decoder in drawn}
    trees = list(plant(inputs, 20, 40))
    assert sorted(one for tree in trees for one in tree.paths) == sorted(inputs)
    for tree in trees:
        assert {one.ids for one in tree.paths} == {tree.source}
        for one, path in tree.paths.items():
            assert [tree.ids[place] for place in path] == list(one.decoder)


@pytest.mark.parametrize(("architecture", "shares"), [("t5", True), ("bart", False)])
def test_rows_of_a_decoder_share_one_where_the_network_can_be_told_of_it(tiny, architecture, shares, shared):
    network, rows = load(find(tiny(architecture)), "seq2seq"), of_halves(30)
    batches = Batches(network)
    alone = [next(batches.read([[row]], EVERYTHING)) for row in rows]
    batches, run = same(network, rows, alone, shared)
    assert (batches._forward.together > 0) == shares
    assert any(isinstance(one, Tree) for one in run) == shares
    distinct = {(row.ids, row.decoder[:end]) for row in rows for end in range(1, len(row.decoder) + 1)}
    if shares:
        assert sum(one.tokens if isinstance(one, Tree) else one.outputs for one in run) < 1.3 * len(distinct)
