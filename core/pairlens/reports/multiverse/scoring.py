"""The missing scores of a multiverse, computed as ordinary runs of the same data, the same as from `zero-shot`."""

import dataclasses
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

import pandas as pd

from pairlens.errors import InputError, ModelError
from pairlens.evaluation.estimate import estimate
from pairlens.evaluation.evaluate import Context, run
from pairlens.evaluation.requests import Plan, plan
from pairlens.evaluation.zero_shot import sample
from pairlens.files.datasets import located
from pairlens.places import bundled
from pairlens.reports.multiverse.layout import Layout, Way, preset_as, presets_of
from pairlens.rules import RULES
from pairlens.scorers import SCORERS
from pairlens.scoring.into_store import Progress
from pairlens.scoring.recipe import Recipe
from pairlens.statistics.candidates import group_columns
from pairlens.store import Store
from pairlens.store.runs import ITEMS
from pairlens.types import Candidate, Item, Scorer

_FROM_TEXTS = ("joint", "conditional", "shared", "pmi")
"""Rules that need only the texts, which a run stores."""
_OURS = "our sample"


def needed(layout: Layout) -> list[tuple[Recipe, str]]:
    """Recipe and rule of the runs that will hold the missing scorings. ModelError if the model no longer exists."""
    if layout.model is None:
        raise ModelError(layout.absent)
    kind = SCORERS[layout.manifest["scorer"]]
    by_scoring: dict[tuple[object, ...], list[Way]] = {}
    for way in layout.missing:
        by_scoring.setdefault(way.scoring, []).append(way)
    scorings = []
    for ways in by_scoring.values():
        presets = [name for way in ways for name in presets_of(way, layout.task)]
        policy, origin = ways[0].policy, ways[0].policy.name.partition(",")[0]
        if presets:
            policy = preset_as(presets[0], layout.task, policy)
        else:  # named after its preset, and that it differs from it
            policy = policy.but(name=f"{origin}, changed" if policy.changes() else origin)
        scorings.append((Recipe(layout.model, kind, policy), ways[0].rule))
    return scorings


def seconds(layout: Layout, store: Store) -> float:
    lacking = ((recipe, _lacking(recipe, rule, layout, store)) for recipe, rule in needed(layout))
    return sum(estimate(texts, recipe, store).seconds for recipe, texts in lacking if texts)


def _lacking(recipe: Recipe, rule: str, layout: Layout, store: Store) -> int:
    """How many texts of a scoring are not stored: all, unless the run keeps its texts and shares their scores."""
    if recipe.fingerprint != layout.manifest["fingerprint"] or not _keeps(layout, rule):
        return int(layout.manifest["n_requests"])
    return plan(layout.task, items_of(store.items(layout.run_id)), recipe, rule).missing(store)


def score_missing(
    layout: Layout, store: Store, *, data: Path | None = None, scorer: Callable[[Recipe], Scorer] = Recipe.open
) -> Iterator[Progress]:
    """Score all that is missing and store the runs, one after the other; progress counts the texts of all.

    `data` are the run's, needed if they are to be read again and not found by name; InputError if missing or changed.
    """
    plans = _plans(layout, store, data)
    total, done, scored, reused, seconds = sum(len(plan.requests) for plan in plans), 0, 0, 0, 0.0
    yield Progress(total, 0, 0, 0, 0.0)
    for planned in plans:
        last = Progress(0, 0, 0, 0, 0.0)
        named = {name: layout.manifest[name] for name in ("data", "title")}
        for last in run(planned, Context(store, **named, scorer=partial(scorer, planned.recipe))):
            yield dataclasses.replace(
                last, total=total, done=done + last.done, reused=reused + last.reused, scored=scored + last.scored,
                seconds=seconds + last.seconds,
            )  # fmt: skip
        done, scored, reused = done + last.total, scored + last.scored, reused + last.reused
        seconds += last.seconds


def _plans(layout: Layout, store: Store, data: Path | None) -> list[Plan]:
    """The plans of the missing runs, all checked to be on the run's own data."""
    rebuilt = cache(lambda: items_of(store.items(layout.run_id)))
    read = cache(lambda: list(layout.task.read(_data(layout, data))))
    plans = []
    for recipe, rule in needed(layout):
        planned = plan(layout.task, rebuilt() if _keeps(layout, rule) else read(), recipe, rule)
        if planned.data != layout.manifest["data_hash"]:
            raise InputError(f"These are not the data of run '{layout.run_id}': name them with --data.")
        plans.append(planned)
    return plans


def _keeps(layout: Layout, rule: str) -> bool:
    return rule in _FROM_TEXTS and not layout.task.confidential


def items_of(rows: pd.DataFrame) -> list[Item]:
    """The items of a run, from its stored requests (`pairlens.store.runs.ITEMS`); regions are not stored."""
    rows = rows[rows["term"] == 0]
    groups = [name for name in group_columns(rows) if name not in ITEMS.names]
    candidates: dict[str, list[Candidate]] = {}
    about: dict[str, tuple[str | None, dict[str, str]]] = {}
    columns = ["item_id", "label", "gold", "context", "text", *groups]
    for item, label, gold, context, text, *values in rows[columns].itertuples(index=False, name=None):
        candidates.setdefault(item, []).append(Candidate(text, label, context))
        if item not in about:
            named = {name: value for name, value in zip(groups, values, strict=True) if not pd.isna(value)}
            about[item] = (None if pd.isna(gold) else gold, named)
    return [Item(item, tuple(its), *about[item]) for item, its in candidates.items()]


def _data(layout: Layout, data: Path | None) -> Path:
    """The path of the run's data: as given, our sample, or a fetched data set."""
    name = str(layout.manifest["data"])
    if data is not None:
        return located(data)
    if name == _OURS:
        return sample(layout.task)
    if name.startswith(f"{_OURS} ("):
        return bundled("samples", name.removeprefix(f"{_OURS} (").removesuffix(")"))
    if (path := located(Path(name))).exists():
        return path
    question = RULES[layout.missing[0].rule].about
    raise InputError(f"To ask for '{question}' again, the data '{name}' are needed: name them with --data.")
