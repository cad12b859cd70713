"""The names of a classifier's classes, read from its config without loading it."""

from __future__ import annotations

from core.errors import ModelError
from core.models.checkpoint import read_json
from core.types import Model

_USUAL_NUMBER = 2
_NOT_CLASSES = {"regression": "one number", "multi_label_classification": "several labels at once"}


def labels_of(model: Model) -> tuple[str, ...]:
    """The names of the classes in the order of the outputs; `LABEL_0`, `LABEL_1`, ... if the config has none.

    ModelError for a model that is not a classifier, or whose outputs do not exclude each other.
    """
    if model.kind != "classifier":
        raise ModelError(f"'{model.name}' is a {model.kind} model, not a classifier: it has no labels.")
    config = read_json(model.folder / "config.json", model.name)
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
