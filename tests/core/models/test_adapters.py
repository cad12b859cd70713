"""LoRA adapters as models: scores against peft's own network, identity, memory, rights, and what is refused."""

import json
import shutil
import sys

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from pairlens import sharing
from pairlens.errors import ModelError
from pairlens.models import find, inventory, labels_of, load
from pairlens.models.loading import load_tokenizer, load_window
from pairlens.policies import Policy
from pairlens.scorers import SCORERS
from pairlens.scoring.model_cache import memory_megabytes, weight_megabytes
from pairlens.scoring.recipe import Recipe
from pairlens.settings import settings
from pairlens.training.continued import continue_training
from pairlens.training.corpus import Documents
from pairlens.training.options import Options
from pairlens.types import Request
from tests.refusals import error_of
from tests.tiny import SENTENCES, change_json

peft = pytest.importorskip("peft", reason="adapters are merged by the library peft")
pytestmark = [pytest.mark.model, pytest.mark.filterwarnings("ignore::UserWarning", "ignore::RuntimeWarning")]

CLASSES = {"bert": "AutoModelForMaskedLM", "t5": "AutoModelForSeq2SeqLM"}
TARGETS = {
    "gpt2": ["c_attn", "c_proj"],
    "llama": ["q_proj", "down_proj"],
    "bert": ["query", "dense"],
    "t5": ["q", "wo"],
}
VARIANTS = {
    "plain": {},
    "rslora": {"use_rslora": True},
    "dora": {"use_dora": True},
    "whole output layer": {"modules_to_save": ["lm_head"]},
    "output layer": {"more": ["lm_head"]},
    "embedding": {"more": ["wte", "embed_tokens"]},
    "biases": {"bias": "all"},
    "ranks": {"rank_pattern": {"c_attn": 2, "q_proj": 2}, "alpha_pattern": {"c_attn": 3}},
}
NEAR = 1e-5
"""Nats per token by which merged weights may differ from the base's with the adapter beside them."""


@pytest.fixture
def adapter(tiny, tmp_path):
    """`adapter("gpt2", ...)`: the folder of a rank-4 adapter with random weights, and peft's network, unmerged."""

    def make(architecture="gpt2", task=None, more=(), place="adapter", **options):
        shutil.copytree(tiny(architecture), tmp_path / "base", dirs_exist_ok=True)
        torch.manual_seed(5)
        base = getattr(transformers, CLASSES.get(architecture, "AutoModelForCausalLM"))
        targets = [*TARGETS[architecture], *more]
        config = peft.LoraConfig(r=4, lora_alpha=8, target_modules=targets, task_type=task, **options)
        network = peft.get_peft_model(base.from_pretrained(tmp_path / "base"), config)
        with torch.no_grad():
            for parameter in network.parameters():
                if parameter.requires_grad:
                    parameter.add_(torch.randn_like(parameter) * 0.1)
        network.save_pretrained(tmp_path / place, save_embedding_layers=False)
        change_json(tmp_path / place / "adapter_config.json", base_model_name_or_path="../base")
        return tmp_path / place, network.eval()

    return make


def per_token(network, ids):
    with torch.inference_mode():
        logits = network(input_ids=torch.tensor([ids])).logits[0]
    return logits.log_softmax(-1)[:-1].gather(1, torch.tensor(ids[1:])[:, None])[:, 0].tolist()


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("architecture", ["gpt2", "llama"])
def test_scores_are_those_of_the_base_with_the_adapter_beside_it(adapter, architecture, variant):
    folder, network = adapter(architecture, "CAUSAL_LM", **VARIANTS[variant])
    tensors = load_file(folder / "adapter_model.safetensors")
    assert all(one.abs().max() > 0.05 for name, one in tensors.items() if "lora_B" in name)
    model = find(folder)
    assert model.kind == "causal"
    scorer = SCORERS["causal"].open(model, Policy())
    start = load_tokenizer(model).start
    scores = scorer.score([Request("", text) for text in SENTENCES])
    moved = 0.0
    for score in scores:
        expected = per_token(network, [start, *score.ids])
        assert list(score.logprobs) == pytest.approx(expected, abs=NEAR)
        with network.disable_adapter():
            moved = max(moved, abs(sum(per_token(network, [start, *score.ids])) - sum(expected)))
    assert moved > 1, "the adapter counts"


@pytest.mark.parametrize(
    ("architecture", "task", "kind"), [("bert", None, "masked"), ("t5", "SEQ_2_SEQ_LM", "seq2seq")]
)
def test_the_kind_is_the_bases(adapter, architecture, task, kind):
    folder, network = adapter(architecture, task)
    model = find(folder)
    assert model.kind == kind
    loaded = load(model, kind)
    ids = torch.arange(5, 20)[None]
    more = {"decoder_input_ids": ids} if kind == "seq2seq" else {}
    with torch.inference_mode():
        merged, beside = (one(input_ids=ids, **more).logits.log_softmax(-1) for one in (loaded.module, network))
        with network.disable_adapter():
            bare = network(input_ids=ids, **more).logits.log_softmax(-1)
    torch.testing.assert_close(merged, beside, atol=NEAR, rtol=0)
    assert (bare - beside).abs().max() > 0.1


