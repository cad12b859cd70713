"""Networks in plain torch: the numbers of transformers' classes, with every option that is recognised."""

import json
from dataclasses import fields

import pytest
import tokenizers
import torch
import transformers
from safetensors.torch import load_file, save_file

from pairlens.models import find, loading
from pairlens.models.loading import described
from pairlens.models.networks import library
from pairlens.models.plain import called, shapes
from pairlens.models.plain.shapes import shape_of
from pairlens.models.tokenizer import private_copy
from pairlens.policies import PRESETS
from pairlens.scorers import SCORERS, default_for
from pairlens.types import Model, Request

pytestmark = pytest.mark.model

STACK = {
    "vocab_size": 90, "hidden_size": 48, "intermediate_size": 80, "num_hidden_layers": 3, "num_attention_heads": 4,
    "max_position_embeddings": 64, "tie_word_embeddings": True, "pad_token_id": 2,
}  # fmt: skip
HALVES = {
    "vocab_size": 90, "d_model": 48, "d_kv": 8, "d_ff": 80, "num_layers": 2, "num_heads": 4,
    "feed_forward_proj": "gated-gelu", "decoder_start_token_id": 0, "tie_word_embeddings": True,
    "relative_attention_num_buckets": 8, "relative_attention_max_distance": 20,
}  # fmt: skip
THREE = {
    "rope_type": "llama3", "rope_theta": 500.0, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
    "original_max_position_embeddings": 32,
}  # fmt: skip
OPTIONS = {
    "plain": {},
    "untied": {"tie_word_embeddings": False},
    "groups": {"num_key_value_heads": 2},
    "one group": {"num_key_value_heads": 1},
    "wide heads": {"head_dim": 32},
    "biases of attention": {"attention_bias": True},
    "biases of units": {"mlp_bias": True},
    "another base": {"rope_parameters": {"rope_type": "default", "rope_theta": 777.0}},
    "linear scaling": {"rope_parameters": {"rope_type": "linear", "rope_theta": 10_000.0, "factor": 4.0}},
    "Llama 3's scaling": {"rope_parameters": THREE},
    "another norm": {"rms_norm_eps": 0.03},
    "everything": {"num_key_value_heads": 2, "attention_bias": True, "mlp_bias": True, "rope_parameters": THREE,
                   "tie_word_embeddings": False, "head_dim": 16, "rms_norm_eps": 0.01},
}  # fmt: skip
OF_HALVES = {
    "plain": {},
    "without gates": {"feed_forward_proj": "relu"},
    "not scaled": {"tie_word_embeddings": False},
    "a longer decoder": {"num_decoder_layers": 3},
    "another norm": {"layer_norm_epsilon": 0.03},
}


def saved(name, sizes, folder):
    """A checkpoint with random weights in a folder, as transformers writes it, and its network."""
    torch.manual_seed(0)
    config = getattr(transformers, name[0])(**sizes)
    network = getattr(transformers, name[1])(config).eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    network.save_pretrained(folder)
    return bare(folder), network


def bare(folder):
    """A model of which only the folder counts."""
    return Model(name="made", kind="causal", folder=folder, weights="", tokenizer="", config="")


LLAMA, EUROBERT = ("LlamaConfig", "LlamaForCausalLM"), ("EuroBertConfig", "EuroBertForMaskedLM")
T5 = ("T5Config", "T5ForConditionalGeneration")
IDS = torch.arange(36).reshape(2, 18) * 7 % 90
PADDED = torch.ones_like(IDS)
PADDED[1, 11:] = 0


