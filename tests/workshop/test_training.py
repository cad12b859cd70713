"""The training of models that ship: encoder-decoders, weights to start from, weights kept, learning curves."""

import json
from dataclasses import asdict, replace

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load_file

from pairlens.errors import InputError
from pairlens.models import find
from pairlens.models.plain.encoder_decoder import as_t5
from pairlens.policies import PRESETS
from pairlens.scorers import SCORERS, accepting
from pairlens.training.corpus import Corpus
from pairlens.training.from_scratch import allowed_attention, causal_batch
from pairlens.training.learning_curves import PAIR, read_curves
from pairlens.training.own_models import write_own_card
from pairlens.training.packing import BOS_ID, EOS_ID, PAD_ID, train_tokenizer, with_frame
from pairlens.training.recorder import margins, recipe_of
from pairlens.training.watched_pairs import GALLERY
from pairlens.types import Request
from tests.core.training.test_training import lively_network, sentences, text
from tests.core.training.test_training import tiny as tiny_recipe
from workshop.language_models import two_sides
from workshop.language_models.training import Recipe, network_of, take_weights, train, write
from workshop.language_models.two_sides import SENTINELS, seq2seq_batch, with_sentinels
from workshop.learning_curves import gallery_pairs, make_curves, watched_pairs, write_curves

__all__ = ["text"]  # a fixture

pytestmark = pytest.mark.model

FIRST = 1000
SHAPE = Recipe(
    kind="seq2seq", vocabulary=400, width=32, layers=4, heads=2, feed_forward=48, context=32, batch_tokens=256,
    steps=12, compiled=False, precision="float32",
)  # fmt: skip


def tiny(**changes):
    """A recipe that trains in seconds."""
    return Recipe(**{**asdict(tiny_recipe()), **changes})  # type: ignore[arg-type]


def together(source, target):
    """The text that a source with sentinels and the stretches of a target make."""
    stretches = {}
    for one in target[:-1]:
        if one >= FIRST:
            stretches[one] = []
        else:
            stretches[max(stretches)].append(one)
    return [token for one in source[:-1] for token in (stretches[one] if one >= FIRST else [one])]


@given(st.lists(st.integers(3, 900), min_size=1, max_size=40), st.integers(0, 1000), st.booleans())
def test_source_and_target_make_the_text_and_fit_its_place(ids, seed, gaps):
    ask = two_sides.with_gaps if gaps else two_sides.continued
    source, target = ask(ids, FIRST, np.random.default_rng(seed))
    assert together(source, target) == ids
    assert source[-1] == target[-1] == EOS_ID
    assert max(len(source), len(target)) <= len(ids) + 2
    sentinels = [one for one in source if one >= FIRST]
    assert sentinels == [FIRST + number for number in range(len(sentinels))] and sentinels


def row_of(*units, length=32):
    """One row of texts with their marks."""
    ids = [one for unit in units for one in (BOS_ID, *unit, EOS_ID)]
    return np.array([ids + [PAD_ID] * (length - len(ids))], dtype=np.uint16)


def test_texts_of_a_row_do_not_see_each_other():
    torch.manual_seed(1)
    network = network_of(SHAPE, 400).eval()
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
def folder(tmp_path_factory):
    """A small encoder-decoder after a few steps."""
    where = tmp_path_factory.mktemp("seq2seq")
    lines = [f"The {a} {b} saw a {c} near the river ." for a in ("old", "red") for b in ("dog", "cat") for c in "xyz"]
    (where / "text.txt").write_text("\n".join(lines * 20), encoding="utf-8")
    losses = [report.loss for report in train(SHAPE, [where / "text.txt"], where / "model") if report.loss]
    assert losses[-1] < losses[0]
    return where / "model"


