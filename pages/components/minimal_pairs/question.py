"""What a visitor asks of an experiment: a region, models, an analysis."""

from __future__ import annotations

from dataclasses import dataclass

from core.analysis.experiment import Analysis
from core.scoring.recipe import Recipe
from core.studies.experiment.region import Region
from pages.components.shared.experiment import Experiment


@dataclass(frozen=True)
class Question:
    """An experiment, its region, the models that were asked and how their scores are looked at."""

    experiment: Experiment
    region: Region
    recipes: tuple[Recipe, ...]
    analysis: Analysis

    @property
    def identity(self) -> tuple[object, ...]:
        """What tells questions apart."""
        models = [(recipe.model.name, recipe.fingerprint, repr(recipe.policy)) for recipe in self.recipes]
        return repr(self.experiment), repr(self.region), models, repr(self.analysis)
