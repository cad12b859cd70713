"""The charts of an experiment: surprisal along the sentence, pair against pair, condition by condition."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd
import streamlit as st

from core.analysis.by_cond import cells
from core.analysis.experiment import Columns
from core.charts.experiment import PAIR, along_the_sentence, by_condition, pair_by_pair, quantity_in, stacked
from core.scoring.recipe import Recipe
from core.studies.experiment import drawing, region
from core.studies.experiment.findings import Findings
from core.studies.experiment.wording import few_items, has_pairs, unit_of
from pages.components.shared import notices
from pages.components.shared.downloads import show_chart, show_downloads
from pages.components.shared.link import open_in_compare
from pages.components.shared.tables import numbers_in, show_table

SHOWN = 24
"""Positions that a chart shows at once; longer sentences are shown from a place on."""
_MOST_CHARTS = 12
_ROOM = 1.6
"""Intervals are drawn up to so many times the highest mean: those of few sentences would flatten the lines."""
_LEGEND = (
    "Mean surprisal by position, with 95 % intervals over sentences. A position is named by its word, or by its "
    "number where the words differ."
)
_SQUARE = 480
_DRAWN = 2_000
_LISTED = 500
_COLUMNS = {
    "pairid": "Pair",
    "cell": "Condition",
    "preferred": "Preferred",
    **dict.fromkeys(("expected", "unexpected", "diff", "text_expected", "text_unexpected"), ""),
}
_CONDITIONS = {
    "cell": "Condition",
    "n": "Pairs",
    "n_items": "Items",
    "acc": "",
    "acc_low": st.column_config.NumberColumn("95 % from", format="percent"),
    "acc_high": st.column_config.NumberColumn("to", format="percent"),
    "ties": "Ties",
    **dict.fromkeys(("expected", "unexpected", "diff"), ""),
    **{
        name: st.column_config.NumberColumn(title, format="%.3g")
        for name, title in (
            ("diff_low", "95 % from "), ("diff_high", "to "), ("p_t", "p (paired t)"), ("p_holm", "p (Holm)"),
            ("p_wilcoxon", "p (signed rank)"), ("dz", "Effect (dz)"),
        )
    },
}  # fmt: skip


def show_profile(findings: Findings, model: str, facets: Sequence[str], finding: str) -> None:
    """One chart per value of the facets, all on the same scale."""
    profile, design = findings.profile, findings.design
    rows = drawing.lines(profile[profile["model"] == model], design.columns.conditions, facets)
    if rows["surp"].isna().all():
        notices.note("No word of these sentences is scored under these choices.")
        return
    shaded = region.shares(design.sentences, findings.analysis.spill)
    rows = _window(rows, shaded)
    reach = [0.0, min(float(rows[["surp", "high"]].max().max()), _ROOM * float(rows["surp"].max()))]
    names = list(dict.fromkeys(rows["facet"]))
    lines = " · ".join(name for name in design.columns.conditions if name not in facets)
    sides = design.columns.expected, design.columns.unexpected
    charts = [
        along_the_sentence(rows[rows["facet"] == name], shaded, finding, reach, lines, sides)
        for name in names[:_MOST_CHARTS]
    ]
    if len(names) > _MOST_CHARTS:
        notices.note(f"The first {_MOST_CHARTS} of {len(names)} charts: choose fewer conditions to have one each.")
    titles = [f"{' · '.join(facets)}: {name}" for name in names] if facets else names
    _draw(charts, titles, model)
    cut = " Intervals that leave the chart are cut." if rows["high"].max() > reach[1] else ""
    grey = " Grey: the region of interest, paler what follows it." if len(shaded) else ""
    notices.write(f"{_LEGEND}{grey}{cut}", "pl-quiet")
    show_downloads(f"by-position-{model}", rows.drop(columns="surp"), stacked(charts, titles[: len(charts)], finding))


def _draw(charts: Sequence[alt.LayerChart], names: Sequence[str], model: str) -> None:
    if len(charts) == 1:
        show_chart(charts[0], f"profile_{model}")
        return
    for place in range(0, len(charts), 2):
        for column, chart, name in zip(
            st.columns(2), charts[place : place + 2], names[place : place + 2], strict=False
        ):
            with column:
                notices.text(name, "pl-label")
                show_chart(chart, f"profile_{model}_{name}")


def _window(rows: pd.DataFrame, shaded: pd.DataFrame) -> pd.DataFrame:
    """All positions of short sentences, else those near the region until moved."""
    last = int(rows["position"].max())
    if last < SHOWN:
        return rows
    centre = int(shaded["position"].min()) if len(shaded) else 0
    near = max(0, min(centre - SHOWN // 2, last - SHOWN + 1))
    start = st.slider(
        f"{SHOWN} of {last + 1} positions are drawn, from", 0, last - SHOWN + 1, near, key=f"profile_from_{last}",
        persist_state="session",
    )  # fmt: skip
    return rows[rows["position"].between(start, start + SHOWN - 1)]


def show_pairs(findings: Findings, recipe: Recipe, finding: str) -> None:
    """A point per pair, and a table: the chosen points, else all pairs with the worst decision first."""
    quantity = quantity_in(unit_of(findings), findings.analysis.measure)
    of_model = findings.by_pair[findings.by_pair["model"] == recipe.model.name]
    pairs = drawing.pairs_by_condition(of_model, findings.design.columns.conditions, findings.design.sentences)
    if pairs.empty:
        notices.note("No pair can be compared: see Left out.")
        return
    drawn = pairs.sample(min(len(pairs), _DRAWN), random_state=0) if len(pairs) > _DRAWN else pairs
    if len(drawn) < len(pairs):
        notices.note(f"{_DRAWN:,} of {len(pairs):,} pairs are drawn, chosen at random; the table has the others too.")
    roles = findings.design.columns
    chart = pair_by_pair(drawn, finding, quantity, (roles.expected, roles.unexpected))
    key = f"pairs_{recipe.model.name}"
    if len(pairs) > 1:
        with st.container(width=_SQUARE):
            show_chart(chart, key, on_click=_keep)
        notices.write(
            "$quantity of the region or sentence; equal on the diagonal. Click points, with Shift for several.",
            "pl-quiet", quantity=quantity.title,
        )  # fmt: skip
    event = st.session_state.get(key)
    clicked = {point["pairid"] for point in event.selection.get(PAIR, [])} if event else set()
    worst_first = pairs.sort_values("diff", ascending=findings.analysis.measure == "prob", kind="stable")
    _list(worst_first, clicked, recipe, findings)
    show_downloads(f"by-pair-{recipe.model.name}", pairs, chart if len(pairs) > 1 else None)


def _keep() -> None:
    """Streamlit needs a callback to keep a chart's selection; it is read from the session state."""