def test_transformers_computes_what_was_trained_and_the_scorers_read_it(folder):
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    theirs = AutoModelForSeq2SeqLM.from_pretrained(folder, dtype=torch.float32).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    assert tokenizer("The dog <extra_id_0>").input_ids[-2:] == [len(tokenizer) - SENTINELS, EOS_ID]
    weights = load_file(folder / "model.safetensors")
    ours = network_of(SHAPE, len(tokenizer)).eval()
    assert {as_t5(name) for name in ours.state_dict()} == set(weights)
    ours.load_state_dict({name: weights[as_t5(name)].float() for name in ours.state_dict()})
    text = tokenizer("The old dog saw a cat .", add_special_tokens=False).input_ids
    batch = seq2seq_batch(row_of([5, 6, 7], text), len(tokenizer) - SENTINELS, 2, torch.device("cpu"))
    with torch.no_grad():
        own = ours(*batch.inputs).flatten(0, 1)[batch.reads] @ ours.embed_tokens.weight.T
        sources, inputs = (side[0].tolist() for side in batch.inputs[:2])
        first = batch.targets.tolist().index(EOS_ID) + 1
        begin = sources.index(EOS_ID) + 1
        ids = torch.tensor([sources[begin : sources.index(EOS_ID, begin) + 1]])
        decoder_ids = torch.tensor([inputs[first : len(batch.targets)]])
        plain = theirs(input_ids=ids, decoder_input_ids=decoder_ids).logits[0]
    torch.testing.assert_close(own[first:], plain, atol=2e-5, rtol=1e-4)
    model = find(folder)
    assert accepting(model.kind) == ["seq2seq", "seq2seq_mask"]
    for name in accepting(model.kind):
        scorer = SCORERS[name].open(model, PRESETS["pairlens"])
        [scores] = scorer.score([Request("", "The old dog saw a cat.")])
        assert scores.n_scored == len(scores.tokens) and scores.total < 0


def test_weights_are_taken_only_from_the_same_shape(tmp_path):
    tokenizer = train_tokenizer(sentences(300), 320, "causal", lower_case=True)
    size = tokenizer.get_vocab_size()
    network = lively_network(tiny(), size)
    write(network, tokenizer, tiny(), tmp_path)
    larger = network_of(tiny(kind="masked"), size + 1)
    last = larger.embed_tokens.weight[size].clone()
    take_weights(larger, with_frame(tokenizer, "masked"), tmp_path)
    torch.testing.assert_close(larger.embed_tokens.weight[:size], network.embed_tokens.weight)
    torch.testing.assert_close(larger.embed_tokens.weight[size], last)
    with pytest.raises(InputError, match="another shape"):
        take_weights(network_of(tiny(width=64), size), tokenizer, tmp_path)
    with pytest.raises(InputError, match="no model to start from"):
        take_weights(network, tokenizer, tmp_path / "gone")


def test_an_encoder_decoder_starts_from_a_causal_model(tmp_path):
    """Where positions do not matter, for the first token, the decoder says what the causal model says."""
    tokenizer = train_tokenizer(sentences(300), 320, "causal", lower_case=True)
    causal = lively_network(tiny(layers=2), tokenizer.get_vocab_size())
    write(causal, tokenizer, tiny(layers=2), tmp_path)
    recipe = tiny(kind="seq2seq", layers=3, encoder_layers=1)
    config = two_sides.t5_config(recipe, recipe.sides, 400)
    assert (config["num_layers"], config["num_decoder_layers"]) == (1, 2)
    framed = with_sentinels(tokenizer)
    network = network_of(recipe, framed.get_vocab_size())
    take_weights(network, framed, tmp_path)
    ids, one = torch.tensor([[7] + [PAD_ID] * (recipe.context - 1)]), causal_batch(torch.tensor([[7]]))
    alone = allowed_attention(torch.ones_like(ids), torch.ones_like(ids), causal=True)
    with torch.no_grad():
        said = network(ids, ids, alone, alone, alone)[:, :1]
        wanted = causal(*one.inputs)
    torch.testing.assert_close(said, wanted, atol=0.03, rtol=0.03)  # other units, nearly alike
    first, other = (side.layers[0].mlp.up_proj.weight for side in (network.encoder, network.decoder))
    torch.testing.assert_close(first, other)


def test_an_encoder_decoder_starts_from_another_and_its_encoder_has_some_of_the_layers(tmp_path):
    for layers in (0, 6, -1):
        with pytest.raises(InputError, match=f"Of 6 layers the encoder cannot have {layers}"):
            Recipe(kind="seq2seq", steps=1, encoder_layers=layers)
    tokenizer = with_sentinels(train_tokenizer(sentences(300), 304, "causal", lower_case=True))
    recipe = tiny(kind="seq2seq")
    network = network_of(recipe, tokenizer.get_vocab_size())
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter)
    write(network, tokenizer, recipe, tmp_path)
    other = network_of(recipe, tokenizer.get_vocab_size())
    take_weights(other, tokenizer, tmp_path)
    for name, parameter in network.named_parameters():
        torch.testing.assert_close(other.get_parameter(name), parameter.half().float())


