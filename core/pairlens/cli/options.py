"""Groups of options shared by verbs with a model (`pairlens.cli.spread`): policy, and execution."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Annotated, Any

import typer

from pairlens.cli import console
from pairlens.policies import Policy

ScorerOption = Annotated[
    str, typer.Option("--scorer", help="causal | masked | mntp | seq2seq | seq2seq_mask | unigram; else the model's.")
]
KindOption = Annotated[str, typer.Option("--scorer", help="By default that of the model's kind.")]


def given(group: Any) -> dict[str, Any]:
    """The options of a group that were given, by name; the others are None."""
    values = {field.name: getattr(group, field.name) for field in fields(group)}
    return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True, slots=True)
class PolicyOptions:
    def policy(self, sets: Mapping[str, Mapping[str, object]] = MappingProxyType({})) -> Policy:
        """The preset adapted to a task's fixed fields (`sets`), with the choices given; errors as in `Policy`."""
        chosen = {field.name: getattr(self, field.name) for field in fields(self)}
        return console.policy(chosen.pop("preset"), chosen.pop("others"), sets, **chosen)


@dataclass(frozen=True, slots=True)
class ChoicesFromLeft(PolicyOptions):
    """The choices that move the numbers of models that read from left to right."""

    preset: console.PresetOption = "pairlens"
    first_token: console.FirstTokenOption = None
    text: console.TextOption = None
    dtype: console.DtypeOption = None
    others: console.SetOption = None


@dataclass(frozen=True, slots=True)
class RunOptions(ChoicesFromLeft):
    pll: console.PllOption = None


@dataclass(frozen=True, slots=True)
class Execution:
    """How texts go through a model."""

    batch_size: console.BatchOption = 0
    device: console.DeviceOption = ""
    rescore: console.RescoreOption = False
    allow_code: console.CodeOption = ""

    def apply(self) -> None:
        console.apply_limits(batch_size=self.batch_size, device=self.device)
