"""Stored runs beside each other: who is ahead, where, over training, and what differs in how they were made."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.summary import OVERALL
from core.charts.named_rows import Measure
from core.charts.run_comparison import differences_by_group, every_pair, values_by_group
from core.charts.run_numbers import over_training
from core.errors import StoreError
from core.files.exports import SPREADSHEET, workbook
from core.metrics import METRICS
from core.reports.run_comparison import wording
from core.reports.run_comparison.chosen import metrics_of, newest_of_one_task
from core.reports.run_comparison.numbers import groups_of
from core.reports.run_comparison.report import RunComparison
from core.reports.run_comparison.report import compare_runs as comparison_of
from core.reports.run_comparison.training import ALL, curve, moments
from pages.components.results.flipped_items import BY_RUNS, show_flipped_items
from pages.components.results.stored_run import OWN_PAGES
from pages.components.shared import notices, resources
from pages.components.shared.downloads import File, gathered_downloads, show_chart, show_downloads, show_menu
from pages.components.shared.tables import number_columns, show_table

PARAMETER = "runs"
_KEY = "runs_chosen"
_GROUPS = {"UID": "paradigm", "linguistics_term": "phenomenon"}
_MOST_ROWS = 40
_LINES = 5
_WHOLE = "all"
_NUMBERS = {
    "value": "Value", "value_reference": "Reference", "difference": "Difference", "low": "95 % from", "high": "to",
}  # fmt: skip
_COLUMNS = {
    "run": "Run",
    "group": "Group",
    "n": st.column_config.NumberColumn("Items in both", format="localized"),
    "only_run": st.column_config.NumberColumn("Only the run", format="localized"),
    "only_reference": st.column_config.NumberColumn("Only the reference", format="localized"),
    "p": st.column_config.NumberColumn("p (exact)", format="%.3g"),
    "p_holm": st.column_config.NumberColumn("p (Holm)", format="%.3g"),
}
_ORDER = ("run", "group", *_NUMBERS, "n", "only_run", "only_reference", "p", "p_holm")
_RECIPE = {"section": "Part", "field": "Setting", "effect": "Effect of a difference"}


def chosen_runs() -> list[str]:
    """The runs that the link names, each once."""
    return list(dict.fromkeys(one for one in st.query_params.get(PARAMETER, "").split(",") if one))


def compare_runs(run_ids: list[str]) -> None:
    """Make the link name these runs and the view that compares them."""
    st.query_params.from_dict({"view": "compare", PARAMETER: ",".join(run_ids)})


def choose_runs() -> list[str]:
    """A choice among the finished runs, at first the two newest of one task; says what to do where there are none."""
    runs = resources.store().runs()
    runs = runs[runs["state"] == "done"].set_index("run_id")
    if len(runs) < 2:
        notices.note("Two finished runs are needed, for example one benchmark run with two models.")
        st.page_link("pages/zero_shot.py", label="Open Benchmarks", icon=":material/leaderboard:")
        return []
    known = [one for one in chosen_runs() if one in runs.index]
    if PARAMETER not in st.query_params:
        known = newest_of_one_task(runs)
    for missing in [one for one in chosen_runs() if one not in runs.index]:
        notices.warning(f"There is no finished run '{missing}' on this machine: it was deleted, or made elsewhere.")
    st.session_state[_KEY] = known
    named = zip(runs.index, runs["title"], runs["model"], strict=True)
    titles = {run_id: f"{title} · {model} · {run_id}" for run_id, title, model in named}
    st.multiselect(
        "Runs", list(runs.index), key=_KEY, on_change=_take_runs, placeholder="Choose two or more",
        format_func=titles.__getitem__,
    )  # fmt: skip
    if len(known) < 2:
        notices.note("Choose two or more runs here, or tick them in the list of runs.")
    return known


def _take_runs() -> None:
    st.query_params[PARAMETER] = ",".join(st.session_state[_KEY])


def show_run_comparison(run_ids: Sequence[str]) -> None:
    """The answer in words, charts, items that changed sides, recipes, downloads."""
    if len(run_ids) < 2:
        notices.note(
            "Choose two or more runs: tick them in the list of runs, or name them in the address "
            "(?view=compare&runs=ID,ID)."
        )
        return
    with notices.explained_errors():
        found = _choose_comparison(run_ids)
        _say(found)
        with gathered_downloads() as parts:
            _show_numbers(found)
            _show_training(found)
            _show_every_pair(found)
            show_flipped_items(found)
            _show_recipe(found)
        stem = f"compared-{found.reference.id}-{len(found.runs)}-{found.metric}"
        whole = File("Everything as an Excel workbook", lambda: workbook(found.sheets()), f"{stem}.xlsx", SPREADSHEET)
        show_menu(stem, parts, [whole])


def _choose_comparison(run_ids: Sequence[str]) -> RunComparison:
    """The comparison with the chosen reference, metric and group; at first with what it has by itself."""
    first = compared(run_ids)
    names = {run.id: run.name for run in first.runs}
    place = st.container(horizontal=True, vertical_alignment="bottom")
    reference = _one_of(place, "Reference run", "reference", list(names), names.__getitem__)
    metrics = metrics_of(first.runs)
    metric = _one_of(place, "Metric", "metric", metrics, lambda name: METRICS[name].title)
    groups = groups_of(first.runs, metric)
    titles = {name: _GROUPS.get(name, name.replace("_", " ")) for name in groups}
    group_by = _one_of(place, "Grouped by", "by", groups, titles.__getitem__) if groups else ""
    return compared(run_ids, reference, metric, group_by)


def _one_of(place: DeltaGenerator, label: str, key: str, options: Sequence[str], said: Callable[[str], str]) -> str:
    """One of these, which the link keeps; nothing is asked where there is one only."""
    if len(options) == 1:
        return options[0]
    asked, box = st.query_params.get(key, ""), f"compared_{key}"
    st.session_state[box] = asked if asked in options else options[0]  # another comparison has other options
    chosen = place.selectbox(label, options, key=box, format_func=said, width=300, on_change=_take, args=(key, box))
    return str(chosen)


def _take(key: str, box: str) -> None:
    st.query_params[key] = st.session_state[box]


def _say(found: RunComparison) -> None:
    for place, sentence in enumerate(found.findings):
        notices.text(sentence, "pl-headline" if not place else "pl-second")
    stands_behind = wording.grounds(found.differences, found.metric, found.reference.task)
    behind = " ".join(filter(None, (wording.one_model(found.runs), stands_behind)))
    notices.text(behind, "pl-quiet")
    for caution in found.cautions:
        notices.warning(caution)
    task = found.reference.task
    if task.page:
        notices.note(wording.elsewhere(task))
        st.page_link(OWN_PAGES[task.page], label=f"Open {task.page}", icon=":material/arrow_forward:")


def _show_numbers(found: RunComparison) -> None:
    """Numbers by group with intervals, differences around zero, and the table of tests."""
    measure = Measure(METRICS[found.metric].title, METRICS[found.metric].scale)
    said = " ".join([*found.findings, wording.beyond_chance(found.differences)])
    shown = _largest(found.differences)
    left, right = st.columns(2, gap="large")
    with left:
        st.header("The numbers", anchor=False)
        values = _rows(found.values, shown)
        show_chart(chart := values_by_group(values, said, measure), f"numbers_{found.metric}")
        show_downloads(f"numbers-{found.metric}", found.values, chart)
    with right:
        st.header(f"Differences from {notices.literal(found.reference.name)}", anchor=False)
        rows = _rows(found.differences, shown)
        if rows["difference"].isna().all():
            notices.note("The runs have no number in common.")
            return
        runs = [run.name for run in found.runs]
        chart = differences_by_group(rows, said, measure, found.reference.name, runs)
        show_chart(chart, f"differences_{found.metric}")
        show_downloads(f"differences-{found.metric}", found.differences, chart)
    _say_what_is_drawn(found, shown)
    with st.expander("Tests by group"):
        table = found.differences[list(_ORDER)]
        show_table(table, column_config=_COLUMNS | number_columns(_NUMBERS, found.metric))


def _show_training(found: RunComparison) -> None:
    """The runs as a curve, if they are checkpoints of one model."""
    moment = moments(found.runs, resources.store())
    if not moment:
        return
    points = curve(found.values, found.runs, moment)
    st.header("Over training", anchor=False)
    groups = [line for line in points["line"].unique() if line != ALL]
    chosen = st.multiselect(
        "Groups",
        groups,
        key="compared_lines",
        max_selections=_LINES,
        placeholder="Add groups",
        persist_state="session",
    )
    unit = points["unit"].iloc[0]
    finding = f"{points['checkpoint'].nunique()} checkpoints, up to {points['words'].max():,.0f} {unit}"
    measure = Measure(METRICS[found.metric].title, METRICS[found.metric].scale)
    drawn = points[points["line"].isin([ALL, *chosen])]
    chart = over_training(drawn, finding, measure, f"{unit.capitalize()} seen")
    show_chart(chart, "compared_training")
    ageless = [run.name for run in found.runs if not moment[run.id].words]
    if ageless:
        notices.write(
            "Not shown, because their names do not say how much they had been trained: $names.", "pl-quiet",
            names=", ".join(ageless),
        )  # fmt: skip
    show_downloads("compared-training", points, chart)


def _show_every_pair(found: RunComparison) -> None:
    """More than two runs: each minus each other."""
    if len(found.runs) < 3:
        return
    pairs = _pairwise(found)
    clear = int(pairs["clear"].sum()) // 2
    n_pairs = len(pairs) // 2
    said = f"{clear} of {n_pairs} pairs of runs differ beyond chance (corrected for {n_pairs} tests)."
    st.header("Every pair", anchor=False)
    notices.write("Row minus column, in bold where it is beyond chance. $said", "pl-quiet", said=said)
    measure = Measure(METRICS[found.metric].title, METRICS[found.metric].scale)
    show_chart(chart := every_pair(pairs, said, measure), "every_pair")
    show_downloads(f"every-pair-{found.metric}", pairs, chart)


def _largest(differences: pd.DataFrame) -> list[str]:
    """The groups that are drawn, in their order: all, or those with the largest differences."""
    groups = differences[differences["group_by"] != OVERALL]
    sizes = groups["difference"].abs().groupby(groups["group"], sort=False).max()
    kept = set(sizes.nlargest(_MOST_ROWS, keep="first").index)
    return [group for group in sizes.index if group in kept]


def _rows(table: pd.DataFrame, groups: list[str]) -> pd.DataFrame:
    """The overall row, under one name whatever it is called, and those of these groups."""
    overall = table["group_by"] == OVERALL
    return table.assign(group=table["group"].mask(overall, _WHOLE))[overall | table["group"].isin(groups)]


def _say_what_is_drawn(found: RunComparison, shown: list[str]) -> None:
    said = wording.beyond_chance(found.differences)
    n_groups = found.differences.loc[found.differences["group_by"] != OVERALL, "group"].nunique()
    if n_groups > len(shown):
        said += (
            f" The chart shows the {len(shown)} of {n_groups} groups with the largest differences; the table has all."
        )
    if said:
        filled = "Filled marks are beyond chance."
        notices.write("$said $filled", "pl-quiet", said=said.strip(), filled=filled)


def _show_recipe(found: RunComparison) -> None:
    """A table of the fields that differ, and one of the others."""
    st.header("What differs in the recipe", anchor=False)
    recipe = found.recipe.replace("", "–")
    differing = recipe[recipe["differs"]]
    moving = differing[differing["effect"].str.startswith("can change")]["field"].tolist()
    said = f"These differences can change the numbers: {', '.join(moving).lower()}."
    said = said if moving else "None of these differences can change the numbers."
    notices.text(said)
    _show_fields(found, differing)
    with st.expander(f"Identical settings ({len(recipe) - len(differing)})"):
        _show_fields(found, recipe[~recipe["differs"]])


def _show_fields(found: RunComparison, rows: pd.DataFrame) -> None:
    names = [run.name for run in found.runs]
    widths = {name: st.column_config.TextColumn(name, width="medium") for name in names}
    show_table(rows[["section", "field", *names, "effect"]], column_config={**_RECIPE, **widths})


def compared(run_ids: Sequence[str], reference: str = "", metric: str = "", group_by: str = "") -> RunComparison:
    """These runs beside each other; PairlensError in words."""
    return _comparison(tuple(run_ids), tuple(map(_finished, run_ids)), reference, metric, group_by)


@resources.remembered("Comparing …")
def _comparison(
    run_ids: tuple[str, ...],
    states: tuple[str, ...],  # noqa: ARG001
    reference: str,
    metric: str,
    group_by: str,
) -> RunComparison:
    return comparison_of(resources.store(), run_ids, reference, metric, group_by)


@resources.remembered("Comparing every pair …", 6, BY_RUNS)
def _pairwise(found: RunComparison) -> pd.DataFrame:
    """The overall difference of every two runs."""
    return found.pairwise()


def _finished(run_id: str) -> str:
    """When a run was finished; empty for one that cannot be read, which its reader says."""
    try:
        return str(resources.store().manifest(run_id).get("finished", ""))
    except StoreError:
        return ""