def same(ours, theirs):
    seen = PADDED[:, : ours.shape[1]].bool()
    torch.testing.assert_close(ours[seen], theirs[seen], atol=1e-6, rtol=1e-6)


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize(("name", "head"), [(LLAMA, "causal"), (EUROBERT, "masked")], ids=["causal", "masked"])
def test_a_stack_gives_what_transformers_gives(name, head, options, tmp_path):
    model, theirs = saved(name, {**STACK, **options}, tmp_path)
    ours = called.network(model, head)
    assert ours is not None
    ours, theirs = ours.double(), theirs.double()
    with torch.inference_mode():
        same(ours(IDS).logits, theirs(input_ids=IDS).logits)
        same(ours(IDS, PADDED).logits, theirs(input_ids=IDS, attention_mask=PADDED).logits)


def test_positions_and_masks_of_shared_rows_count_as_in_transformers(tmp_path):
    model, theirs = saved(LLAMA, {**STACK, **OPTIONS["everything"]}, tmp_path)
    ours, theirs = called.network(model, "causal").double(), theirs.double()
    places = torch.tensor([[*range(9), *range(4, 13)]] * 2)
    index = torch.arange(18)
    seen = (index[:, None] >= index) & ~((index[:, None] > 8) & (index > 3) & (index < 9))
    added = torch.zeros(2, 1, 18, 18, dtype=torch.float64).masked_fill(~seen, torch.finfo(torch.float64).min)
    given = {"input_ids": IDS, "position_ids": places, "attention_mask": added}
    with torch.inference_mode():
        torch.testing.assert_close(ours(**given).logits, theirs(**given).logits, atol=1e-6, rtol=1e-6)
        alone = ours(torch.cat([IDS[:, :4], IDS[:, 9:]], 1)).logits[:, 4:]
        torch.testing.assert_close(ours(**given).logits[:, 9:], alone, atol=1e-6, rtol=1e-6)


@pytest.mark.parametrize("older", [False, True], ids=["as written now", "as written once"])
@pytest.mark.parametrize("options", OF_HALVES.values(), ids=OF_HALVES)
def test_an_encoder_decoder_gives_what_transformers_gives(options, older, tmp_path):
    model, theirs = saved(T5, {**HALVES, **options}, tmp_path)
    if older:
        said = json.loads((tmp_path / "config.json").read_text("utf-8"))
        kept = {name: value for name, value in said.items() if name in {*HALVES, "architectures", "model_type"}}
        (tmp_path / "config.json").write_text(json.dumps({**kept, **options}), "utf-8")
        theirs = transformers.T5ForConditionalGeneration.from_pretrained(tmp_path).eval()
    ours = called.network(model, "seq2seq")
    assert ours is not None
    ours, theirs = ours.double(), theirs.double()
    decoder = IDS.flip(1)[:, :12]
    with torch.inference_mode():
        for mask in (None, PADDED):
            wanted = theirs(input_ids=IDS, attention_mask=mask, decoder_input_ids=decoder)
            found = ours(input_ids=IDS, attention_mask=mask, decoder_input_ids=decoder)
            within = 1e-6 * float(wanted.logits.abs().max())  # T5's own norms are in single precision
            torch.testing.assert_close(found.logits, wanted.logits, atol=within, rtol=0)
            states = ours.get_encoder()(input_ids=IDS, attention_mask=mask).last_hidden_state
            again = ours(encoder_outputs=(states,), attention_mask=mask, decoder_input_ids=decoder)
            assert torch.equal(again.logits, found.logits)


def test_what_is_not_recognised_is_left_to_transformers():
    known = {**STACK, "model_type": "llama", "architectures": ["LlamaForCausalLM"]}
    assert shape_of(known, "causal") and not shape_of(known, "masked")
    ropes = [{"rope_type": name, "rope_theta": 1e4, "factor": 2.0} for name in ("yarn", "dynamic")]
    for name, values in {
        "hidden_act": ["gelu"], "model_type": ["mistral"], "num_attention_heads": [5, "many"],
        "architectures": [["LlamaForSequenceClassification"]], "quantization_config": [{"bits": 8}],
        "rope_parameters": [*ropes, {"rope_type": "default", "partial_rotary_factor": 0.5}, [1]],
        "a_field_of_tomorrow": [1],
    }.items():  # fmt: skip
        for value in values:
            assert shape_of(known | {name: value}, "causal") is None, (name, value)


