"""The tab Inside: its question, proposed and typed; where in the network it is decided, in a pair or many items."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from pages.components.compare.resources import once
from pages.components.shared import notices, resources
from pages.components.shared.datasets import choose_dataset
from pages.components.shared.downloads import Part, gathered_downloads, show_chart, show_menu
from pages.components.shared.jobs import RunRequest, answered, watch_jobs
from pages.components.shared.receipt import Made, show_receipt
from pages.components.shared.show_mean_map import show_mean_map
from pairlens.charts.inside import CELL, layer_ladder, state_map
from pairlens.charts.next_word import PIECE, likeliest
from pairlens.errors import InputError
from pairlens.evaluation import command
from pairlens.evaluation.receipts.bibtex import bibtex
from pairlens.evaluation.zero_shot import sample
from pairlens.places import program
from pairlens.scoring.recipe import Recipe
from pairlens.studies.compare.pair import Comparison
from pairlens.studies.compare.result import keys
from pairlens.studies.compare.typed import SentencePair
from pairlens.studies.inside import pair as of_pair
from pairlens.studies.inside import runs, wording
from pairlens.studies.inside.pair import Inside
from pairlens.studies.inside.proposal import proposals
from pairlens.studies.inside.question import DIRECTIONS, Question, patched
from pairlens.studies.lint.check import edits
from pairlens.tasks import TASKS
from pairlens.text import n_shared

_ONE, _MANY = "this pair", "many items"
_TASK = TASKS["inside"]
_SAMPLES = {
    "Agreement": ("en", "attraction.tsv"),
    "Negative polarity": ("en", "polarity.tsv"),
    "French participle": ("fr", "participle.tsv"),
}
"""Language and file."""
_EXPECTED = (
    "A table with first, second, form_first and form_second; an experiment of two levels, an agreement set or "
    "minimal pairs, of which the second beginnings are proposed"
)
_CELL = "cell"
"""The chosen cell, in the link: which beginning is the donor, the layer, the position of the receiving token."""
_BOXES = ("inside_into", "inside_layer", "inside_at")
_RECEIVER = dict(zip(DIRECTIONS, ("the second beginning", "the first beginning"), strict=True))


def show_inside(comparison: Comparison) -> None:
    patched(comparison.recipe)  # says at once if this model cannot be looked into
    left, right = st.columns([3, 2])
    component = left.segmented_control(
        "What is put into the other run", list(wording.COMPONENTS), default=next(iter(wording.COMPONENTS)),
        required=True, key="component", bind="query-params", format_func=wording.COMPONENTS.__getitem__, wrap=True,
    )  # fmt: skip
    scope = right.segmented_control(
        "Computed for", (_ONE, _MANY), default=_ONE, required=True, key="scope", bind="query-params"
    )
    if scope == _MANY:
        _show_many(comparison.recipe, str(component))
    elif question := ask_inside(comparison.pair):
        recipe, scorer = comparison.recipe, partial(resources.model_cache().scorer, patched(comparison.recipe))
        make = partial(of_pair.inside, question, recipe, resources.store(), scorer, str(component))
        _show_answer(once((question, component), recipe, make), keys(comparison))
    for text in (wording.SHARE, wording.SOURCES):
        notices.text(text, "pl-quiet")


def _show_answer(inside: Inside, cited: Sequence[str]) -> None:
    moved = bool(inside.cells["share"].notna().any())
    if moved:
        notices.text(wording.headline(inside), "pl-second")
    for text in wording.remarks(inside):
        notices.note(text)
    notices.text(" ".join(wording.margins(inside)))
    with gathered_downloads() as parts:
        if moved:
            maps = st.container()
            cell = _choose_cell(inside)
            with maps:
                for column, direction in zip(st.columns(2, gap="large"), DIRECTIONS, strict=True):
                    with column:
                        _show_map(inside, direction, cell)
            _show_patch(inside, cell)
        _show_ladder(inside)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        tables = [Part("inside", lambda: inside.cells), Part("inside-ladder", lambda: inside.ladder)]
        show_menu("inside", [*tables, *parts])
        entries = bibtex([*cited, *_TASK.cites], inside.recipe.model)
        show_receipt(lambda: Made(wording.receipt(inside), wording.methods(inside), entries), "inside")
    notices.text(wording.EVIDENCE, "pl-quiet")


def _show_map(inside: Inside, direction: str, cell: pd.Series) -> None:
    """`cell` is the one that is chosen, in this direction or in the other."""
    cells = inside.cells[inside.cells["direction"] == direction]
    title, finding = wording.direction_title(inside.question, direction), wording.half(inside, direction)
    notices.write("<strong>$title</strong>. $finding", title=title, finding=finding)
    framed = (int(cell["layer"]), int(cell["position"])) if cell["direction"] == direction else None
    chart = state_map(cells, f"{title}. {finding}", chosen=framed)
    show_chart(chart, f"inside_{direction}", on_click=partial(_take_click, direction))
    notices.text("The same with random directions of the same size, as a control", "pl-quiet")
    show_chart(state_map(cells, f"{title}: random directions", "random"), f"inside_{direction}_random")


def _show_ladder(inside: Inside) -> None:
    sentences = " ".join(wording.settles(inside))
    notices.write(
        "<strong>Layer ladder</strong>: the margin at the end of each beginning as each layer would have given it, "
        "read through the end of the network. A ring: from here on its sign stays. $sentences", sentences=sentences,
    )  # fmt: skip
    rungs = pd.concat(
        inside.ladder[["layer"]].assign(
            beginning=beginning.strip(), margin=inside.ladder[side], settled=inside.ladder["layer"] == layer
        )
        for side, beginning, layer in zip(DIRECTIONS, inside.question.beginnings, inside.settled, strict=True)
    )
    show_chart(layer_ladder(rungs, sentences, inside.question.forms), "inside_ladder")


def _take_click(direction: str) -> None:
    for point in st.session_state[f"inside_{direction}"].selection.get(CELL, []):
        if {"layer", "position"} <= point.keys():
            st.query_params[_CELL] = f"{direction}.{int(point['layer'])}.{int(point['position'])}"


def _choose_cell(inside: Inside) -> pd.Series:
    """The cell in the link, clicked, or chosen in three boxes; to begin with that of the headline."""
    direction, *numbers = (*st.query_params.get(_CELL, "").split("."), "", "", "")[:3]
    direction = direction if direction in DIRECTIONS else DIRECTIONS[0]
    cells, first = inside.cells[inside.cells["direction"] == direction], wording.telling(inside, direction)
    tokens = dict(zip(cells["position"].tolist(), cells["token"], strict=True))
    layers = sorted({*cells["layer"].tolist()}, reverse=True)
    layer, place = (
        int(linked) if linked.isdecimal() and int(linked) in options else int(first[name])
        for linked, options, name in zip(numbers, (layers, tokens), ("layer", "position"), strict=True)
    )
    st.session_state.update(zip(_BOXES, (direction, layer, place), strict=True))
    take_boxes = lambda: st.query_params.update({_CELL: ".".join(str(st.session_state[box]) for box in _BOXES)})  # noqa: E731
    with st.container(horizontal=True, vertical_alignment="bottom"):
        boxes: list[tuple[str, Sequence[Any], Callable[[Any], str], int]] = [
            ("Put into", DIRECTIONS, _RECEIVER.__getitem__, 260),
            ("In layer", layers, str, 130),
            ("At the token", [*tokens], lambda n: f"{n}  {tokens[n]}", 190),
        ]
        for key, (label, options, named, width) in zip(_BOXES, boxes, strict=True):
            st.selectbox(label, options, key=key, on_change=take_boxes, format_func=named, width=width)
    return cells[(cells["layer"] == layer) & (cells["position"] == place)].iloc[0]


def _show_patch(inside: Inside, cell: pd.Series) -> None:
    """What the patch moves, and the ten likeliest tokens with it beside those without."""
    notices.text(wording.patch(inside, cell), "pl-second")
    place: dict[str, Any] = {name: cell[name] for name in ("component", "direction")}
    place |= {name: int(cell[name]) for name in ("layer", "position")}
    scorer = partial(resources.model_cache().scorer, patched(inside.recipe))
    make = partial(of_pair.coming_next, inside.question, inside.recipe, resources.store(), scorer, **place)
    pieces = once((inside.question, place), inside.recipe, make).rename(columns={"token": "label"})
    receiver = inside.question.beginnings[1 - DIRECTIONS.index(cell["direction"])].strip()
    titles = ("without the patch", "with the patch")
    about = 'After <span class="pl-form">$receiver</span> … <strong>$title</strong>'
    for column, (_, own), title in zip(st.columns(2, gap="large"), pieces.groupby("patched"), titles, strict=True):
        with column:
            notices.write(about, receiver=receiver, title=title)
            finding = f"Likeliest token {title}: {own['label'].iloc[0]}"
            chart = likeliest(own, finding, PIECE, reach=1.15 * pieces["probability"].max())
            show_chart(chart, f"inside_next_{title}")


@dataclass(frozen=True)
class _MapRequest(RunRequest):
    component: str = "residual"

    def arguments(self, grid: command.Grid | None = None, *, both: bool = False) -> list[str]:  # noqa: ARG002
        return command.inside(self.data.resolve(), self.planned.recipe, self.component)


def _show_many(recipe: Recipe, component: str) -> None:
    """Which items, a run of them, and the map of what was stored; `recipe` is the one that is compared with."""
    language = str(recipe.model.card.get("language", ""))
    ordered = sorted(_SAMPLES.items(), key=lambda one: one[1][0] not in language.split())
    data = choose_dataset(_TASK, "inside", {name: sample(_TASK) / file for name, (_, file) in ordered}, _EXPECTED)
    watch_jobs("inside")
    if data is None:
        return
    whole = "sum" if recipe.policy.word_value == "sum" else "bow_eos"
    counted = replace(recipe, policy=recipe.policy.but(word_value=whole, punctuation="separate"))
    request = _asked(data, counted, component, resources.states(data))
    if request.left_out:
        n_items, reason = notices.counted(len(request.left_out), "item"), next(iter(request.left_out.values()))
        notices.note(f"Left out: {n_items} ({reason}).")
    for run_id in answered([_MapRequest(request.planned, data, component)], resources.store()):
        show_mean_map(run_id)


@resources.remembered("Reading …", 6)
def _asked(data: Path, recipe: Recipe, component: str, states: tuple[object, ...]) -> runs.MapRequest:  # noqa: ARG001
    return runs.request_of(data, recipe, component)


FIRST, SECOND, FORMS = KEYS = ("beginning", "other", "decides")
_OF, _TYPED = "inside_of", "inside_typed"
"""In the session: the pair that the fields belong to, and what they held by pair."""
_MARKS = ".,;:!?…\"'“”‘’«»()[]¿¡"
_MOST_WORDS = 60
"""Of a beginning: each of its tokens is asked about in each layer, so time grows with the square of its length."""


def ask_inside(pair: SentencePair) -> Question | None:
    """The question in the fields. What is missing or cannot be read is said below them; then there is none."""
    proposed = _proposed(pair)
    typed: dict[SentencePair, tuple[str, str, str]] = st.session_state.setdefault(_TYPED, {})
    if st.session_state.get(_OF, pair) != pair:  # another pair, another question: the one typed before, or proposed
        st.session_state.update(zip(KEYS, typed.get(pair, proposed), strict=True))
    st.session_state[_OF] = pair
    first, second, forms = (
        column.text_input(label, value, key=key, bind="query-params", placeholder=example)
        for column, label, value, key, example in zip(
            st.columns([3, 3, 2]),
            ("First beginning", "Second beginning, one place changed", "Two forms that come next"),
            proposed,
            KEYS,
            ("The keys to the cabinet", "The key to the cabinet", "are, is"),
            strict=True,
        )
    )
    typed[pair] = first, second, forms
    _propose(first, second)
    if not all(text.strip() for text in (first, second, forms)):
        notices.note(_missing(first, second, forms))
        return None
    with notices.explained_errors():
        if max(len(text.split()) for text in (first, second)) > _MOST_WORDS:
            raise InputError(
                f"A beginning has more than {_MOST_WORDS} words, and each of its tokens is asked about in each "
                f"layer: shorten it, or use `{program()} inside` on the command line."
            )
        return Question.typed(first, second, forms)
    return None


def _proposed(pair: SentencePair) -> tuple[str, str, str]:
    """The words before the first difference, these with one word exchanged, and the two words that differ."""
    words = [text.split() for text in pair]
    shared = n_shared(*words)
    if not 0 < shared < min(map(len, words)):
        return "", "", ""
    beginning = " ".join(words[0][:shared])
    forms = [own[shared].strip(_MARKS) for own in words]
    decides = ", ".join(forms) if all(forms) and forms[0] != forms[1] else ""
    return beginning, next((proposal.text for proposal in proposals(beginning)), ""), decides


def _propose(first: str, second: str) -> None:
    others = [proposal for proposal in proposals(first) if proposal.text != second] if first.strip() else []
    if others:
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            with st.container(width="content"):
                notices.text("Another second beginning:", "pl-quiet")
            for other in others:
                changes = ", ".join(f"{old} → {new}" for old, new in edits(first, other.text))
                st.button(
                    f"{notices.literal(changes)} ({other.changed})", key=f"propose_{other.text}", type="tertiary",
                    on_click=st.session_state.update, args=({SECOND: other.text},),
                )  # fmt: skip


def _missing(first: str, second: str, forms: str) -> str:
    if not first.strip():
        return "Type a beginning and two forms that can come next: these sentences have no first words in common."
    if not second.strip():
        return "Type a second beginning: the first with one place changed, for example another number of its subject."
    return f"Type two forms that can come next, with a comma between them, for example: {forms.strip() or 'are, is'}."