def test_a_classifier_has_its_bases_labels(tiny, tmp_path):
    base = tiny("bert", labels=("yes", "no"))
    network = transformers.AutoModelForSequenceClassification.from_pretrained(base)
    network = peft.get_peft_model(network, peft.LoraConfig(r=2, target_modules=["query"], task_type="SEQ_CLS"))
    with torch.no_grad():
        network.base_model.model.classifier.modules_to_save.default.weight.add_(1)
    network.save_pretrained(tmp_path / "adapter")
    model = find(tmp_path / "adapter")
    assert (model.kind, labels_of(model)) == ("classifier", ("yes", "no"))
    ids = torch.arange(5, 15)[None]
    with torch.inference_mode():
        expected = network.eval()(input_ids=ids).logits
        torch.testing.assert_close(load(model, "classifier").module(input_ids=ids).logits, expected)


def test_half_precision_is_that_of_the_base_throughout(adapter):
    folder, _ = adapter(modules_to_save=["lm_head"])
    network = load(find(folder), "causal", "bfloat16").module
    assert {weight.dtype for weight in network.parameters()} == {torch.bfloat16}


def test_identity_memory_and_the_list_cover_base_and_adapter(adapter, home, tmp_path):
    folder, _ = adapter()
    base, model = find(tmp_path / "base"), find(folder)
    assert model.weights != base.weights and model.config != base.config and model.tokenizer == base.tokenizer
    before = base.weights, model.weights
    assert load_window(model) == load_window(base)
    ours, theirs = (memory_megabytes(Recipe(one, SCORERS["causal"], Policy())) for one in (model, base))
    small = inventory.of_model(model)
    assert (small.kind, small.parameters) == ("causal", 4 * (32 + 96 + 32 + 32 + 128 + 32) * 2)
    assert ours == pytest.approx(theirs + 4e-6 * small.parameters)
    assert weight_megabytes(model) > weight_megabytes(base)
    tensors = load_file(folder / "adapter_model.safetensors")
    save_file({name: one * 2 for name, one in tensors.items()}, folder / "adapter_model.safetensors")
    assert find(folder).weights != before[1]
    change_json(folder / "adapter_config.json", lora_alpha=3)
    assert find(folder).config != model.config
    weights = load_file(tmp_path / "base" / "model.safetensors")
    save_file({name: one + 1 for name, one in weights.items()}, tmp_path / "base" / "model.safetensors")
    now = find(folder).weights
    assert now not in before and find(tmp_path / "base").weights != before[0]
    with pytest.raises(ModelError, match="have changed since they were identified"):
        load(model, "causal")
    (folder / "card.json").write_text(json.dumps({"name": "mine", "kind": "causal"}))
    change_json(folder / "adapter_config.json", base_model_name_or_path=str(tmp_path / "base"))
    shutil.copytree(folder, home / "models" / "mine")
    entries = inventory.inventory([find("mine")])
    assert [(one.kind, one.origin, one.megabytes > 0) for one in entries if one.name == "mine"] == [
        ("causal", "own", True)
    ]


def test_a_tokenizer_of_its_own_is_read_and_else_the_bases(adapter, tiny, tmp_path):
    folder, _ = adapter()
    model = find(folder)
    assert load_tokenizer(model).backend.to_str() == load_tokenizer(find(tmp_path / "base")).backend.to_str()
    shutil.copyfile(tiny("gpt2") / "tokenizer_config.json", folder / "tokenizer_config.json")
    assert find(folder).tokenizer == model.tokenizer, "settings alone are no tokenizer"
    shutil.copyfile(tiny("qwen2") / "tokenizer.json", folder / "tokenizer.json")
    change_json(folder / "tokenizer_config.json", model_max_length=20)
    assert find(folder).tokenizer != model.tokenizer
    loaded = load(find(folder), "causal")
    assert loaded.window == load_window(find(folder)) == 20
    tokenizers = (load_tokenizer(find(one)).backend.to_str() for one in (folder, tiny("qwen2")))
    assert len(set(tokenizers)) == 1


