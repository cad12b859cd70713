"""What is known of an experiment once its sentences are scored: the findings, and what else is asked of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import pandas as pd

from pairlens.analysis.by_cond import overall
from pairlens.analysis.interaction import Contrast, Interaction
from pairlens.evaluation.receipts.sentences import InWindows
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.studies.experiment.evaluate import texts_in_windows
from pairlens.studies.experiment.findings import Findings
from pairlens.studies.experiment.policies import UnderAllChoices, under_all_choices


@dataclass(frozen=True)
class Answer:
    """The findings on a design, with what else is asked of them.

    `recipes` are those of the models, in order, and `store` has their scores; of another program's scores nothing is
    known but the models' names. `source` names the table, `language` is that of its sentences, if known. `everywhere`
    is the `interaction` in every region, `unasked` says why there is none. `facets` are the conditions of which each
    value has a chart, `first` is the model that charts show, `refused` says why a model could not score, by sentid.
    """

    findings: Findings
    recipes: Sequence[Recipe] = ()
    store: Store | None = None
    source: str = "experiment"
    language: str = ""
    interaction: Interaction | None = None
    everywhere: Interaction | None = None
    contrast: Contrast | None = None
    unasked: str = ""
    facets: Sequence[str] = ()
    first: str = ""
    refused: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def models(self) -> list[str]:
        return [str(name) for name in self.findings.regions["model"].unique()]

    @property
    def shown(self) -> str:
        return self.first or self.models[0]

    @property
    def of_shown(self) -> Recipe | None:
        return next((recipe for recipe in self.recipes if recipe.model.name == self.shown), None)

    @cached_property
    def windows(self) -> list[InWindows | None]:
        """By recipe, the sentences that are longer than the model sees at once, if that is known."""
        store = self.store
        return [texts_in_windows(self.findings.design, recipe, store) if store else None for recipe in self.recipes]

    @cached_property
    def under_all_choices(self) -> UnderAllChoices:
        assert self.store is not None
        assert self.of_shown is not None
        return under_all_choices(self.findings.design, self.of_shown, self.store, self.findings.analysis)

    def preference(self, model: str) -> pd.Series | None:
        """A model's row of `by_cond` over all pairs; None if no pair can be compared."""
        rows = overall(self.findings.by_cond)
        return next((row for _, row in rows[rows["model"] == model].iterrows()), None)