def test_weights_that_the_config_does_not_imply_are_left_to_transformers(tmp_path):
    model, _ = saved(LLAMA, STACK, tmp_path)
    weights, name = load_file(tmp_path / "model.safetensors"), "model.norm.weight"
    assert called.network(model, "causal") is not None
    for changed in (
        weights | {"model.layers.0.self_attn.q_norm.weight": torch.ones(12)},
        {key: value for key, value in weights.items() if key != name},
        weights | {name: torch.ones(50)},
        weights | {name: torch.ones(48, dtype=torch.int8)},
    ):
        save_file(changed, tmp_path / "model.safetensors", metadata={"format": "pt"})
        assert called.network(model, "causal") is None


def tokenizers_agree(model):
    ours = private_copy(described(model), "made")
    theirs = private_copy(library().AutoTokenizer.from_pretrained(model.folder, local_files_only=True), "made")
    others = [field.name for field in fields(ours) if field.name not in ("backend", "offsets")]
    assert [getattr(ours, name) for name in others] == [getattr(theirs, name) for name in others]
    return ours, theirs


SHIPPED = ("english-small", "french-small", "portuguese-small", "bilingual-masked", "english-seq2seq")


@pytest.mark.parametrize("name", SHIPPED)
def test_the_models_that_ship_are_recognised_and_score_as_with_transformers_and_its_tokenizers(name, monkeypatch):
    """5e-5 nats per text: beyond, stored scores of the bundled models would be another version's."""
    model = find(name)
    assert shapes.recognised(model, model.kind) is not None
    ours, theirs = tokenizers_agree(model)
    assert ours.backend.to_str() == theirs.backend.to_str()
    assert str(ours.offsets) == str(theirs.offsets)
    sums, texts = [], ("The keys to the cabinet are here.", "Les clés que tu as prises sont là.", "A lady smiled.")
    for _ in range(2):
        scorer = SCORERS[default_for(model.kind)].open(model, PRESETS["pairlens"])
        sums.append([one.total for one in scorer.score([Request("", text) for text in texts])])
        monkeypatch.setattr(called, "network", lambda *_: None)
    assert sums[0] == pytest.approx(sums[1], abs=5e-5)


def words(*specials):
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel({"a": 0, "b": 1, "?": 2}, unk_token="?"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    tokenizer.add_special_tokens([*specials])
    return tokenizer


def test_a_tokenizer_has_the_roles_that_transformers_gives_it(tmp_path):
    ends, masks = {"eos_token": "</s>", "pad_token": "</s>"}, {"mask_token": "<m>", "cls_token": "<s>"}
    for roles in ({}, {"bos_token": "<s>"}, ends, masks):
        wrapped = transformers.PreTrainedTokenizerFast(tokenizer_object=words("<s>", "</s>", "<m>"), **roles)
        wrapped.save_pretrained(tmp_path)
        tokenizers_agree(bare(tmp_path))


def test_other_tokenizers_are_left_to_transformers(tmp_path):
    words("<s>").save(str(tmp_path / "tokenizer.json"))
    known = {"tokenizer_class": "PreTrainedTokenizerFast", "bos_token": "<s>"}
    other = ({"tokenizer_class": "GPT2Tokenizer"}, {"add_prefix_space": True}, {"mask_token": "a"})
    for change in ({}, *other, {"bos_token": {"content": "<s>"}}):
        (tmp_path / "tokenizer_config.json").write_text(json.dumps(known | change))
        assert (described(bare(tmp_path)) is None) == bool(change), change


def test_a_network_that_is_to_learn_is_that_of_transformers():
    assert loading.load(find("english-small"), "causal", trainable=True).module.config.model_type == "llama"
