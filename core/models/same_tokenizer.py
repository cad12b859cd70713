"""Whether a model has the tokenizer that somebody names for it."""

from __future__ import annotations

from dataclasses import fields

from core.errors import ModelError
from core.models.loading import load_tokenizer
from core.models.resolve import find
from core.types import Model


def check_tokenizer(model: Model, named: str) -> None:
    """ModelError unless the model `named`, or an empty name, has this model's own tokenizer, whatever its files."""
    if not named:
        return
    try:
        other = find(named)
    except ModelError as error:
        raise ModelError(f"tokenizers, '{named}': {error}") from None
    if model.tokenizer == other.tokenizer or _content(model) == _content(other):
        return
    raise ModelError(
        f"tokenizers: '{model.name}' has a tokenizer of its own, and that of '{named}' is another, which would give "
        "its tokens other meanings: leave the key out."
    )


def _content(model: Model) -> list[object]:
    """What a tokenizer does."""
    loaded = load_tokenizer(model)
    rest = (getattr(loaded, field.name) for field in fields(loaded) if field.name != "backend")
    return [loaded.backend.to_str(), *rest]
