"""Choices on a page as the equivalent command line: jobs run it, people can copy it."""

import shlex
import shutil
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, fields
from pathlib import Path

from core.analysis.experiment import Columns
from core.files.stereoset.examples import KINDS
from core.policies import Policy
from core.runs.zero_shot import backend_of
from core.scoring.recipe import Recipe
from core.settings import program, script
from core.tasks.pairs import Pairs
from core.types import Model, Task


def line(arguments: Sequence[str]) -> str:
    """A command to copy into a shell: by name if that finds this installation, else by path."""
    ours, installed = script(), shutil.which("pairlens")
    if ours.exists() and not (installed and ours.samefile(installed)):
        return shlex.join([str(ours), *arguments])
    return shlex.join([*program().split(), *arguments])


Grid = tuple[float, float, float]
"""The lowest and the highest temperature, and the step between."""


def zero_shot(
    task: str,
    data: Path,
    recipe: Recipe,
    output: Path,
    *,
    rule: str = "",
    grid: Grid | None = None,
    both: bool = False,
    options: Sequence[str] = (),
) -> list[str]:
    """The arguments of `pairlens` that run a benchmark with this recipe and write its report below `output`.

    `rule` is one of the task's, empty for its default. `grid` gives several temperatures; `both` adds the published
    rules. `options` are those of the task (`options_of`).
    """
    model = recipe.model
    flags = ("--min_temperature", "--max_temperature", "--temperature_interval")
    return [
        *sweep(task, data, model.name, model.revision, recipe.policy, output, rule=rule),
        *("--backend", backend_of(recipe.kind.name)),
        *(part for flag, value in zip(flags, grid or (), strict=False) for part in (flag, f"{value:g}")),
        *(("--both",) if both else ()),
        *options,
    ]


def options_of(task: Task) -> list[str]:
    """The options for how a task reads its tables; none for tasks with a fixed format."""
    if not isinstance(task, Pairs):
        return []
    named = {field.name: getattr(task.roles, field.name) for field in fields(task.roles) if field.name != "group"}
    values = {**named, **asdict(task.layout)}
    columns = [part for column in task.roles.group for part in ("--group", column)]
    return [*(part for name, value in values.items() if value for part in (f"--{name}", value)), *columns]


def sweep(
    task: str,
    data: Path,
    model: str,
    revisions: str,
    policy: Policy,
    output: Path,
    *,
    rule: str = "",
    options: Sequence[str] = (),
) -> list[str]:
    """The same for the checkpoints of a model: `model` is a folder or a hub id, `revisions` as `--revision_name`."""
    return [
        *("zero-shot", "--task", task, "--data_path", str(data), "--model_path_or_name", model),
        *(("--rule", rule) if rule else ()),
        *_policy(policy),
        *("--output_dir", str(output)),
        *(("--revision_name", revisions) if revisions else ()),
        *options,
    ]


def _policy(policy: Policy) -> list[str]:
    """The policy's preset, and the choices that differ from it."""
    changed = [f"{field}={value}" for field, value in policy.changes().items()]
    return ["--as", policy.name.partition(",")[0], *(part for change in changed for part in ("--set", change))]


def minimal_pair(data: Path, columns: Columns, recipe: Recipe) -> list[str]:
    """The arguments that score the sentences of a table with this recipe and store the scores, without analysis.

    Conditions play no part in scoring and are left out, whatever characters their names have.
    """
    roles = {field.name: getattr(columns, field.name) for field in fields(columns)} | {"conditions": ""}
    return [
        *("minimal-pair", "--mode", "evaluate"),
        *("--data", str(data)),
        *("--model", _name(recipe.model)),
        *("--scorer", recipe.kind.name),
        *(f"--{role}={column}" for role, column in roles.items()),
        *_policy(recipe.policy),
    ]


def inside(data: Path, recipe: Recipe, component: str) -> list[str]:
    """The arguments that compute the mean map of the items in a file, and store it as a run."""
    return [
        "inside",
        *("--data", str(data)),
        *("--component", component),
        *("--model", _name(recipe.model)),
        *_policy(recipe.policy),
    ]


def of_study(name: str, fields: Iterable[tuple[str, str]], recipes: Sequence[Recipe]) -> list[str]:
    """The arguments that ask a study (`core.studies.study`) of these models, which share a policy.

    `fields` are options and their values; an argument has no option.
    """
    values = [*fields]
    placed = [value for option, value in values if not option]
    return [
        name,
        *(part for option, value in values if option and value for part in (option, value)),
        *(part for recipe in recipes for part in ("--model", _name(recipe.model))),
        *_policy(recipes[0].policy),
        *(("--",) if any(value.startswith("-") for value in placed) else ()),
        *placed,
    ]


def _name(model: Model) -> str:
    return f"{model.name}@{model.revision}" if model.revision else model.name


def stereoset_predict(
    files: Sequence[Path],
    model: Model,
    policy: Policy,
    tasks: Collection[str],
    output: Path,
    *,
    spaced: bool | None = None,
    from_context: bool = False,
) -> list[str]:
    """The arguments that score the examples in these files and write the predictions to the folder `output`.

    `tasks` are the tasks to score; `spaced` and `from_context` are as in
    `core.studies.stereoset.classes.StereoSetChoices`.
    """
    return [
        *("stereoset", "predict"),
        *(part for file in files for part in ("--gold-file", str(file))),
        *("--model", _name(model)),
        *(f"--skip-{task}" for task in KINDS if task not in tasks),
        *(() if spaced is None else ("--leading-space" if spaced else "--no-leading-space",)),
        *(("--from-context",) if from_context else ()),
        *_policy(policy),
        *("--output-dir", str(output)),
    ]
