"""State-space, recurrent and hybrid models: each score is that of transformers for the text alone."""

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from pairlens.models import find
from pairlens.policies import Policy
from pairlens.scorers import SCORERS
from pairlens.types import Request
from tests import tiny
from tests.tiny import SENTENCES, Architecture

pytestmark = pytest.mark.model

NEAR = 1e-5
"""Nats per token by which a score may differ from transformers'."""
SIZES = {"hidden_size": 32, "num_hidden_layers": 2}
HYBRID = {**SIZES, "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 48}
STATES = {"mamba_n_heads": 8, "mamba_d_head": 8, "mamba_n_groups": 1, "mamba_d_state": 8, "mamba_chunk_size": 8}
LINEAR = {
    "linear_key_head_dim": 8, "linear_value_head_dim": 8, "linear_num_key_heads": 2, "linear_num_value_heads": 4,
    "layer_types": ["linear_attention", "full_attention"],
}  # fmt: skip
MODELS = {
    "Mamba": {**SIZES, "state_size": 4, "time_step_rank": 2},
    "FalconMamba": {**SIZES, "state_size": 4, "time_step_rank": 2},
    "Mamba2": {**SIZES, "state_size": 8, "num_heads": 8, "head_dim": 8, "n_groups": 2, "chunk_size": 8},
    "Rwkv": {**SIZES, "num_hidden_layers": 7, "attention_hidden_size": 32, "context_length": 512},
    "xLSTM": {**SIZES, "hidden_size": 128, "num_heads": 4, "num_blocks": 2, "chunk_size": 16},
    "Jamba": {
        **HYBRID, "attn_layer_period": 2, "attn_layer_offset": 1, "expert_layer_period": 2, "expert_layer_offset": 1,
        "num_experts": 2, "num_experts_per_tok": 1, "mamba_d_state": 4, "mamba_dt_rank": 2,
        "use_mamba_kernels": False,
    },
    "RecurrentGemma": {
        **HYBRID, "num_hidden_layers": 3, "lru_width": 32, "head_dim": 8, "attention_window_size": 16,
        "block_types": ["recurrent", "recurrent", "attention"],
    },
    "Bamba": {**HYBRID, **STATES, "attn_layer_indices": [1]},
    "FalconH1": {**HYBRID, **STATES, "mamba_d_ssm": 64},
    "Lfm2": {
        **HYBRID, "block_ff_dim": 48, "block_auto_adjust_ff_dim": False, "layer_types": ["conv", "full_attention"],
    },
    "Qwen3Next": {
        **HYBRID, **LINEAR, "head_dim": 8, "num_experts": 2, "num_experts_per_tok": 1, "moe_intermediate_size": 16,
        "shared_expert_intermediate_size": 16,
    },
}  # fmt: skip
"""The sizes by the start of the name of transformers' class. RWKV has so many layers that it halves its states."""
AMPLIFYING = ("xLSTM", "Qwen3Next")
"""With weights as large as the others' have, these turn rounding in single precision into more than NEAR."""
TEXTS = (*SENTENCES, *(f"{SENTENCES[2]} {text}" for text in SENTENCES), "Sarah", "The key")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """`built("Mamba")`: the folder of a tiny one, made once; a skip, with the reason, where that is not possible."""
    folders = {}

    def build(name):
        if name not in folders:
            if not hasattr(transformers, f"{name}ForCausalLM"):
                pytest.skip(f"transformers {transformers.__version__} has no {name}")
            with pytest.MonkeyPatch.context() as patch:
                kind = Architecture(f"{name}ForCausalLM", f"{name}Config", "byte-bpe-eos", MODELS[name])
                patch.setitem(tiny.ARCHITECTURES, name, kind)
                try:
                    folders[name] = tiny.tiny_model(tmp_path_factory.mktemp(name), name)
                except ImportError as error:
                    pytest.skip(f"{name} needs a package that is not here: {error}")
            if name in AMPLIFYING:
                weights = load_file(folders[name] / "model.safetensors")
                weights = {key: one / 4 if one.dim() > 1 else one for key, one in weights.items()}
                save_file(weights, folders[name] / "model.safetensors", {"format": "pt"})
        return folders[name]

    return build


@pytest.fixture
def plain(built):
    """`plain("Mamba", ids)`: what transformers gives each token but the first, without padding or batches."""
    networks = {}

    def logprobs(name, ids):
        if name not in networks:
            networks[name] = transformers.AutoModelForCausalLM.from_pretrained(built(name)).eval()
        with torch.inference_mode():
            logits = networks[name](input_ids=torch.tensor([ids]), use_cache=False).logits[0]
        return logits.log_softmax(-1)[:-1].gather(1, torch.tensor(ids[1:])[:, None])[:, 0].tolist()

    return logprobs


@pytest.mark.parametrize("name", MODELS)
def test_a_text_scores_the_same_alone_in_a_batch_and_in_transformers(built, plain, name):
    model = find(built(name))
    assert model.kind == "causal"
    scorer = SCORERS["causal"].open(model, Policy())
    requests = [Request("", text) for text in TEXTS]
    together = scorer.score(requests)
    assert sum(len(score.ids) for score in together) > 256, "enough for a probe of whether beginnings are shared"
    expected = [plain(name, [scorer.tokenizer.start, *score.ids]) for score in together]
    alone = [scorer.score([request])[0] for request in requests]
    for ours, single, theirs in zip(together, alone, expected, strict=True):
        assert list(ours.logprobs) == pytest.approx(theirs, abs=NEAR)
        assert list(single.logprobs) == pytest.approx(theirs, abs=NEAR)
    order = [place for place, score in enumerate(together) if score.ids[:5] == together[2].ids[:5]]
    assert len(order) == 1 + len(SENTENCES) and len({together[place].logprobs[5:] for place in order}) > 5


@pytest.mark.parametrize("name", MODELS)
def test_windows_are_read_as_texts_of_their_own(built, plain, name):
    window, new = 16, 8
    scorer = SCORERS["causal"].open(find(built(name)), Policy(window=window))
    requests = [Request("", " ".join(SENTENCES[:count])) for count in (4, 5)]
    for score in scorer.score(requests):
        ids = [scorer.tokenizer.start, *score.ids]
        expected = plain(name, ids[:window])
        for end in range(window + new, len(ids) + new, new):
            last = min(end, len(ids))
            added = last - 1 - len(expected)
            expected += plain(name, ids[last - window : last])[-added:]
        assert len(ids) > 2 * window
        assert list(score.logprobs) == pytest.approx(expected, abs=NEAR)
