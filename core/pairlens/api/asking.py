"""What calls share: scorer, policy, progress; texts, tables and files as the library takes them; the call of a
study."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict, cast, get_type_hints

from pairlens.errors import PolicyError, unknown
from pairlens.files.datasets import located
from pairlens.files.tables import write_table
from pairlens.policies import PRESETS, Policy, preset_for
from pairlens.results.result import Result
from pairlens.scoring.recipe import Recipe, recipe_of
from pairlens.studies.study import Study, ask, controls
from pairlens.text import none_empty

if TYPE_CHECKING:
    import pandas as pd

    from pairlens.scoring.into_store import Progress

Data: TypeAlias = "str | Path | pd.DataFrame"
"""A file or a folder, the name of a public data set that was fetched, or a table in memory."""
NAME = "data_frame"
"""The name of a data frame in messages and runs."""


def texts_of(texts: str | Iterable[str]) -> list[str]:
    """One text or several (a list, a column of a data frame); InputError for none, and for one that is empty."""
    return none_empty([*texts] if isinstance(texts, Iterable) and not isinstance(texts, str) else [texts], "text")


@contextmanager
def as_file(data: Data, ending: str = ".tsv") -> Iterator[Path]:
    """The path to read; a data frame is saved to a temporary file, without its index."""
    if isinstance(data, str | Path):
        yield located(Path(data))
        return
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{NAME}{ending}"
        write_table(data, path)
        yield path


def call(study: Study[Any, Any]) -> Callable[..., Result]:
    """A function with the study's fields as arguments, as `pairlens.api.texts.compare` is one."""

    def answer(*values: Any, model: str | Iterable[str] = "english-small", **choices: Any) -> Result:
        from pairlens.store import Store

        own = {name: choices.pop(name) for name in controls(study.fields) if name in choices}
        request, models = asking(cast("Choices", choices)), [model] if isinstance(model, str) else [*model]
        return ask(study, study.fields(*values, **own), [request.recipe(name) for name in models], Store())

    answer.__name__, answer.__doc__ = study.name, study.about
    answer.__annotations__ |= get_type_hints(study.fields)
    return answer


Sets = Mapping[str, Mapping[str, object]]
"""Policy fields that a task fixes, by preset (`pairlens.types.Task.sets`)."""


class Choices(TypedDict, total=False):
    """`like` names a preset (`--as`), and the fields of `pairlens.policies.Policy` change it: `first_token="none"`.

    `scorer` is by default that of the model's kind; `allow_code` is as `--allow-code`. In calls that store scores
    (all but `compare`, `next_word` and `expected`), `rescore` ignores stored scores, and `watch` is called with a
    `pairlens.scoring.into_store.Progress` after each batch: `watch=print`. A notebook shows a bar without it.
    """

    scorer: str
    allow_code: str
    rescore: bool
    watch: Callable[[Progress], object]
    like: str
    first_token: str
    pll: str
    words_by: str
    sentence_value: str
    word_value: str
    punctuation: str
    unit: str
    ties: str
    text: str
    detokenise: str
    leading_space: bool
    dtype: str
    window: int
    stride: int
    decoder: str
    windows: str
    tokens: str


@dataclass(frozen=True, slots=True)
class Asking:
    """`Choices`, validated."""

    policy: Policy
    scorer: str = ""
    allow_code: str = ""
    rescore: bool = False
    watch: Callable[[Progress], object] | None = None

    def recipe(self, model: str) -> Recipe:
        return recipe(model, self.scorer, self.policy, allow_code=self.allow_code)

    def finish(self, steps: Iterable[Progress]) -> Progress:
        watch = self.watch or _bar()
        for step in steps:
            watch(step)
        return step


def _bar() -> Callable[[Progress], object]:
    """In a notebook, a bar for whatever takes more than a second; elsewhere nothing is drawn."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", object)()
    bar: Any = None

    def show(step: Progress) -> None:
        nonlocal bar
        if bar is None and hasattr(shell, "kernel") and step.seconds > 1 and step.done < step.total:
            bar = sys.modules["IPython.display"].ProgressBar(step.total)
            bar.display()
        if bar is not None:
            bar.progress = step.done

    return show


def asking(choices: Choices, sets: Sets = MappingProxyType({})) -> Asking:
    """The preset adapted to a task's fixed fields (`sets`), with these choices; PolicyError for an unknown one."""
    values: dict[str, Any] = {**choices}
    for name in values:
        if name not in Choices.__annotations__:
            raise PolicyError(unknown("choice", name, Choices.__annotations__))
    ways = {name: values.pop(name) for name in ("scorer", "allow_code", "rescore", "watch") if name in values}
    return Asking(preset_for(values.pop("like", "pairlens"), sets).but(**values), **ways)


def recipe(model: str, scorer: str = "", policy: Policy = PRESETS["pairlens"], *, allow_code: str = "") -> Recipe:
    """A model (found, not loaded) with a scorer, by default that of its kind, and a policy.

    >>> pairlens.recipe("english-small", policy=pairlens.PRESETS["minicons"]).policy.first_token
    'tokenizer'

    ModelError or PolicyError, in one sentence, for what cannot be found or does not go together.
    """
    return recipe_of(model, scorer, policy, allow_code=allow_code)
