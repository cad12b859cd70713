"""What the columns of tables about runs are, once for reports, comparisons and policies."""

from collections.abc import Iterable
from dataclasses import replace

import pandas as pd

from pairlens.results.result import Column

_VALUE, _COUNT = "value", ",.0f"
"""Forms of numbers in the scale of the metric, and of counts."""
_TEXTS = ("formula", "context", "right", "rival", "texts")
_DRAWN = (
    Column("run", "Run", "The model, with what tells its run from others."),
    Column("reference", "Reference", "The run that is subtracted."),
    Column("metric", "Number", "Which of the task's numbers."),
    Column("group_by", "By", "The column that the group is a value of; overall: all items."),
    Column("group", "Group", "A value of that column; overall: how the mean is taken."),
    Column("section", "Phenomenon", "What the group belongs to."),
    Column("value", "Value", "The number, in a difference over the items that count in both.", form=_VALUE),
    Column("value_reference", "Reference", "The same of the run that is subtracted.", form=_VALUE),
    Column("difference", "Difference", "The run minus the reference.", form=_VALUE),
    Column("low", "95 % from", "The lower bound of the 95 % interval.", form=_VALUE),
    Column("high", "95 % to", "The upper bound of the 95 % interval.", form=_VALUE),
    Column("chance", "A blind guess", "What choosing at random would reach.", form=_VALUE),
    Column("length_only", "By length alone", "What the number of tokens alone would reach.", form=_VALUE),
    Column("over", "Over", "What the interval is over."),
    Column("n", "Items", "Items that count, in a difference in both runs.", form=_COUNT),
    Column("ties", "Ties", "Items whose candidates are equally likely.", form=_COUNT),
    Column("undecided", "Too close", "Decided by less than 1e-4 nats: another device could turn it.", form=_COUNT),
    Column("excluded", "Left out", "Items of which a candidate could not be scored.", form=_COUNT),
    Column("n_clusters", "Independent", "How many of the items are independent.", form=_COUNT),
    Column("formula", "Formula", "How it is computed."),
    Column("only_run", "Only the run", "Items right in this run alone.", form=_COUNT),
    Column("only_reference", "Only the reference", "Items right in the reference alone.", form=_COUNT),
    Column("p", "p (exact)", "Of exchanging the runs' answers, cluster by cluster.", form=".3g"),
    Column("p_holm", "p (Holm)", "Corrected for all tests of its kind: those overall, or by group.", form=".3g"),
    Column("clear", "Clear", "The interval does not hold 0, and the corrected p-value, if any, is below 0.05."),
    Column("line", "Line", "All items, or a group of them."),
    Column("checkpoint", "Checkpoint", "The checkpoint's name."),
    Column("words", "Seen", "How much it had seen in training.", form=_COUNT),
    Column("same_as", "Same weights as", "An earlier checkpoint with the same weights."),
    Column("item", "Item", "The item's id."),
    Column("right_in", "Right in", "run or reference where one alone is right; else both, neither or part."),
    Column("prediction", "Prediction", "What is predicted of its candidates."),
    Column("surprisals", "Surprisals", "What each candidate costs."),
    Column("context", "After", "What stands before all candidates."),
    Column("right", "Right", "The right candidate."),
    Column("rival", "Wrong", "The best other candidate, or what the run that errs prefers."),
    Column("texts", "Texts", "All candidates."),
    Column("why", "Why", "Why it is no clear decision."),
    Column("margin", "Margin", "By how much the right candidate is ahead; below 0 another is.", "bits", ".2f"),
    Column("margin_reference", "Margin in the reference", "The same in the reference.", "bits", ".2f"),
    Column("change", "Change", "The run's margin minus the reference's.", "bits", "+.2f"),
    Column("paradigm", "Paradigm", "The item's group."),
    Column("here", "This run", "The run's own decision."),
    Column("agree", "Policies that agree", "How many policies decide as the run does."),
    Column("of", "Of", "How many policies there are."),
    Column("against", "Decided differently under", "The other policies, with their decisions."),
)
_IN_FILES = (
    Column("run_id", "Id", "The run's id in the store."),
    Column("reference_id", "Id of the reference", "Its id in the store."),
    Column("basis", "Compared by", "same: all items; shared: those with the same id and texts; apart: two numbers."),
    Column("freedom", "Degrees of freedom", "Degrees of freedom of the interval."),
    Column("n_contrasts", "Contrasts", "How many contrasts the words of the pairs seem to make."),
    Column("low_contrasts", "New contrasts from", "Lower bound of the 95 % interval over new contrasts."),
    Column("high_contrasts", "to (new contrasts)", "Upper bound of the 95 % interval over new contrasts."),
    Column("unscored", "Unscored", "Items left out because this run could not score them."),
    Column("unscored_reference", "Unscored in the reference", "Those that the reference could not score."),
    Column("p_mcnemar", "p (McNemar)", "McNemar's exact p-value, which takes items as independent."),
    Column("unit", "Unit", "What is counted."),
)
_COLUMNS = {one.name: one for one in (*_DRAWN, *(replace(one, drawn=False) for one in _IN_FILES))}


def columns(names: Iterable[str], form: str = "", **titles: str) -> list[Column]:
    """The columns of these names, numbers in the metric's scale in this form; `titles` are other titles by name."""
    return [
        replace(one, title=titles.get(one.name, one.title), form=form if one.form == _VALUE else one.form)
        for one in map(_COLUMNS.__getitem__, names)
    ]


def of_frame(frame: pd.DataFrame, main: str, form: str = "", **titles: str) -> list[Column]:
    """Those of a table; texts that are missing and groups of items other than the main one are in files only."""
    described = []
    for name in map(str, frame):
        if name in _COLUMNS:
            (column,) = columns([name], form, **titles)
            filled = name not in _TEXTS or bool(frame[name].fillna("").astype(bool).any())
            described.append(replace(column, drawn=column.drawn and filled))
        else:
            described.append(Column(name, name.replace("_", " "), "A group of the item.", drawn=name == main))
    return described
