"""Tables and tabs as all pages show them; choices of a row, a column or a detail."""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any, TypeVar

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from pages.components.shared import notices
from pages.components.shared.frame import opened_page
from pages.components.shared.notices import fill
from pairlens.errors import unknown
from pairlens.measures import surprisal
from pairlens.metrics import METRICS
from pairlens.text.languages import SOURCE

PARAMETER = "set"
ROW = 35
"""Height of a row in pixels."""
_SHOWN, _EDGES = 10, 2
_MOST_HEIGHT = 330
NONE = "–"
T = TypeVar("T")


def show_table(table: pd.DataFrame, height: int | str = "auto", **options: Any) -> Any:
    """`st.dataframe` without row numbers, a dash where there is no value; returns what is selected, if asked for.

    `height` in pixels, "content", or "auto": of ten rows at most. What is below does not move when it is drawn.
    """
    if isinstance(height, str):
        shown = len(table) if height == "content" else min(len(table), _SHOWN)
        height = ROW * (1 + max(shown, 1)) + _EDGES
    return st.dataframe(table, hide_index=True, placeholder=NONE, height=height, **options)


def real(title: str) -> ColumnConfig:
    """A column of numbers with as many decimals in every row."""
    return st.column_config.NumberColumn(title, format="%.3f")


def number_columns(titles: Mapping[str, str], metric: str) -> dict[str, ColumnConfig]:
    if METRICS[metric].scale != "share":
        return {name: real(title) for name, title in titles.items()}
    return {name: st.column_config.NumberColumn(title, format="percent") for name, title in titles.items()}


def choose_row(
    rows: pd.DataFrame, names: Sequence[str], columns: Mapping[str, Any], alt: str, version: str = "",
    parameter: str = PARAMETER, noun: str = "data set",
) -> str:  # fmt: skip
    """The name of the chosen row, at first that of the link, the last visit's or the first; `names`: one per row.

    The link calls it `parameter`; `noun` is what a row is; in another `version` of the table nothing is chosen yet.
    """
    linked, before = st.query_params.get(parameter, ""), f"row_of_{alt}"
    if linked and linked not in names:
        notices.error(unknown(noun, linked, names))
        del st.query_params[parameter]
        linked = ""
    last = linked or st.session_state.get(before)
    place = names.index(last) if last in names else 0
    event = show_table(
        rows, column_config=columns, on_select="rerun", selection_mode="single-row-required",
        key=f"rows_{alt}_{version}", selection_default={"selection": {"rows": [place]}}, alt=alt,
        height="content" if len(rows) <= 8 else _MOST_HEIGHT,
    )  # fmt: skip
    # A table that has become shorter may still remember a row that it had.
    chosen = next((names[row] for row in event.selection.rows if row < len(names)), names[place])
    if chosen != (linked or names[0]):
        st.query_params[parameter] = chosen
    st.session_state[before] = chosen
    return chosen


def choose_column(label: str, options: Sequence[str], key: str, first: str = "", none: str = NONE) -> str:
    """One of the options, `first` to begin with if it is one of them; empty for `none`."""
    listed = [none, *options]
    place = listed.index(first) if first in listed else 0
    chosen = st.selectbox(label, listed, index=place, key=key, persist_state="session")
    return "" if chosen == none else str(chosen)


def choose_detail(by_name: Mapping[str, T], key: str = "details_of") -> T:
    names = list(by_name)
    if len(names) == 1:
        return by_name[names[0]]
    return by_name[st.selectbox("Details of", names, key=key, width=360, persist_state="session")]


def show_tabs(shows: Mapping[str, Callable[[], None]], key: str = "", translate: Callable[[str], str] = str) -> None:
    """A tab per title; what cannot be shown in it is said in one sentence there.

    The link has the open one as `key`, which no other page may have: by default `tab_`, the page's name and language.
    """
    language = getattr(translate, "locale", SOURCE)
    key = key or "_".join(filter(None, ("tab", opened_page(), language if language != SOURCE else "")))
    for tab, show in zip(st.tabs(list(shows), key=key, bind="query-params"), shows.values(), strict=True):
        with tab, notices.explained_errors(translate):
            if tab.open:
                show()


LONGEST = 400
"""A strip of more cells than this says how many are left out."""
RARE_PIECES = 4
"""A word in so many pieces was rare in what the tokenizer was made from."""
_LEGEND = '<span>0</span><span class="pl-ramp"></span><span>20 bits of surprisal or more</span>'
_RARE = '<span><u class="pl-rare">dotted</u>: in many tokens, rare for this model</span>'


def show_strip(words: pd.DataFrame) -> None:
    """Words with position, member (`A` above `B`, or `both`), word, logprob (nats, NaN where unscored), n_tokens."""
    rows = words[["position", "member", "word", "logprob", "n_tokens"]].itertuples(index=False, name=None)
    places = ["".join(_cell(*row[1:]) for row in group) for _, group in groupby(rows, key=lambda row: row[0])]
    more = f'<span class="pl-quiet">… and {len(places) - LONGEST} more words</span>' if len(places) > LONGEST else ""
    stacks = "".join(f'<div class="pl-stack">{place}</div>' for place in places[:LONGEST])
    legend = _LEGEND + (_RARE if (words["n_tokens"] >= RARE_PIECES).any() else "")
    st.html(f'<div class="pl-strip" dir="auto">{stacks}{more}</div><div class="pl-legend">{legend}</div>')


def _cell(member: str, word: str, logprob: float, pieces: int) -> str:
    bits = surprisal(logprob)
    mark = "" if member == "both" else f'<i class="pl-member {member.lower()}" title="{member}"></i>'
    shown = '<u class="pl-rare">$word</u>' if pieces >= RARE_PIECES else "<span>$word</span>"
    if math.isnan(bits):
        return fill(f'<div class="pl-cell unscored">{mark}{shown}<small>not scored</small></div>', word=word)
    style = f'style="--bits:{min(max(bits, 0), 20):.2f}"'
    return fill(f'<div class="pl-cell" {style}>{mark}{shown}<small>{bits:.1f}</small></div>', word=word)
