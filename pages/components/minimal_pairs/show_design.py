"""What was made of the table, and which way the numbers go: said before anything is scored."""

from __future__ import annotations

from core.files.tables import read_as
from core.studies.experiment import wording
from core.studies.experiment.design import Design
from pages.components.minimal_pairs import resources as kept
from pages.components.shared import notices, resources
from pages.components.shared.experiment import Experiment


def show_design(design: Design, experiment: Experiment, measure: str) -> None:
    """The direction of every difference; the sentences, pairs and conditions; the columns that gave them."""
    if direction := wording.direction(design, measure):
        notices.write("$direction", direction=direction)
    for remark in filter(None, (tell(design) for tell in wording.REMARKS)):
        notices.warning(remark)
    if said := wording.chunked(design):
        notices.warning(f"{said} To read chunks as regions, switch that on under Columns.")
    table, _ = resources.experiment_table(experiment.source)
    read = "" if experiment.source.ours else read_as(table)
    summary, columns = wording.summary(design), kept.columns_in_words(experiment)
    notices.write("$summary $columns $read", "pl-quiet", summary=summary, columns=columns, read=read)
