"""Result folders as other systems write and read them."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd

from core.analysis.summary import OVERALL
from core.errors import InputError
from core.metrics import METRICS
from core.metrics.accuracy import sentence_values
from core.policies import Policy

REPORT = "best_temperature_report.txt"
PREDICTIONS = "predictions.json"
_SECTIONS = ("field", "UID", "linguistics_term")
"""The order of a report's blocks; other groups follow."""
_ENDINGS = (".gz", ".xz", ".jsonl")


def write_babylm(
    output_dir: Path,
    model_name: str,
    revision: str,
    backend: str,
    task: str,
    data_path: Path,
    candidates: pd.DataFrame,
    summary: pd.DataFrame,
    policy: Policy,
) -> Path:
    """Write the folder of the BabyLM 2025 evaluation pipeline for a run, and return it.

    `<output_dir>/<model>/<revision or main>/zero_shot/<backend>/<task>/<data>/` with a report of accuracies in per
    cent and the preferred text of every item. As there, the average is over paradigms, but fields and terms are
    averaged over items; ties count as the policy says. Two differences: the model's folder is the whole last part of
    its name (the pipeline drops what follows the last dot, so that versions 1.5 and 1.6 of a model overwrite each
    other), and an item that could not be scored has an empty prediction and is in no average. Confidential tasks,
    whose candidates have no text here, get no predictions.
    `summary` is that of `core.analysis.summary`. Raises InputError if the folder cannot be written.
    """
    groups = [name for name in summary["group_by"].unique() if name != OVERALL]
    model, branch = Path(model_name).resolve().name, (revision or "main").replace("/", "-")
    folder = output_dir / model / branch / "zero_shot" / backend / task / _data_name(data_path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / REPORT).write_text(_report(candidates, summary, groups, policy), encoding="utf-8")
        if candidates["text"].notna().all():
            predictions = _predictions(candidates, groups[0], policy)
            (folder / PREDICTIONS).write_text(json.dumps(predictions, ensure_ascii=False), encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}.", str(folder)) from None
    return folder


def _data_name(path: Path) -> str:
    name = path.resolve().name
    for ending in _ENDINGS:
        name = name.removesuffix(ending)
    return name


def _report(candidates: pd.DataFrame, summary: pd.DataFrame, groups: list[str], policy: Policy) -> str:
    statistics = METRICS["accuracy"].statistics(candidates, policy)
    lines = ["TEMPERATURE: 1.00", ""]
    for group in sorted(groups, key=lambda name: _SECTIONS.index(name) if name in _SECTIONS else len(_SECTIONS)):
        means = statistics.groupby(group, sort=False)["correct"].mean().dropna()
        lines += [f"### {group.upper()} ACCURACY", *(f"{name}: {mean:.2%}"[:-1] for name, mean in means.items()), ""]
    lines += ["### AVERAGE ACCURACY", f"{summary['value'].iloc[0]:.2%}"[:-1], ""]
    return "\n".join(lines) + "\n"


def _predictions(candidates: pd.DataFrame, uid: str, policy: Policy) -> dict[str, dict[str, list[dict[str, str]]]]:
    """The text that scores highest, the first one in a tie; items are numbered per paradigm in reading order."""
    valued = candidates.assign(value=sentence_values(candidates, policy))
    valued["unscored"] = valued["value"].isna().groupby(valued["item"]).transform("any")
    best = valued.sort_values("value", ascending=False, kind="stable").drop_duplicates("item").set_index("item")
    best = best.loc[candidates["item"].unique()]
    texts = best["text"].mask(best["unscored"], "")
    return {
        str(name): {"predictions": [{"id": f"{name}_{number}", "pred": text} for number, text in enumerate(part)]}
        for name, part in texts.groupby(best[uid], sort=False)
    }
