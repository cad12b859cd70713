"""Training that continues with a model: against a plain loop, resumed, refused; texts, pieces and masks."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from pairlens.errors import InputError, ModelError
from pairlens.models import catalogue, find, load
from pairlens.training.chunks import IGNORED, Collator, batches, chunks, stream
from pairlens.training.continued import continue_training
from pairlens.training.corpus import Documents, documents_of, read_corpus, repeated, sampled
from pairlens.training.options import Options
from tests.tiny import SENTENCES

pytestmark = pytest.mark.model

SHORT = Options(epochs=1, learning_rate=1e-3, max_length=32, batch_size=4)
TEXTS = Documents(list(SENTENCES) * 6, list(SENTENCES[:4]))


@pytest.mark.parametrize("architecture", ["gpt2", "bert"])
def test_the_model_learns_is_whole_and_has_the_perplexity_that_was_said(architecture, tiny, tmp_path):
    seen = []
    model = find(tiny(architecture))
    options = replace(SHORT, epochs=3)
    found = continue_training(model, TEXTS, options, tmp_path / "new", seen.append)
    held = [step.validation_loss for step in seen if step.validation_loss is not None]
    assert len(held) == 4 and held[-1] == held[-2] < held[0], "two epochs, the end, and the model that is saved"
    assert found.perplexity == pytest.approx(math.exp(held[-1]), rel=1e-5)
    assert [path.name for path in tmp_path.glob("new*")] == ["new"]
    trained = find(found.folder)
    assert trained.kind == model.kind and trained.tokenizer == model.tokenizer and trained.weights != model.weights
    plain = plain_perplexity if architecture == "gpt2" else plain_masked_perplexity
    assert plain(found.folder, TEXTS.validation, 32) == pytest.approx(found.perplexity, rel=1e-5)


def plain_perplexity(folder, texts, length):
    """e to the mean negative log-likelihood per predicted token, with nothing but transformers."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder).eval()
    ids = [id for text in texts for id in [*tokenizer(text)["input_ids"], tokenizer.eos_token_id]]
    values = []
    for piece in torch.tensor(ids).split(length):
        with torch.no_grad():
            logprobs = model(piece[None]).logits[0, :-1].log_softmax(-1)
        values += logprobs.gather(1, piece[1:, None]).flatten().tolist()
    return math.exp(-sum(values) / len(values))


def plain_masked_perplexity(folder, texts, length):
    """The same at masked tokens, with the masks of the training's own measurement."""
    from transformers import AutoModelForMaskedLM

    tokenizer, model = load(find(folder), "masked").tokenizer, AutoModelForMaskedLM.from_pretrained(folder).eval()
    pieces, values = chunks(stream(texts, tokenizer, "eos"), length), []
    for batch in batches(pieces, SHORT.batch_size, Collator.of(tokenizer, SHORT.mask_probability), SHORT.seed):
        with torch.no_grad():
            logprobs = model(batch["input_ids"], attention_mask=batch["attention_mask"]).logits.log_softmax(-1)
        hidden = batch["labels"] != IGNORED
        values += logprobs[hidden].gather(1, batch["labels"][hidden][:, None]).flatten().tolist()
    return math.exp(-sum(values) / len(values))


