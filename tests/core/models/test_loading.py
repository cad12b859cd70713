"""Loading: nothing random, nothing unsafe, every refusal one sentence; conversion of pickles."""

import base64
import json
import os
import pickle
import re

import pytest
import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from tokenizers.models import WordLevel

from pairlens.errors import InputError, ModelError
from pairlens.evaluation.evaluate import evaluate
from pairlens.models import convert, digests, find, load, unpickle
from pairlens.models.loading import load_tokenizer
from pairlens.policies import Policy
from pairlens.scorers import SCORERS
from pairlens.scoring.recipe import recipe_of
from pairlens.settings import settings
from pairlens.tasks import TASKS
from pairlens.types import Request
from tests.refusals import error_of
from tests.tiny import WINDOW, change_json, tiny_tokenizer

pytestmark = pytest.mark.model


def refusal(folder, head="causal"):
    return error_of(lambda: load(find(folder), head), ModelError)


def change_weights(folder, change):
    weights = load_file(folder / "model.safetensors")
    change(weights)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
def test_weights_are_in_the_dtype_asked_for_and_cannot_learn(tiny, dtype):
    module = load(find(tiny("llama")), "causal", dtype).module
    weights = [*module.parameters()]
    assert {str(weight.dtype) for weight in weights} == {f"torch.{dtype}"}
    assert not module.training and not any(weight.requires_grad for weight in weights)


def test_weights_in_half_precision_are_used_in_single_and_the_tokenizers_limit_counts(copy):
    folder = copy("llama")
    change_weights(folder, lambda weights: weights.update({name: w.half() for name, w in weights.items()}))
    change_json(folder / "tokenizer_config.json", model_max_length=10)
    network = load(find(folder), "causal")
    assert {weight.dtype for weight in network.module.parameters()} == {torch.float32}
    assert network.window == 10


@pytest.mark.parametrize(
    ("architecture", "window"),
    [("gpt2", WINDOW), ("opt", WINDOW), ("roberta", WINDOW), ("bert", WINDOW), ("bloom", 2048), ("bart", WINDOW),
     ("t5", 2048)],
)  # fmt: skip
def test_the_window_is_what_the_model_can_really_see_with_both_halves_if_it_has_two(tiny, architecture, window):
    model = find(tiny(architecture))
    network = load(model, model.kind)
    assert network.window == window
    ids = torch.full((1, window), 7)
    both = {"input_ids": ids, "decoder_input_ids": ids} if network.head == "seq2seq" else {"input_ids": ids}
    assert (network.head == "seq2seq") == (architecture in ("bart", "t5"))
    assert network.module(**both).logits.shape[1] == window


@pytest.mark.parametrize(("architecture", "mask"), [("t5", "<extra_id_0>"), ("bart", "<mask>"), ("gpt2", None)])
def test_the_mask_is_the_mask_token_or_the_first_sentinel(tiny, architecture, mask):
    model = find(tiny(architecture))
    tokenizer = load(model, model.kind).tokenizer
    assert tokenizer.mask == (tokenizer.backend.token_to_id(mask) if mask else None)
    assert mask is None or tokenizer.mask in tokenizer.reserved


@pytest.mark.parametrize(
    ("architecture", "name", "weight", "sentence"),
    [
        ("bert", "cls.predictions.transform.dense.weight", None, "cls.predictions.transform.dense.weight"),
        ("llama", "model.embed_tokens.weight", None, "they would be random"),
        ("llama", "model.norm.weight", torch.ones(5), "cannot be loaded as a causal model"),
    ],
)
def test_a_part_that_the_weights_lack_or_have_in_another_size(copy, architecture, name, weight, sentence):
    folder = copy(architecture)
    change_weights(folder, lambda weights: weights.pop(name) if weight is None else weights.update({name: weight}))
    assert sentence in refusal(folder, find(folder).kind)


