"""Finding models by catalogue name, explicit folder or hub id; refusals in one sentence; identity without loading."""

import json
import os
import re
import shutil
import time
from pathlib import Path

import pytest

from pairlens.errors import ModelError
from pairlens.models import catalogue, digests, find, resolve
from pairlens.models.cards import full_name
from pairlens.places import program
from tests.refusals import error_of
from tests.tiny import change_json


@pytest.fixture
def model(copy):
    """A folder of this test's own with a tiny GPT-2."""
    return copy("gpt2", "my/gpt2")


def refusal(source, **options):
    return error_of(lambda: find(source, **options), ModelError)


# Names


def test_a_catalogue_name_is_a_folder_with_a_card_and_what_is_damaged_is_left_out_and_said(home, copy, caplog):
    folder = copy("bert", home / "models" / "mine")
    (folder / "card.json").write_text('{"kind": "masked", "language": "en"}')
    mine = find("mine")
    assert (mine.name, mine.kind, mine.folder, mine.bundled) == ("mine", "masked", folder, False)
    assert mine.card["language"] == "en"
    assert "mine" in [listed.name for listed in catalogue()]
    assert "Did you mean 'mine'?" in refusal("minne")
    (folder / "config.json").unlink()
    (home / "models" / "yours" / "card.json").mkdir(parents=True)
    assert not {"mine", "yours"} & {listed.name for listed in catalogue()}
    assert "'mine' has no config.json" in caplog.text and "card.json cannot be read" in caplog.text


def test_an_explicit_folder_and_one_with_the_name_of_a_hub_model_which_is_not_taken_for_it(model, monkeypatch):
    for written in (str(model), f"{model}/", "./gpt2", "../my/gpt2", "./"):
        monkeypatch.chdir(model if written == "./" else model.parent)
        explicit = find(written)
        assert (explicit.kind, explicit.folder, explicit.revision, explicit.bundled) == ("causal", model, "", False)
        assert explicit == find(Path(model)) or explicit.name != str(model)
    for name in ("gpt2", "my/gpt2", "my/gpt2@main"):
        monkeypatch.chdir(model.parent.parent if "/" in name else model.parent)
        assert Path(name.partition("@")[0]).is_dir()
        message = refusal(name)
        assert "folder" in message and "./" in message


def test_short_names_are_understood_wherever_a_hub_model_is_named():
    for short, full in {
        "gpt2": "openai-community/gpt2", "gpt2@607a30d": "openai-community/gpt2@607a30d",
        "english-small": "english-small", "org/gpt2": "org/gpt2",
    }.items():  # fmt: skip
        assert full_name(short) == full
    assert resolve.hub_id("gpt2@main") == ("openai-community/gpt2", "main")
    assert "'openai-community/gpt2' is not in the cache" in refusal("gpt2")


def test_several_heads_the_one_asked_for_and_code_of_its_own(copy):
    folder = copy("bert")
    change_json(folder / "config.json", architectures=["BertForPreTraining"])
    assert find(folder).kind == "masked"
    assert find(folder, kind="next-sentence").kind == "next-sentence"
    assert "is a masked model, not a causal one" in refusal(folder, kind="causal")
    change_json(folder / "config.json", auto_map={"AutoModelForMaskedLM": "modeling.Strange"})
    assert find(folder).kind == "masked", "transformers has the architecture"
    change_json(folder / "config.json", model_type="strange")
    assert "--allow-code REPO@COMMIT" in refusal(folder)


@pytest.mark.parametrize(
    "architecture", ["LLaDAModelLM", "LLaDA2MoeModelLM", "DreamModel", "DiffusionGemmaForBlockDiffusion"]
)
def test_diffusion_models_are_refused_whether_they_bring_code_or_not(copy, architecture):
    folder = copy("llama")
    for code in ({}, {"auto_map": {"AutoModel": "modeling.Strange"}, "model_type": "strange"}):
        change_json(folder / "config.json", architectures=[architecture], **code)
        message = refusal(folder)
        assert f"is a diffusion language model ({architecture})" in message
        assert message.endswith("take a causal or masked model.")


def test_the_kind_comes_from_the_configs_head(copy):
    config = copy("bert") / "config.json"
    usual, encodes = json.loads(config.read_text("utf-8")), {"is_encoder_decoder": True}
    for architecture, changes, kind in (
        ("BertLMHeadModel", {"is_decoder": True}, "causal"),
        ("BertLMHeadModel", {}, None),
        ("RobertaForCausalLM", {"model_type": "roberta"}, None),
        ("T5ForConditionalGeneration", {"model_type": "t5", **encodes}, "seq2seq"),
        ("T5WithLMHeadModel", {"model_type": "t5", **encodes}, "seq2seq"),
        ("BartModel", {"model_type": "bart", **encodes}, "seq2seq"),
        ("GitForConditionalGeneration", {"model_type": "git"}, None),
        ("BertForSequenceClassification", {}, "classifier"),
        ("BertModel", {}, None),
        ("ElectraForPreTraining", {"model_type": "electra"}, None),
        ("EuroBertForMaskedLM", {"model_type": "eurobert"}, "masked"),
        ({"a": 1}, {}, None),
    ):
        config.write_text(json.dumps({**usual, "architectures": [architecture], **changes}))
        if kind:
            assert find(config.parent).kind == kind
        else:
            named = f" (its config names: {architecture})" if isinstance(architecture, str) else ""
            assert f"no head that scores or classifies texts{named}" in refusal(config.parent)
    change_json(config, architectures=5)
    assert "no head that scores or classifies texts" in refusal(config.parent)


