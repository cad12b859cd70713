"""Which column of a table plays which role, how conditions are shown, and how tokens become a number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Literal

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.components.shared import notices
from pages.components.shared.experiment import Source
from pages.components.shared.link import keep_in_link
from pages.components.shared.tables import choose_column, show_table
from pairlens.analysis.experiment import NLPSCHOLAR, Analysis, Columns
from pairlens.analysis.interaction import cells_of, example
from pairlens.policies import CHOICES
from pairlens.studies.experiment.columns import cells
from pairlens.studies.experiment.design import Design, has_chunks
from pairlens.studies.experiment.drawing import BY_MODEL
from pairlens.studies.experiment.findings import factor_sets

_ROLES: Mapping[str, str] = {
    "sentence": "Sentence",
    "sentid": "Number of the sentence",
    "pairid": "Number of the pair",
    "comparison": "Comparison: which of two should win",
    "item": "Item: what repeats over the conditions",
    "roi": "Region of interest: positions (the first word is 0), or the word",
}
IN_LINK = (
    *(f"role_{role}" for role in (*_ROLES, "expected", "unexpected", "conditions", "chunks")),
    "analysis", "facets", "factors", "region", "region_words", "marks",
)  # fmt: skip


@dataclass(frozen=True)
class Choices:
    """What is looked at: the factors of an interaction, conditions of which each value has a chart, a contrast."""

    factors: tuple[str, ...] = ()
    facets: tuple[str, ...] = ()
    contrast: str = ""


_SIDES = {"expected": "Should win", "unexpected": "Should lose"}
_MARK, _NO_COLUMN, _NONE = "_", "(none)", "none"
_MOST_CELLS = 12
"""More conditions than this at once would be no picture."""
_MOST_LINES = 4
PARAMETER = "analysis"
"""The query parameter that holds what differs from the usual choices, as `field:value,...`."""
_USUAL = Analysis()
_FIELDS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "measure": ("Measure", {"surp": "surprisal (bits)", "prob": "probability", "perplexity": "perplexity"}),
    "region_summary": ("Value of a region", {"mean": "mean of its words", "sum": "sum of its words"}),
    "word_summary": ("A word's surprisal", {"sum": "sum of its tokens", "mean": "mean of its tokens"}),
    "word_probability": (
        "Probabilities",
        {"product": "of the whole word and region", "mean": "mean of tokens and words (NLPScholar)"},
    ),
    "punctuation": ("Punctuation", CHOICES["punctuation"]),
    "fold": ("Where marks go", {"whole": "none is lost", "nlpscholar": "as in NLPScholar, some are lost"}),
    "ties": ("Ties", CHOICES["ties"]),
}
_FRONT, _FINER = tuple(_FIELDS)[:2], tuple(_FIELDS)[2:]


def choose_columns(table: pd.DataFrame, guessed: Columns, source: Source, row: DeltaGenerator) -> Columns:
    """The roles, as guessed or as corrected, in a row of the page. `source` tells tables apart."""
    names = [str(name) for name in table.columns]
    with row, st.popover("Columns", icon=":material/view_column:"), st.container(width=480):
        if _has_two_texts(names, guessed, source):
            sides: dict[str, Any] = {
                side: _choose(side, names, getattr(guessed, side), source, _SIDES[side]) for side in _SIDES
            }
            columns = replace(guessed, sentence="", sentid="", comparison="", **sides)
        else:
            chosen: dict[str, Any] = {role: _choose(role, names, getattr(guessed, role), source) for role in _ROLES}
            columns = _sides(replace(guessed, **chosen), table, source)
        columns = replace(columns, conditions=_conditions(table, names, columns, guessed, source))
        columns = replace(columns, chunks=_chunks(table, columns, source))
        if columns.comparison or not columns.sentence:
            swapped = {f"expected_{source!r}": columns.unexpected, f"unexpected_{source!r}": columns.expected}
            st.button(
                "Swap sides", icon=":material/swap_horiz:", on_click=st.session_state.update, args=(swapped,),
                help=f"Now ‘{columns.expected}’ should win, not ‘{columns.unexpected}’: make it the other way round.",
            )  # fmt: skip
        show_table(table.head(50), height=220, alt="The first rows of the table as it was read")
    return columns


def _chunks(table: pd.DataFrame, columns: Columns, source: Source) -> str:
    """What joins words into chunks, if they are to be read as such; asked where a sentence has any."""
    names = [name for name in (columns.sentence or columns.expected, columns.unexpected) if name in table]
    if not any(cells(table[name]).map(has_chunks).any() for name in names):
        return ""
    joined = st.toggle(
        "Words joined by _ are one region", value="role_chunks" in st.query_params, key=f"chunks_{source!r}"
    )
    keep_in_link("role_chunks", _MARK, unless=not joined)
    return _MARK if joined else ""


def _choose(role: str, names: Sequence[str], guessed: str, source: Source, label: str = "") -> str:
    """A column, or none; in the link as `role_...` where it is not the guessed one."""
    linked = st.query_params.get(f"role_{role}", guessed)
    first = linked if linked in (_NO_COLUMN, *names) else guessed
    column = choose_column(label or _ROLES[role], names, f"{role}_{source!r}", first, _NO_COLUMN)
    keep_in_link(f"role_{role}", column or _NO_COLUMN, unless=column == guessed)
    return column


def _sides(columns: Columns, table: pd.DataFrame, source: Source) -> Columns:
    values = [value for value in cells(table[columns.comparison]).unique() if value] if columns.comparison else []
    if len(values) < 2:
        return columns
    sides: dict[str, Any] = {}
    for place, (side, label) in enumerate(_SIDES.items()):
        usual = known if (known := getattr(columns, side)) in values[:50] else values[place]
        sides[side] = _choose_one(label, values[:50], usual, f"role_{side}", f"{side}_{source!r}")
    return replace(columns, **sides)


def _choose_one(label: str, options: Sequence[str], usual: str, name: str, key: str, **look: Any) -> str:
    """One of the options; in the link as `name` where it is not the usual one."""
    linked = st.query_params.get(name, usual)
    first = options.index(linked if linked in options else usual)
    chosen = str(st.selectbox(label, options, index=first, key=key, **look))
    keep_in_link(name, chosen, unless=chosen == usual)
    return chosen


def _choose_several(
    label: str, options: Sequence[str], usual: list[str], name: str, key: str, **look: Any
) -> list[str]:
    """Likewise some of them, or none."""
    linked = st.query_params.get_all(name)
    first = [option for option in linked if option in options] if linked else usual
    chosen = st.multiselect(label, options, default=first, key=key, **look)
    keep_in_link(name, chosen or [_NONE], unless=chosen == usual)
    return chosen


def _has_two_texts(names: Sequence[str], guessed: Columns, source: Source) -> bool:
    """Whether each row has a pair: as the visitor says, at first as the link or the columns' names do."""
    linked = st.query_params.get("role_expected") in names
    paired_by_rows = {guessed.pairid, guessed.comparison} & {*names}
    usual = guessed.sentence not in names and (guessed.expected in names or not paired_by_rows)
    two = (linked or usual) and "role_sentence" not in st.query_params
    rows = st.toggle("Each pair has two rows", value=not two, key=f"two_rows_{source!r}", on_change=_forget_texts)
    return not rows


