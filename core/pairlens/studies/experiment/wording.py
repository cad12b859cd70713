"""The results of an experiment, as sentences."""

import math
from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from pairlens.analysis.experiment import EXPECTED, MOST_SPILL, UNEXPECTED, Analysis, Columns
from pairlens.analysis.interaction import Interaction
from pairlens.analysis.regions import SENTENCE, per_word
from pairlens.messages import Message, counted
from pairlens.scoring.recipe import Recipe
from pairlens.statistics.few import few, p_value
from pairlens.statistics.intervals import LEVEL
from pairlens.studies.experiment.columns import as_text, others
from pairlens.studies.experiment.design import Design, has_chunks
from pairlens.studies.experiment.findings import Findings, usual_factors
from pairlens.tasks._pair_columns import SIDES
from pairlens.text.faults import Faults
from pairlens.text.lexical_sets import shared_words

NO_PAIR = "No pair can be compared."
SCALES = "Causal and masked models score on different scales: compare their choices, not their numbers."
UNITS: Mapping[str, str] = {"surp": "bits", "prob": "probability", "perplexity": "perplexity"}


def unit(measure: str, per_word: bool) -> str:
    """The unit of numbers of a region, which may be means over its words."""
    return f"{UNITS[measure]} per word" if per_word else UNITS[measure]


def unit_of(findings: Findings) -> str:
    first = findings.regions[findings.regions["region"] == findings.regions["region"].iloc[0]]
    return unit(findings.analysis.measure, per_word(first, findings.analysis))


def measured(findings: Findings) -> str:
    """What is measured, with its unit: `Surprisal (bits)`."""
    measure = findings.analysis.measure
    return f"Surprisal ({unit_of(findings)})" if measure == "surp" else UNITS[measure].capitalize()


def has_pairs(design: Design) -> bool:
    """Whether the table says which sentences form pairs, and which of the two is expected."""
    return {"pairid", "comparison"} <= set(design.sentences)


def why_no_pairs(design: Design) -> tuple[str, str]:
    """Why a design has no pairs, and what to do about it."""
    preferred, cell = "To ask which of two sentences is preferred, name ", ["item", *design.factors]
    if "comparison" not in design.sentences:
        why = "Nothing is compared: the table has no pairs."
        return why, f"{preferred}the columns of items and of the comparison."
    if "item" not in design.sentences:
        why = "Nothing says which sentences belong together: no column of items is named."
        return why, f"{preferred}the column of items (or that of pairs)."
    if design.sentences.groupby([design.sentences[name] for name in cell]).size().gt(1).any():
        return (
            "No two sentences are a pair: an item has several in the same conditions; each mean is over all of them.",
            "To ask which of two is preferred, name the column of pairs, or the condition that tells them apart.",
        )
    why = "No item has both sides of the comparison in the same conditions: there are no pairs."
    return why, f"{preferred}other columns of items or conditions."


def is_masked(recipe: Recipe) -> bool:
    """Whether the model sees the words after a word, so that scores are not probabilities of a continuation."""
    return "pll" in recipe.kind.reads


def summary(design: Design) -> str:
    """The contents of the table: `96 sentences in 48 pairs of 12 items; conditions: verb (left, arrived).`"""
    sentences, paired = design.sentences, has_pairs(design)
    sentence = counted(len(sentences), "sentence")
    if paired:
        pairs = design.pairs
        sentence += f" in {counted(len(pairs), 'pair')}"
        if n := int((pairs[EXPECTED] == pairs[UNEXPECTED]).sum()):
            sentence += f" ({n:,} of two identical sentences: a tie, whatever the model)"
    if "item" in sentences:
        sentence += f" of {counted(sentences['item'].nunique(), 'item')}"
    levels = {name: list(dict.fromkeys(sentences[name].astype("str"))) for name in design.columns.conditions}
    shown = [f"{name} ({', '.join(values[:4])}{', …' if len(values) > 4 else ''})" for name, values in levels.items()]
    sentence += f"; conditions: {', '.join(shown)}." if shown else "."
    if "comparison" in sentences and not paired:
        sentence += f" {why_no_pairs(design)[0]}"
    return sentence


