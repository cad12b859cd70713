"""`--tokenizer-name` of the published program: a class of transformers. Here every model is read with its own."""

from __future__ import annotations

from core.errors import PolicyError, unknown
from core.models.checkpoint import read_json
from core.types import Model

TOKENIZERS = (
    "AutoTokenizer", "BertTokenizer", "GPT2Tokenizer", "GPT2TokenizerFast", "T5Tokenizer", "MT5Tokenizer",
)  # fmt: skip
_ANY = frozenset({"", "PreTrainedTokenizer", "TokenizersBackend", "PythonBackend"})
"""What a tokenizer's settings say that does not tell its kind."""


def _kind(name: str) -> str:
    """One name for the slow and the fast class, and for MT5's, which is T5's."""
    return name.removesuffix("Fast").replace("MT5", "T5")


def check_tokenizer(name: str, model: Model) -> None:
    """PolicyError for a name that is not published, and for one that is not the class of the model's own tokenizer.

    Reading a model with another model's tokenizer gives numbers that mean nothing, and with MT5Tokenizer on a GPT one
    candidate token was booked to the context. Models that do not say their tokenizer's class are taken at their word.
    """
    if not name:
        return
    if name not in TOKENIZERS:
        raise PolicyError(unknown("tokenizer", name, TOKENIZERS))
    settings = model.folder / "tokenizer_config.json"
    own = str(read_json(settings, model.name).get("tokenizer_class") or "") if settings.is_file() else ""
    if name != "AutoTokenizer" and _kind(own) not in _ANY | {_kind(name)}:
        raise PolicyError(
            f"'{model.name}' is read with its own tokenizer, a {own}, not with {name}: leave --tokenizer-name out."
        )
