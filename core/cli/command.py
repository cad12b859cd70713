"""What a visitor chose on a page, as the command line that does the same: jobs run it, people can copy it."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from core.cli.zero_shot import BACKENDS
from core.policies import PRESETS, Policy
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
    preset = PRESETS[policy.name]
    arguments = ["--as", policy.name]
    for field in fields(policy):
        if (value := getattr(policy, field.name)) != getattr(preset, field.name):
            arguments += ["--set", f"{field.name}={str(value).lower() if isinstance(value, bool) else value}"]
    return arguments
