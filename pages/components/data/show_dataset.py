"""A set of items in full: how many there are, problems found in them, the items, how many of each group."""

from functools import partial

import pandas as pd
import streamlit as st

from pages.components.data.chosen import BENCHMARKS, EXPERIMENTS, PAGES, Chosen, at_once, count_items, linted, reading
from pages.components.shared import notices, resources
from pages.components.shared.downloads import show_downloads
from pages.components.shared.link import open_in_compare
from pages.components.shared.tables import show_table, show_tabs
from pairlens.evaluation.estimate import duration_in_words
from pairlens.files.item_rows import counts, group_columns, item_rows, mentioned, sides
from pairlens.policies import Policy
from pairlens.studies.lint.running import LintReport, rows_in_words
from pairlens.types import Item

_ICONS = {BENCHMARKS: ":material/play_arrow:", EXPERIMENTS: ":material/science:"}
_SHOWN = 500
_GROUPS = {"UID": "Paradigm"}
_TEXT_COLUMNS = {
    "row": st.column_config.NumberColumn("Row", width="small"),
    "item": "Item",
    "context": st.column_config.TextColumn("After", width="medium"),
    "right": st.column_config.TextColumn("Right", width="large"),
    "wrong": st.column_config.TextColumn("Wrong", width="large"),
    "texts": st.column_config.TextColumn("Texts", width="large"),
}
_FINDINGS = {
    **{name: _TEXT_COLUMNS[name] for name in ("item", "row", "texts")},
    "what": st.column_config.TextColumn("Problem", width="large"),
}
_CHECKS = {
    "title": st.column_config.TextColumn("Check", width="medium"), "n": "Found", "severity": "Severity",
    "meaning": st.column_config.TextColumn("What it means", width="large"),
}  # fmt: skip
_ITEMS_PER_SECOND, _WITH_TOKENS = 10_000, 7_000
_SEVERITIES = {"error": "Error", "warning": "Warning", "note": "Note"}
_NO_MODEL, TOKENS = "no model", "tokens_of"
_TEXTS = ["what", "texts"]


def show_dataset(chosen: Chosen) -> None:
    with notices.explained_errors():
        with st.spinner("Reading …", show_time=True):
            items = reading(chosen).items
        with st.container(horizontal=True, vertical_alignment="center"):
            notices.write(
                "<strong>$title</strong> · $n" if chosen.title else "$n", "pl-second", title=chosen.title,
                n=count_items(chosen, items),
            )  # fmt: skip
            st.space("stretch")
            for page, parameters in chosen.links.items():
                label = f"{'Run it' if page == BENCHMARKS else 'Open'} in {PAGES[page]}"
                icon = _ICONS.get(page, ":material/arrow_forward:")
                st.page_link(page, label=label, icon=icon, query_params=dict(parameters))
        tabs = {"Problems found": _show_lint, "Items": _show_items, "By group": _show_groups}
        show_tabs({title: partial(show, chosen, items) for title, show in tabs.items()})


def _show_items(chosen: Chosen, items: tuple[Item, ...]) -> None:
    if not items:
        notices.note("No sentence has a partner, so there are no pairs.")
        return
    if chosen.confidential:
        notices.note("The authors ask that the texts not be passed on, so only ids and groups are shown.")
    rows = item_rows(items[:_SHOWN], with_texts=not chosen.confidential)
    event = show_table(
        rows, column_config=_TEXT_COLUMNS, on_select="rerun", selection_mode="single-row",
        key=f"items_{chosen.path}_{len(items)}", alt="One row per item: its texts and its groups",
        selection_default={"selection": {"rows": [0]}},
    )  # fmt: skip
    if len(items) > _SHOWN:
        notices.write("The first $n of $all.", "pl-quiet", n=_SHOWN, all=count_items(chosen, items))
    if not chosen.confidential:
        for place in event.selection.rows[:1]:
            _open_item(items[place])


def _show_groups(chosen: Chosen, items: tuple[Item, ...]) -> None:
    columns = group_columns(items, chosen.groups)
    if not columns:
        notices.note("The items are not divided into groups.")
        return
    column = st.selectbox(
        "Group", columns, key=f"column_{chosen.path}", width=300, persist_state="session",
        format_func=lambda name: _GROUPS.get(name, name),
    )  # fmt: skip
    table = counts(items, column)
    show_table(
        table, alt=f"How many items each value of {column} has",
        column_config={
            "value": st.column_config.TextColumn(_GROUPS.get(column, column), width="large"),
            "items": st.column_config.NumberColumn("Items", format="localized"),
            "share": st.column_config.ProgressColumn("Share", format="percent", min_value=0, max_value=1),
        },
    )  # fmt: skip
    show_downloads(f"{chosen.path.stem}-{column}", table)


