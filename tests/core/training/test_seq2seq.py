"""Training an encoder-decoder: what it is asked, and that transformers reads what was trained."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.models.plain.encoder_decoder import as_t5
from core.training import TrainingRecipe
from core.training.export import new_network
from core.training.from_scratch import train
from core.training.objectives import continued, seq2seq_batch, with_gaps
from core.training.tokenizer import BOS_ID, EOS_ID, PAD_ID, SENTINELS

pytestmark = pytest.mark.model

FIRST = 1000
SHAPE = TrainingRecipe(
    kind="seq2seq", vocabulary=400, width=32, layers=4, heads=2, feed_forward=48, context=32, batch_tokens=256,
    steps=12, compiled=False, precision="float32",
)  # fmt: skip


def together(source: list[int], target: list[int]) -> list[int]:
    """The text that a source with sentinels and the stretches of a target make."""
    stretches: dict[int, list[int]] = {}
    for one in target[:-1]:
        if one >= FIRST:
            stretches[one] = []
        else:
            stretches[max(stretches)].append(one)
    return [token for one in source[:-1] for token in (stretches[one] if one >= FIRST else [one])]


@settings(deadline=None)
@given(st.lists(st.integers(3, 900), min_size=1, max_size=40), st.integers(0, 1000), st.booleans())
def test_source_and_target_make_the_text_and_fit_its_place(ids: list[int], seed: int, gaps: bool):
    ask = with_gaps if gaps else continued
    source, target = ask(ids, FIRST, np.random.default_rng(seed))
    assert together(source, target) == ids
    assert source[-1] == target[-1] == EOS_ID
    assert len(source) <= len(ids) + 2
    assert len(target) <= len(ids) + 2
    sentinels = [one for one in source if one >= FIRST]
    assert sentinels == [FIRST + number for number in range(len(sentinels))]
    assert len(sentinels) >= 1


def row_of(*units: list[int], length: int = 32) -> np.ndarray:
    """One row of texts with their marks."""
    ids = [one for unit in units for one in (BOS_ID, *unit, EOS_ID)]
    return np.array([ids + [PAD_ID] * (length - len(ids))], dtype=np.uint16)


def test_texts_of_a_row_do_not_see_each_other():
    torch.manual_seed(1)
    network = new_network(SHAPE, 400).eval()
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.2)
    one, other = [10, 11, 12, 13, 14], [20, 21, 22]
    both = seq2seq_batch(row_of(one, other), 400 - SENTINELS, 5, torch.device("cpu"))
    changed = seq2seq_batch(row_of(one, [30, 31, 32]), 400 - SENTINELS, 5, torch.device("cpu"))
    length = both.targets.tolist().index(EOS_ID) + 1
    states = [network(*batch.inputs).flatten(0, 1)[batch.reads] for batch in (both, changed)]
    assert torch.equal(states[0][:length], states[1][:length])
    assert not torch.allclose(states[0][length:], states[1][length:])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small encoder-decoder after a few steps."""
    where = tmp_path_factory.mktemp("seq2seq")
    lines = [f"The {a} {b} saw a {c} near the river ." for a in ("old", "red") for b in ("dog", "cat") for c in "xyz"]
    (where / "text.txt").write_text("\n".join(lines * 20), encoding="utf-8")
    losses = [report.loss for report in train(SHAPE, [where / "text.txt"], where / "model") if report.loss]
    assert losses[-1] < losses[0]
    return where / "model"


def test_transformers_computes_what_was_trained(folder: Path):
    from safetensors.torch import load_file
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    theirs = AutoModelForSeq2SeqLM.from_pretrained(folder, dtype=torch.float32).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    assert tokenizer("The dog <extra_id_0>").input_ids[-2:] == [len(tokenizer) - SENTINELS, EOS_ID]
    weights = load_file(folder / "model.safetensors")
    ours = new_network(SHAPE, len(tokenizer)).eval()
    assert {as_t5(name) for name in ours.state_dict()} == set(weights)
    ours.load_state_dict({name: weights[as_t5(name)].float() for name in ours.state_dict()})
    text = tokenizer("The old dog saw a cat .", add_special_tokens=False).input_ids
    batch = seq2seq_batch(row_of([5, 6, 7], text), len(tokenizer) - SENTINELS, 2, torch.device("cpu"))
    with torch.no_grad():
        own = ours(*batch.inputs).flatten(0, 1)[batch.reads] @ ours.embed_tokens.weight.T
        sources, inputs = (side[0].tolist() for side in batch.inputs[:2])
        first = batch.targets.tolist().index(EOS_ID) + 1
        begin = sources.index(EOS_ID) + 1
        plain = theirs(
            input_ids=torch.tensor([sources[begin : sources.index(EOS_ID, begin) + 1]]),
            decoder_input_ids=torch.tensor([inputs[first : len(batch.targets)]]),
        ).logits[0]
    torch.testing.assert_close(own[first:], plain, atol=2e-5, rtol=1e-4)


def test_the_scorers_read_it(folder: Path):
    from core.models import find
    from core.policies import PRESETS
    from core.scorers import SCORERS, accepting
    from core.types import Request

    model = find(folder)
    assert accepting(model.kind) == ["seq2seq", "seq2seq_mask"]
    for name in accepting(model.kind):
        scorer = SCORERS[name].open(model, PRESETS["pairlens"])
        [scores] = scorer.score([Request("", "The old dog saw a cat.")])
        assert scores.n_scored == len(scores.tokens)
        assert scores.total < 0
