"""The tab Inside: where in the network the decision between two forms falls."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from core.charts.inside import layer_ladder, state_map
from core.runs.receipts.bibtex import bibtex
from core.studies.compare import Comparison
from core.studies.compare.receipt import keys
from core.studies.inside import Inside, patched, wording
from core.studies.inside.question import DIRECTIONS
from core.studies.inside.receipt import methods, receipt
from core.tasks import TASKS
from pages.components.compare import resources, say_inside
from pages.components.compare.ask_inside import ask_inside
from pages.components.compare.show_many_inside import show_many_inside
from pages.components.compare.show_patch import choose_cell, map_key, show_patch, take_click
from pages.components.shared import notices
from pages.components.shared.downloads import Part, gathered_downloads, show_chart, show_menu
from pages.components.shared.receipt import Made, show_receipt

_ONE, _MANY = "this pair", "many items"


def show_inside(comparison: Comparison) -> None:
    """What is exchanged, and whether in this pair or in many items."""
    patched(comparison.recipe)  # says at once if this model cannot be looked into
    left, right = st.columns([3, 2])
    component = left.segmented_control(
        "What is put into the other run", list(say_inside.COMPONENTS), default=next(iter(say_inside.COMPONENTS)),
        required=True, key="component", bind="query-params", format_func=say_inside.COMPONENTS.__getitem__, wrap=True,
    )  # fmt: skip
    scope = right.segmented_control(
        "Computed for", (_ONE, _MANY), default=_ONE, required=True, key="scope", bind="query-params"
    )
    if scope == _MANY:
        show_many_inside(comparison.recipe, str(component))
    elif question := ask_inside(comparison.pair):
        _show_pair(comparison, resources.inside(question, comparison.recipe, str(component)))
    for text in (say_inside.SHARE, say_inside.SOURCES):
        notices.write("$text", "pl-quiet", text=text)


def _show_pair(comparison: Comparison, found: Inside) -> None:
    """The answer in words, both maps, one patch, the ladder."""
    moved = bool(found.cells["share"].notna().any())
    _show_answer(found, moved=moved)
    with gathered_downloads() as parts:
        if moved:
            _show_maps(found)
        _show_ladder(found)
    _show_footer(comparison, found, parts)
    notices.write("$text", "pl-quiet", text=wording.EVIDENCE)


def _show_answer(found: Inside, *, moved: bool) -> None:
    question = found.question
    if moved:
        notices.write("$answer", "pl-second", answer=say_inside.headline(found))
    for text in filter(None, (wording.unaligned(found), wording.no_share(found))):
        notices.note(text)
    margins = zip(question.beginnings, found.margins, strict=True)
    said = " ".join(wording.margin(beginning, question.forms, bits) for beginning, bits in margins)
    notices.write("$said", said=said)


def _show_maps(found: Inside) -> None:
    """The map of each direction over its control, side by side, and the patch of one cell."""
    maps = st.container()
    chosen = choose_cell(found)
    with maps:
        for column, direction in zip(st.columns(2, gap="large"), DIRECTIONS, strict=True):
            with column:
                _show_map(found, direction, chosen if direction == chosen["direction"] else None)
    show_patch(found, chosen)


def _show_map(found: Inside, direction: str, chosen: pd.Series | None) -> None:
    """`chosen` is the cell that has a frame."""
    cells = found.cells[found.cells["direction"] == direction]
    title, finding = wording.direction_title(found.question, direction), wording.half(found, direction)
    notices.write("<strong>$title</strong>. $finding", title=title, finding=finding)
    framed = None if chosen is None else (int(chosen["layer"]), int(chosen["position"]))
    chart = state_map(cells, f"{title}. {finding}", chosen=framed)
    show_chart(chart, map_key(direction), on_click=partial(take_click, direction))
    notices.write("The same with random directions of the same size, as a control", "pl-quiet")
    show_chart(state_map(cells, f"{title}: random directions", "random"), f"inside_{direction}_random")


def _show_ladder(found: Inside) -> None:
    question = found.question
    told = [
        wording.settles(beginning, layer, question.forms, bits)
        for beginning, layer, bits in zip(question.beginnings, found.settled, found.margins, strict=True)
    ]
    notices.write(
        "<strong>Layer ladder</strong>: the margin at the end of each beginning as each layer would have given it, "
        "read through the end of the network. A ring: from here on its sign stays. $told", told=" ".join(told),
    )  # fmt: skip
    show_chart(layer_ladder(_rungs(found), " ".join(told), question.forms), "inside_ladder")


def _rungs(found: Inside) -> pd.DataFrame:
    """The ladder with a row per beginning and layer."""
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "beginning": beginning.strip(),
                    "layer": found.ladder["layer"],
                    "margin": found.ladder[name],
                    "settled": found.ladder["layer"] == settled,
                }
            )
            for beginning, name, settled in zip(found.question.beginnings, DIRECTIONS, found.settled, strict=True)
        ]
    )


def _show_footer(comparison: Comparison, found: Inside, charts: Sequence[Part]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        tables = [Part("inside", lambda: found.cells), Part("inside-ladder", lambda: found.ladder)]
        show_menu("inside", [*tables, *charts])
        cited = bibtex([*keys(comparison), *TASKS["inside"].cites], comparison.recipe.model)
        show_receipt(lambda: Made(receipt(found), methods(found), cited), "inside")