def _forget_texts() -> None:
    """Callback: what the link says of the sentences was about the other kind of table."""
    for role in ("sentence", "expected", "unexpected"):
        st.query_params.pop(f"role_{role}", None)


def _conditions(
    table: pd.DataFrame, names: Sequence[str], columns: Columns, guessed: Columns, source: Source
) -> tuple[str, ...]:
    taken = {getattr(columns, role) for role in _ROLES}
    free = [name for name in names if name not in taken]
    usual = [name for name in guessed.conditions if name in free]
    while prod(table[name].nunique() for name in usual) > _MOST_CELLS:
        usual.pop()
    about = "Columns that say how items differ: each combination of their values gets a line and a row of its own."
    return tuple(_choose_several("Conditions", free, usual, "role_conditions", f"conditions_{source!r}", help=about))


def _facets(design: Design, source: str, *, several: bool) -> list[str]:
    """What has a chart for each value: conditions, or models if there are `several`; usually for few lines in one."""
    conditions, usual = list(design.columns.conditions), list[str]()
    if not (options := [*conditions, *([BY_MODEL] if several else [])]):
        return []
    while len(design.sentences[[name for name in conditions if name not in usual]].drop_duplicates()) > _MOST_LINES:
        usual.append(conditions[len(usual)])
    return _choose_several(
        "A chart for each", options, usual, "facets", f"facets_{source}_{several}",
        width=150, placeholder="all in one", help="The other conditions are lines in one chart.",
    )  # fmt: skip