def regionless(design: Design) -> str:
    """How many sentences have no region though the table has a column of regions, and why the first has none."""
    roi = design.sentences.get("roi", pd.Series(dtype=object))
    if not (empty := roi.map(lambda one: one == ())).any():
        return ""
    first = design.excluded[design.excluded["sentid"] == design.sentences["sentid"][empty].iloc[0]].iloc[0]
    n = f"{int(empty.sum()):,} of {counted(len(roi), 'sentence')}"
    return f"{n} have no region of interest, the first in row {first['row']}: {first['reason']}."


def chunked(design: Design) -> str:
    """How many sentences have words that `_` joins, which a model would read as it stands; empty for none."""
    sentences = design.sentences["sentence"]
    n = int(sentences.map(has_chunks).sum())
    return f"In {n:,} of {counted(len(sentences), 'sentence')} _ joins words, and the model reads it." if n else ""


def faults(design: Design) -> str:
    """What data lint calls an error in the sentences: in how many, which, and where; empty for none."""
    looked_at = Faults()
    for name, text in design.sentences[["sentid", "sentence"]].itertuples(index=False, name=None):
        looked_at.look(text, name)
    return looked_at.in_words("sentence")


def lexical_sets(design: Design) -> str:
    """A warning if the items, or what stands for them, evidently share their words; empty otherwise."""
    units = {"item": "items", "pairid": "pairs", "sentid": "sentences"}
    unit = next(name for name in units if name in design.sentences)
    texts = [" ".join(texts) for _, texts in design.sentences.groupby(unit, sort=False)["sentence"]]
    return shared_words(texts, units[unit], "Name the column of these sets as that of items.")


REMARKS = (regionless, faults, lexical_sets)
"""What is said of a design before it is scored."""


def columns(roles: Columns, table: pd.DataFrame) -> str:
    """The roles of a table's columns in one line, and why the others have none."""
    written, named = as_text(table), roles.sides
    texts = " and ".join(named) if {*named} <= {*written} else "not known, choose it under Columns"
    same_item = f"the same {roles.item} in the same conditions" if roles.item and roles.comparison else ""
    played = {
        "sentences": roles.sentence or texts,
        "pairs": roles.pairid or same_item,
        "comparison": f"{roles.comparison} ({', '.join(named)})" if roles.comparison else "",
        "items": roles.item,
        "region": roles.roi,
        "conditions": ", ".join(roles.conditions),
    }
    line = f"Columns: {' · '.join(f'{role} = {column}' for role, column in played.items() if column)}."
    unused: dict[str, list[str]] = {}
    for name, reason in others(written, roles):
        unused.setdefault(reason, []).append(name)
    left = "; ".join(f"{', '.join(names)} ({reason})" for reason, names in unused.items())
    return f"{line} Not used: {left}." if left else line


def sides(columns: Columns) -> tuple[str, str]:
    """What sentences call the two sides of the comparison: `the grammatical sentence`, else the table's own name."""
    adjectives = {adjective for pair in SIDES for adjective in pair}
    first, second = (
        f"the {side} sentence" if side.casefold() in adjectives else f"‘{side}’" for side in columns.sides
    )
    return first, second


def direction(design: Design, measure: str) -> str:
    """Which of two should win, and what the sign of a difference means; empty where nothing is compared."""
    if "comparison" in design.sentences:
        better, other = design.columns.sides
        lead = f"‘{better}’ should win."
    elif factors := usual_factors(design):
        better, other = (str(level) for level in design.sentences[factors[-1]].dropna().unique())
        lead = f"No comparison is named, so nothing should win; {' and '.join(factors)} are crossed."
    else:
        return ""
    sign, than = ("positive", "more probable") if measure == "prob" else ("negative", "less surprising")
    return f"{lead} A {sign} difference means: ‘{better}’ is {than} than ‘{other}’."


def all_identical(design: Design) -> str:
    """What to say instead of a result where the two sentences of every pair are the same; empty otherwise."""
    if design.pairs.empty or (design.pairs[EXPECTED] != design.pairs[UNEXPECTED]).any():
        return ""
    return "The two sentences of every pair are identical: there is nothing to compare."


def judged_by(findings: Findings) -> str:
    return "the whole sentence" if findings.regions["region"].iloc[0] == SENTENCE else "the region"


