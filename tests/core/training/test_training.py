"""Training: every part on tiny data, and whole runs of seconds."""

import json
import random
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from pairlens.errors import InputError
from pairlens.training import loop, packing
from pairlens.training.export import export, new_network
from pairlens.training.from_scratch import LanguageModelTraining, causal_batch, masked_batch, prediction_loss, train
from pairlens.training.optimizer import orthogonal, rate_factor
from pairlens.training.packing import BOS_ID, EOS_ID, PAD_ID, train_tokenizer
from pairlens.training.recipe import TrainingRecipe

pytestmark = pytest.mark.model

NOUNS = ("dog", "girl", "teacher", "horse", "boat", "letter")
VERBS = ("sees", "likes", "follows", "finds")


def sentences(count, seed=0):
    pick = random.Random(seed)
    return [f"The {pick.choice(NOUNS)} {pick.choice(VERBS)} the {pick.choice(NOUNS)}." for _ in range(count)]


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    """A text file of 800 sentences in paragraphs of five."""
    path, lines = tmp_path_factory.mktemp("text") / "text.txt", sentences(800)
    path.write_text("\n\n".join("\n".join(lines[at : at + 5]) for at in range(0, len(lines), 5)), "utf-8")
    return path


def tiny(**changes):
    """A recipe that trains in seconds."""
    sizes = {"vocabulary": 320, "width": 32, "layers": 2, "heads": 2, "feed_forward": 64, "context": 64}
    work = {"batch_tokens": 512, "steps": 12, "compiled": False, "precision": "float32"}
    return TrainingRecipe(**{**sizes, **work, **changes})


@pytest.fixture(scope="module")
def tokenizer():
    return train_tokenizer(sentences(300), 320, "causal", lower_case=True)


@pytest.mark.parametrize("kind", ["causal", "masked"])
def test_what_is_exported_gives_the_same_ids_and_logits_in_transformers(tmp_path, kind):
    from transformers import AutoModelForCausalLM, AutoModelForMaskedLM, AutoTokenizer

    tokenizer, recipe = train_tokenizer(sentences(300), 320, kind, lower_case=True), tiny(kind=kind)
    network = lively_network(recipe, tokenizer.get_vocab_size())
    export(network, tokenizer, recipe, tmp_path)
    loaded = AutoTokenizer.from_pretrained(tmp_path)
    typed = 'The DOG, "Ünï" — sees 中.'
    ids = loaded(typed).input_ids
    assert ids == tokenizer.encode(typed).ids
    assert ids[0] == BOS_ID == loaded.bos_token_id
    assert (ids[-1] == EOS_ID) is (kind == "masked")
    assert loaded.decode(ids, skip_special_tokens=True).strip() == typed.lower()
    assert (loaded.mask_token_id == len(loaded) - 1) is (kind == "masked")
    loaded.save_pretrained(tmp_path / "again")
    assert AutoTokenizer.from_pretrained(tmp_path / "again")(typed).input_ids == ids

    auto = AutoModelForCausalLM if kind == "causal" else AutoModelForMaskedLM
    model, facts = auto.from_pretrained(tmp_path, dtype=torch.float32, output_loading_info=True)
    assert not any(facts.values())
    rows = rows_of(6, 9)
    batch = causal_batch(rows) if kind == "causal" else masked_batch(rows, 0.0, 99, torch.Generator())
    with torch.no_grad():
        ours = network(*batch.inputs) @ network.embed_tokens.weight.T
        for unit in (slice(0, 8), slice(8, 19)):
            torch.testing.assert_close(ours[:, unit], model(rows[:, unit]).logits, atol=1e-4, rtol=1e-4)


def test_a_tokenizer_points_into_the_text_becomes_masked_without_moving_ids_and_is_saved_plain(tokenizer, tmp_path):
    typed = "The DOG sees the Boat."
    assert "".join(typed[start:end] for start, end in tokenizer.encode(typed).offsets) == typed
    assert tokenizer.encode("the dog").ids == tokenizer.encode("THE DOG").ids
    before, size = tokenizer.get_vocab(), tokenizer.get_vocab_size()
    masked = packing.with_frame(tokenizer, "masked")
    assert masked.token_to_id("<mask>") == size
    assert {**before, "<mask>": size} == masked.get_vocab()
    assert masked.encode("the <mask> sees").ids[2:] == [size, before["Ġsees"], EOS_ID]
    masked.enable_padding()
    masked.enable_truncation(5)
    packing.save_tokenizer(masked, "causal", 64, tmp_path)
    saved = json.loads((tmp_path / "tokenizer.json").read_text(encoding="utf-8"))
    assert saved["padding"] is saved["truncation"] is None


