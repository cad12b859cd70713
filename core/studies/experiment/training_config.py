"""The part of a configuration that concerns training, as the verb `train` reads it.

Beside the published keys: `keep`, `drop` (regular expressions), `watch` (a table of pairs), and for a model from
scratch `kind`, `size`, `minutes` or `steps`, and the numbers of its shape. Keys of other modes have no effect. Paths
are relative to the working directory.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.policies import PRESETS
from core.studies.experiment.config import KEYS, device_of, keys_of, named_models, remarks, training_options
from core.studies.experiment.keys import Keys

SHAPE = ("vocabulary", "width", "layers", "heads", "context")
OURS = ("keep", "drop", "watch", "kind", "size", "minutes", "steps", *SHAPE)
SHARED = ("seed", "learning_rate")
"""Options of transformers' Trainer that a model from scratch has too."""


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """The contents of a configuration; what it does not specify is None or missing.

    `options` are fields of `Options`, `recipe` those of `Recipe`; `seed` and `learning_rate` may belong to both.
    `kind` is the stated kind of `source`, causal or masked, and `tokenizer` the model whose tokenizer it should have.
    `remarks` concern keys that have no effect.
    """

    texts: Path | None = None
    output: Path | None = None
    validation: Path | None = None
    column: str | None = None
    source: str = ""
    kind: str = ""
    keep: str = ""
    drop: str = ""
    watch: Path | None = None
    size: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    recipe: dict[str, Any] = field(default_factory=dict)
    seed: int | None = None
    learning_rate: float | None = None
    lower_case: bool | None = None
    leading_space: bool = False
    device: str = ""
    preset: str = ""
    tokenizer: str = ""
    remarks: tuple[str, ...] = ()


def read_training_config(path: Path, preset: str = "") -> TrainingConfig:
    """Read a configuration; `preset` takes the place of its own.

    Raises InputError, in one sentence that names file and key, for what is not valid.
    """
    keys = keys_of(path, (*KEYS, *OURS))
    preset = preset or keys.choice("preset", PRESETS, "pairlens")
    modes = keys.names("mode")
    if modes and "train" not in modes:
        raise keys.wrong("mode", f"{', '.join(modes)} is nothing for `train`: use the verb `minimal-pair`.")
    models = named_models(keys)
    if len(models) > 1:
        raise keys.wrong("models", f"one model is trained at a time, not {len(models)}.")
    given = training_options(keys)
    return TrainingConfig(
        texts=keys.file("trainfpath"),
        output=keys.path("modelfpath"),
        validation=keys.file("validfpath"),
        column=keys.text("textLabel") or None,
        source=models[0].name if models else "",
        kind=models[0].scorer if models else "",
        keep=keys.text("keep"),
        drop=keys.text("drop"),
        watch=keys.file("watch"),
        size=keys.text("size"),
        options={name: value for name, value in given.items() if name not in SHARED},
        recipe=_recipe(keys),
        seed=given.get("seed"),
        learning_rate=given.get("learning_rate"),
        lower_case=keys.flag("doLower", False) if "doLower" in keys else None,
        leading_space=keys.flag("addPrefixSpace", False),
        device=device_of(keys),
        preset=preset,
        tokenizer=models[0].tokenizer if models else "",
        remarks=tuple(remarks(keys, ("train",))),
    )


def _recipe(keys: Keys) -> dict[str, Any]:
    shape: dict[str, Any] = {name: keys.whole(name, 0) for name in SHAPE if name in keys}
    if "kind" in keys:
        shape["kind"] = keys.choice("kind", ("causal", "masked"), "causal")
    if "minutes" in keys:
        shape["minutes"] = keys.number("minutes", 0)
    if "steps" in keys:
        shape["steps"] = keys.whole("steps", 0)
    return shape
