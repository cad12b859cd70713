"""The sizes and options of the networks in this package, read from a checkpoint's config."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from pairlens.models.checkpoint import read_json
from pairlens.types import Model

THETA = 10_000.0
"""The base of rotary positions where a config names none."""
BUCKETS, FARTHEST = 32, 128
"""The buckets of relative positions, and the distance from which on all share the last, unless a config says so."""
_SAID_ELSEWHERE = {
    "architectures", "model_type", "transformers_version", "torch_dtype", "dtype", "use_cache", "initializer_range",
    "initializer_factor", "pad_token_id", "bos_token_id", "eos_token_id", "mask_token_id", "decoder_start_token_id",
    "attention_dropout", "dropout_rate", "classifier_dropout", "classifier_pooling", "_name_or_path", "n_positions",
    "is_encoder_decoder", "output_past", "task_specific_params", "use_auth_token",
}  # fmt: skip
"""Fields of a config on which no log-probability depends."""
_STACK = {
    "vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads",
    "num_key_value_heads", "head_dim", "hidden_act", "max_position_embeddings", "rms_norm_eps", "rope_theta",
    "rope_scaling", "rope_parameters", "attention_bias", "mlp_bias", "tie_word_embeddings", "pretraining_tp",
}  # fmt: skip
_HALVES = {
    "vocab_size", "d_model", "d_kv", "d_ff", "num_layers", "num_decoder_layers", "num_heads", "layer_norm_epsilon",
    "relative_attention_num_buckets", "relative_attention_max_distance", "feed_forward_proj", "tie_word_embeddings",
    "dense_act_fn", "is_gated_act", "scale_decoder_outputs", "is_decoder",
}  # fmt: skip
_UNITS = {"gated-gelu": ("gelu_new", True), "relu": ("relu", False)}
"""The feed-forward layers of a T5 by their name: the function between matrices, and whether it gates."""
_SCALED = {"factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings"}


@dataclass(frozen=True, slots=True)
class Shape:
    """A network's sizes and options.

    `layers` are those of one stack, in an encoder-decoder of the encoder; `decodes` is the number of its decoder's, 0
    in other networks. `groups` of heads share keys and values. `scaling` is empty or has the fields of linear
    scaling or Llama 3's of rotary positions. `scaled` says whether a T5's last states are divided by the root of the
    width, and `gated` whether its feed-forward layers have gates.
    """

    vocabulary: int
    width: int
    inner: int
    layers: int
    heads: int
    head_width: int
    groups: int
    context: int
    epsilon: float
    theta: float = THETA
    scaling: tuple[tuple[str, float], ...] = ()
    attention_bias: bool = False
    mlp_bias: bool = False
    output_bias: bool = False
    tied: bool = True
    causal: bool = True
    decodes: int = 0
    buckets: int = BUCKETS
    farthest: int = FARTHEST
    gated: bool = True
    scaled: bool = True


def shape_of(config: Mapping[str, Any], head: str) -> Shape | None:
    """The shape of a checkpoint with this head; None if anything in its config is not known here."""
    named = (config.get("model_type"), tuple(config.get("architectures") or ()))
    readers: Mapping[tuple[object, ...], Callable[[Mapping[str, Any]], Shape | None]] = {
        ("causal", "llama", ("LlamaForCausalLM",)): partial(_stack, causal=True, epsilon=1e-6),
        ("masked", "eurobert", ("EuroBertForMaskedLM",)): partial(_stack, causal=False, epsilon=1e-5),
        ("seq2seq", "t5", ("T5ForConditionalGeneration",)): _halves,
    }
    read = readers.get((head, *named))
    try:
        return read(config) if read else None
    except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError):
        return None  # what is wrong with it, transformers will say


def _stack(config: Mapping[str, Any], *, causal: bool, epsilon: float) -> Shape | None:
    if _is_strange(config, _STACK, {"hidden_act": "silu", "pretraining_tp": 1}):
        return None
    heads, width, mlp_bias = (
        int(config["num_attention_heads"]),
        int(config["hidden_size"]),
        bool(config.get("mlp_bias")),
    )
    theta, scaling = _rotary(config)
    shape = Shape(
        vocabulary=int(config["vocab_size"]),
        width=width,
        inner=int(config["intermediate_size"]),
        layers=int(config["num_hidden_layers"]),
        heads=heads,
        head_width=int(config.get("head_dim") or width // heads),
        groups=int(config.get("num_key_value_heads") or heads),
        context=int(config["max_position_embeddings"]),
        epsilon=float(config.get("rms_norm_eps", epsilon)),
        theta=theta,
        scaling=scaling,
        attention_bias=bool(config.get("attention_bias")),
        mlp_bias=mlp_bias,
        output_bias=mlp_bias and not causal,  # as transformers has it
        tied=bool(config.get("tie_word_embeddings")),
        causal=causal,
    )
    return None if width % heads or heads % shape.groups or shape.head_width % 2 else shape


def _is_strange(config: Mapping[str, Any], known: set[str], implied: Mapping[str, object]) -> bool:
    """Whether a config has other fields than the known ones, or other values than those that are implied here."""
    otherwise = any(config.get(name, value) != value for name, value in implied.items())
    return otherwise or bool(config.keys() - known - _SAID_ELSEWHERE)


def _rotary(config: Mapping[str, Any]) -> tuple[float, tuple[tuple[str, float], ...]]:
    """The base and the scaling of rotary positions; ValueError for a kind that is not known here."""
    scaling = dict(config.get("rope_parameters") or config.get("rope_scaling") or {})
    kind = scaling.pop("rope_type", scaling.pop("type", "default"))
    scaling.pop("type", None)
    theta = float(scaling.pop("rope_theta", None) or config.get("rope_theta") or THETA)
    wanted: Mapping[str, set[str]] = {"default": set(), "linear": {"factor"}, "llama3": _SCALED}
    if scaling.keys() != wanted[kind]:
        raise ValueError(kind)
    return theta, tuple(sorted((name, float(value)) for name, value in scaling.items()))


def _halves(config: Mapping[str, Any]) -> Shape | None:
    function, gated = _UNITS[config.get("feed_forward_proj", "relu")]
    if _is_strange(config, _HALVES, {"dense_act_fn": function, "is_gated_act": gated, "is_decoder": False}):
        return None
    layers, heads = int(config["num_layers"]), int(config["num_heads"])
    return Shape(
        vocabulary=int(config["vocab_size"]),
        width=int(config["d_model"]),
        inner=int(config["d_ff"]),
        layers=layers,
        heads=heads,
        head_width=int(config["d_kv"]),
        groups=heads,
        context=0,
        epsilon=float(config.get("layer_norm_epsilon", 1e-6)),
        decodes=int(config.get("num_decoder_layers") or layers),
        buckets=int(config.get("relative_attention_num_buckets", BUCKETS)),
        farthest=int(config.get("relative_attention_max_distance", FARTHEST)),
        gated=gated,
        scaled=bool(config.get("scale_decoder_outputs", config.get("tie_word_embeddings") is not False)),
    )


WEIGHTS = "model.safetensors"


def recognised(model: Model, head: str) -> Shape | None:
    if model.code or not (model.folder / WEIGHTS).is_file():
        return None
    return shape_of(read_json(model.folder / "config.json", model.name), head)