def _show_lint(chosen: Chosen, items: tuple[Item, ...]) -> None:
    answer = st.container()
    names = [model.name for model in resources.catalogue()]
    tokenizer = st.selectbox(
        "Also check with the tokens of", [_NO_MODEL, *names], key=TOKENS, width=300, bind="query-params",
        help="Also compares texts by their number of tokens, and finds those too long for the model.",
    )  # fmt: skip
    with answer:
        report = _looked(chosen, items, "" if tokenizer == _NO_MODEL else str(tokenizer))
        if report is None:
            return
        if chosen.confidential:
            notices.note("The authors ask that the texts not be passed on, so findings are shown without them.")
        summary = report.summary
        hits = summary[summary["n"] > 0]
        _say_all(report, hits, chosen, count_items(chosen, items))
        if len(hits):
            _show_check(report, hits, chosen, items)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            if len(hits):
                findings = _without_texts(report.findings, chosen)
                show_downloads(
                    f"{chosen.path.stem}-findings", findings, sheets={"checks": summary, "findings": findings}
                )
            with st.popover("All checks", icon=":material/checklist:"):
                show_table(
                    summary[[*_CHECKS]].replace({"severity": _SEVERITIES}), column_config=_CHECKS,
                    alt="Every check that applies, and how many problems it found",
                )  # fmt: skip


def _looked(chosen: Chosen, items: tuple[Item, ...], model: str) -> LintReport | None:
    """The report; None while it would take a while and nobody has asked for it."""
    n, key = count_items(chosen, items), f"lint_{chosen}_{model}"
    time = duration_in_words(len(items) / (_WITH_TOKENS if model else _ITEMS_PER_SECOND))
    stop = partial(st.session_state.pop, key, None)  # whoever cancels is asked again
    if at_once(chosen, items):
        with st.spinner(f"Checking {n} …"):
            return linted(chosen, items, model, "", stop)
    if not st.session_state.get(key):
        st.button(
            f"Check {n} (about {time})", type="primary", icon=":material/search:",
            on_click=st.session_state.update, args=({key: True},),
        )  # fmt: skip
        return None
    return linted(chosen, items, model, f"Checking {n} (about {time})", stop)


def _say_all(report: LintReport, hits: pd.DataFrame, chosen: Chosen, n: str) -> None:
    if hits.empty:
        checks = notices.counted(len(report.summary), "check")
        notices.write("No problems found: $checks on $n.", "pl-headline", checks=checks, n=n)
        return
    kinds = hits["severity"].value_counts()
    parts = [notices.counted(int(kinds[name]), word.lower()) for name, word in _SEVERITIES.items() if name in kinds]
    notices.write("<strong>$kinds</strong> in $n.", "pl-headline", kinds=", ".join(parts), n=n)
    bare = [f"{title}: {n:,}." for title, n in zip(hits["title"], hits["n"], strict=True)]
    sentences = bare if chosen.confidential else report.in_words()
    for severity, sentence in zip(hits["severity"], sentences, strict=True):
        notices.write("<strong>$severity.</strong> $sentence", severity=_SEVERITIES[severity], sentence=sentence)


def _show_check(report: LintReport, hits: pd.DataFrame, chosen: Chosen, items: tuple[Item, ...]) -> None:
    checks = hits.set_index("check")
    name = st.selectbox(
        "Check", list(checks.index), format_func=lambda name: "{title} · {n:,}".format(**checks.loc[name]),
        key=f"check_{chosen.path}", width=420, persist_state="session",
    )  # fmt: skip
    check, findings = checks.loc[name], report.findings
    rows = findings[findings["check"] == name].drop(columns=["check", "severity"]).reset_index(drop=True)
    notices.text(check["meaning"], "pl-quiet")
    if len(rows) < check["n"]:
        notices.text(f"The first {len(rows):,} of {check['n']:,}.", "pl-quiet")
    shown = _without_texts(rows, chosen)
    shown = shown.loc[:, (shown.notna() & (shown.astype("str") != "")).any()]
    if "row" in shown and (meaning := rows_in_words(chosen.path)):
        notices.text(meaning, "pl-quiet")
    event = show_table(
        shown, on_select="rerun", selection_mode="single-row", column_config=_FINDINGS,
        key=f"findings_{chosen.path}_{name}_{len(rows)}",
        alt="One row per finding: where it is and what it is", selection_default={"selection": {"rows": [0]}},
    )  # fmt: skip
    for place in [] if chosen.confidential else event.selection.rows[:1]:
        finding = rows.iloc[place]
        if finding["item"] and (item := mentioned(items, finding["item"], finding["texts"])):
            _open_item(item, finding["texts"])


def _without_texts(findings: pd.DataFrame, chosen: Chosen) -> pd.DataFrame:
    return findings.drop(columns=_TEXTS) if chosen.confidential else findings


def _open_item(item: Item, hint: str = "") -> None:
    """The right and a wrong text, the one that is part of `hint` if any is; nothing for an item with one text."""
    if both := sides(item, hint):
        open_in_compare(*both, "", Policy())
