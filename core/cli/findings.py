"""The results of an experiment, printed: sentences and tables to standard output, exclusions to standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import typer

from core.analysis.by_cond import cells, overall
from core.cli import console
from core.studies.experiment import wording

if TYPE_CHECKING:
    from core.studies.experiment.running import Result

_LISTED = 20
"""The most exclusions printed; the file of results has those of all sentences and pairs."""
_NAMES = ("model", "row", "sentid", "pairid", "region", "item")
_INTERACTION = (wording.interaction_of, wording.effects_of)
_SHOWN = ("acc", "diff", "expected", "unexpected", "n", "ties")
_WRITTEN = {"float_format": "%.6f", "na_rep": "NA"}


def show(result: Result) -> None:
    """Per model how often the expected sentence wins; then conditions, interaction, contrast, and the files."""
    _show_excluded(result.excluded)
    if direction := wording.direction(result.design, result.analysis.measure):
        typer.echo(direction)
    if wording.has_pairs(result.design):
        judge = wording.judged_by(result)
        if result.by_pair.empty:
            typer.echo("No pair is left to be compared.")
        for _, row in overall(result.by_cond).iterrows():
            typer.echo(f"{row['model']}: {wording.preference(row, judge, result.design.columns)}")
            _warn(result.by_cond[result.by_cond["model"] == row["model"]])
        columns = ["model", *result.design.columns.conditions, *_SHOWN]
        console.print_table(cells(result.by_cond)[columns], **_WRITTEN)
    else:
        console.print_table(result.means.drop(columns="skew").dropna(axis="columns", how="all"), **_WRITTEN)
        if result.interaction is None:
            _warn(result.means, "items" if "item" in result.design.sentences else "sentences")
    if result.interaction is not None:
        for model in result.interaction.table["model"].unique():
            said = (tell(result.interaction, model, result.analysis) for tell in _INTERACTION)
            typer.echo(f"{model}: {' '.join(said)}")
            if result.everywhere is not None:
                typer.echo(wording.by_region_of(result.everywhere, model, result.analysis))
        _warn(result.interaction.table)
        _show_excluded(result.interaction.excluded)
    if result.contrast is not None:
        console.print_table(result.contrast.table, **_WRITTEN)
        _warn(result.contrast.table)
        _show_excluded(result.contrast.excluded)
    for name, path in result.files.items():
        typer.echo(f"{name}: {path}")


def _warn(rows: pd.DataFrame, units: str = "items") -> None:
    if warning := wording.few_items(rows, units):
        typer.echo(warning)


def _show_excluded(excluded: pd.DataFrame) -> None:
    for row in excluded.head(_LISTED).to_dict("records"):
        names = [f"{what} {row[what]}" for what in _NAMES if row.get(what)]
        console.say(f"left out: {', '.join(names)}: {row['reason']}")
    if (more := len(excluded) - _LISTED) > 0:
        console.say(f"left out: and {more:,} more")