def _list(pairs: pd.DataFrame, clicked: set[str], recipe: Recipe, findings: Findings) -> None:
    roles, unit = findings.design.columns, unit_of(findings)
    named = {"expected": roles.expected.capitalize(), "unexpected": roles.unexpected.capitalize()}
    chosen = pairs[pairs["pairid"].isin(clicked)] if clicked else pairs.head(_LISTED)
    what = (
        "The pairs you clicked" if clicked else f"{len(chosen):,} of {len(pairs):,} pairs, the worst decision first"
    )
    notices.write("$what. Click a row to open it.", "pl-quiet", what=what)
    columns = _COLUMNS | numbers_in(unit, named | {"diff": "Difference"})
    for side, name in named.items():
        columns[f"text_{side}"] = st.column_config.TextColumn(f"Sentence: {name.lower()}", width="large")
    said = {"expected": roles.expected, "unexpected": roles.unexpected}
    event = show_table(
        chosen[list(_COLUMNS)].replace({"preferred": said}), column_config=columns, on_select="rerun",
        selection_mode="single-row", key=f"list_{recipe.model.name}_{'-'.join(sorted(clicked))}",
        selection_default={"selection": {"rows": [0]}}, alt="One row per pair",
    )  # fmt: skip
    for place in [place for place in event.selection.rows if place < len(chosen)][:1]:
        row = chosen.iloc[place]
        open_in_compare(row["text_expected"], row["text_unexpected"], recipe.model.name, recipe.policy)


def show_conditions(findings: Findings, model: str, finding: str) -> None:
    """One row per condition: a chart of the two means, and a table of differences and tests."""
    design, analysis = findings.design, findings.analysis
    paired, unit = has_pairs(design), unit_of(findings)
    means = drawing.of_model(findings.means, model).assign(
        cell=lambda rows: drawing.cell_names(rows, design.columns.conditions)
    )
    sides = (design.columns.expected, design.columns.unexpected)
    chart = by_condition(means, finding, quantity_in(unit, analysis.measure), sides)
    show_chart(chart, f"conditions_{model}")
    if not paired:
        over = "items" if "item" in design.sentences else "sentences"
        notices.write(
            "Means and 95 % intervals over $over. What can be tested is under Interaction.", "pl-quiet", over=over
        )
        names = {"cell": "Condition", "comparison": "Comparison", "n": "Sentences", "n_items": "Items"}
        columns = {**names, **numbers_in(unit, {"value": "Mean", "low": "95 % from", "high": "95 % to"})}
        shown = means if means["comparison"].any() else means.drop(columns="comparison")
        listed = [name for name in columns if name in shown and (name, over) != ("n_items", "sentences")]
        show_table(shown[listed], column_config=columns, alt="One row per condition: its mean and interval")
        _warn(means, over)
        show_downloads(f"by-condition-{model}", means, chart)
        return
    notices.write(
        "Intervals and tests generalise over items. Difference: $better − $other; its tests are paired.",
        "pl-quiet", better=design.columns.expected, other=design.columns.unexpected,
    )  # fmt: skip
    rows = drawing.of_model(findings.by_cond, model)
    _show_tests(cells(rows), design.columns, unit)
    show_downloads(f"by-condition-{model}", rows, chart)


def _show_tests(rows: pd.DataFrame, roles: Columns, unit: str) -> None:
    table = rows.assign(cell=drawing.cell_names(rows, roles.conditions))
    named = {"expected": roles.expected.capitalize(), "unexpected": roles.unexpected.capitalize()}
    wins = st.column_config.NumberColumn(f"{named['expected']} wins", format="percent")
    columns = _CONDITIONS | {"acc": wins} | numbers_in(unit, named | {"diff": "Difference"})
    show_table(table[list(_CONDITIONS)], column_config=columns, alt="One row per condition")
    _warn(rows)


def _warn(rows: pd.DataFrame, units: str = "items") -> None:
    if warning := few_items(rows, units):
        notices.warning(warning)
