"""Loading: nothing random, nothing unsafe, every refusal one sentence; conversion of pickles."""

from __future__ import annotations

import base64
import json
import os
import pickle
import re
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from tokenizers.models import WordLevel

from core.errors import InputError, ModelError
from core.models import convert, digests, find, load, unpickle
from core.models.loading import load_tokenizer
from core.policies import Policy
from core.runs.evaluate import evaluate
from core.scorers import SCORERS
from core.scoring.recipe import recipe_of
from core.settings import settings
from core.store import Store
from core.tasks import TASKS
from core.types import Request
from tests.tiny import WINDOW, tiny_tokenizer

pytestmark = pytest.mark.model


@pytest.fixture
def copy(tiny, tmp_path):
    """`copy("bert")`: a folder of this test's own with a tiny model."""

    def of(architecture: str) -> Path:
        target = tmp_path / architecture
        shutil.copytree(tiny(architecture), target)
        return target

    return of


def refusal(folder: Path, head: str) -> str:
    with pytest.raises(ModelError) as caught:
        load(find(folder), head)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def change_weights(folder: Path, change) -> None:
    weights = load_file(folder / "model.safetensors")
    change(weights)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def test_weights_are_in_the_dtype_asked_for_and_cannot_learn(tiny):
    for dtype in ("float32", "bfloat16", "float16"):
        network = load(find(tiny("llama")), "causal", dtype)
        assert {str(weight.dtype) for weight in network.module.parameters()} == {f"torch.{dtype}"}
        assert not any(weight.requires_grad for weight in network.module.parameters())
        assert not network.module.training


def test_weights_in_half_precision_are_used_in_single(copy):
    folder = copy("llama")
    change_weights(folder, lambda weights: weights.update({name: w.half() for name, w in weights.items()}))
    assert {weight.dtype for weight in load(find(folder), "causal").module.parameters()} == {torch.float32}


@pytest.mark.parametrize(
    ("architecture", "window"),
    [("gpt2", WINDOW), ("opt", WINDOW), ("roberta", WINDOW), ("bert", WINDOW), ("bloom", 2048)],
)
def test_the_window_is_what_the_model_can_really_see(tiny, architecture, window):
    head = "masked" if "bert" in architecture else "causal"
    network = load(find(tiny(architecture)), head)
    assert network.window == window
    ids = torch.full((1, window), 7)
    assert network.module(input_ids=ids).logits.shape[1] == window


@pytest.mark.parametrize(("architecture", "window"), [("t5", 2048), ("bart", WINDOW)])
def test_both_halves_of_an_encoder_decoder_can_see_the_window(tiny, architecture, window):
    network = load(find(tiny(architecture)), "seq2seq")
    assert (network.window, network.head) == (window, "seq2seq")
    ids = torch.full((1, window), 7)
    assert network.module(input_ids=ids, decoder_input_ids=ids).logits.shape[1] == window


@pytest.mark.parametrize(("architecture", "mask"), [("t5", "<extra_id_0>"), ("bart", "<mask>"), ("gpt2", None)])
def test_the_mask_is_the_mask_token_or_the_first_sentinel(tiny, architecture, mask):
    model = find(tiny(architecture))
    tokenizer = load(model, model.kind).tokenizer
    assert tokenizer.mask == (tokenizer.backend.token_to_id(mask) if mask else None)
    assert mask is None or tokenizer.mask in tokenizer.reserved


def test_the_tokenizers_limit_counts_too(copy):
    folder = copy("gpt2")
    values = json.loads((folder / "tokenizer_config.json").read_text())
    (folder / "tokenizer_config.json").write_text(json.dumps({**values, "model_max_length": 10}))
    assert load(find(folder), "causal").window == 10


def test_a_head_that_the_weights_lack_is_refused(copy):
    folder = copy("bert")
    change_weights(folder, lambda weights: weights.pop("cls.predictions.transform.dense.weight"))
    assert "cls.predictions.transform.dense.weight" in refusal(folder, "masked")


def test_an_embedding_that_the_weights_lack_is_refused(copy):
    folder = copy("llama")
    change_weights(folder, lambda weights: weights.pop("model.embed_tokens.weight"))
    assert "they would be random" in refusal(folder, "causal")


def test_weights_of_another_size_are_refused(copy):
    folder = copy("llama")
    change_weights(folder, lambda weights: weights.update({"model.norm.weight": torch.ones(5)}))
    assert "cannot be loaded as a causal model" in refusal(folder, "causal")


