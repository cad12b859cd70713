"""What a model answered to StereoSet, and what it is called on the page: stored runs, or a file made elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.files.stereoset.examples import Examples
from core.policies import Policy
from core.runs.samples import is_sample
from core.studies.stereoset.definitions import Definition
from core.studies.stereoset.measured import OVERALL, Measured
from core.studies.stereoset.predictions import Predictions


@dataclass(frozen=True)
class StereoSetResult:
    """`name` is what the model is called on the page, `key` names widgets and files: other answers, another key.

    `defined` has its numbers under every definition, that of the headline first; `predictions` are of this one.
    `model` and `policy` open a pair in Compare; a file made elsewhere has no model. `receipt` is everything that went
    into the numbers, `methods` the sentences for a paper, `bibtex` what to cite. `data` is what the examples are
    called in runs; `unreadable` says why nothing can be said about them with this model, empty where it reads them.
    """

    name: str
    key: str
    examples: Examples
    predictions: Predictions
    defined: Mapping[Definition, Measured]
    receipt: Mapping[str, Any]
    methods: str
    bibtex: str
    model: str = ""
    policy: Policy = field(default_factory=Policy)
    data: str = ""
    unreadable: str = ""

    @property
    def sample(self) -> bool:
        """Whether the examples are our own."""
        return is_sample(self.data)

    @property
    def measured(self) -> Measured:
        """The numbers of the headline."""
        return next(iter(self.defined.values()))


def kinds(shown: Sequence[StereoSetResult]) -> list[str]:
    """The tasks that all of them have, both together first."""
    common = [kind for kind in shown[0].measured.kinds if all(kind in one.measured.kinds for one in shown)]
    return sorted(common, key=lambda kind: kind != OVERALL)