def test_another_vocabulary_takes_the_rows_of_its_entries_or_of_their_pieces(tmp_path):
    theirs = train_tokenizer(sentences(300), 320, "causal", lower_case=True)
    network = lively_network(tiny(), 320)
    write(network, theirs, tiny(), tmp_path)
    ours = train_tokenizer(["Os livros velhos caíram da mesa."] * 50, 300, "masked", lower_case=True)
    other = network_of(tiny(kind="masked"), ours.get_vocab_size())
    first = other.embed_tokens.weight.detach().clone()
    take_weights(other, ours, tmp_path)
    for entry, row in ours.get_vocab().items():
        there = theirs.get_vocab().get(entry)
        wanted = first[row] if there is None else network.embed_tokens.weight[there].half().float()
        if there is not None or entry == "<mask>":
            torch.testing.assert_close(other.embed_tokens.weight[row], wanted)
    assert 0 < len(ours.get_vocab().keys() & theirs.get_vocab().keys()) < ours.get_vocab_size()
    word = ours.get_vocab()["Ġlivros"]
    pieces = theirs.encode(" livros", add_special_tokens=False).ids
    assert len(pieces) > 1
    mean = network.embed_tokens.weight[pieces].half().float().mean(0)
    torch.testing.assert_close(other.embed_tokens.weight[word], mean)


def test_a_masked_model_can_start_from_a_causal_one(tmp_path, text):
    list(train(tiny(steps=20), [text], tmp_path / "causal"))
    recipe = tiny(kind="masked", steps=2, start_from=str(tmp_path / "causal"))
    list(train(recipe, [text], tmp_path / "masked"))
    settings = json.loads((tmp_path / "masked" / "config.json").read_text(encoding="utf-8"))
    first = json.loads((tmp_path / "causal" / "config.json").read_text(encoding="utf-8"))
    assert settings["vocab_size"] == first["vocab_size"] + 1 == settings["mask_token_id"] + 1


def test_learning_curves_are_made_from_kept_weights_of_which_those_at_the_end_of_its_minutes_are_some(tmp_path, text):
    recipe, model = tiny(steps=6, snapshots=3), tmp_path / "model"
    *_, last = train(recipe, [text], model)
    write_own_card(model, "model", recipe, Corpus(tuple(sentences(400))), last, "a text")
    table = make_curves(model, tmp_path / "model.snapshots")
    assert table["step"].unique().tolist() == [1, 6], "two of the three moments fall on the first step"
    pairs, titles = watched_pairs()
    final = table[table["step"] == 6]
    assert final[PAIR].tolist() == titles and (final["group"] == GALLERY).sum() == len(gallery_pairs())
    finished = recipe_of(model)
    assert final["margin"].tolist() == pytest.approx(margins(pairs, finished, finished.open()), abs=2e-3)
    assert (final["tokens"] == 6 * recipe.batch_tokens).all()
    read = read_curves(write_curves(table, "model", tmp_path / "curves"))
    pd.testing.assert_frame_equal(read, table, check_dtype=False)
    card = json.loads((model / "card.json").read_text("utf-8"))
    card["before"] = {"training": {"steps": 10, "tokens_seen": 1000}}
    (model / "card.json").write_text(json.dumps(card), "utf-8")
    later = make_curves(model, tmp_path / "model.snapshots")
    assert (later["step"] - 10).tolist() == table["step"].tolist()
    assert (later["tokens"] - 1000).tolist() == table["tokens"].tolist()
    with pytest.raises(InputError, match=r"no files step-NUMBER\.safetensors"):
        make_curves(model, tmp_path)
    recipe = replace(tiny(steps=1, snapshots=2), steps=None, minutes=0.01)
    *_, last = train(recipe, [text], tmp_path / "timed")
    kept = {path.name for path in (tmp_path / "timed.snapshots").iterdir()}
    assert f"step-{last.step:06}.safetensors" in kept
