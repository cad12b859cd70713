"""The region of interest: as the table has it, between bars, the whole sentence, or words marked in an example."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.components.shared import notices
from pages.components.shared.link import keep_in_link
from pairlens.analysis.experiment import EXPECTED, UNEXPECTED
from pairlens.studies.experiment.design import BARS, COLUMN, NAMED, WHOLE, WORDS, Design, Region, parts, places_of
from pairlens.studies.experiment.wording import sides

_LABELS = {
    COLUMN: "In the table", BARS: "Between bars", WORDS: "Words I mark", NAMED: "Words I name",
    WHOLE: "Whole sentence",
}  # fmt: skip
_CHECKED = 10
_UNTIL = "until then the whole sentence counts."


def choose_region(design: Design, kind: str, punctuation: str, source: str, row: DeltaGenerator) -> Region:
    """The region, in the link as `marks`; examples to mark it in and, in a row of the page, others to check it."""
    if kind == NAMED:
        marked = _name()
    else:
        marked = Region(kind) if kind in (COLUMN, WHOLE) else _mark(design, kind, punctuation, source)
    with row:
        _check(design.marked(marked).sentences, punctuation)
    return marked


def choose_kind(design: Design, source: str) -> str:
    """What tells the region, in the link as `region`."""
    kinds = [kind for kind, there in ((COLUMN, design.has_region), (BARS, design.has_bars)) if there]
    options, linked = [*kinds, WORDS, NAMED, WHOLE], st.query_params.get("region", "")
    usual = (kinds or [WHOLE])[0]
    chosen = st.segmented_control(
        "Region of interest", options, default=linked if linked in options else usual, required=True,
        key=f"region_{source}", format_func=_LABELS.__getitem__,
    )  # fmt: skip
    keep_in_link("region", str(chosen), unless=chosen == usual)
    return str(chosen)


def _name() -> Region:
    """Words as they are written, wherever a sentence has them."""
    named = st.text_input(
        "Words that are the region, wherever they stand", key="region_words", bind="query-params",
        placeholder="is here / are here", help="Of alternatives, with / between them, the first that a sentence has.",
    )  # fmt: skip
    if not (named or "").strip():
        notices.note(f"Type them; {_UNTIL}")
        return Region(WHOLE)
    return Region(NAMED, named=named)


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
        notices.note(f"Click what matters; {_UNTIL}{every}")
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
    with st.popover("Check", icon=":material/visibility:"), st.container(width=560):
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