def preference(overall: pd.Series, judge: str, columns: Columns | None = None) -> str:
    """How often the expected sentence wins, by `judge`; `overall` is a row of `pairlens.analysis.by_cond`."""
    better, other = sides(columns or Columns())
    if overall["ties"] == overall["n"]:
        each = "" if overall["n"] == 1 else f" in each of {counted(int(overall['n']), 'pair')}"
        return f"A tie{each}, by {judge}."
    if overall["n"] == 1:
        return f"Prefers {better if overall['acc'] else other}, by {judge}."
    right = f"{overall['acc'] * overall['n']:,.10g} of {counted(int(overall['n']), 'pair')}"
    sentence = f"Prefers {better} in {right}, by {judge}"
    if overall["n_items"] < 2:
        return f"{sentence}: all of one item, which says nothing about others, so there is no interval."
    share, low, high = (f"{100 * overall[name]:.0f}" for name in ("acc", "acc_low", "acc_high"))
    items = counted(int(overall["n_items"]), "item")
    ties = f" {counted(int(overall['ties']), 'tie')}." if overall["ties"] else ""
    return f"{sentence}: {share} % (95 % interval {low} to {high}, over {items}).{ties}"


def difference(overall: pd.Series, findings: Findings) -> str:
    measure, roles, whole = findings.analysis.measure, findings.design.columns, judged_by(findings) != "the region"
    here, there = "where it is expected", "where it is not"
    if roles.sides != (EXPECTED, UNEXPECTED):
        here, there = (f"in {side}" for side in sides(roles))
    if measure != "surp":
        of = f"{UNITS[measure]} of {'a whole sentence' if whole else 'the region'}"
        if overall["expected"] == overall["unexpected"]:
            return f"No difference: the mean {of} is {overall['expected']:.3g} {here} and {there}."
        return f"The mean {of} is {overall['expected']:.3g} {here} and {overall['unexpected']:.3g} {there}."
    lead, low, high = overall[["diff", "diff_low", "diff_high"]]
    where = f"{'A whole sentence' if whole else 'The region'} is"
    if lead == 0:
        spread = "" if math.isnan(low) else f" ({_range(low, high, 'surp')})"
        return f"No difference: {where[:1].lower()}{where[1:]} as surprising in one as in the other{spread}."
    sign, more = (-1, "less") if lead <= 0 else (1, "more")
    sentence = f"{where} {number(abs(lead), 'surp')} {unit_of(findings)} {more} surprising {here}"
    if math.isnan(low):
        alone = " One pair says nothing about others: there is no interval." if overall["n"] == 1 else ""
        return f"{sentence}.{alone}"
    first, second = sorted((sign * low, sign * high))
    return f"{sentence} ({_range(first, second, 'surp')})."


def interaction_of(crossed: Interaction, model: str, analysis: Analysis) -> str:
    """The interaction in the region of interest under a model, and whether it differs from 0."""
    row = of_region(crossed.table, model)
    if row is None or math.isnan(row["mean"]):
        return "No item has scores in all four cells: there is no interaction to tell of."
    three = len(crossed.factors) > 2
    summed = "summed over" if (analysis.measure, analysis.region_summary) == ("surp", "sum") else "in"
    where = f" {summed} the whole sentence" if row["region"] == SENTENCE else ""
    size = _amount(row["mean"], crossed, analysis)
    sentence = f"The {'three-way ' if three else ''}interaction of {_factors(crossed)}{where} is {size}"
    if math.isnan(row["low"]):
        return f"{sentence}. With fewer than two items that differ there is no interval."
    first, *others = crossed.factors
    effect = f"the interaction of {' and '.join(others)}" if three else f"the effect of {others[0]}"
    depends = f"{'the preference' if others == ['comparison'] else effect} depends on {first}"
    tests = int(crossed.table.loc[crossed.table["model"] == model, "p"].notna().sum())
    corrected = f", {p_value(row['p_holm'])} corrected for {tests} regions" if tests > 1 else ""
    verdict = depends if row["p_holm"] < 1 - LEVEL else f"not distinguishable from 0, so no sign that {depends}"
    items = counted(int(row["n_items"]), "item")
    return f"{sentence} ({_range(row['low'], row['high'], analysis.measure)}, over {items}{corrected}): {verdict}."


def few_items(rows: pd.DataFrame, units: str = "items") -> str:
    """A warning if t tests of these rows (`n_items`, `skew`) are over few items, or few for their skewness; or empty.

    Where n is 25 times the squared skewness, a test at .05 errs in 6 % (Cochran 1977, Sampling Techniques, 2.15).
    """
    rows = rows[rows["n_items"] > 1]
    if warning := few(int(rows["n_items"].min()), units) if len(rows) else "":
        return warning
    skewed = (
        rows.assign(needed=np.ceil(25 * rows["skew"].astype(float) ** 2))
        .query("needed > n_items")
        .nlargest(1, "needed")
    )
    most: Any
    for most in skewed.itertuples():
        return Message(
            "The values of {n} {units} are so skewed (skewness {skew:.1f}) that t intervals and tests of fewer than "
            "{needed:,} err too often.",
            n=int(most.n_items), units=units, skew=most.skew, needed=int(most.needed),
        )  # fmt: skip
    return ""


