"""What an experiment found, printed: sentences and tables on standard output, what is left out on standard error."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pandas as pd
import typer

from core.analysis.by_cond import cells, overall
from core.cli import console
from core.studies.experiment import wording

if TYPE_CHECKING:
    from core.studies.experiment.running import Result

_LISTED = 20
"""So many of the sentences, pairs or items that are left out are printed; the file has all sentences and pairs."""
_NAMES = ("model", "row", "sentid", "pairid", "region", "item")
_INTERACTION = (wording.interaction_of, wording.effects_of)
_SHOWN = ("acc", "diff", "expected", "unexpected", "n", "ties")


def show(result: Result) -> None:
    """Per model how often the expected sentence wins; then conditions, interaction, contrast, and the files."""
    found = result.findings
    _show_excluded(found.excluded)
    if wording.has_pairs(found.design):
        judge = wording.judged_by(found)
        if found.by_pair.empty:
            typer.echo("No pair is left to be compared.")
        for _, row in overall(found.by_cond).iterrows():
            typer.echo(f"{row['model']}: {wording.preference(row, judge)}")
        columns = ["model", *found.design.columns.conditions, *_SHOWN]
        _show_table(cells(found.by_cond)[columns])
    if result.interaction is not None:
        for model in result.interaction.table["model"].unique():
            said = (tell(result.interaction, model, found.analysis) for tell in _INTERACTION)
            typer.echo(f"{model}: {' '.join(said)}")
        _show_excluded(result.interaction.excluded)
    if result.contrast is not None:
        _show_table(result.contrast.table)
        _show_excluded(result.contrast.excluded)
    for name, path in result.files.items():
        typer.echo(f"{name}: {path}")


def _show_table(table: pd.DataFrame) -> None:
    table.to_csv(sys.stdout, sep="\t", index=False, lineterminator="\n", float_format="%.6f", na_rep="NA")


def _show_excluded(excluded: pd.DataFrame) -> None:
    for row in excluded.head(_LISTED).to_dict("records"):
        names = [f"{what} {row[what]}" for what in _NAMES if row.get(what)]
        console.say(f"left out: {', '.join(names)}: {row['reason']}")
    if (more := len(excluded) - _LISTED) > 0:
        console.say(f"left out: and {more:,} more")