def test_what_cannot_be_merged_is_refused_in_one_sentence(adapter, tiny, tmp_path, monkeypatch):
    folder, _ = adapter()
    config = json.loads((folder / "adapter_config.json").read_text())

    def refusal(**changes):
        (folder / "adapter_config.json").write_text(json.dumps({**config, **changes}))
        return error_of(lambda: load(find(folder), find(folder).kind), ModelError)

    for kind in ("PROMPT_TUNING", "PREFIX_TUNING", "IA3"):
        assert f"an adapter of the type {kind}, and only LoRA adapters" in refusal(peft_type=kind)
    assert "for the task TOKEN_CLS, for which no text is scored" in refusal(task_type="TOKEN_CLS")
    assert "is a causal model, not a classifier one" in refusal(task_type="SEQ_CLS")
    assert "changed weights of its base (init_lora_weights: pissa)" in refusal(init_lora_weights="pissa")
    assert "sets megatron_config, which is not merged" in refusal(
        megatron_config={"a": 1}, megatron_core="antigravity"
    )
    assert "sets layer_replication" in refusal(layer_replication=[[0, 2], [0, 2]])
    assert "sets of_the_future" in refusal(of_the_future=True)
    assert "names no base" in refusal(base_model_name_or_path=None)
    assert "whose base cannot be used: 'nobody/nothing' is not in the cache" in refusal(
        base_model_name_or_path="nobody/nothing"
    )
    assert "whose base cannot be used: '" in (gone := refusal(base_model_name_or_path="./gone"))
    assert f"there is no folder {folder / 'gone'}" in gone
    for base in (".", "../other"):
        shutil.copytree(folder, tmp_path / "other", dirs_exist_ok=True)
        assert "has no weights of its own" in refusal(base_model_name_or_path=base)
    assert "is a unigram model" in refusal(base_model_name_or_path="unigram-english")
    wide = tiny("gpt2", n_embd=48)
    misfit = refusal(base_model_name_or_path=str(wide))
    assert f"the adapter of another base than '{wide}'" in misfit and "size mismatch" in misfit
    assert "size mismatch" in refusal(r=1_000_000_000), "and no memory is taken for that"
    assert "weights are missing or have no place there" in refusal(target_modules=["c_attn"]), (
        "weights that nothing uses"
    )
    assert "weights are missing or have no place there" in refusal(target_modules=["c_attn", "c_proj", "c_fc"]), (
        "weights that lack"
    )
    monkeypatch.setitem(sys.modules, "peft", None)
    assert refusal().endswith("is not installed: pip install 'peft>=0.21'.")


def test_pickles_and_folders_with_two_models_are_refused(adapter, tmp_path):
    folder, _ = adapter()
    (folder / "adapter_model.safetensors").rename(folder / "adapter_model.bin")
    with pytest.raises(ModelError, match=r"as a pickle \(adapter_model\.bin\), which can run code when it is read"):
        find(folder)
    shutil.copyfile(folder / "adapter_config.json", tmp_path / "base" / "adapter_config.json")
    with pytest.raises(ModelError, match="beside whole weights, so that two models can be meant"):
        find(tmp_path / "base")


def test_an_adapter_is_no_base_of_a_head_and_is_not_spread(adapter, monkeypatch):
    from pairlens.models.pooled import load_base

    folder, _ = adapter()
    with pytest.raises(ModelError, match="a head stands on whole weights"):
        load_base(find(folder))
    monkeypatch.setenv("PAIRLENS_DEVICE", "spread")
    settings.cache_clear()
    with pytest.raises(ModelError, match="cannot be spread"):
        load(find(folder), "causal")


def test_a_visitors_adapter_opens_no_folder_that_the_visitor_may_not_name(adapter, home, tmp_path, monkeypatch):
    folder, _ = adapter(place="open/adapter")
    shutil.copytree(tmp_path / "base", tmp_path / "open" / "base")
    mine = shutil.copytree(folder, home / "models" / "mine")
    (mine / "card.json").write_text(json.dumps({"name": "mine", "kind": "causal"}))
    monkeypatch.setenv("PAIRLENS_ALLOWED", str(tmp_path / "open"))
    settings.cache_clear()
    sharing.share("a test")
    assert find(folder).kind == "causal", "both lie in the folder that is open"
    (folder / "link").symlink_to(tmp_path / "base")
    for base in ("../../base", str(tmp_path / "base"), "../../nothing"):
        change_json(folder / "adapter_config.json", base_model_name_or_path=base)
        with pytest.raises(ModelError, match="read only from folders that its operator names"):
            find(folder)
    change_json(folder / "adapter_config.json", base_model_name_or_path="./link")
    with pytest.raises(ModelError, match="read only from folders that its operator names"):
        find(folder)
    (folder / "link").unlink()
    change_json(mine / "adapter_config.json", base_model_name_or_path=str(tmp_path / "base"))
    assert find("mine").kind == "causal", "the catalogue is the operator's, and may be used whole"


def test_an_adapter_learns_further_as_a_whole_model(adapter, tmp_path):
    folder, network = adapter(modules_to_save=["lm_head"])
    model = find(folder)
    load(model, "causal", trainable=True).module.save_pretrained(tmp_path / "whole")
    again = transformers.AutoModelForCausalLM.from_pretrained(tmp_path / "whole").eval()
    ids = list(range(5, 20))
    assert per_token(again, ids) == pytest.approx(per_token(network, ids), abs=NEAR), "its own output layer is saved"
    options = Options(epochs=1, learning_rate=1e-3, max_length=32, batch_size=4)
    trained = continue_training(model, Documents([*SENTENCES], [*SENTENCES[:2]]), options, tmp_path / "new")
    assert (find(trained.folder).kind, find(trained.folder).tokenizer) == ("causal", model.tokenizer)