def _factors(design: Design, source: str) -> tuple[str, ...]:
    """The factors of an interaction; empty where the design has no two factors of two values, or none is wanted."""
    sets = {" × ".join(factors): factors for factors in factor_sets(design)}
    if not sets:
        return ()
    chosen = _choose_one(
        "Interaction of", [*sets, _NONE], next(iter(sets)), "factors", f"factors_{source}", width=210
    )
    return sets.get(chosen, ())


def _contrast(design: Design) -> str:
    """Arithmetic over cells, as it was typed; empty where none is wanted."""
    return st.text_input(
        "A contrast of your own", key="contrast", bind="query-params", width=210,
        placeholder=example(design.sentences, design.columns),
        help="Arithmetic over cells. A cell is its values of the conditions, joined with dots, and that of the "
        "comparison; without the latter, both sides are averaged.",
    )  # fmt: skip


def with_readable_contrast(choices: Choices, design: Design) -> Choices:
    """Without the contrast if it cannot be read, and why: whoever follows a link sees the button closed."""
    with notices.explained_errors():
        if not choices.contrast or cells_of(choices.contrast, design.sentences, design.columns):
            return choices
    return replace(choices, contrast="")


def choose_analysis(design: Design, source: str, *, several: bool = False) -> tuple[Analysis, Choices]:
    """What is measured, and what is looked at: a button of the page that says the first and opens the choices."""
    linked = dict(part.partition(":")[::2] for part in st.query_params.get(PARAMETER, "").split(","))
    measure, known = st.session_state.get(_key("measure"), linked.get("measure")), _FIELDS["measure"][1]
    title = f"Measure: {known.get(str(measure), known[_USUAL.measure])}"
    with st.popover(title, icon=":material/tune:", key="analysis_choices"), st.container(width=480):
        analysis = _analysis(linked)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            facets, factors = _facets(design, source, several=several), _factors(design, source)
        return analysis, Choices(factors, tuple(facets), _contrast(design))


def _analysis(linked: Mapping[str, str]) -> Analysis:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        front = _select(_FRONT, linked, width=200)
        spill = st.number_input(
            "Regions after it", 0, 9, min(int(linked["spill"]), 9) if linked.get("spill", "").isdecimal() else 0,
            key=_key("spill"), width=130,
            help="Spill-over: so many words, or regions between bars, after the region are looked at too.",
        )  # fmt: skip
    with st.expander("Words and ties", expanded=any(field in linked for field in _FINER)):
        with st.container(horizontal=True):
            for program, preset in (("Pairlens", _USUAL), ("NLPScholar", NLPSCHOLAR)):
                values = {_key(field): getattr(preset, field) for field in _FINER}
                st.button(f"As {program} does it", on_click=st.session_state.update, args=(values,), type="tertiary")
        finer = _select(_FINER, linked)
    chosen = {**front, "spill": spill, **finer}
    changes = [f"{field}:{value}" for field, value in chosen.items() if value != getattr(_USUAL, field)]
    keep_in_link(PARAMETER, ",".join(changes), unless=not changes)
    return Analysis(spill=spill, **front, **finer)


def _select(
    fields: Sequence[str], linked: Mapping[str, str], width: int | Literal["stretch"] = "stretch"
) -> dict[str, str]:
    chosen: dict[str, str] = {}
    for field in fields:
        label, choices = _FIELDS[field]
        first = [*choices].index(linked[field] if linked.get(field) in choices else getattr(_USUAL, field))
        look: Any = {"key": _key(field), "format_func": choices.__getitem__, "width": width}
        chosen[field] = st.selectbox(label, [*choices], index=first, **look)
    return chosen


def _key(field: str) -> str:
    return f"{PARAMETER}_{field}"
