"""Next-sentence checkpoints of StereoSet's successor: converted once, with the base they were trained over."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from core.errors import ModelError
from core.models import convert, find, load
from core.models.loading import load_tokenizer, load_window
from core.policies import Policy
from core.scorers import SCORERS
from core.types import Request
from tests.parity.originals.stereoset_asked import write
from tests.tiny import WINDOW, tiny_model

pytestmark = pytest.mark.model

ASKED = [
    Request("The keys to the cabinet are here.", " They are on the table."),
    Request("Sarah laughs.", " No author that the senators liked has ever written a book."),
    Request("No", " boats."),
]
BASES = {"gpt2": "gpt2", "t5": "t5-small", "mt5": "mt5-small", "bert": "bert"}


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    folder = tmp_path_factory.mktemp("given")
    write(folder)
    return folder


def refusal(source: Path, base: Path | str = "") -> str:
    with pytest.raises(ModelError) as caught:
        convert(str(source), source.parent / "out", str(base))
    assert "\n" not in str(caught.value)
    assert not (source.parent / "out").exists()
    return str(caught.value)


@pytest.mark.parametrize("name", list(BASES))
def test_a_converted_checkpoint_is_a_model_like_others(name, given, home):
    target = convert(str(given / f"{name}.pt"), base=str(given / BASES[name]))
    assert target == home / "models" / name
    model = find(name)
    assert model.kind == "next-sentence"
    assert list(model.card["converted"]["pickle_sha256"]) == [f"{name}.pt"]
    assert load_window(model) >= WINDOW
    assert load(model, "next-sentence", "bfloat16").module.get_input_embeddings().weight.dtype == torch.bfloat16
    scorer = SCORERS["next_sentence"].open(model, Policy())
    together = [score.total for score in scorer.score(ASKED * 5)]
    alone = [scorer.score([request])[0].total for request in ASKED]
    assert together == pytest.approx(alone * 5, abs=1e-5), "padding is in no mean"
    assert len({round(value, 4) for value in alone}) == len(ASKED)


def test_what_a_program_saves_beside_the_weights_is_left_out(given, tmp_path):
    whole = torch.load(given / "gpt2.pt") | {
        "optimizer_state_dict": {"state": {0: {"step": torch.ones(1)}}, "param_groups": [{"lr": 1e-3}]},
        "running_accuracy": np.float64(0.5), "scaler": None,
    }  # fmt: skip
    torch.save(whole, tmp_path / "step.pth")
    found = [
        convert(str(path), tmp_path / path.stem, str(given / "gpt2"))
        for path in (tmp_path / "step.pth", given / "gpt2.pt")
    ]
    assert len({(path / "model.safetensors").read_bytes() for path in found}) == 1


def test_what_runs_code_is_not_read(given, tmp_path):
    class Attack:
        def __reduce__(self):
            return os.system, (f"touch {tmp_path / 'ran'}",)

    torch.save({"model_state_dict": torch.load(given / "mt5.pt"), "scaler": Attack()}, tmp_path / "x.pt")
    assert "x.pt holds more than tensors" in refusal(tmp_path / "x.pt", given / "mt5-small")
    assert not (tmp_path / "ran").exists()


def test_the_base_must_be_the_one_that_was_trained(given, tmp_path):
    checkpoint = tmp_path / "x.pt"
    checkpoint.write_bytes((given / "gpt2.pt").read_bytes())
    shallow = tiny_model(tmp_path / "shallow", "gpt2", tokenizer="byte-bpe-eos", n_layer=1)
    wide = tiny_model(tmp_path / "wide", "gpt2", tokenizer="byte-bpe-eos", n_embd=16)
    for base in (shallow, wide):
        assert f"does not fit '{base}': name the model" in refusal(checkpoint, base)
    (tmp_path / "llama.pt").write_bytes(b"not read")
    assert "stands on gpt2, t5, mt5, not bert" in refusal(checkpoint, given / "bert")
    for base, kind in ((tiny_model(tmp_path / "llama", "llama"), "llama"), ("unigram-english", "unigram")):
        assert f"stands on '{base}' ({kind}): known are gpt2, t5, mt5, bert." in refusal(tmp_path / "llama.pt", base)
    assert "There is no model 'gpt'" in refusal(checkpoint, "gpt")
    (checkpoint := tmp_path / "y.pt").write_bytes((given / "t5.pt").read_bytes())
    assert "answers 1 or 0, which are not tokens" in refusal(checkpoint, tiny_model(tmp_path / "t5", "t5"))


def test_a_file_needs_its_base_and_a_head(given, tmp_path):
    assert "models convert" in refusal(given / "gpt2.pt") and "--base MODEL" in refusal(given / "gpt2.pt")
    assert "absent.pt does not exist: only" in refusal(tmp_path / "absent.pt", given / "gpt2")
    assert "gpt2 is a folder: only a checkpoint" in refusal(given / "gpt2", given / "gpt2")
    (tmp_path / "my x.pt").touch()
    assert f"models convert '{tmp_path / 'my x.pt'}' --base MODEL" in refusal(tmp_path / "my x.pt")
    torch.save({"wte.weight": torch.zeros(3, 3)}, tmp_path / "x.pt")
    assert "has no head for next sentences" in refusal(tmp_path / "x.pt", given / "gpt2")
    torch.save({"model_state_dict": [1]}, tmp_path / "x.pt")
    assert "not named weights" in refusal(tmp_path / "x.pt", given / "gpt2")
    weights = torch.load(given / "gpt2.pt")["model_state_dict"]
    torch.save({name: weights[name] for name in weights if "nsp_head.1." not in name}, tmp_path / "x.pt")
    assert "does not fit" in refusal(tmp_path / "x.pt", given / "gpt2")


def test_a_converted_checkpoint_does_not_take_the_name_of_a_bundled_model(given, tmp_path, home):
    (tmp_path / "english-small.pt").write_bytes((given / "gpt2.pt").read_bytes())
    with pytest.raises(ModelError, match="'english-small' is the name of a bundled model: name another folder"):
        convert(str(tmp_path / "english-small.pt"), base=str(given / "gpt2"))
    assert convert(str(tmp_path / "english-small.pt"), tmp_path / "english-small", str(given / "gpt2")).is_dir()


@pytest.mark.parametrize(
    "field",
    [
        5, None, {}, {"answers": [3, 4]}, {"answers": [3, 4], "prompt": "x"}, {"answers": [3, "4"], "prompt": []},
        {"answers": [3, 77_777_777], "prompt": []}, {"answers": [3, 4], "prompt": [77_777_777]},
        {"answers": [3, 4], "prompt": [-1]}, {"answers": [], "prompt": []},
    ],
)  # fmt: skip
def test_a_damaged_config_is_one_sentence(field, given, tmp_path):
    folder = shutil.copytree(given / "t5-small", tmp_path / "t5")
    config = json.loads((folder / "config.json").read_text("utf-8"))
    config |= {"architectures": ["T5ModelNSP"], "next_sentence": field}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    for use in (load_tokenizer, lambda model: load(model, "next-sentence")):
        with pytest.raises(
            ModelError, match="lists of token ids, answers \\(2\\) and prompt: convert its checkpoint"
        ):
            use(find(folder))


def test_the_architecture_says_that_a_network_is_trained_for_pairs(given, tmp_path):
    folder = shutil.copytree(given / "t5-small", tmp_path / "t5")
    config = json.loads((folder / "config.json").read_text("utf-8")) | {"next_sentence": 5}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    assert load(find(folder), "seq2seq").head == "seq2seq"