def test_damaged_weights_are_refused(copy):
    folder = copy("gpt2")
    whole = (folder / "model.safetensors").read_bytes()
    for damaged in (whole[: len(whole) // 2], b"garbage", b""):
        (folder / "model.safetensors").write_bytes(damaged)
        assert "damaged" in refusal(folder, "causal")


def test_a_damaged_tokenizer_is_refused(copy):
    folder = copy("gpt2")
    (folder / "tokenizer.json").write_text('{"version": "1.0"')
    assert "tokenizer cannot be loaded" in refusal(folder, "causal")


def test_an_empty_tokenizer_is_refused(copy):
    folder = copy("gpt2")
    Tokenizer(WordLevel({"<unk>": 0}, unk_token="<unk>")).save(str(folder / "tokenizer.json"))
    assert "empty tokenizer" in refusal(folder, "causal")


def test_a_tokenizer_of_another_model_is_refused(copy):
    folder = copy("gemma")
    tiny_tokenizer("byte-bpe").save_pretrained(folder)
    assert "its tokenizer has 400 tokens but its weights know" in refusal(folder, "causal")


def test_an_unknown_architecture_is_refused_in_one_line(copy):
    folder = copy("gpt2")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "model_type": "from-the-future"}))
    assert "cannot be loaded as a causal model" in refusal(folder, "causal")


def test_code_of_the_models_does_not_run(copy, tmp_path):
    folder = copy("gpt2")
    config = json.loads((folder / "config.json").read_text())
    config["auto_map"] = {"AutoConfig": "evil.Evil", "AutoModelForCausalLM": "evil.Evil"}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    load(find(folder), "causal")
    assert not (tmp_path / "ran").exists()


def test_a_device_that_is_not_here_is_refused(tiny, monkeypatch):
    monkeypatch.setenv("PAIRLENS_DEVICE", "mps")
    monkeypatch.setattr("torch.backends.mps.is_available", lambda: False)
    settings.cache_clear()
    assert "asks for 'mps'; this machine has: auto" in refusal(tiny("gpt2"), "causal")


# Conversion


def pickled(folder: Path) -> Path:
    """The folder with its weights as a pickle."""
    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    return folder


@pytest.mark.parametrize("architecture", ["gpt2", "bert"])
def test_converted_weights_score_the_same(copy, tiny, home, architecture):
    scorer = "masked" if architecture == "bert" else "causal"
    source = pickled(copy(architecture))
    target = convert(str(source))
    assert target == home / "models" / architecture
    request = Request("", "The keys to the cabinet are on the table.")
    scores = [SCORERS[scorer].open(find(place), Policy()).score([request]) for place in (target, tiny(architecture))]
    assert scores[0] == scores[1]
    card = find(architecture).card
    assert card["kind"] == scorer
    assert list(card["converted"]["pickle_sha256"]) == ["pytorch_model.bin"]
    assert len(card["converted"]["safetensors_sha256"]) == 64


def test_a_place_that_cannot_be_written_is_said(copy, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ModelError, match=r"file/mine cannot be written: Not a directory\."):
        convert(str(pickled(copy("gpt2"))), tmp_path / "file" / "mine")


def test_a_pickle_in_several_parts(copy, tmp_path):
    folder = copy("gpt2")
    weights = load_file(folder / "model.safetensors")
    names = sorted(weights)
    parts = {"pytorch_model-00001-of-00002.bin": names[:9], "pytorch_model-00002-of-00002.bin": names[9:]}
    for part, chosen in parts.items():
        torch.save({name: weights[name] for name in chosen}, folder / part)
    index = {"weight_map": {name: part for part, chosen in parts.items() for name in chosen}}
    (folder / "pytorch_model.bin.index.json").write_text(json.dumps(index))
    (folder / "model.safetensors").unlink()
    converted = load_file(convert(str(folder), tmp_path / "out") / "model.safetensors")
    assert converted.keys() == weights.keys()
    assert all(torch.equal(converted[name], weights[name]) for name in names)


