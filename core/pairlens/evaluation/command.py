"""Choices on a page as the equivalent command line: jobs run it, people can copy it."""

import shlex
import shutil
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pairlens.analysis.experiment import Columns
from pairlens.evaluation.zero_shot import backend_of
from pairlens.files.nli.items import Asks, Prompt
from pairlens.files.nli.label_map import LabelMap
from pairlens.files.stereoset.examples import KINDS
from pairlens.places import program, script
from pairlens.policies import Policy
from pairlens.scoring.recipe import Recipe
from pairlens.tasks.pairs import Pairs
from pairlens.types import Model, Task


def line(arguments: Sequence[str]) -> str:
    """A command to copy into a shell: by name if that finds this installation, else by path."""
    ours, installed = script(), shutil.which("pairlens")
    if ours.exists() and not (installed and ours.samefile(installed)):
        return shlex.join([str(ours), *arguments])
    return shlex.join([*program().split(), *arguments])


Grid = tuple[float, float, float]
"""The lowest and the highest temperature, and the step between."""


def _options(**values: Any) -> Iterator[str]:
    """Options by name: True is a flag, several values repeat it, nothing (None, False, empty) leaves it out."""
    for name, value in values.items():
        for one in value if isinstance(value, list | tuple) else [value]:
            if one is True:
                yield f"--{name}"
            elif one is not None and one is not False and one != "":
                yield from (f"--{name}", f"{one:g}" if isinstance(one, float) else str(one))


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

    `rule` is empty for the task's default. `grid` gives several temperatures; `both` adds the published rules.
    `options` are those of the task (`options_of`).
    """
    lowest, highest, step = grid or (None, None, None)
    return [
        *sweep(task, data, recipe.model.name, recipe.model.revision, recipe.policy, output, rule=rule),
        *_options(backend=backend_of(recipe.kind.name), min_temperature=lowest, max_temperature=highest),
        *_options(temperature_interval=step, both=both),
        *options,
    ]


def options_of(task: Task) -> list[str]:
    """The options for how a task reads its tables; none for tasks with a fixed format."""
    if not isinstance(task, Pairs):
        return []
    roles = asdict(task.roles)
    groups = roles.pop("group")
    return [*_options(**roles, **asdict(task.layout), group=groups)]


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
        "zero-shot",
        *_options(task=task, data_path=data, model_path_or_name=model, rule=rule),
        *_policy(policy),
        *_options(output_dir=output, revision_name=revisions),
        *options,
    ]


def suite(name: str, data: Path, model: Model, output: Path) -> list[str]:
    """The arguments that run every benchmark of a suite whose data are here, most of them below `data`."""
    return ["suite", "run", name, *_options(data_path=data, model=_name(model), output_dir=output)]


def _policy(policy: Policy) -> Iterator[str]:
    """The policy's preset, and the choices that differ from it."""
    changed = [f"{field}={value}" for field, value in policy.changes().items()]
    return _options(**{"as": policy.name.partition(",")[0], "set": changed})


def minimal_pair(data: Path, columns: Columns, recipe: Recipe) -> list[str]:
    """The arguments that score a table's sentences and store the scores; conditions count in analysis only."""
    roles = asdict(columns) | {"conditions": ""}
    options = _options(mode="evaluate", data=data, model=_name(recipe.model), scorer=recipe.kind.name)
    columns_of = (f"--{role}={column}" for role, column in roles.items())
    return ["minimal-pair", *options, *columns_of, *_policy(recipe.policy)]


def inside(data: Path, recipe: Recipe, component: str) -> list[str]:
    """The arguments that compute the mean map of the items in a file, and store it as a run."""
    options = _options(data=data, component=component, model=_name(recipe.model))
    return ["inside", *options, *_policy(recipe.policy)]


def of_study(name: str, fields: Iterable[tuple[str, str]], recipes: Sequence[Recipe]) -> list[str]:
    """The arguments that ask a study (`pairlens.studies.study`) of these models, which share a policy. `fields` are
    options and their values; an argument has no option.
    """
    values = [*fields]
    placed = [value for option, value in values if not option]
    return [
        name,
        *(part for option, value in values if option and value for part in (option, value)),
        *_options(model=[_name(recipe.model) for recipe in recipes]),
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
    `pairlens.studies.stereoset.classes.StereoSetChoices`.
    """
    flags: dict[str, object] = {"gold-file": [*files], "model": _name(model)}
    flags |= {f"skip-{task}": task not in tasks for task in KINDS}
    flags |= {} if spaced is None else {"leading-space" if spaced else "no-leading-space": True}
    options = _options(**flags, **{"from-context": from_context})
    return ["stereoset", "predict", *options, *_policy(policy), "--output-dir", str(output)]


def nli_predict(
    gold: Path, model: Model, asks: Asks, reading: LabelMap, output: Path, *, calibrated: bool, **options: object
) -> list[str]:
    """The arguments that ask a model about the pairs of a file, of which `options` say more; answers go to `output`.

    `asks` and `reading` are as in `pairlens.studies.nli.runs.NliRequest`.
    """
    meanings = {"labels": ",".join(map("=".join, reading.labels.items())), "model-system": reading.system}
    question = {"prompt": asks.name} if isinstance(asks, Prompt) else meanings
    flags = {
        "gold": gold,
        "model": _name(model),
        **options,
        **question,
        "calibrate": calibrated,
        "output-file": output,
    }
    return ["nli", "predict", *_options(**flags)]
