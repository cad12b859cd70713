"""The results of an experiment, as sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pandas as pd

from core.analysis.experiment import Analysis
from core.analysis.interaction import Interaction
from core.analysis.regions import SENTENCE
from core.messages import counted
from core.scoring.recipe import Recipe
from core.statistics.few import few
from core.statistics.intervals import LEVEL
from core.studies.experiment.design import Design
from core.studies.experiment.findings import Findings
from core.studies.experiment.pairing import whole_pairs

UNITS: Mapping[str, str] = {"surp": "bits", "prob": "probability", "perplexity": "perplexity"}
"""The unit of numbers, by measure."""


def has_pairs(design: Design) -> bool:
    """Whether the table says which sentences form pairs, and which of the two is expected."""
    return {"pairid", "comparison"} <= set(design.sentences)


def is_masked(recipe: Recipe) -> bool:
    """Whether the model sees the words after a word, so that scores are not probabilities of a continuation."""
    return "pll" in recipe.kind.reads


def summary(design: Design) -> str:
    """The contents of the table: `96 sentences in 48 pairs of 12 items; conditions: verb (left, arrived).`"""
    sentences = design.sentences
    sentence = counted(len(sentences), "sentence")
    if has_pairs(design):
        sentence += f" in {counted(len(whole_pairs(sentences, design.columns.conditions)), 'pair')}"
    if "item" in sentences:
        sentence += f" of {counted(sentences['item'].nunique(), 'item')}"
    levels = {name: list(dict.fromkeys(sentences[name].astype("str"))) for name in design.columns.conditions}
    shown = [f"{name} ({', '.join(values[:4])}{', …' if len(values) > 4 else ''})" for name, values in levels.items()]
    left_out = design.excluded["row"].nunique()
    problems = f" {counted(left_out, 'row')} with a problem: see Left out." if left_out else ""
    conditions = f"; conditions: {', '.join(shown)}" if shown else ""
    return f"{sentence}{conditions}.{problems}"


def judged_by(findings: Findings) -> str:
    """The part of a sentence that decides which of two is preferred."""
    return "the whole sentence" if findings.regions["region"].iloc[0] == SENTENCE else "the region"


def preference(overall: pd.Series, judge: str) -> str:
    """How often the expected sentence wins, by `judge`; `overall` is a row of `core.analysis.by_cond`."""
    if overall["n"] == 1:
        won = f"Prefers the {'' if overall['acc'] else 'un'}expected sentence, by {judge}."
        return f"A tie, by {judge}." if overall["ties"] else won
    right = f"{overall['acc'] * overall['n']:,.10g} of {counted(int(overall['n']), 'pair')}"
    sentence = f"Prefers the expected sentence in {right}, by {judge}"
    if overall["n_items"] < 2:
        return f"{sentence}: all of one item, which says nothing about others, so there is no interval."
    between = f"{_percent(overall['acc_low'])} to {_percent(overall['acc_high'])}"
    items = counted(int(overall["n_items"]), "item")
    ties = f" {counted(int(overall['ties']), 'tie')}." if overall["ties"] else ""
    return f"{sentence}: {_percent(overall['acc'])} % (95 % interval {between}, over {items}).{ties}"


def difference(overall: pd.Series, findings: Findings) -> str:
    """How far apart the two sentences are in the region, in the measure of the analysis."""
    analysis = findings.analysis
    whole = judged_by(findings) != "the region"
    if analysis.measure != "surp":
        where, name = ("a whole sentence" if whole else "the region"), UNITS[analysis.measure]
        return (
            f"The mean {name} of {where} is {overall['expected']:.3g} where it is expected and "
            f"{overall['unexpected']:.3g} where it is not."
        )
    several = findings.by_pair[["n_words_expected", "n_words_unexpected"]].gt(1).any(axis=None)
    lead, per_word = overall["diff"], " per word" if several and analysis.region_summary == "mean" else ""
    where = f"{'A whole sentence' if whole else 'The region'} is"
    if lead == 0 and math.isnan(overall["diff_low"]):
        return f"{where} as surprising in one as in the other."
    amount = f"{_amount(abs(lead), 'surp')}{per_word} {'less' if lead <= 0 else 'more'}"
    sentence = f"{where} {amount} surprising where it is expected"
    if math.isnan(overall["diff_low"]):
        alone = " One pair says nothing about others: there is no interval." if overall["n"] == 1 else ""
        return f"{sentence}.{alone}"
    sign = -1 if lead <= 0 else 1
    low, high = sorted((sign * overall["diff_low"], sign * overall["diff_high"]))
    return f"{sentence} ({_number(low, 'surp')} to {_number(high, 'surp')})."


def interaction_of(found: Interaction, model: str, analysis: Analysis) -> str:
    """The interaction in the region of interest under a model, and whether it differs from 0."""
    row = _of_region(found.table, model)
    if row is None or math.isnan(row["mean"]):
        return "No item has scores in all four cells: there is no interaction to tell of."
    size = _amount(row["mean"], analysis.measure)
    sentence = f"The interaction of {found.factors[0]} and {found.factors[1]} is {size}"
    if math.isnan(row["low"]):
        return f"{sentence}. With fewer than two items that differ there is no interval."
    ends = (_number(row[end], analysis.measure) for end in ("low", "high"))
    effect = "the preference" if found.factors[1] == "comparison" else f"the effect of {found.factors[1]}"
    depends = f"{effect} depends on {found.factors[0]}"
    tests = int(found.table.loc[found.table["model"] == model, "p"].notna().sum())
    corrected = f", p{_p(row['p_holm'])} corrected for {tests} regions" if tests > 1 else ""
    verdict = depends if row["p_holm"] < 1 - LEVEL else f"not to be told from 0, so no sign that {depends}"
    return f"{sentence} ({' to '.join(ends)}, over {int(row['n_items'])} items{corrected}): {verdict}."


def few_items(n_items: pd.Series) -> str:
    """A warning if an interval of these is over few items; empty otherwise."""
    return few(int(n_items[n_items > 1].min()), "items") if (n_items > 1).any() else ""


def effects_of(found: Interaction, model: str, analysis: Analysis) -> str:
    """The two effects that the interaction is the difference of; empty if there are none."""
    row = _of_region(found.table, model)
    if row is None or math.isnan(row["mean"]):
        return ""
    of_model = found.effects[(found.effects["model"] == model) & (found.effects["region"] == row["region"])]
    simple = of_model[of_model["kind"] == "simple"]["mean"]
    factor, (first, second) = found.factors[0], found.levels[1]
    what = "surprisal" if analysis.measure == "surp" else UNITS[analysis.measure]
    effects = [
        f"{_amount(abs(value), analysis.measure)} {'higher' if value >= 0 else 'lower'} where {factor} is {level}"
        for value, level in zip(simple, found.levels[0], strict=True)
    ]
    name = found.factors[1]
    return f"{name[:1].upper()}{name[1:]}, {first} against {second}: {what} is {effects[0]} and {effects[1]}."


def _of_region(table: pd.DataFrame, model: str) -> pd.Series | None:
    """The row of the first region, the region of interest, of a model."""
    rows = table[table["model"] == model]
    return None if rows.empty else rows.iloc[0]


def _amount(value: float, measure: str) -> str:
    return f"{_number(value, measure)} {UNITS[measure]}" if measure == "surp" else f"{_number(value, measure)}"


def _number(value: float, measure: str) -> str:
    """Bits with one decimal, below 1 with two; else three digits. A true minus sign, and none before 0.00."""
    text = f"{value:.{1 if abs(value) >= 1 else 2}f}" if measure == "surp" else f"{value:.3g}"
    return "0.00" if text == "-0.00" else text.replace("-", "−")


def _p(p: float) -> str:
    return " < 0.001" if p < 0.001 else f" = {p:.2g}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f}"