class Attack:
    """An object whose unpickling runs a command."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self):
        return os.system, (f"touch {self.mark}",)


@pytest.mark.parametrize("by", ["torch", "pickle"])
def test_a_pickle_that_runs_code_is_refused_and_does_not_run(copy, home, tmp_path, by):
    folder, mark = pickled(copy("gpt2")), tmp_path / "ran"
    if by == "torch":
        torch.save({"weight": torch.ones(1), "x": Attack(mark)}, folder / "pytorch_model.bin")
    else:
        (folder / "pytorch_model.bin").write_bytes(pickle.dumps({"x": Attack(mark)}))
    with pytest.raises(ModelError, match=r"cannot be converted: pytorch_model\.bin"):
        convert(str(folder))
    assert not mark.exists()
    assert list((home / "models").iterdir()) == []


def test_what_cannot_be_converted(copy, home, tmp_path):
    folder = copy("gpt2")
    with pytest.raises(ModelError, match="nothing to convert"):
        convert(str(folder))
    pickled(folder)
    with pytest.raises(ModelError, match="exists already"):
        convert(str(folder), tmp_path)
    (folder / "pytorch_model.bin").write_bytes(b"PK garbage")
    with pytest.raises(ModelError, match="cannot be converted"):
        convert(str(folder))
    torch.jit.script(torch.nn.Linear(1, 1)).save(folder / "pytorch_model.bin")
    with pytest.raises(ModelError, match=r"holds a program \(TorchScript\), not weights$"):
        convert(str(folder))
    torch.save([1, 2], folder / "pytorch_model.bin")
    with pytest.raises(ModelError, match="not named weights"):
        convert(str(folder))


@pytest.mark.parametrize(
    "content", [b"weights of a model\n", b"", b"\x80\x02.", b"\x80\x02h\x07.", b"\x80\x02]q\x00K\x01b."]
)
def test_what_is_no_checkpoint_is_said_in_one_sentence(content, tmp_path):
    """As the process says it that `convert` starts; that `convert` passes such words on is tried above."""
    path = tmp_path / "pytorch_model.bin"
    path.write_bytes(content)
    with pytest.raises(SystemExit) as ended:
        unpickle._read(path)
    said = str(ended.value)
    assert re.match(r"pytorch_model\.bin (is damaged, or not a checkpoint|.* or is no check)", said)
    assert "\n" not in said


@pytest.mark.parametrize(
    "changes",
    [
        {"use_kernels": True}, {"trust_remote_code": True}, {"custom_generate": "someone/code"},
        {"_commit_hash": "main", "_name_or_path": "someone/model"}, {"tokenizer_class": "someone/Tokenizer"},
        {"trust_remote_code": True, "auto_map": {"AutoConfig": "someone/code--c.C", "AutoModelForCausalLM": "m.M"}},
        {"backbone": "someone/backbone", "use_pretrained_backbone": True},
    ],
)  # fmt: skip
def test_what_else_names_code_is_not_followed(copy, changes, monkeypatch):
    folder = copy("gpt2")
    before = load(find(folder), "causal").module.state_dict()
    for name in ("config.json", "generation_config.json", "tokenizer_config.json"):
        old = json.loads((folder / name).read_text()) if (folder / name).is_file() else {}
        (folder / name).write_text(json.dumps({**old, **changes}))
    monkeypatch.setattr("socket.socket.connect", lambda *_: pytest.fail("asked the network"))
    after = load(find(folder), "causal").module.state_dict()
    assert all(torch.equal(after[name], weights) for name, weights in before.items())


@pytest.mark.parametrize("changes", [{"n_positions": "x"}, {"id2label": [1]}, {"vocab_size": -1}])
def test_a_config_with_values_of_another_kind(copy, changes):
    folder = copy("gpt2")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, **changes}))
    assert "cannot be loaded" in refusal(folder, "causal")


def test_a_regular_expression_that_takes_forever(copy):
    folder = copy("gpt2")
    described = json.loads((folder / "tokenizer.json").read_text())
    split = {"type": "Split", "pattern": {"Regex": "(a+)+$"}, "behavior": "Isolated", "invert": False}
    described["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [split, described["pre_tokenizer"]]}
    (folder / "tokenizer.json").write_text(json.dumps(described))
    scorer = SCORERS["causal"].open(find(folder), Policy())
    with pytest.raises(ModelError, match=r"its tokenizer\.json cannot be used, it fails on a text: Onig"):
        scorer.score([Request("", "a" * 60 + "!")])


@pytest.mark.parametrize(("architecture", "scorer"), [("gpt2", "causal"), ("bert", "masked"), ("t5", "seq2seq")])
@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers_give_no_score(copy, architecture, scorer, value):
    folder = copy(architecture)
    change_weights(folder, lambda weights: [weight.fill_(value) for weight in weights.values()])
    opened = SCORERS[scorer].open(find(folder), Policy())
    with pytest.raises(InputError, match=r"no finite score for (\d+) of \1 tokens: the model's weights are damaged"):
        opened.score([Request("", "The keys are here.")])


def test_a_run_with_weights_that_are_no_numbers_fails(copy, home, tmp_path):
    folder, pairs = copy("gpt2"), tmp_path / "pairs.csv"
    change_weights(folder, lambda weights: [weight.fill_(float("nan")) for weight in weights.values()])
    pairs.write_text("good,bad\nThe keys are here.,The keys is here.\nA dog is old.,A dog are old.\n")
    store = Store()
    with pytest.raises(ModelError, match=r"no finite score for (\d+) of \1 tokens"):
        list(evaluate(TASKS["pairs"], pairs, recipe_of(str(folder)), store))
    assert store.runs()["state"].tolist() == ["failed"]


def test_a_bit_that_rots_without_a_trace_in_size_and_time_is_noticed(copy, monkeypatch):
    folder = copy("gpt2")
    monkeypatch.setattr(digests, "_SETTLED_SECONDS", -1.0)
    weights = folder / "model.safetensors"
    before = find(folder)
    load(before, "causal")
    state, content = weights.stat(), bytearray(weights.read_bytes())
    content[-5] ^= 1
    with weights.open("r+b") as file:
        file.write(content)
    os.utime(weights, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert find(folder).weights == before.weights, "size and time are those of before"
    with pytest.raises(ModelError, match="its files have changed since they were identified"):
        load(before, "causal")
    assert find(folder).weights != before.weights


@pytest.mark.parametrize(
    ("architecture", "field"), [("gpt2", "n_layer"), ("llama", "num_hidden_layers"), ("bert", "num_hidden_layers")]
)
@pytest.mark.parametrize(
    ("layers", "said"),
    [(0, "leaves out"), (1, "leaves out"), (3, "lacks weights"), (-1, "asks for -1 layers"), (10**7, "no model has")],
)
def test_another_number_of_layers_is_another_model(copy, architecture, field, layers, said):
    config = (folder := copy(architecture)) / "config.json"
    config.write_text(json.dumps({**json.loads(config.read_text()), field: layers}))
    with pytest.raises(ModelError, match=said):
        load(find(folder), "masked" if architecture == "bert" else "causal")


@pytest.mark.parametrize("entry", ["a text", {}, {"shape": "abc"}, {"shape": [2, None]}, None])
def test_tensors_that_are_none_are_one_sentence(copy, entry):
    path = copy("llama") / "model.safetensors"
    content = path.read_bytes()
    length = int.from_bytes(content[:8], "little")
    header = json.dumps({**json.loads(content[8 : 8 + length]), "model.norm.weight": entry}).encode()
    path.write_bytes(len(header).to_bytes(8, "little") + header + content[8 + length :])
    with pytest.raises(ModelError, match=r"weight file model\.safetensors is damaged"):
        load(find(path.parent), "causal")


DOUBLED = {"type": "Replace", "pattern": {"String": "z"}, "content": "zz"}
EVERYWHERE = {"type": "Replace", "pattern": {"Regex": ""}, "content": "z"}


@pytest.mark.parametrize("architecture", ["gpt2", "llama", "bert"])
@pytest.mark.parametrize(
    "normalizer",
    [
        {"type": "Sequence", "normalizers": [DOUBLED] * 40},
        {"type": "Sequence", "normalizers": [{"type": "Sequence", "normalizers": [EVERYWHERE] * 40}]},
        {**DOUBLED, "content": "z" * 10_000},
        {"type": "Sequence", "normalizers": [{"type": "ByteLevel"}] * 40},
        {"type": "Prepend", "prepend": "z" * 10_000},
        {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(bytes(4) + b"z" * 10_000 + b"\0").decode()},
    ],
)
def test_a_tokenizer_that_makes_texts_endless_is_refused(copy, architecture, normalizer):
    path = copy(architecture) / "tokenizer.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "normalizer": normalizer}), "utf-8")
    with pytest.raises(ModelError, match="over 1,000 times as long"):
        load_tokenizer(find(path.parent))


def test_so_is_one_that_cuts_them_so_and_one_that_is_too_large(copy, monkeypatch):
    path = copy("gpt2") / "tokenizer.json"
    twice = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    cut = {"type": "Sequence", "pretokenizers": [twice] * 40}
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "pre_tokenizer": cut}), "utf-8")
    with pytest.raises(ModelError, match="over 1,000 times as long"):
        load_tokenizer(find(path.parent))
    monkeypatch.setenv("PAIRLENS_MAX_DOCUMENT_MB", "1")
    settings.cache_clear()
    for file in (path, path.with_name("config.json")):
        file.write_text(f"{file.read_text('utf-8')}{' ' * (1 << 20)}", "utf-8")
        with pytest.raises(ModelError, match=rf"{file.name} is larger than 1 MB, the limit"):
            find(path.parent)


@pytest.mark.parametrize("architecture", ["gpt2", "bert"])
def test_weights_outside_of_layers_that_stay_unused_are_named(copy, architecture, caplog):
    folder = copy(architecture)
    save_file({**load_file(path := folder / "model.safetensors"), "extra.dense.weight": torch.zeros(2)}, path)
    load(find(folder), find(folder).kind)
    assert f"a {find(folder).kind} model does not use 1 of its weights (extra.dense.weight...)." in caplog.text
