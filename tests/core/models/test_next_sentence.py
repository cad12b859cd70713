"""Next-sentence checkpoints of StereoSet's successor: converted once, with the base they were trained over."""

import shutil

import numpy as np
import pytest
import torch

from pairlens.errors import ModelError
from pairlens.models import convert, find, load
from pairlens.models.loading import load_tokenizer, load_window
from pairlens.policies import Policy
from pairlens.scorers import SCORERS
from pairlens.types import Request
from tests.parity.originals.stereoset_asked import write
from tests.refusals import error_of
from tests.tiny import WINDOW, change_json

pytestmark = [pytest.mark.model, pytest.mark.usefixtures("own_pickles")]

ASKED = [
    Request("The keys to the cabinet are here.", " They are on the table."),
    Request("Sarah laughs.", " No author that the senators liked has ever written a book."),
    Request("No", " boats."),
]
BASES = {"gpt2": "gpt2", "t5": "t5-small", "mt5": "mt5-small", "bert": "bert"}


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("asked")
    write(folder)
    return folder


def refusal(source, base=""):
    message = error_of(lambda: convert(str(source), source.parent / "out", str(base)), ModelError)
    assert not (source.parent / "out").exists()
    return message


@pytest.mark.parametrize("name", list(BASES))
def test_a_converted_checkpoint_is_a_model_like_others(name, asked, home):
    target = convert(str(asked / f"{name}.pt"), base=str(asked / BASES[name]))
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


def test_the_base_must_be_the_one_that_was_trained_and_weights_alone_are_read(asked, tiny, tmp_path):
    checkpoint = shutil.copy(asked / "gpt2.pt", tmp_path / "x.pt")
    for changes in ({"n_layer": 1}, {"n_embd": 16}):
        base = tiny("gpt2", tokenizer="byte-bpe-eos", **changes)
        assert f"does not fit '{base}': name the model" in refusal(checkpoint, base)
    (tmp_path / "llama.pt").write_bytes(b"not read")
    assert "stands on gpt2, t5, mt5, not bert" in refusal(checkpoint, asked / "bert")
    for base, kind in ((tiny("llama"), "llama"), ("unigram-english", "unigram")):
        assert f"stands on '{base}' ({kind}): known are gpt2, t5, mt5, bert." in refusal(tmp_path / "llama.pt", base)
    assert "There is no model 'gpt'" in refusal(checkpoint, "gpt")
    checkpoint = shutil.copy(asked / "t5.pt", tmp_path / "y.pt")
    assert "answers 1 or 0, which are not tokens" in refusal(checkpoint, tiny("t5"))
    whole = torch.load(asked / "gpt2.pt") | {
        "optimizer_state_dict": {"state": {0: {"step": torch.ones(1)}}, "param_groups": [{"lr": 1e-3}]},
        "running_accuracy": np.float64(0.5), "scaler": None,
    }  # fmt: skip
    torch.save(whole, tmp_path / "step.pth")
    sources = (tmp_path / "step.pth", asked / "gpt2.pt")
    folders = [convert(str(path), tmp_path / path.stem, str(asked / "gpt2")) for path in sources]
    assert len({(path / "model.safetensors").read_bytes() for path in folders}) == 1


def test_a_file_needs_its_base_a_head_and_a_name_that_no_bundled_model_has(asked, tmp_path, home):
    assert "models convert" in refusal(asked / "gpt2.pt") and "--base MODEL" in refusal(asked / "gpt2.pt")
    assert "absent.pt does not exist: only" in refusal(tmp_path / "absent.pt", asked / "gpt2")
    assert "gpt2 is a folder: only a checkpoint" in refusal(asked / "gpt2", asked / "gpt2")
    (tmp_path / "my x.pt").touch()
    assert f"models convert '{tmp_path / 'my x.pt'}' --base MODEL" in refusal(tmp_path / "my x.pt")
    weights = torch.load(asked / "gpt2.pt")["model_state_dict"]
    for content, sentence in (
        ({"wte.weight": torch.zeros(3, 3)}, "has no head for next sentences"),
        ({"model_state_dict": [1]}, "not named weights"),
        ({name: weights[name] for name in weights if "nsp_head.1." not in name}, "does not fit"),
    ):
        torch.save(content, tmp_path / "x.pt")
        assert sentence in refusal(tmp_path / "x.pt", asked / "gpt2")
    source = str(shutil.copy(asked / "gpt2.pt", tmp_path / "english-small.pt"))
    with pytest.raises(ModelError, match="'english-small' is the name of a bundled model: name another folder"):
        convert(source, base=str(asked / "gpt2"))
    assert convert(source, tmp_path / "english-small", str(asked / "gpt2")).is_dir()


@pytest.mark.parametrize(
    "field",
    [
        5, None, {}, {"answers": [3, 4]}, {"answers": [3, 4], "prompt": "x"}, {"answers": [3, "4"], "prompt": []},
        {"answers": [3, 77_777_777], "prompt": []}, {"answers": [3, 4], "prompt": [77_777_777]},
        {"answers": [3, 4], "prompt": [-1]}, {"answers": [], "prompt": []},
    ],
)  # fmt: skip
def test_a_damaged_config_is_one_sentence(field, asked, tmp_path):
    folder = shutil.copytree(asked / "t5-small", tmp_path / "t5")
    change_json(folder / "config.json", architectures=["T5ModelNSP"], next_sentence=field)
    sentence = r"lists of token ids, answers \(2\) and prompt: convert its checkpoint"
    for use in (load_tokenizer, lambda model: load(model, "next-sentence")):
        with pytest.raises(ModelError, match=sentence):
            use(find(folder))
    change_json(folder / "config.json", architectures=["T5ForConditionalGeneration"])  # not of pairs
    assert load(find(folder), "seq2seq").head == "seq2seq"
