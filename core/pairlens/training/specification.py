"""The specification of a training: texts, filters, recipe or options, and where the model goes; that of a page."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pairlens.errors import InputError
from pairlens.training.corpus import Filter
from pairlens.training.options import Options
from pairlens.training.recipe import COMPILED_FROM_MINUTES, COMPILED_FROM_STEPS, USUAL_MINUTES, TrainingRecipe, sized


@dataclass(frozen=True, slots=True)
class Specification:
    """One training. With `options` it goes by epochs (`continued`), else by steps or minutes (`from_scratch`).

    `recipe` describes a model trained from scratch; `source` names one to continue instead. That must be of `kind`,
    if given, and reads sequences in lower case (`lower_case`) and after a space (`leading_space`). `watched` are
    sentences that must not be in the text. Without `resume` the leavings of a killed training are deleted.
    """

    texts: tuple[Path, ...]
    output: Path
    recipe: TrainingRecipe
    validation: Path | None = None
    column: str = "text"
    filter: Filter = field(default_factory=Filter)
    source: str = ""
    kind: str = ""
    lower_case: bool = False
    leading_space: bool = False
    options: Options | None = None
    watched: tuple[str, ...] = ()
    resume: bool = True

    def __post_init__(self) -> None:
        if not self.texts:
            raise InputError("there is no text to train on: name a file with --input.")
        for path in filter(None, (*self.texts, self.validation)):
            if path.resolve() == self.output.resolve():
                raise InputError("the model would replace this file: name another output.", str(path))

    @property
    def origin(self) -> str:
        names = ", ".join(dict.fromkeys(path.name for path in self.texts))
        clause = f", only what matches {self.filter.keep}" if self.filter.keep else ""
        dropped = f", without what matches {self.filter.drop}" if self.filter.drop else ""
        return f"{names}{clause}{dropped}"


def recipe_of(
    size: str, options: Mapping[str, Any], seed: int | None, rate: float | None, *, epochs: bool
) -> TrainingRecipe:
    """The recipe of a size, with the fields of `options`; ten minutes unless minutes, steps or epochs are."""
    fields: dict[str, Any] = {"steps": None, **options}
    if not {"minutes", "steps"} & options.keys():
        fields |= {"steps": 1} if epochs else {"minutes": USUAL_MINUTES}
    recipe = TrainingRecipe(steps=1)
    if size:
        recipe = sized(size, recipe)
    if "width" in options:
        # About 8/3 of the width (Touvron et al. 2023), a multiple of 32.
        fields["feed_forward"] = max(32, round(options["width"] * 8 / 3 / 32) * 32)
    fields["batch_tokens"] = max(recipe.batch_tokens, options.get("context", 0))
    if seed is not None:
        fields["seed"] = seed
    if rate is not None and not epochs:
        fields |= {"matrix_rate": rate, "vector_rate": rate * recipe.vector_rate / recipe.matrix_rate}
    recipe = replace(recipe, **fields)
    is_long = (recipe.minutes or 0) >= COMPILED_FROM_MINUTES or (recipe.steps or 0) >= COMPILED_FROM_STEPS
    return replace(recipe, compiled=is_long)


@dataclass(frozen=True, slots=True)
class Choice:
    """What a visitor chooses: a text and a filter, a kind and size of model, a time, and pairs to watch."""

    text: Path
    name: str
    kind: str
    size: str
    minutes: float
    column: str = "text"
    filter: Filter = Filter()  # noqa: RUF009 (frozen)
    pairs: Path | None = None

    def arguments(self) -> list[str]:
        return [
            *("train", "--input", str(self.text)),
            *(("--column", self.column) if self.column != "text" else ()),
            *(("--keep", self.filter.keep) if self.filter.keep else ()),
            *(("--drop", self.filter.drop) if self.filter.drop else ()),
            *(("--watch", str(self.pairs)) if self.pairs else ()),
            *("--kind", self.kind, "--size", self.size, "--minutes", f"{self.minutes:g}", "--name", self.name),
        ]
