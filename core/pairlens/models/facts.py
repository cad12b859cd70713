"""What a model's files say: a classifier's classes, the symbol for unknown words, whether tokenizers are equal."""

from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from pairlens.errors import ModelError
from pairlens.models import gguf
from pairlens.models.adapters import is_adapter
from pairlens.models.checkpoint import read_json
from pairlens.models.loading import load_tokenizer
from pairlens.models.resolve import base_of, find, tokenizer_folder
from pairlens.types import Model

_USUAL_NUMBER = 2
_NOT_CLASSES = {"regression": "one number", "multi_label_classification": "several labels at once"}


def labels_of(model: Model) -> tuple[str, ...]:
    """The names of the classes in the order of the outputs, by default `LABEL_0`, ...; ModelError for others."""
    if model.kind != "classifier":
        raise ModelError(f"'{model.name}' is a {model.kind} model, not a classifier: it has no labels.")
    described = base_of(model) if is_adapter(model.folder) else model
    config = read_json(described.folder / "config.json", model.name)
    named = config.get("id2label") or {}
    number = len(named) or int(config.get("num_labels") or _USUAL_NUMBER)
    gives = _NOT_CLASSES.get(str(config.get("problem_type"))) or ("one number" if number < 2 else "")
    if gives:
        raise ModelError(f"'{model.name}' gives {gives}, not one of several classes.")
    try:
        return tuple(str(named.get(str(place), f"LABEL_{place}")) for place in range(number))
    except AttributeError:
        raise ModelError(
            f"'{model.name}': id2label in its config.json should name each class by its number."
        ) from None


def unknown_token(model: Model) -> str:
    """The tokenizer's symbol for a word outside its vocabulary; empty if it can encode any text."""
    if gguf.is_file(model.folder):
        tokenizer = load_tokenizer(model)
        return "" if tokenizer.unknown is None else str(tokenizer.backend.id_to_token(tokenizer.unknown))
    return _unknown_token(tokenizer_folder(model), model.tokenizer)


@lru_cache(maxsize=64)
def _unknown_token(folder: Path, _: str) -> str:
    algorithm = _read(folder / "tokenizer.json").get("model")
    if not isinstance(algorithm, dict):
        named = _read(folder / "tokenizer_config.json").get("unk_token", "")
        return str(named.get("content", "") if isinstance(named, dict) else named or "")
    if isinstance(id := algorithm.get("unk_id"), int):
        return str(algorithm["vocab"][id][0])
    return str(algorithm.get("unk_token") or "")


def _read(path: Path) -> dict[str, Any]:
    """A tokenizer's file, empty if it is missing or damaged; loading it will report that."""
    try:
        return read_json(path, path.parent.name)
    except ModelError:
        return {}


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
    loaded = load_tokenizer(model)
    rest = (getattr(loaded, field.name) for field in fields(loaded) if field.name != "backend")
    return [loaded.backend.to_str(), *rest]
