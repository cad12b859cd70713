"""Gold labels and answers as the classes that are evaluated."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

from core.errors import PolicyError
from core.files.labels.cells import Cell
from core.files.labels.derivation import cell
from core.files.labels.systems import SYSTEMS, spellings, system_of, unknown_label
from core.messages import Message


def label_of(text: str, system: str) -> str:
    """The label with this name, code or Portuguese name, whatever its case; InputError names the nearest."""
    written, known = text.strip(), spellings(system)
    if written.lower() not in known:
        raise unknown_label(written, system)
    return known[written.lower()]


def translate(gold: Sequence[str], data: str, model: str, mode: str = "strict") -> list[str]:
    """The class that each gold label counts as for such a model; InputError for an unknown label."""
    classes = cell(data, model, mode).gold
    wrong = next((label for label in gold if label not in classes), None)
    if wrong is not None:
        raise unknown_label(wrong, data)
    return [classes[label] for label in gold]


def decode(
    forward: Sequence[str],
    reverse: Sequence[str] | None,
    data: str,
    model: str,
    mode: str = "strict",
    gold: Sequence[str] = (),
) -> list[str]:
    """The class that a model's answers stand for: `forward` for (a, b), `reverse` for (b, a), labels of `model`.

    Only `lenient` needs `gold`, the translated gold labels: where an answer stands for two classes, the gold one
    counts. Raises PolicyError if answers for (b, a) or gold labels are needed and missing, InputError for an unknown
    label.
    """
    rules = cell(data, model, mode)
    if rules.needs_reverse and reverse is None:
        raise PolicyError(
            Message(
                "{data} labels from a model with {model} labels need its answers for premise and hypothesis swapped "
                "(reverse predictions). Give them, or choose the mode forward.",
                data=system_of(data).title, model=system_of(model).title,
            )
        )  # fmt: skip
    if mode == "lenient" and rules.needs_reverse and len(gold) != len(forward):
        raise PolicyError("the mode lenient needs a gold label for each answer")
    backward = reverse if reverse is not None and rules.needs_reverse else [""] * len(forward)
    wanted = gold if len(gold) else [""] * len(forward)
    known = cache(partial(_decoded, rules))
    return [known(*answers) for answers in zip(forward, backward, wanted, strict=True)]


def _decoded(rules: Cell, forward: str, reverse: str, gold: str) -> str:
    labels = SYSTEMS[rules.model].labels
    for label in (forward, reverse) if rules.needs_reverse else (forward,):
        if label not in labels:
            raise unknown_label(label, rules.model)
    classes = [rule.label for rule in rules.rules if rule.matches(forward, reverse)]
    return gold if gold in classes else classes[0]
