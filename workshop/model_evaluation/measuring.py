"""All figures of a model, one after the other."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain
from pathlib import Path

from pairlens.errors import InputError, unknown
from pairlens.models import find
from pairlens.store import Store
from pairlens.types import Model
from workshop.model_evaluation.benchmarks import benchmarks
from workshop.model_evaluation.entailment import entailment
from workshop.model_evaluation.figures import Figures, Measurement
from workshop.model_evaluation.following import following
from workshop.model_evaluation.gallery import worked_examples


def measurements(model: Model, public: Path) -> dict[str, Measurement]:
    """All measurements of a model, by key; `public` is the folder of the public test sets."""
    parts = (benchmarks(model, public), worked_examples(model), entailment(model, public), following(model, public))
    return {one.key: one for one in chain.from_iterable(parts)}


def measured(
    name: str, public: Path, store: Store, only: Collection[str] = ()
) -> Iterator[tuple[str, Figures | None]]:
    """The figures of a model by key, each as soon as it is known; None without their data.

    `only` selects keys. Raises ModelError for an unknown model, InputError for an unknown key.
    """
    known = measurements(find(name), public)
    for key in only:
        if key not in known:
            raise InputError(unknown(f"figure of {name}", key, known))
    for key, one in known.items():
        if not only or key in only:
            yield key, one.figures(store) if one.data is None or one.data.exists() else None
