"""Which part of each sentence is looked at: as the table says, between bars, by clicking words, or all of it."""

import unicodedata
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.analysis.experiment import EXPECTED, UNEXPECTED
from core.studies.experiment.design import Design
from core.studies.experiment.region import BARS, COLUMN, WHOLE, WORDS, Region, parts, places_of
from core.studies.experiment.wording import sides
from pages.components.shared import notices
from pages.components.shared.link import keep_in_link

LINK = ("region", "marks")
_LABELS = {
    COLUMN: "As in the table",
    BARS: "Between bars",
    WORDS: "Words I mark",
    WHOLE: "Whole sentence",
}
_CHECKED = 10


def choose_region(design: Design, punctuation: str, source: str) -> Region:
    """The region, in the link as `region` and `marks`; two example sentences to mark it in, ten others to check it.

    Words are counted as the policy for `punctuation` cuts them.
    """
    row = st.container(horizontal=True, vertical_alignment="bottom")
    with row:
        chosen = _choose(design, source)
    marked = Region(chosen) if chosen in (COLUMN, WHOLE) else _mark(design, chosen, punctuation, source)
    with row:
        _check(design.marked(marked).sentences, punctuation)
    return marked


def _choose(design: Design, source: str) -> str:
    given, barred = design.has_region, design.has_bars
    options = [*([COLUMN] if given else []), *([BARS] if barred else []), WORDS, WHOLE]
    usual, linked = options[0] if given or barred else WHOLE, st.query_params.get("region", "")
    first = linked if linked in options else usual
    chosen = st.segmented_control(
        "2 · Region of interest", options, default=first, required=True, key=f"region_{source}",
        format_func=_LABELS.__getitem__,
    )  # fmt: skip
    keep_in_link("region", str(chosen), unless=chosen == usual)
    return str(chosen)


def _mark(design: Design, by: str, punctuation: str, source: str) -> Region:
    """A row of words (or of regions between bars) per example sentence; a click marks or unmarks.

    The places marked in one row count for the other too until that has marks of its own.
    """
    sentences = design.sentences.drop(columns="bars", errors="ignore") if by == WORDS else design.sentences
    examples = _examples(sentences)
    linked = _linked()
    called = dict(zip((EXPECTED, UNEXPECTED), sides(design.columns), strict=True))
    marks = {
        side: _mark_in(
            row,
            side,
            notices.literal(called[side]),
            punctuation,
            linked.get(side, ()),
            f"{source}_{by}_{punctuation}",
        )
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
    firsts = {side: rows.iloc[0] for side, rows in sentences.groupby("comparison")}
    if "pairid" in sentences:
        whole = sentences.groupby("pairid", sort=False)["comparison"].nunique()
        of_pair = sentences[sentences["pairid"] == whole.idxmax()]
        firsts |= {side: rows.iloc[0] for side, rows in of_pair.groupby("comparison")}
    return {side: firsts[side] for side in (EXPECTED, UNEXPECTED) if side in firsts}


def _mark_in(
    row: pd.Series, side: str, called: str, punctuation: str, marked: Sequence[int], key: str
) -> tuple[int, ...]:
    spans = parts({str(name): value for name, value in row.items()}, punctuation)
    words = [
        notices.literal(f"{place} {row['sentence'][start:end].strip()}") for place, (start, end) in enumerate(spans)
    ]
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
    sides = st.query_params.get("marks", "").split("/")
    return {
        side: tuple(int(place) for place in marks.split(",") if place.isdecimal())
        for side, marks in zip((EXPECTED, UNEXPECTED), sides, strict=False)
    }


def _check(sentences: pd.DataFrame, punctuation: str) -> None:
    with st.popover("Check in ten sentences", icon=":material/visibility:"), st.container(width=560):
        drawn = st.session_state.setdefault("check_seed", 0)
        some = sentences.sample(min(_CHECKED, len(sentences)), random_state=drawn).sort_index()
        lines = "".join(_highlighted(row, punctuation) for _, row in some.iterrows())
        st.html(f'<ol class="pl-check">{lines}</ol>')
        if len(sentences) > _CHECKED:
            another = {"check_seed": drawn + 1}
            st.button("Ten others", icon=":material/shuffle:", on_click=st.session_state.update, args=(another,))


def _highlighted(row: pd.Series, punctuation: str) -> str:
    """A sentence as a line of a list; what it has at the places of its region is marked."""
    text, roi, spans = (
        str(row["sentence"]),
        row.get("roi"),
        parts({str(name): value for name, value in row.items()}, punctuation),
    )
    if isinstance(roi, str):
        roi = places_of(roi, [text[start:end] for start, end in spans])
    inside = [span for place, span in enumerate(spans) if place in (roi if isinstance(roi, tuple) else ())]
    pieces, end = [], 0
    for start, stop in inside:
        pieces.append(notices.fill("$before<mark>$region</mark>", before=text[end:start], region=text[start:stop]))
        end = stop
    return f'<li dir="auto">{"".join(pieces)}{notices.fill("$rest", rest=text[end:])}</li>'
