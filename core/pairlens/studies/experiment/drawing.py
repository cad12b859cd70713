"""The charts of an experiment's result, of the model that is shown: along the sentence, pairs, cells, analyses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial, reduce
from typing import TYPE_CHECKING

import pandas as pd

from pairlens.analysis.interaction import Interaction
from pairlens.results.result import Figure, Headline
from pairlens.studies.experiment import wording
from pairlens.studies.experiment.design import shares

if TYPE_CHECKING:
    from pairlens.charts.drawing import Chart
    from pairlens.charts.experiment import Quantity
    from pairlens.studies.experiment.answer import Answer

BY_MODEL = "model"
"""Among the facets: each model has charts of its own."""
ALL = "all sentences"
"""Name of the only condition, where a design has none."""
MOST_DRAWN = 2_000
_MOST_CHARTS = 12
_ROOM = 1.6
"""Intervals are drawn up to so many times the highest mean: those of few sentences would flatten the lines."""
_LONGEST = 24
_SEPARATOR = " · "


def cell_names(table: pd.DataFrame, conditions: Sequence[str]) -> pd.Series:
    if not conditions:
        return pd.Series(ALL, index=table.index, dtype="str")
    return reduce(
        lambda joined, values: joined + _SEPARATOR + values, (table[name].astype("str") for name in conditions)
    )


def lines(profile: pd.DataFrame, conditions: Sequence[str], facets: Sequence[str]) -> pd.DataFrame:
    """One model's `pairlens.analysis.by_cond` for `pairlens.charts.experiment.along_the_sentence`.

    `facet` and `line` name the row's condition: `facets` are the conditions that get a chart of their own. A position
    is labelled by the words that the conditions have there, by its number where they are too long or one is missing.
    """
    rows = profile.assign(
        facet=cell_names(profile, facets),
        line=cell_names(profile, [name for name in conditions if name not in facets]),
        comparison=profile.get("comparison", ""),
        surp=profile["mean"],
    )
    words = rows.groupby(["facet", "position"])["label"].transform(
        lambda words: " / ".join(words.unique()) if words.ne("").all() else ""
    )
    return rows.assign(label=words.where(words.str.len().between(1, _LONGEST), rows["position"].astype("str")))


def figures(answer: Answer, headlines: Sequence[Headline]) -> Iterator[Figure]:
    """Those above the tables, one for each value of the facets, then those beside their tables."""
    findings, n = answer.findings, 0
    own = {headline.name: headline for headline in headlines if headline.model == answer.shown}
    sentences = {name: one.sentence for name, one in own.items()}
    finding = sentences.get("acc", f"Mean surprisal of {wording.summary(findings.design)}")
    crossing = sentences.get("crossed", "")
    profile = _drawn(answer, findings.profile)
    if profile["mean"].notna().any():
        facets = list(dict.fromkeys(cell_names(profile, answer.facets)))[:_MOST_CHARTS]
        both = f"{finding} {crossing}".strip()
        for number, facet in enumerate(facets, start=1):
            panel = f"{_SEPARATOR.join(answer.facets)}: {facet}" if len(facets) > 1 else ""
            draw = partial(_along_the_sentence, answer, facet, both)
            yield Figure(f"profile_{number}", "profile", draw, both, panel=panel)
    if "acc" in sentences:
        n = int((findings.by_pair["model"] == answer.shown).sum())
        if n > 1:
            draw, panel = partial(_pair_by_pair, answer, finding), wording.measured(findings)
            yield Figure("pairs", "by_pair", draw, finding, beside=True, panel=panel)
        yield Figure("conditions", "by_cond", partial(_by_condition, answer, finding), finding, beside=bool(n))
    else:
        yield Figure("conditions", "means", partial(_by_condition, answer, finding), finding, beside=True)
    if (crossed := answer.interaction) is not None and crossing:
        yield from _interactions(answer, crossed, crossing)
    if answer.everywhere is not None and (clear := sentences.get("regions", "")):
        yield Figure("interaction_by_region", "everywhere", partial(_by_region, answer, clear), clear, beside=True)
    if answer.store is not None and answer.of_shown is not None:
        better = f"{findings.design.columns.expected.capitalize()} wins"
        if n:
            yield Figure("analyses", "analyses", partial(_by_analysis, "acc", better, ""), better, beside=True)
        if crossing and own["crossed"].value == own["crossed"].value:
            unit = wording.unit_of(findings)
            draw = partial(_by_analysis, "value", f"Interaction ({unit})", unit)
            yield Figure("crossed_analyses", "crossed_analyses", draw, f"Interaction ({unit})", beside=True)


def _drawn(answer: Answer, profile: pd.DataFrame) -> pd.DataFrame:
    """The positions under the model that is shown, or under all if each has a chart of its own."""
    return profile if BY_MODEL in answer.facets else profile[profile["model"] == answer.shown]


def _along_the_sentence(answer: Answer, facet: str, finding: str, profile: pd.DataFrame) -> Chart:
    """The charts of all facets have the same scale."""
    from pairlens.charts.experiment import along_the_sentence

    design, rows = answer.findings.design, _drawn(answer, profile)
    reach = [0.0, min(float(rows[["surp", "high"]].max().max()), _ROOM * float(rows["surp"].max()))]
    names = _SEPARATOR.join(name for name in design.columns.conditions if name not in answer.facets)
    shaded = shares(design.sentences, answer.findings.analysis.spill)
    return along_the_sentence(
        rows[rows["facet"] == facet], shaded, finding, reach, names, answer.findings.design.columns.sides
    )


def _pair_by_pair(answer: Answer, finding: str, pairs: pd.DataFrame) -> Chart:
    from pairlens.charts.experiment import pair_by_pair

    rows = pairs[pairs["model"] == answer.shown]
    rows = rows.assign(cell=cell_names(rows, answer.findings.design.columns.conditions))
    drawn = rows.sample(MOST_DRAWN, random_state=0) if len(rows) > MOST_DRAWN else rows
    return pair_by_pair(drawn, finding, _quantity(answer), answer.findings.design.columns.sides)


def _by_condition(answer: Answer, finding: str, _: pd.DataFrame) -> Chart:
    """The mean of either side, which no row of conditions has."""
    from pairlens.charts.experiment import by_condition

    means = answer.findings.means[answer.findings.means["model"] == answer.shown]
    means = means.assign(cell=cell_names(means, answer.findings.design.columns.conditions))
    return by_condition(means, finding, _quantity(answer), answer.findings.design.columns.sides)


def _interactions(answer: Answer, crossed: Interaction, finding: str) -> Iterator[Figure]:
    """One for each region and, of three factors, level of the first; all on the same scale."""
    cells, items = drawn_cells(crossed, answer.shown)
    known = pd.concat([cells["value"], cells["low"], cells["high"], items["value"]])
    low, high = float(known.min()), float(known.max())
    room = 0.05 * (high - low) or 1.0
    parts = cells[["region", "facet"]].drop_duplicates().to_numpy().tolist()
    for number, (region, facet) in enumerate(parts if low == low else [], start=1):
        here, its = (rows[(rows["region"] == region) & (rows["facet"] == facet)] for rows in (cells, items))
        panel = f"{region} · {crossed.factors[0]} {facet}" if facet else str(region)

        def draw(_: pd.DataFrame, here: pd.DataFrame = here, its: pd.DataFrame = its) -> Chart:
            from pairlens.charts.experiment import interaction_plot

            reach, quantity = [low - room, high + room], _quantity(answer, crossed.per_word)
            return interaction_plot(here, its, finding, crossed.factors[-2:], reach, quantity)

        yield Figure(f"interaction_{number}", "effects", draw, finding, beside=True, panel=panel)


def drawn_cells(crossed: Interaction, model: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Cells and items under one model; `facet` is the level of the first of three factors, empty with two."""
    names = dict(zip(crossed.factors[-2:], ("first", "second"), strict=True))
    cells = crossed.cells[crossed.cells["model"] == model].rename(columns={**names, "mean": "value"})
    cells["facet"] = cells[crossed.factors[0]] if len(crossed.factors) > 2 else ""
    levels = cells.drop_duplicates("cell")[["cell", "facet", "first", "second"]]
    items = crossed.items[crossed.items["model"] == model].drop(columns="value")
    return cells, items.melt(["region", "item"], list(levels["cell"]), "cell", "value").merge(levels, on="cell")


def _by_region(answer: Answer, finding: str, regions: pd.DataFrame) -> Chart:
    from pairlens.charts.experiment import interaction_by_region

    assert answer.everywhere is not None
    quantity = _quantity(answer, answer.everywhere.per_word)
    return interaction_by_region(regions[regions["model"] == answer.shown], finding, quantity)


def _by_analysis(column: str, title: str, unit: str, numbers: pd.DataFrame) -> Chart:
    """The first row is the analysis itself."""
    from pairlens.charts.named_rows import Measure
    from pairlens.charts.run_numbers import ORIGINS, by_policy

    rows = numbers.dropna(subset=column).rename(columns={column: "value"})
    origins = [ORIGINS[0], *[ORIGINS[1]] * (len(rows) - 1)]
    ties = rows.get("ties", 0)
    return by_policy(rows.assign(presets="", said=origins, ties=ties, ties_count=""), title, Measure(title, unit))


def _quantity(answer: Answer, per_word: bool | None = None) -> Quantity:
    from pairlens.charts.experiment import quantity_in

    measure = answer.findings.analysis.measure
    return quantity_in(
        wording.unit_of(answer.findings) if per_word is None else wording.unit(measure, per_word), measure
    )
