"""Rows that are excluded from an experiment or from its pairs."""

from __future__ import annotations

from core.studies.experiment.design import Design
from core.studies.experiment.pairing import broken_pairs
from core.studies.lint._check import Check, Found, found
from core.studies.lint._stimuli import Stimuli


def _find(stimuli: Stimuli) -> Found | None:
    if stimuli.design is None:
        return None
    reasons = stimuli.design.excluded.groupby(["row", "sentid"], sort=False)["reason"].agg("; ".join).reset_index()
    rows = reasons.assign(item=reasons["sentid"], row=reasons["row"].astype("Int64").replace(0, None))
    predicate = "are left out, or without a partner or a region"
    return found(rows, _n_rows(stimuli.design), "row", predicate, lambda row: row.reason)


def _n_rows(design: Design) -> int:
    """The sentences of the design, and the excluded rows that are not among them."""
    sentences = design.sentences
    listed = (broken_pairs(sentences, design.columns.conditions) != "").sum()
    listed += sum(roi == () for roi in sentences.get("roi", ()))
    return len(sentences) + len(design.excluded) - int(listed)


CHECK = Check(
    name="left_out",
    title="Unused rows",
    severity="warning",
    meaning="The results use fewer sentences than the table has.",
    find=_find,
)
