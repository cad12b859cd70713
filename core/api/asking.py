"""The keyword arguments shared by all calls with a model: scorer, policy, progress."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypedDict

from core.errors import PolicyError, unknown
from core.policies import PRESETS, Policy, preset_for
from core.scoring.recipe import recipe_of

if TYPE_CHECKING:
    from core.scoring.into_store import Progress
    from core.scoring.recipe import Recipe

Sets = Mapping[str, Mapping[str, object]]
"""Policy fields that a task fixes, by preset (`core.types.Task.sets`)."""


class Choices(TypedDict, total=False):
    """`like` names a preset (`--as`), and the fields of `core.policies.Policy` change it: `first_token="none"`.

    `scorer` is by default that of the model's kind; `allow_code` is as `--allow-code`. In calls that store scores
    (all but `compare`, `next_word` and `expected`), `rescore` ignores stored scores, and `watch` is called with a
    `core.scoring.into_store.Progress` after each batch: `watch=print`.
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
        for step in steps:
            if self.watch:
                self.watch(step)
        return step


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

    >>> api.recipe("english-small", policy=api.PRESETS["minicons"]).policy.first_token
    'tokenizer'

    ModelError or PolicyError, in one sentence, for what cannot be found or does not go together.
    """
    return recipe_of(model, scorer, policy, allow_code=allow_code)
