"""Choices that a user made and that can change nothing in a run."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from core.analysis.summary import metrics_under
from core.metrics import METRICS
from core.runs.requests import plan
from core.scoring.recipe import Recipe
from core.types import Task

_OF_TEXTS = ("text", "detokenise")
_OF_DECISIONS = ("sentence_value", "ties")


def unused(chosen: Collection[str], task: Task, data: Path, recipe: Recipe, rule: str) -> str:
    """Why a policy field among these changes nothing: the scorer does not read it, nor do metrics; empty if all do.

    Choices that the task itself makes are no user's.
    """
    fixed = task.sets.get(recipe.policy.name.partition(",")[0], {})
    used = {*recipe.kind.reads, *recipe.policy.scoring(recipe.kind.reads), *_OF_TEXTS, *fixed}
    if any("surprisal" not in METRICS[name].values for name in metrics_under(task, rule)):
        used.update(_OF_DECISIONS)
    for field in chosen:
        if field == "leading_space":
            if all(request.context for request in plan(task, task.read(data), recipe, rule).requests.values()):
                return f"--set {field} has no effect: every text of {task.title} has a context. Leave it out."
        elif field not in used:
            return (
                f"--set {field} has no effect in {task.title} with the scorer {recipe.kind.name}: neither scores "
                "nor metrics use it. Leave it out."
            )
    return ""
