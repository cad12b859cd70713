"""What a visitor chose on a page, as the command line that does the same: jobs run it, people can copy it."""

from __future__ import annotations

from pathlib import Path

from core.cli.zero_shot import BACKENDS
from core.policies import Policy
from core.recipe import Recipe


def zero_shot(task: str, data: Path, recipe: Recipe, output: Path) -> list[str]:
    """The arguments of `python -m core` that run a benchmark with this recipe and write its report below `output`."""
    model = recipe.model
    backend = next(name for name, scorer in BACKENDS.items() if scorer == recipe.kind.name)
    return [
        "zero-shot",
        *("--task", task),
        *("--data_path", str(data)),
        *("--model_path_or_name", model.name),
        *(("--revision_name", model.revision) if model.revision else ()),
        *("--backend", backend),
        *_policy(recipe.policy),
        *("--output_dir", str(output)),
    ]


def _policy(policy: Policy) -> list[str]:
    """The preset that the policy is named after, and the choices that differ from it."""
    changed = [f"{field}={value}" for field, value in policy.changes().items()]
    return ["--as", policy.name.partition(",")[0], *(part for change in changed for part in ("--set", change))]
