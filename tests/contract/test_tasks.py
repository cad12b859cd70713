"""What every benchmark in core/pairlens/tasks promises. A new file there is tested by existing."""

from pathlib import Path
from typing import get_args

import pytest

from pairlens.metrics import METRICS
from pairlens.policies import PRESETS, preset_for
from pairlens.rules import RULES
from pairlens.tasks import TASKS
from pairlens.types import Prediction
from tests.contract.saying import demand, loadable, named_in_tests, say, uncited, unloadable
from tests.refusals import error_of

ROOT = Path(__file__).resolve().parents[2]
tasks = pytest.mark.parametrize("name", list(TASKS))
usable = pytest.mark.parametrize("name", list(loadable(TASKS, "tasks")))
"""Those that can be loaded: the first test says what the others lack."""
ENOUGH = 4
"""Metrics are tried on the sample, with one of its items left out."""


def sample(name):
    """The items of `data/samples/<task>`, our own small data in the task's format."""
    return list(TASKS[name].read(_sample_path(name)))


def _sample_path(name):
    folder = ROOT / "data" / "samples" / name
    found = [path for path in folder.iterdir() if path.suffix not in (".md", ".toml")] if folder.is_dir() else []
    demand(found, f"there is no data/samples/{name}: put a small file of our own in the task's format there.")
    return found[0] if len(found) == 1 else folder


@tasks
def test_it_says_what_it_is_and_is_tested_on_its_own(name):
    demand(not (problem := unloadable(TASKS, "tasks", name)), problem)
    task, where = TASKS[name], f"core/pairlens/tasks/{name}.py"
    cited, known = bool(task.paper) == bool(task.cites), task.rules and set(task.rules) <= set(RULES)
    wrong = {
        "`version` must be a whole number from 1 on": task.version >= 1,
        "`title` and `noun` must say something": task.title and task.noun,
        "`about` must be the question that the task asks, with its question mark": task.about.endswith("?"),
        f"`rules` must name rules of core/pairlens/rules.py: {', '.join(RULES)}": known,
        "`groups` must name at least one column, and each once": len(set(task.groups)) == len(task.groups) > 0,
        "`averaged` must name columns that `groups` names": set(task.averaged) <= set(task.groups),
        f"`prediction` must be one of {', '.join(get_args(Prediction))}": task.prediction in get_args(Prediction),
        "`paper` needs `cites`, the keys of its entries in papers.bib, and `cites` need `paper`": cited,
        f"`sets` must name presets: {', '.join(PRESETS)}": set(task.sets) <= set(PRESETS),
        "`metrics` must name at least one metric": task.metrics,
    }
    said = [f"{where}: {rule}." for rule, holds in wrong.items() if not holds]
    said += [
        f"{where}: there is no metric {metric}: add core/pairlens/metrics/{metric}.py or leave it out of `metrics`."
        for metric in task.metrics
        if metric not in METRICS
    ]
    if not named_in_tests(name, "core", "parity"):
        file = f"tests/core/tasks/test_{name}.py"
        said.append(f"no test names the task {name}: add {file} with a number that is known.")
    say(said + uncited(where, task.cites))


@usable
def test_its_metrics_mean_something_under_its_rules_and_every_preset_can_be_set(name):
    task, where = TASKS[name], f"core/pairlens/tasks/{name}.py"
    known = {metric: METRICS[metric] for metric in task.metrics if metric in loadable(METRICS, "metrics")}
    for metric in known.values():
        demand(
            not metric.under or set(metric.under) & set(task.rules),
            f"{where}: {metric.name} means something under {', '.join(metric.under)} only: name one of these in "
            "`rules`, or leave the metric out.",
        )
    usual = known[task.metrics[0]].under if task.metrics[0] in known else ()
    assert [preset_for(preset, task.sets).name for preset in PRESETS] == [*PRESETS]
    demand(
        not usual or task.rules[0] in usual,
        f"{where}: the first of `metrics` means nothing under {task.rules[0]}, the first of `rules`: reorder one.",
    )


@usable
def test_its_sample_gives_well_formed_items_and_confidential_texts_are_in_no_id_and_no_group(name):
    items = sample(name)
    assert sample(name) == items
    folder, file = f"data/samples/{name}", f"core/pairlens/tasks/{name}.py"
    demand(len(items) >= ENOUGH, f"{folder} has {len(items)} items: add some, a sample needs {ENOUGH}.")
    demand(len({item.id for item in items}) == len(items), f"{file}: two items of {folder} have the same id.")
    decides = any(METRICS[metric].averages for metric in TASKS[name].metrics if metric in METRICS)
    for item in items:
        say([f"{file}: item {item.id} of {folder} {found}." for found in _malformed(item, name, 2 if decides else 1)])
    for item in items if TASKS[name].confidential else ():
        shown = " | ".join((item.id, *item.groups, *item.groups.values()))
        texts = {part.strip() for c in item.candidates for part in (c.context, c.text, c.context + c.text)}
        assert not [text for text in texts - {""} if text in shown]


def _malformed(item, name, least):
    labels = [candidate.label for candidate in item.candidates]
    if len(labels) < least:
        yield f"has {len(labels)} candidates, its metrics need {least}"
    if len(set(labels)) < len(labels):
        yield f"has candidates with the same label ({', '.join(labels)})"
    if item.gold is not None and item.gold not in labels:
        yield f"has the right label '{item.gold}', which none of its candidates has ({', '.join(labels)})"
    for candidate in item.candidates:
        if not candidate.text.strip():
            yield f"has a candidate '{candidate.label}' without text"
        elif not _separated_once(candidate):
            yield f"has no space, or two, between context and text of '{candidate.label}': give it to one of them"
        if not all(0 <= start < end <= len(candidate.text) for start, end in candidate.regions.values()):
            yield f"has a region of '{candidate.label}' that is not within its text"
    if lacking := [group for group in TASKS[name].groups if group not in item.groups]:
        yield f"lacks {', '.join(lacking)}, which `groups` names: give it in the item's groups"
    if unlike := [group for group, value in item.groups.items() if not isinstance(value, str)]:
        yield f"has groups that are no texts: {', '.join(unlike)}"


def _separated_once(candidate):
    """White space between context and text belongs to one of them, not to both."""
    return not candidate.context or candidate.context[-1].isspace() != candidate.text[0].isspace()


@usable
def test_a_file_in_another_format_or_a_missing_one_is_one_sentence(name, tmp_path):
    ours = _sample_path(name)
    file = ours if ours.is_file() else min(ours.iterdir())
    path, empty = tmp_path / f"wrong{''.join(file.suffixes)}".removesuffix(".gz"), tmp_path / "empty"
    empty.mkdir()
    for content in ("", "\n", "{", "[1, 2]", '{"a": 1}\n', "a,b\n1,2\n", "\x00\x01\x02"):
        path.write_text(content)
        assert "wrong" in error_of(lambda: list(TASKS[name].read(path)))
    for place in (tmp_path / "nowhere", empty):
        error_of(lambda place=place: list(TASKS[name].read(place)))
