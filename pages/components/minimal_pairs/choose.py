"""Which column of a table plays which role, how conditions are shown, and how tokens become a number."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Any, Literal

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.components.shared import notices
from pages.components.shared.experiment import Source
from pages.components.shared.link import keep_in_link
from pages.components.shared.tables import choose_column, show_table
from pairlens.analysis.experiment import EXPECTED, NLPSCHOLAR, UNEXPECTED, Analysis, Columns
from pairlens.analysis.interaction import cells_of, example
from pairlens.policies import CHOICES
from pairlens.studies.experiment.columns import cells
from pairlens.studies.experiment.design import (
    BARS,
    COLUMN,
    WHOLE,
    WORDS,
    Design,
    Region,
    has_chunks,
    parts,
    places_of,
)
from pairlens.studies.experiment.findings import factor_sets
from pairlens.studies.experiment.wording import sides

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
    "analysis", "facets", "factors", "region", "marks",
)  # fmt: skip
_SIDES = {"expected": "Should win", "unexpected": "Should lose"}
_MARK, _NO_COLUMN, _NONE = "_", "(none)", "none"
_MOST_CELLS = 12
"""More conditions than this at once would be no picture."""
_MOST_LINES = 4
PARAMETER = "analysis"
"""The query parameter that holds what differs from the usual choices, as `field:value,...`."""
_USUAL = Analysis()
_FIELDS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "measure": ("3 · Measure", {"surp": "surprisal (bits)", "prob": "probability", "perplexity": "perplexity"}),
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
        show_table(table.head(50), height=220, alt="The first rows of the table as it was read")
    if columns.comparison or not columns.sentence:
        swapped = {f"expected_{source!r}": columns.unexpected, f"unexpected_{source!r}": columns.expected}
        row.button(
            "Swap sides", icon=":material/swap_horiz:", on_click=st.session_state.update, args=(swapped,),
            help=f"Now ‘{columns.expected}’ should win, not ‘{columns.unexpected}’: make it the other way round.",
        )  # fmt: skip
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


def choose_facets(design: Design, source: str) -> list[str]:
    """The conditions whose values get a chart each; by default as many as leave few lines in one chart."""
    conditions, usual = list(design.columns.conditions), list[str]()
    if not conditions:
        return []
    while len(design.sentences[[name for name in conditions if name not in usual]].drop_duplicates()) > _MOST_LINES:
        usual.append(conditions[len(usual)])
    return _choose_several(
        "A chart for each", conditions, usual, "facets", f"facets_{source}",
        width=150, placeholder="all in one", help="The other conditions are lines in one chart.",
    )  # fmt: skip


def choose_factors(design: Design, source: str) -> tuple[str, ...]:
    """The factors of an interaction; empty where the design has no two factors of two values, or none is wanted."""
    sets = {" × ".join(factors): factors for factors in factor_sets(design)}
    if not sets:
        return ()
    chosen = _choose_one(
        "Interaction of", [*sets, _NONE], next(iter(sets)), "factors", f"factors_{source}", width=210
    )
    return sets.get(chosen, ())


def choose_contrast(design: Design) -> str:
    """Arithmetic over cells; empty where none is wanted, or it cannot be read."""
    formula = st.text_input(
        "A contrast of your own", key="contrast", bind="query-params", width=210,
        placeholder=example(design.sentences, design.columns),
        help="Arithmetic over cells. A cell is its values of the conditions, joined with dots, and that of the "
        "comparison; without the latter, both sides are averaged.",
    )  # fmt: skip
    with notices.explained_errors():
        return formula if formula and cells_of(formula, design.sentences, design.columns) else ""
    return ""


def choose_analysis() -> Analysis:
    """What is measured in front, the finer choices in a popover, side by side in a row of the page."""
    linked = dict(part.partition(":")[::2] for part in st.query_params.get(PARAMETER, "").split(","))
    front = _select(_FRONT, linked, width=160)
    spill = st.number_input(
        "Regions after it", 0, 9, min(int(linked["spill"]), 9) if linked.get("spill", "").isdecimal() else 0,
        key=_key("spill"), width=122,
        help="Spill-over: so many words, or regions between bars, after the region are looked at too.",
    )  # fmt: skip
    with st.popover("Words", icon=":material/tune:"), st.container(width=420):
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


_LABELS = {COLUMN: "As in the table", BARS: "Between bars", WORDS: "Words I mark", WHOLE: "Whole sentence"}
_CHECKED = 10


def choose_region(design: Design, punctuation: str, source: str) -> Region:
    """The region, in the link as `region` and `marks`; example sentences to mark it in, ten others to check it."""
    row = st.container(horizontal=True, vertical_alignment="bottom")
    with row:
        chosen = _choose_kind(design, source)
    marked = Region(chosen) if chosen in (COLUMN, WHOLE) else _mark(design, chosen, punctuation, source)
    with row:
        _check(design.marked(marked).sentences, punctuation)
    return marked


def _choose_kind(design: Design, source: str) -> str:
    kinds = [kind for kind, there in ((COLUMN, design.has_region), (BARS, design.has_bars)) if there]
    options, linked = [*kinds, WORDS, WHOLE], st.query_params.get("region", "")
    usual = (kinds or [WHOLE])[0]
    chosen = st.segmented_control(
        "2 · Region of interest", options, default=linked if linked in options else usual, required=True,
        key=f"region_{source}", format_func=_LABELS.__getitem__,
    )  # fmt: skip
    keep_in_link("region", str(chosen), unless=chosen == usual)
    return str(chosen)


def _mark(design: Design, by: str, punctuation: str, source: str) -> Region:
    """A row of words, or regions, per example; places marked in one count for the other until that has marks."""
    sentences = design.sentences.drop(columns="bars", errors="ignore") if by == WORDS else design.sentences
    examples, linked = _examples(sentences), _linked()
    called = dict(zip((EXPECTED, UNEXPECTED), map(notices.literal, sides(design.columns)), strict=True))
    key = f"{source}_{by}_{punctuation}"
    marks = {
        side: _mark_in(row, side, called[side], punctuation, linked.get(side, ()), key)
        for side, row in examples.items()
    }
    if not any(marks.values()):
        every = " Under Interaction every region is told by itself." if by == BARS else ""
        notices.note(f"Click what matters; until then the whole sentence counts.{every}")
        st.query_params.pop("marks", None)
        return Region(WHOLE)
    st.query_params["marks"] = "/".join(",".join(map(str, marked)) for marked in marks.values())
    if design.has_region:
        notices.note(f"Your marks count, not the region in the table. Undo: choose '{_LABELS[COLUMN]}'.")
    first, second = marks[EXPECTED], marks.get(UNEXPECTED, ())
    return Region(by, first or second, second or first)


def _examples(sentences: pd.DataFrame) -> dict[str, pd.Series]:
    """The sentences of the first pair that has both, by side; only one if nothing is compared."""
    if "comparison" not in sentences:
        return {EXPECTED: sentences.iloc[0]}
    if "pairid" in sentences:
        whole = sentences.groupby("pairid", sort=False)["comparison"].nunique()
        of_pair = sentences["pairid"] == whole.idxmax()
        sentences = pd.concat([sentences[of_pair], sentences[~of_pair]])
    firsts = {str(side): rows.iloc[0] for side, rows in sentences.groupby("comparison")}
    return {side: firsts[side] for side in (EXPECTED, UNEXPECTED) if side in firsts}


def _mark_in(
    row: pd.Series, side: str, called: str, punctuation: str, marked: Sequence[int], key: str
) -> tuple[int, ...]:
    texts = [row["sentence"][start:end].strip() for start, end in parts(row.to_dict(), punctuation)]
    words = [notices.literal(f"{place} {text}") for place, text in enumerate(texts)]
    which = called if "comparison" in row else "this sentence"
    label = f"Click the {'regions' if 'bars' in row else 'words'} that matter in {which} (the first is 0)"
    direction = "rtl" if _is_right_to_left(row["sentence"]) else "ltr"
    places = st.pills(
        label, range(len(words)), selection_mode="multi", default=[place for place in marked if place < len(words)],
        format_func=words.__getitem__, key=f"mark_{direction}_{side}_{key}_{row['sentid']}",
    )  # fmt: skip
    return tuple(sorted(places))


def _is_right_to_left(text: str) -> bool:
    """Whether the first letter that has a direction goes to the left (Unicode bidirectional algorithm, rule P2)."""
    directions = (unicodedata.bidirectional(character) for character in text)
    return next((direction for direction in directions if direction in ("L", "R", "AL")), "L") != "L"


def _linked() -> dict[str, tuple[int, ...]]:
    """Marks from the address: positions of the expected sentence, a slash, those of the unexpected one."""
    marks = (side.split(",") for side in st.query_params.get("marks", "").split("/"))
    places = (tuple(int(place) for place in side if place.isdecimal()) for side in marks)
    return dict(zip((EXPECTED, UNEXPECTED), places, strict=False))


def _check(sentences: pd.DataFrame, punctuation: str) -> None:
    with st.popover("Check in ten sentences", icon=":material/visibility:"), st.container(width=560):
        drawn = st.session_state.setdefault("check_seed", 0)
        sample = sentences.sample(min(_CHECKED, len(sentences)), random_state=drawn).sort_index()
        lines = "".join(_highlighted(row, punctuation) for _, row in sample.iterrows())
        st.html(f'<ol class="pl-check">{lines}</ol>')
        if len(sentences) > _CHECKED:
            another = {"check_seed": drawn + 1}
            st.button("Ten others", icon=":material/shuffle:", on_click=st.session_state.update, args=(another,))


def _highlighted(row: pd.Series, punctuation: str) -> str:
    """A sentence as a line of a list; what it has at the places of its region is marked."""
    text, roi, spans = str(row["sentence"]), row.get("roi"), parts(row.to_dict(), punctuation)
    if isinstance(roi, str):
        roi = places_of(roi, [text[start:end] for start, end in spans])
    pieces, end = [], 0
    for place, (start, stop) in enumerate(spans):
        if isinstance(roi, tuple) and place in roi:
            pieces.append(notices.fill("$before<mark>$part</mark>", before=text[end:start], part=text[start:stop]))
            end = stop
    return f'<li dir="auto">{"".join(pieces)}{notices.fill("$rest", rest=text[end:])}</li>'