# Refusals


def test_a_path_that_exists_is_never_called_absent(model, tmp_path, monkeypatch):
    assert "there is no folder" in refusal(tmp_path / "nowhere")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    for name in ("x.pt", "./x.pt", "runs/x.pt", str(tmp_path / "x.pt")):
        Path(name).write_bytes(b"")
        assert f"models convert {name} --base MODEL" in refusal(name)
    for file in ("config.json", "model.safetensors"):
        assert "is a file: name the folder of the model" in refusal(model / file)
    model.rename(tmp_path / "here")
    assert refusal("here") == "'here' is not in the catalogue; the folder of this name is written ./here."
    (tmp_path / "here").rename(tmp_path / "runs" / "one")
    assert "the folder of this name is written ./runs/one" in refusal("runs/one")
    assert "; a folder is written ./runs/two" in refusal("runs/two")


def test_files_that_are_not_here_in_pickles_or_of_an_adapter_are_refused_with_the_ways_out(model):
    lacks = {"config.json": "config.json", "tokenizer.json": "tokenizer files", "model.safetensors": "weights"}
    for name, lack in lacks.items():
        (model / name).rename(model / "elsewhere")
        assert f"has no {lack}" in refusal(model)
        (model / "elsewhere").rename(model / name)
    for files, sentence in (
        ({"a": "model-00001-of-00002.safetensors"}, "lacks the weight file model-00001-of-00002.safetensors"),
        ({"a": "../gpt2/model.safetensors"}, "lacks the weight file ../gpt2/model.safetensors"),
        ([], "names no weight files"),
    ):
        (model / "model.safetensors.index.json").write_text(json.dumps({"weight_map": files}))
        assert sentence in refusal(model)
    (model / "model.safetensors.index.json").unlink()
    (model / "adapter_config.json").write_text('{"base_model_name_or_path": "someone/model", "peft_type": "LORA"}')
    assert "has an adapter (adapter_config.json) beside whole weights" in refusal(model)
    (model / "adapter_config.json").unlink()
    (model / "model.safetensors").rename(model / "pytorch_model.bin")
    message = refusal(model)
    assert message.index(f"{program()} models convert") < message.index("--allow-code")


@pytest.mark.parametrize("file", ["config.json", "tokenizer_config.json"])
def test_settings_that_are_not_json_or_that_python_cannot_hold(model, file):
    (model / file).write_text('{\n "a": 1,\n "b"')
    assert f"{file}, line 3, is not valid JSON" in refusal(model)
    (model / file).write_text("[1]")
    assert f"{file} should hold a JSON object, not a list" in refusal(model)
    for text in ('{"a":' * 100_000 + "1" + "}" * 100_000, '{"a": ' + "1" * 5000 + "}"):
        (model / file).write_text(text)
        assert re.search(f"{file} is (nested too deeply|not usable JSON)", refusal(model))
    (model / file).write_bytes(b"\xff\xfe")
    assert f"{file} is not text in UTF-8" in refusal(model)


# Identity


def test_identity_is_that_of_every_byte_of_the_files_and_not_of_their_place(model, tmp_path):
    usual, other = find(model), find(shutil.copytree(model, tmp_path / "elsewhere"))
    assert (other.weights, other.tokenizer, other.config) == (usual.weights, usual.tokenizer, usual.config)
    change_json(model / "config.json", transformers_version="0.0.1", _name_or_path="another")
    assert find(model).config == usual.config
    change_json(model / "config.json", layer_norm_epsilon=1e-3)
    assert find(model).config != usual.config
    for file, part in (("model.safetensors", "weights"), ("tokenizer.json", "tokenizer")):
        before, content = find(model), bytearray((model / file).read_bytes())
        content[-1] ^= 1
        (model / file).write_bytes(content)
        after, names = find(model), ("weights", "tokenizer", "config")
        assert [name for name in names if getattr(after, name) != getattr(before, name)] == [part]


def test_digests_are_remembered_until_the_file_changes_and_not_if_it_just_has(save, monkeypatch):
    weights = save("weights", "one")
    os.utime(weights, (time.time() - 60,) * 2)
    first = digests.of_file(weights)
    with monkeypatch.context() as patch:
        patch.setattr(digests.hashlib, "file_digest", None)
        assert digests.of_file(weights) == first
    weights.write_bytes(b"two")
    assert digests.of_file(weights) != first
    status, first = weights.stat(), digests.of_file(weights)
    weights.write_bytes(b"new")
    os.utime(weights, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert digests.of_file(weights) != first


def test_a_config_that_asks_for_a_kernel_of_the_hub_is_refused_by_name(model):
    for name, asked in (
        ("attn_implementation", "someone/kernel"),
        ("_attn_implementation", "kernels-community/flash-attn2"),
        ("attn_implementation", {"text_config": {"": "paged|someone/kernel:forward"}}),
        ("_experts_implementation_internal", "someone/kernel@main"),
        ("text_config", {"attn_implementation": "someone/kernel"}),
        ("kernel_config", {"RMSNorm": "someone/kernel:RMSNorm"}),
    ):
        change_json(model / "config.json", **{name: asked})
        assert re.search(r"config.json asks for code from the hub \(.*(someone|kernels-community)/", refusal(model))
        change_json(model / "config.json", **{name: "eager"})
        assert find(model).kind == "causal"
