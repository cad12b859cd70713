"""A model that a visitor of a shared dashboard names is tried in a process that may take only so long."""

import string

from pairlens import sharing
from pairlens.errors import InputError, ModelError
from pairlens.files import apart
from pairlens.models.loading import load_tokenizer, load_window
from pairlens.types import Model

_TEXT = " ".join(["The keys to the cabinet are here.", string.printable, "aaaa" * 50, "été 猫犬 🙂"])
"""What a tokenizer is tried on: letters, marks, white space, a long word, scripts."""
_passed: set[tuple[str, str]] = set()


def try_apart(model: Model) -> None:
    """ModelError if its tokenizer or architecture takes more time or memory than readers of files may have.

    On a shared dashboard, once per process. Weights are not read: what they take is known from their size.
    """
    parts = model.tokenizer, model.config
    if model.bundled or model.kind == "unigram" or parts in _passed or not sharing.is_shared():
        return
    try:
        apart.read(tokens_and_window, model, where=model.name)
    except InputError as error:
        raise ModelError(error.message) from None
    _passed.add(parts)


def tokens_and_window(model: Model) -> tuple[int, int]:
    return len(load_tokenizer(model).words(_TEXT)), load_window(model)
