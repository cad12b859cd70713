"""A tokenizer from its two files, if they say all that transformers would ask for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.models.checkpoint import TOKENIZER_FILES, read_json
from core.types import Model

if TYPE_CHECKING:
    import tokenizers

_FILES = {"tokenizer.json", "tokenizer_config.json"}
_CLASSES = {"PreTrainedTokenizerFast", "TokenizersBackend"}
_ROLES = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")
_OTHERS = {
    "tokenizer_class", "model_max_length", "clean_up_tokenization_spaces", "padding_side", "truncation_side",
    "model_input_names", "backend", "chat_template",
}  # fmt: skip
"""Fields that are read elsewhere, or by which no text is cut otherwise."""
_INPUTS = ("input_ids", "attention_mask")
"""What a tokenizer of transformers makes if its config does not say."""


@dataclass(frozen=True)
class Described:
    """What `core.models.tokenizer.private_copy` asks of a tokenizer of transformers."""

    backend_tokenizer: tokenizers.Tokenizer
    roles: dict[str, int | None]
    model_input_names: tuple[str, ...]

    def __getattr__(self, name: str) -> int | None:
        """The id of a special token, as in `bos_token_id`; None if there is none."""
        try:
            return self.roles[name.removesuffix("_id")]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def all_special_ids(self) -> list[int]:
        """The ids of all special tokens that have a role."""
        return [id for id in self.roles.values() if id is not None]


def described(model: Model) -> Described | None:
    """The tokenizer of a model's folder; None for another class, or for special tokens that are not marked as such.

    Raises what the tokenizers library raises for a damaged file: bare Exception.
    """
    there = {name for name in TOKENIZER_FILES if (model.folder / name).is_file()}
    if model.code or there != _FILES:
        return None
    said = read_json(model.folder / "tokenizer_config.json", model.name)
    if said.get("tokenizer_class") not in _CLASSES or said.keys() - {*_ROLES, *_OTHERS}:
        return None
    import tokenizers

    backend = tokenizers.Tokenizer.from_file(str(model.folder / "tokenizer.json"))
    special = {token.content: id for id, token in backend.get_added_tokens_decoder().items() if token.special}
    named = {role: said.get(role) for role in _ROLES}
    if any(token is not None and (not isinstance(token, str) or token not in special) for token in named.values()):
        return None
    roles = {role: None if token is None else special[token] for role, token in named.items()}
    return Described(backend, roles, tuple(said.get("model_input_names") or _INPUTS))