def test_one_epoch_is_that_of_a_plain_loop(tiny, tmp_path):
    """AdamW without decay on biases and norms, a rate that falls to 0, clipped gradients; one batch, so one order."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = tiny("gpt2", resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0)
    options = replace(SHORT, batch_size=1000, epochs=4)
    found = continue_training(find(folder), TEXTS, options, tmp_path / "new")

    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder)
    ids = [id for text in TEXTS.training for id in [*tokenizer(text)["input_ids"], tokenizer.eos_token_id]]
    rows = [torch.tensor(ids[at : at + 32]) for at in range(0, len(ids), 32)]
    kept = [part for name, part in model.named_parameters() if part.dim() > 1]
    bare = [part for name, part in model.named_parameters() if part.dim() == 1]
    adam = torch.optim.AdamW([{"params": kept}, {"params": bare, "weight_decay": 0.0}], lr=1e-3, weight_decay=0.01)
    for epoch in range(4):
        for group in adam.param_groups:
            group["lr"] = 1e-3 * (1 - epoch / 4)
        logprobs = [model(row[None]).logits[0, :-1].log_softmax(-1).gather(1, row[1:, None]) for row in rows]
        loss = -torch.cat(logprobs).sum() / sum(len(row) - 1 for row in rows)
        adam.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
    with torch.no_grad():
        trained = load(find(found.folder), "causal").module
        both = [one.eval()(rows[0][None]).logits.log_softmax(-1) for one in (model, trained)]
        before = AutoModelForCausalLM.from_pretrained(folder)(rows[0][None]).logits.log_softmax(-1)
    assert torch.allclose(*both, atol=1e-4)
    assert (both[0] - before).abs().max() > 0.05, "something was learnt"


def test_a_killed_run_goes_on_and_ends_where_an_undisturbed_one_does(tiny, tmp_path):
    def kill(step):
        if step.step == 5 and step.validation_loss is None:
            raise KeyboardInterrupt

    model = find(tiny("bert"))
    options = replace(SHORT, save_strategy="steps", save_steps=3)
    with pytest.raises(KeyboardInterrupt):
        continue_training(model, TEXTS, options, tmp_path / "one", kill)
    assert not (tmp_path / "one").exists()
    (tmp_path / "one.training" / "checkpoint.pt.part").touch()  # a kill while the next one was written
    steps = []
    resumed = continue_training(model, TEXTS, options, tmp_path / "one", lambda step: steps.append(step.step))
    assert steps[:2] == [0, 4]
    whole = continue_training(model, TEXTS, options, tmp_path / "other")
    weights = [(found.folder / "model.safetensors").read_bytes() for found in (resumed, whole)]
    assert weights[0] == weights[1] and resumed.perplexity == whole.perplexity


def test_a_finished_run_is_not_repeated_and_nothing_is_overwritten(tiny, home, monkeypatch):
    """The model is in the catalogue if it lies there; a place that cannot be written is named."""
    model, place = find(tiny("gpt2")), home / "models" / "mine"
    first = continue_training(model, TEXTS, SHORT, place)
    assert continue_training(model, TEXTS, SHORT, place) == replace(first, before=True)
    with pytest.raises(InputError, match="not empty"):
        continue_training(model, TEXTS, replace(SHORT, seed=5), place)
    (mine,) = (model for model in catalogue() if model.name == "mine")
    assert mine.kind == "causal" and "trained further on 54 documents" in mine.card["description"]
    assert mine.card["training"]["perplexity"] == first.perplexity
    assert mine.card["training"]["request"]["options"]["max_length"] == 32
    assert mine.card["context"] == load(mine, "causal").window == 64

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pairlens.training.continued.shutil.copyfile", full)
    with pytest.raises(InputError, match="new: cannot be written: No space left"):
        continue_training(model, TEXTS, SHORT, place.with_name("new"))
    assert not place.with_name("new").exists()


def test_the_best_state_is_the_one_that_is_kept(tiny, tmp_path):
    seen, model = [], find(tiny("gpt2"))
    options = replace(SHORT, learning_rate=0.02, epochs=8, load_best_model_at_end=True)
    documents = Documents(["The keys are on the table."] * 40, list(SENTENCES[4:]))
    found = continue_training(model, documents, options, tmp_path / "best", seen.append)
    held = [step.validation_loss for step in seen if step.validation_loss is not None]
    assert min(held) < held[6], "the states at the end should be worse for this test to say anything"
    assert held[-1] == min(held) and math.log(found.perplexity) == pytest.approx(min(held), rel=1e-5)
    assert plain_perplexity(found.folder, documents.validation, 32) == pytest.approx(found.perplexity, rel=1e-5)


@pytest.mark.parametrize("architecture", ["gpt2", "roberta", "llama"])
def test_random_weights_have_the_shape_and_the_window_of_the_pieces(architecture, tiny, tmp_path):
    model, options = find(tiny(architecture)), replace(SHORT, pretrained=False, max_length=24)
    found = continue_training(model, TEXTS, options, tmp_path / "new")
    trained = load(find(found.folder), model.kind)
    assert trained.window == 24
    assert found.perplexity < 1.5 * trained.tokenizer.size, "about as good as chance, unlike the start"


def test_what_cannot_be_trained_is_said_in_a_sentence(tiny, tmp_path):
    bare, one = tiny("gpt2", tokenizer="byte-bpe-bare"), Documents(["The"], ["The"])
    for error, words, folder, documents, changes in (
        (ModelError, "seq2seq", tiny("t5"), TEXTS, {}),
        (InputError, "sees 64 tokens .* maxTrainSequenceLength to 64", tiny("gpt2"), TEXTS, {"max_length": 65}),
        (InputError, "separator: none", bare, TEXTS, {}),
        (InputError, "nothing to predict", bare, one, {"separator": "none", "max_length": 2}),
        (InputError, "came apart.* Take a lower learning rate", tiny("gpt2"), TEXTS, {"learning_rate": 1e6}),
    ):
        with pytest.raises(error, match=words):
            continue_training(find(folder), documents, replace(SHORT, **changes), tmp_path / "new")
        assert not (tmp_path / "new").exists()


def test_options_that_cannot_work_are_refused_and_a_sample_is_per_cent_from_one_on():
    by_steps = {"eval_strategy": "steps", "save_strategy": "steps", "save_steps": 700}
    for changes, words in (
        ({"eval_strategy": "epochs"}, "Did you mean 'epoch'"),
        ({"save_strategy": "never"}, "Known: epoch, no, steps"),
        ({"separator": "eoss"}, "Did you mean 'eos'"),
        ({"epochs": 0}, "more than 0"),
        ({"max_length": 1}, "nothing to predict"),
        ({"mask_probability": 15}, "between 0 and 1"),
        ({"sample_percent": 0}, "not between 0 and 100"),
        ({"load_best_model_at_end": True, "eval_strategy": "no"}, "both as epoch"),
        ({"load_best_model_at_end": True, **by_steps}, "at a multiple"),
    ):
        with pytest.raises(InputError, match=words):
            Options(**changes)
    for percent, fraction in ((None, 1.0), (1, 0.01), (50, 0.5), (0.5, 0.5), (100, 1.0)):
        assert Options(sample_percent=percent).sample() == fraction


def test_without_validation_text_some_of_it_is_held_out_and_one_that_was_trained_on_is_said(save):
    texts = save("a.txt", "".join(f"Sentence {number}.\n" for number in range(100)))
    found = documents_of(texts, None, "text", 1.0, seed=1)
    assert found.held_out and len(found.validation) == 5 and not set(found.validation) & set(found.training)
    assert sorted(found.training + found.validation) == sorted(read_corpus([texts]).sequences)
    with pytest.raises(InputError, match="one document only"):
        documents_of(save("one.txt", "One.\n"), None, "text", 1.0, seed=1)
    whole, part = "The validation text is in the training text", "1 of 2 sequences of the validation text are in "
    assert repeated(["A b.", "C d."], ["E f."]) == ""
    assert repeated(["A b.", "C d."], ["C d.", "A b.", "E f."]).startswith(whole)
    assert repeated(["A b.", "C d."], ["A b.", "E f."]).startswith(part)


@given(st.lists(st.text(max_size=3), min_size=1, max_size=30), st.floats(0.01, 1), st.integers(0, 9))
def test_a_sample_has_its_size_and_only_what_was_there(texts, fraction, seed):
    found = sampled(texts, fraction, seed)
    assert len(found) == max(1, int(fraction * len(texts)))
    assert not [text for text in found if found.count(text) > texts.count(text)]


def test_documents_are_parted_their_ends_are_learnt_though_they_also_fill_up_and_masks_hide_their_share(tiny):
    """As in GPT-2 the same token ends texts and pads: only padding is not predicted."""
    tokenizer = load(find(tiny("gpt2")), "causal").tokenizer
    plain = [tokenizer.backend.encode(text).ids for text in SENTENCES]
    whole = stream(SENTENCES, tokenizer, "eos").tolist()
    assert whole == [id for ids in plain for id in [*ids, tokenizer.end]]
    assert stream(SENTENCES, tokenizer, "none").tolist() == [id for ids in plain for id in ids]
    pieces = chunks(np.array(whole), 50)
    assert {len(piece) for piece in pieces[:-1]} == {50}
    length = sum(map(len, pieces))
    assert np.concatenate(pieces).tolist() == whole[:length] and len(whole) - length < 2
    framed = load(find(tiny("bert")), "masked").tokenizer
    assert stream(SENTENCES[:2], framed, "eos").tolist() == stream(SENTENCES[:2], framed, "none").tolist()
    collate = Collator.of(load(find(tiny("qwen2")), "causal").tokenizer, 0.0)
    end = collate.pad
    batch = collate([np.array([5, 6, end, 7]), np.array([8, end])])
    assert batch["labels"].tolist() == [[5, 6, end, 7], [8, end, IGNORED, IGNORED]]
    assert batch["attention_mask"].tolist() == [[1, 1, 1, 1], [1, 1, 0, 0]]
    assert collate.predicted(batch) == 4
    torch.manual_seed(3)
    collate = Collator(pad=0, share=0.2, mask=4, vocabulary=1000, special=(0, 1, 2))
    piece = np.concatenate([[1], np.full(500, 7), [2]])
    batch = collate.hidden(collate([piece] * 40))
    ids, labels = batch["input_ids"], batch["labels"]
    hidden = labels != IGNORED
    assert not hidden[:, [0, -1]].any() and (labels[hidden] == 7).all()
    assert hidden.sum() / (40 * 500) == pytest.approx(0.2, abs=0.01)
    assert (ids[hidden] == 4).float().mean() == pytest.approx(0.8, abs=0.02)
    assert (ids[hidden] == 7).float().mean() == pytest.approx(0.1, abs=0.02)
    assert (ids[~hidden][ids[~hidden] != 7].unique()).tolist() == [1, 2]
    short = collate.hidden(collate([np.array([1, 7, 2])] * 50))
    assert collate.predicted(short) == 50, "a piece always has something to predict"