def effects_of(crossed: Interaction, model: str, analysis: Analysis) -> str:
    """The two effects that the interaction is the difference of; empty if there are none."""
    row = of_region(crossed.table, model)
    if row is None or math.isnan(row["mean"]):
        return ""
    effects = crossed.effects
    here = (effects["model"] == model) & (effects["region"] == row["region"]) & (effects["kind"] == "simple")
    factor, name, three = crossed.factors[0], " × ".join(crossed.factors[1:]), len(crossed.factors) > 2
    parts = []
    for value, level in zip(effects.loc[here, "mean"], crossed.levels[0], strict=True):
        size = _amount(value if three else abs(value), crossed, analysis)
        way = "the same" if value == 0 else f"{size} {'higher' if value > 0 else 'lower'}"
        parts.append(f"{size if three else way} where {factor} is {level}")
    if three:
        return f"{name}: {' and '.join(parts)}."
    first, second = crossed.levels[1]
    what = "surprisal" if analysis.measure == "surp" else UNITS[analysis.measure]
    return f"{name[:1].upper()}{name[1:]}, {first} against {second}: {what} is {' and '.join(parts)}."


def formula(crossed: Interaction) -> str:
    difference = "({} − {}) − ({} − {})".format(*map(" ".join, product(*crossed.levels[-2:])))
    if len(crossed.factors) == 2:
        return f"Interaction: {difference}, item by item."
    factor, (first, second) = crossed.factors[0], crossed.levels[0]
    return f"Interaction: {difference} at {factor} {first}, minus the same at {factor} {second}, item by item."


def by_region_of(crossed: Interaction, model: str, analysis: Analysis) -> str:
    """In which of all regions the interaction differs from 0, after correction for their number; else empty."""
    rows = crossed.table[(crossed.table["model"] == model) & crossed.table["mean"].notna()]
    if rows["p"].isna().all():
        return ""
    clear = [
        f"{row['region']} ({_amount(row['mean'], crossed, analysis)}, "
        f"{_range(row['low'], row['high'], analysis.measure)})"
        for _, row in rows[rows["p_holm"] < 1 - LEVEL].iterrows()
    ]
    n = counted(int(rows["p"].notna().sum()), "region")
    none = f"none of {n} (p with Holm's correction for their number)"
    where = f"region {'; '.join(clear)} (p with Holm's correction for {n})" if clear else none
    sentence = f"Region by region, the interaction of {_factors(crossed)} is distinguishable from 0 in {where}."
    out = crossed.excluded[crossed.excluded["model"] == model]
    if n_short := int(out.loc[out["reason"].str.startswith("the sentence ends before"), "item"].nunique()):
        sentence += f" Without {counted(n_short, 'item')} in the regions that not all of an item's sentences reach."
    if crossed.n_beyond:
        sentence += f" Only the first {MOST_SPILL + 1} of {MOST_SPILL + 1 + crossed.n_beyond} regions are told."
    return sentence


def of_region(table: pd.DataFrame, model: str) -> pd.Series | None:
    """The row of the first region, the region of interest, of a model."""
    rows = table[table["model"] == model]
    return None if rows.empty else rows.iloc[0]


def _factors(crossed: Interaction) -> str:
    return f"{', '.join(crossed.factors[:-1])} and {crossed.factors[-1]}"


def _amount(value: float, crossed: Interaction, analysis: Analysis) -> str:
    named = f" {unit('surp', crossed.per_word)}" if analysis.measure == "surp" else ""
    return f"{number(value, analysis.measure)}{named}"


def _range(low: float, high: float, measure: str) -> str:
    return f"{number(low, measure)} to {number(high, measure)}"


def number(value: float, measure: str) -> str:
    """Bits with one decimal, below 1 with two; else three digits. A true minus sign, and none before 0.00."""
    text = f"{value:.{1 if abs(value) >= 1 else 2}f}" if measure == "surp" else f"{value:.3g}"
    return "0.00" if text == "-0.00" else text.replace("-", "−")
