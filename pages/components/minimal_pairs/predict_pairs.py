"""Predict first: some pairs of the experiment to decide on before its results, and one's own choices beside them."""

from __future__ import annotations

from core.studies.experiment.design import Design
from core.studies.experiment.findings import Findings
from core.studies.experiment.predicting import beside, tally, to_predict
from pages.components.shared import notices
from pages.components.shared.predict_first import ask_for_better, choice_of, predicts_first, show_reveal
from pages.components.shared.tables import show_table

QUESTION = "experiment"


def question(design: Design) -> object:
    """What is revealed together: all pairs that are asked for."""
    return QUESTION, *to_predict(design)


def ask(design: Design) -> None:
    """The pairs, and the button that shows the results."""
    if pairs := list(to_predict(design)):
        ask_for_better(pairs, question(design))
    else:
        notices.note("The table has no pairs, so there is no better sentence to choose.")
        show_reveal(question(design))


def show_own(findings: Findings) -> None:
    """What the visitor chose beside what the models prefer, if she chose anything."""
    if not predicts_first() or not (pairs := to_predict(findings.design)):
        return
    table = beside(findings, {pair: choice_of(pair) for pair in pairs})
    if len(table):
        notices.write("$said", "pl-second", said=tally(table, findings.design.columns.expected))
        show_table(table, alt="One row per pair that you decided: both sentences, your choice, each model's")