def test_damaged_weights_and_a_tokenizer_that_is_damaged_empty_or_of_another_model_are_refused(copy):
    folder = copy("gpt2")
    whole = (folder / "model.safetensors").read_bytes()
    length = int.from_bytes(whole[:8], "little")
    tensors = json.loads(whole[8 : 8 + length])
    wrong = [{**tensors, max(tensors): entry} for entry in ("a text", {}, {"shape": "abc"}, {"shape": [2, None]})]
    headers = [json.dumps(header).encode() for header in wrong]
    ours = [len(header).to_bytes(8, "little") + header + whole[8 + length :] for header in headers]
    for damaged in (whole[: len(whole) // 2], b"garbage", b"", *ours):
        (folder / "model.safetensors").write_bytes(damaged)
        assert re.search(r"weight file (model\.safetensors )?is damaged", refusal(folder))
    file = copy("gemma") / "tokenizer.json"
    file.write_text('{"version": "1.0"')
    assert "tokenizer cannot be loaded" in refusal(file.parent)
    Tokenizer(WordLevel({"<unk>": 0}, unk_token="<unk>")).save(str(file))
    assert "empty tokenizer" in refusal(file.parent)
    tiny_tokenizer("byte-bpe").save_pretrained(file.parent)
    assert "its tokenizer has 400 tokens but its weights know" in refusal(file.parent)


def test_an_unknown_architecture_other_values_and_a_device_that_is_not_here_are_refused(copy, tiny, monkeypatch):
    config = copy("gpt2") / "config.json"
    usual = config.read_text("utf-8")
    for name, value in {
        "model_type": "from-the-future",
        "n_positions": "x",
        "id2label": [1],
        "vocab_size": -1,
    }.items():
        config.write_text(usual)
        change_json(config, **{name: value})
        assert "cannot be loaded" in refusal(config.parent)
    monkeypatch.setenv("PAIRLENS_DEVICE", "mps")
    monkeypatch.setattr("torch.backends.mps.is_available", lambda: False)
    settings.cache_clear()
    assert "asks for 'mps'; this machine has: auto" in refusal(tiny("gpt2"))


# Conversion


def pickled(folder):
    """The folder with its weights as a pickle."""
    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    return folder


def test_converted_weights_score_the_same(copy, tiny, home):
    """Read in a process of its own."""
    target = convert(str(pickled(copy("bert"))))
    assert target == home / "models" / "bert"
    request = Request("", "The keys to the cabinet are on the table.")
    scores = [SCORERS["masked"].open(find(place), Policy()).score([request]) for place in (target, tiny("bert"))]
    assert scores[0] == scores[1]
    card = find("bert").card
    assert card["kind"] == "masked"
    assert list(card["converted"]["pickle_sha256"]) == ["pytorch_model.bin"]
    assert len(card["converted"]["safetensors_sha256"]) == 64


def test_a_pickle_in_several_parts(copy, tmp_path, own_pickles):
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

    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return os.system, (f"touch {self.mark}",)


def test_what_cannot_be_converted_and_a_pickle_whose_code_does_not_run(copy, tmp_path, own_pickles, home):
    folder = copy("gpt2")
    with pytest.raises(ModelError, match="nothing to convert"):
        convert(str(folder))
    pickled(folder)
    with pytest.raises(ModelError, match="exists already"):
        convert(str(folder), tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(ModelError, match=r"file/mine cannot be written: Not a directory\."):
        convert(str(folder), tmp_path / "file" / "mine")
    file, mark = folder / "pytorch_model.bin", tmp_path / "ran"
    attack = r"cannot be converted: pytorch_model\.bin"
    for write, sentence in (
        (lambda: file.write_bytes(b"PK garbage"), "cannot be converted"),
        (lambda: torch.jit.script(torch.nn.Linear(1, 1)).save(file), r"a program \(TorchScript\), not weights$"),
        (lambda: torch.save([1, 2], file), "not named weights"),
        (lambda: torch.save({"weight": torch.ones(1), "x": Attack(mark)}, file), attack),
        (lambda: file.write_bytes(pickle.dumps({"x": Attack(mark)})), attack),
    ):
        write()
        with pytest.raises(ModelError, match=sentence):
            convert(str(folder))
        assert not mark.exists() and list((home / "models").iterdir()) == []


def test_what_is_no_checkpoint_is_said_in_one_sentence(tmp_path):
    """As the process says it that `convert` starts; that `convert` passes such words on is tried above."""
    path = tmp_path / "pytorch_model.bin"
    for content in (b"weights of a model\n", b"", b"\x80\x02.", b"\x80\x02h\x07.", b"\x80\x02]q\x00K\x01b."):
        path.write_bytes(content)
        sentence = error_of(lambda: unpickle._read(path), SystemExit)
        assert re.match(r"pytorch_model\.bin (is damaged, or not a checkpoint|.* or is no check)", sentence)


@pytest.mark.parametrize(
    "changes",
    [
        {"use_kernels": True}, {"trust_remote_code": True}, {"custom_generate": "someone/code"},
        {"_commit_hash": "main", "_name_or_path": "someone/model"}, {"tokenizer_class": "someone/Tokenizer"},
        {"trust_remote_code": True, "auto_map": {"AutoConfig": "someone/code--c.C", "AutoModelForCausalLM": "m.M"}},
        {"backbone": "someone/backbone", "use_pretrained_backbone": True},
        {"auto_map": {"AutoConfig": "evil.Evil", "AutoModelForCausalLM": "evil.Evil"}},
    ],
)  # fmt: skip
def test_what_names_code_is_not_followed(copy, tiny, changes, monkeypatch):
    folder = copy("gpt2")
    before = load(find(tiny("gpt2")), "causal").module.state_dict()
    (folder / "evil.py").write_text(f"open({str(folder / 'ran')!r}, 'w')")
    for name in ("config.json", "generation_config.json", "tokenizer_config.json"):
        change_json(folder / name, **changes)
    monkeypatch.setattr("socket.socket.connect", lambda *_: pytest.fail("asked the network"))
    after = load(find(folder), "causal").module.state_dict()
    assert all(torch.equal(after[name], weights) for name, weights in before.items())
    assert not (folder / "ran").exists()


def test_a_regular_expression_that_takes_forever(copy):
    folder = copy("gpt2")
    usual = json.loads((folder / "tokenizer.json").read_text())["pre_tokenizer"]
    split = {"type": "Split", "pattern": {"Regex": "(a+)+$"}, "behavior": "Isolated", "invert": False}
    change_json(folder / "tokenizer.json", pre_tokenizer={"type": "Sequence", "pretokenizers": [split, usual]})
    scorer = SCORERS["causal"].open(find(folder), Policy())
    with pytest.raises(ModelError, match=r"its tokenizer\.json cannot be used, it fails on a text: Onig"):
        scorer.score([Request("", "a" * 60 + "!")])


@pytest.mark.parametrize(
    ("architecture", "scorer", "value"),
    [("gpt2", "causal", "nan"), ("bert", "masked", "inf"), ("t5", "seq2seq", "nan")],
)
def test_weights_that_are_no_numbers_give_failed_runs(copy, store, tmp_path, architecture, scorer, value):
    folder, pairs = copy(architecture), tmp_path / "pairs.csv"
    change_weights(folder, lambda weights: [weight.fill_(float(value)) for weight in weights.values()])
    sentence = r"no finite score for (\d+) of \1 tokens"
    with pytest.raises(InputError, match=f"{sentence}: the model's weights are damaged"):
        SCORERS[scorer].open(find(folder), Policy()).score([Request("", "The keys are here.")])
    pairs.write_text("good,bad\nThe keys are here.,The keys is here.\nA dog is old.,A dog are old.\n")
    with pytest.raises(ModelError, match=sentence):
        list(evaluate(TASKS["pairs"], pairs, recipe_of(str(folder), scorer), store))
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
    ("architecture", "layers", "sentence"),
    [
        ("gpt2", 0, "leaves out"), ("llama", 1, "leaves out"), ("bert", 1, "leaves out"),
        ("gpt2", 3, "lacks weights"), ("llama", 3, "lacks weights"), ("bert", 3, "lacks weights"),
        ("gpt2", -1, "asks for -1 layers"), ("llama", 10**7, "no model has"),
    ],
)  # fmt: skip
def test_another_number_of_layers_is_another_model(copy, architecture, layers, sentence):
    folder = copy(architecture)
    change_json(folder / "config.json", **{"n_layer" if architecture == "gpt2" else "num_hidden_layers": layers})
    assert sentence in refusal(folder, "masked" if architecture == "bert" else "causal")


DOUBLED = {"type": "Replace", "pattern": {"String": "z"}, "content": "zz"}
EVERYWHERE = {"type": "Replace", "pattern": {"Regex": ""}, "content": "z"}
LONG = b"z" * 10_000 + b"\0"


TWICE = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}


@pytest.mark.parametrize(
    ("architecture", "changes"),
    [
        ("gpt2", {"type": "Sequence", "normalizers": [DOUBLED] * 40}),
        ("llama", {"type": "Sequence", "normalizers": [{"type": "Sequence", "normalizers": [EVERYWHERE] * 40}]}),
        ("bert", {**DOUBLED, "content": "z" * 10_000}),
        ("gpt2", {"type": "Sequence", "normalizers": [{"type": "ByteLevel"}] * 40}),
        ("llama", {"type": "Prepend", "prepend": "z" * 10_000}),
        ("bert", {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(bytes(4) + LONG).decode()}),
        ("gpt2", {"type": "Sequence", "pretokenizers": [TWICE] * 40}),
    ],
)
def test_a_tokenizer_that_makes_texts_endless_or_is_too_large_is_refused(copy, architecture, changes, monkeypatch):
    path = copy(architecture) / "tokenizer.json"
    change_json(path, **{"pre_tokenizer" if "pretokenizers" in changes else "normalizer": changes})
    with pytest.raises(ModelError, match="over 1,000 times as long"):
        load_tokenizer(find(path.parent))
    monkeypatch.setenv("PAIRLENS_MAX_DOCUMENT_MB", "1")
    settings.cache_clear()
    for file in (path, path.with_name("config.json")):
        file.write_text(f"{file.read_text('utf-8')}{' ' * (1 << 20)}", "utf-8")
        with pytest.raises(ModelError, match=rf"{file.name} is larger than 1 MB, the limit"):
            find(path.parent)


def test_weights_outside_of_layers_that_stay_unused_are_named(copy, caplog):
    model = find(copy("bert"))
    path = model.folder / "model.safetensors"
    save_file({**load_file(path), "extra.dense.weight": torch.zeros(2)}, path)
    load(find(model.folder), "masked")
    assert "a masked model does not use 1 of its weights (extra.dense.weight...)." in caplog.text


def test_a_slow_tokenizer_is_refused_with_its_name_and_what_to_do(copy):
    folder = copy("gpt2")
    for file in folder.glob("token*"):
        file.unlink()
    assert "a tokenizer without files, such as ByT5's" in refusal(folder)
    (folder / "vocab.json").write_text(json.dumps({"<unk>": 0, "a</w>": 1, "a": 2, "b": 3, "b</w>": 4}))
    (folder / "merges.txt").write_text("#version\na b\n")
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "CTRLTokenizer"}')
    message = refusal(folder)
    assert "has only a slow tokenizer (CTRLTokenizer), which does not say which characters" in message
    assert "copy a tokenizer.json of the same vocabulary" in message