def test_units_are_sentences_and_runs_packed_whole_and_batches_go_on(text, tokenizer):
    groups = [sentences(8, seed) for seed in range(300)]
    made = list(packing.units(groups, 0.3, 64, seed=1))
    runs = [unit for unit in made if unit.count(".") > 1]
    assert 0.2 < len(runs) / len(made) < 0.3, "somewhat under the share: paragraphs end"
    assert " ".join(made) == " ".join(sentence for group in groups for sentence in group)
    assert list(packing.units([["a b c", "d e f"]], 1.0, 2, seed=1)) == ["a b c", "d e f"]
    rng = random.Random(3)
    window = [[BOS_ID, *[7 + n] * rng.randint(3, 30), EOS_ID] for n in range(500)]
    rows = packing.pack_window(window, 64, rng)
    flat = [tuple(unit) for row in rows.tolist() for unit in split_units(row)]
    assert sorted(flat) == sorted(tuple(unit) for unit in window)
    assert (rows == PAD_ID).mean() < 0.03
    first, second = (packing.pack_files([text], tokenizer, 64, 0.3, 4) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    data = packing.Data(np.arange(40, dtype=np.uint16).reshape(20, 2), np.zeros((1, 2), np.uint16))
    whole, later = data.batches(6, 5, 0), data.batches(6, 5, 4)
    ahead = [next(whole) for _ in range(8)]
    np.testing.assert_array_equal(ahead[4:], [next(later) for _ in range(4)])
    assert len({int(row[0]) for batch in ahead[:3] for row in batch}) == 18


def test_half_of_its_minutes_are_half_of_a_training():
    recipe = SimpleNamespace(steps=None, minutes=2.0)
    assert LanguageModelTraining.fraction(SimpleNamespace(recipe=recipe, seconds=60.0)) == 0.5


def split_units(row):
    found = []
    for token in row:
        if token == BOS_ID:
            found.append([])
        if token != PAD_ID:
            found[-1].append(token)
    return found


def rows_of(*lengths, context=32):
    """One row of units with the given numbers of words."""
    ids = []
    for number, length in enumerate(lengths):
        ids += [BOS_ID, *range(10 + number, 10 + number + length), EOS_ID]
    return torch.tensor([ids + [PAD_ID] * (context - len(ids))])


def test_causal_targets_are_the_next_tokens_and_masked_ones_are_read_at_the_mask_and_before_it():
    batch = causal_batch(rows_of(3, 2))
    assert batch.targets.tolist() == [10, 11, 12, EOS_ID, 11, 12, EOS_ID]
    assert batch.reads.tolist() == [0, 1, 2, 3, 5, 6, 7]
    assert batch.inputs[1][0, :9].tolist() == [0, 1, 2, 3, 4, 0, 1, 2, 3]
    rows = rows_of(8, 8, 4)
    batch = masked_batch(rows, 0.4, 99, torch.Generator().manual_seed(1))
    hidden = (batch.inputs[0] == 99).flatten()
    assert 0 < int(hidden.sum()) < 20
    assert not (hidden & (rows.flatten() <= PAD_ID)).any()
    count = int(hidden.sum())
    torch.testing.assert_close(batch.reads[:count], hidden.nonzero().squeeze(1))
    torch.testing.assert_close(batch.targets[:count], rows.flatten()[hidden])
    before = batch.reads[count:]
    assert not hidden[before].any()
    assert hidden[before + 1].all()
    torch.testing.assert_close(batch.targets[count:], rows.flatten()[before + 1])
    rows = torch.cat([rows_of(8, 8, 4)] * 4)
    batch = masked_batch(rows, 0.4, 99, torch.Generator().manual_seed(1), causal_share=0.5)
    plain, straight = masked_batch(rows, 0.4, 99, torch.Generator().manual_seed(1)), causal_batch(rows[:2])
    ids, positions, allowed = batch.inputs
    torch.testing.assert_close(ids[:2], rows[:2])
    torch.testing.assert_close(ids[2:], plain.inputs[0][2:])
    torch.testing.assert_close(positions, plain.inputs[1])
    torch.testing.assert_close(allowed, torch.cat([straight.inputs[2], plain.inputs[2][2:]]))
    first = batch.reads < rows[:2].numel()
    torch.testing.assert_close(batch.reads[first], straight.reads)
    torch.testing.assert_close(batch.targets[first], straight.targets)
    later = plain.reads >= rows[:2].numel()
    torch.testing.assert_close(batch.reads[~first], plain.reads[later])
    torch.testing.assert_close(batch.targets[~first], plain.targets[later])


def lively_network(recipe, vocabulary):
    """A network whose layers do something: no matrix is zero."""
    torch.manual_seed(0)
    network = new_network(recipe, vocabulary)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
            parameter.copy_(parameter.half().float())
    return network.eval()


def test_muon_updates_are_nearly_orthogonal_rates_rise_and_fall_and_a_flat_guess_loses_the_log_of_the_vocabulary():
    torch.manual_seed(0)
    for shape in ((2, 24, 24), (2, 16, 48), (2, 48, 16)):
        values = torch.linalg.svdvals(orthogonal(torch.randn(shape)))
        assert (values > 0.6).float().mean() > 0.95 and values.max() < 1.4
    assert [rate_factor(f, 0.1, 0.4) for f in (0.0, 0.05, 0.1, 0.6, 0.8, 1.0)] == [0, 0.5, 1, 1, 0.5, 0]
    loss = prediction_loss(torch.zeros(1, 4, 8), torch.randn(50, 8), torch.arange(3), torch.arange(3))
    assert float(loss) == pytest.approx(np.log(50))


@pytest.mark.parametrize("kind", ["causal", "masked"])
def test_a_run_learns_and_its_model_loads(tmp_path, text, kind):
    from transformers import AutoModelForCausalLM, AutoModelForMaskedLM

    output = tmp_path / "model"
    reports = [*train(tiny(kind=kind, steps=40), [text], output)]
    assert [reports[0].stage, reports[1].stage, reports[-1].stage] == ["tokenizer", "packing", "saved"]
    losses = [report.loss for report in reports if report.stage == "training"]
    assert len(losses) == 41 and losses[-1] is None and reports[-1].validation_loss is not None
    held = [r.validation_loss for r in reports if r.validation_loss is not None]
    assert held[-1] < held[0] - 0.3
    auto = AutoModelForCausalLM if kind == "causal" else AutoModelForMaskedLM
    assert auto.from_pretrained(output).dtype == torch.float32
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model"]


def test_a_killed_run_goes_on_to_the_same_weights(tmp_path, text, monkeypatch):
    monkeypatch.setattr(loop, "CHECKPOINT_SECONDS", -1.0)

    def kill(output, at):
        for report in train(tiny(), [text], output):
            if report.step == at:
                return

    whole, broken = tmp_path / "whole", tmp_path / "broken"
    list(train(tiny(), [text], whole))
    kill(broken, 7)
    assert not broken.exists()
    assert [report.step for report in train(tiny(), [text], broken)][2] in (7, 8)
    ours, theirs = (load_file(folder / "model.safetensors") for folder in (broken, whole))
    for name, tensor in theirs.items():
        torch.testing.assert_close(tensor, ours[name])


def test_what_cannot_be_trained_says_so(tmp_path, text):
    for name, value, words in (
        ("kind", "diffusion", "causal or masked, not diffusion"),
        ("minutes", 2.0, "one of the two"),
        ("steps", 0, "more than zero"),
        ("width", 33, "does not divide"),
        ("vocabulary", 99, "300 to 65,535"),
        ("context", 4, "8 tokens or more"),
    ):
        with pytest.raises(InputError, match=words):
            tiny(**{name: value})
    (tmp_path / "short.txt").write_text("One line only here.", encoding="utf-8")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    for path, output, words in (
        (tmp_path / "gone.txt", "m", "no text file"),
        (tmp_path / "short.txt", "m", "too short"),
        (text, "full", "not empty"),
    ):
        with pytest.raises(InputError, match=words):
            list(train(tiny(), [path], tmp_path / output))
