"""The tab Inside: its question, proposed and typed; where in the network it is decided, in a pair or many items."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from core.charts.inside import CELL, layer_ladder, state_map
from core.charts.sentence_pair import next_pieces
from core.errors import InputError
from core.runs import command
from core.runs.receipts.bibtex import bibtex
from core.runs.zero_shot import sample
from core.scoring.recipe import Recipe
from core.settings import program
from core.studies.compare.pair import Comparison
from core.studies.compare.result import keys
from core.studies.compare.typed import SentencePair
from core.studies.inside import runs, wording
from core.studies.inside.pair import Inside
from core.studies.inside.proposal import proposals
from core.studies.inside.question import DIRECTIONS, Question, patched
from core.studies.inside.table import read
from core.studies.inside.wording import methods, receipt
from core.studies.next_word.forms import read_forms
from core.tasks import TASKS
from pages.components.compare import resources as of_page
from pages.components.shared import notices, resources
from pages.components.shared.datasets import choose_dataset
from pages.components.shared.downloads import Part, gathered_downloads, show_chart, show_menu
from pages.components.shared.jobs import RunRequest, answered, watch_jobs
from pages.components.shared.receipt import Made, show_receipt
from pages.components.shared.show_mean_map import show_mean_map

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
    """What is exchanged, and whether in this pair or in many items."""
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
        answer = of_page.inside(question, comparison.recipe, str(component))
        moved = bool(answer.cells["share"].notna().any())
        _show_answer(answer, moved=moved)
        with gathered_downloads() as parts:
            if moved:
                maps = st.container()
                chosen = _choose_cell(answer)
                with maps:
                    for column, direction in zip(st.columns(2, gap="large"), DIRECTIONS, strict=True):
                        with column:
                            _show_map(answer, direction, chosen if direction == chosen["direction"] else None)
                _show_patch(answer, chosen)
            _show_ladder(answer)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            tables = [Part("inside", lambda: answer.cells), Part("inside-ladder", lambda: answer.ladder)]
            show_menu("inside", [*tables, *parts])
            cited = bibtex([*keys(comparison), *TASKS["inside"].cites], comparison.recipe.model)
            show_receipt(lambda: Made(receipt(answer), methods(answer), cited), "inside")
        notices.write("$text", "pl-quiet", text=wording.EVIDENCE)
    for text in (wording.SHARE, wording.SOURCES):
        notices.write("$text", "pl-quiet", text=text)


def _show_answer(found: Inside, *, moved: bool) -> None:
    question = found.question
    if moved:
        notices.write("$answer", "pl-second", answer=wording.headline(found))
    for text in filter(None, (wording.unaligned(found), wording.no_share(found))):
        notices.note(text)
    margins = zip(question.beginnings, found.margins, strict=True)
    sentences = " ".join(wording.margin(beginning, question.forms, bits) for beginning, bits in margins)
    notices.write("$said", said=sentences)


def _show_map(found: Inside, direction: str, chosen: pd.Series | None) -> None:
    """`chosen` is the cell that has a frame."""
    cells = found.cells[found.cells["direction"] == direction]
    title, finding = wording.direction_title(found.question, direction), wording.half(found, direction)
    notices.write("<strong>$title</strong>. $finding", title=title, finding=finding)
    framed = None if chosen is None else (int(chosen["layer"]), int(chosen["position"]))
    chart = state_map(cells, f"{title}. {finding}", chosen=framed)
    show_chart(chart, f"inside_{direction}", on_click=partial(_take_click, direction))
    notices.write("The same with random directions of the same size, as a control", "pl-quiet")
    show_chart(state_map(cells, f"{title}: random directions", "random"), f"inside_{direction}_random")


def _show_ladder(found: Inside) -> None:
    question = found.question
    sentences = [
        wording.settles(beginning, layer, question.forms, bits)
        for beginning, layer, bits in zip(question.beginnings, found.settled, found.margins, strict=True)
    ]
    notices.write(
        "<strong>Layer ladder</strong>: the margin at the end of each beginning as each layer would have given it, "
        "read through the end of the network. A ring: from here on its sign stays. $told", told=" ".join(sentences),
    )  # fmt: skip
    rungs = found.ladder.melt("layer", var_name="direction", value_name="margin")
    settled, beginnings = dict(zip(DIRECTIONS, found.settled, strict=True)), map(str.strip, question.beginnings)
    rungs["settled"] = rungs["layer"] == rungs["direction"].map(settled)
    rungs["beginning"] = rungs["direction"].map(dict(zip(DIRECTIONS, beginnings, strict=True)))
    show_chart(layer_ladder(rungs, " ".join(sentences), question.forms), "inside_ladder")


def _take_click(direction: str) -> None:
    """Callback: a click on a cell chooses it."""
    for point in st.session_state[f"inside_{direction}"].selection.get(CELL, []):
        if {"layer", "position"} <= point.keys():
            st.query_params[_CELL] = f"{direction}.{int(point['layer'])}.{int(point['position'])}"


def _choose_cell(found: Inside) -> pd.Series:
    """The cell in the link, clicked, or chosen in three boxes; to begin with that of the headline."""
    direction, asked_layer, asked_place = (*st.query_params.get(_CELL, "").split("."), "", "", "")[:3]
    direction = direction if direction in DIRECTIONS else DIRECTIONS[0]
    cells, first = found.cells[found.cells["direction"] == direction], wording.telling(found, direction)
    tokens = dict(zip(cells["position"].tolist(), cells["token"], strict=True))
    layers = sorted({*cells["layer"].tolist()}, reverse=True)
    place, layer = _one_of([*tokens], asked_place, first["position"]), _one_of(layers, asked_layer, first["layer"])
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


def _one_of(options: Sequence[int], asked: str, first: int) -> int:
    """What the link asks for, if there is that."""
    return int(asked) if asked.isdecimal() and int(asked) in options else int(first)


def _show_patch(found: Inside, one: pd.Series) -> None:
    """What the patch moves, and the ten likeliest tokens with it beside those without."""
    notices.write("$said", "pl-second", said=wording.patch(found, one))
    pieces = of_page.next_with_patch(found, one["direction"], int(one["layer"]), int(one["position"]))
    pieces = pieces.rename(columns={"token": "piece"})
    receiver = found.question.beginnings[1 - DIRECTIONS.index(one["direction"])].strip()
    titles = {False: "without the patch", True: "with the patch"}
    for column, (with_patch, title) in zip(st.columns(2, gap="large"), titles.items(), strict=True):
        own = pieces[pieces["patched"] == with_patch]
        with column:
            notices.write(
                'After <span class="pl-form">$receiver</span> … <strong>$title</strong>',
                receiver=receiver, title=title,
            )  # fmt: skip
            finding = f"Likeliest token {title}: {own['piece'].iloc[0]}"
            show_chart(next_pieces(own, finding, 1.15 * pieces["probability"].max()), f"inside_next_{title}")


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
    return runs.ask(read(data, str(recipe.model.card.get("language", ""))), recipe, component)


FIRST, SECOND, FORMS = KEYS = ("beginning", "other", "decides")
"""The fields, in the link."""
_OF, _TYPED = "inside_of", "inside_typed"
"""In the session: the pair that the fields belong to, and what they held by pair."""
_MARKS = ".,;:!?…\"'“”‘’«»()[]¿¡"
_MOST_WORDS = 60
"""Of a beginning: each of its tokens is asked about in each layer, so time grows with the square of its length."""


def ask_inside(pair: SentencePair) -> Question | None:
    """The question in the fields. What is missing or cannot be read is said below them; then there is none."""
    proposed = _proposed(pair)
    _follow(pair, proposed)
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
    st.session_state[_TYPED][pair] = first, second, forms
    _propose(first, second)
    if not all(text.strip() for text in (first, second, forms)):
        notices.note(_missing(first, second, forms))
        return None
    with notices.explained_errors():
        named = read_forms(forms)
        if len(named) != 2:
            raise InputError(f"{len(named)} forms are typed; two are compared here, for example: are, is.")
        if max(len(text.split()) for text in (first, second)) > _MOST_WORDS:
            raise InputError(
                f"A beginning has more than {_MOST_WORDS} words, and each of its tokens is asked about in each "
                f"layer: shorten it, or use `{program()} inside` on the command line."
            )
        return Question(first, second, (named[0], named[1]))
    return None


def _follow(pair: SentencePair, proposed: tuple[str, str, str]) -> None:
    """Another pair, another question: what was typed for it before, else what is proposed."""
    typed: dict[SentencePair, tuple[str, str, str]] = st.session_state.setdefault(_TYPED, {})
    if st.session_state.get(_OF, pair) != pair:
        for key, text in zip(KEYS, typed.get(pair, proposed), strict=True):
            st.session_state[key] = text
    st.session_state[_OF] = pair


def _proposed(pair: SentencePair) -> tuple[str, str, str]:
    """The words before the first difference, these with one word exchanged, and the two words that differ."""
    words = [text.split() for text in pair]
    shared = next((n for n, (a, b) in enumerate(zip(*words, strict=False)) if a != b), 0)
    if not shared:
        return "", "", ""
    beginning = " ".join(words[0][:shared])
    forms = [own[shared].strip(_MARKS) for own in words]
    decides = ", ".join(forms) if all(forms) and forms[0] != forms[1] else ""
    return beginning, next((one.text for one in proposals(beginning)), ""), decides


def _propose(first: str, second: str) -> None:
    """A button for each other beginning that the lexicon has for the first."""
    others = [one for one in proposals(first) if one.text != second] if first.strip() else []
    if others:
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            with st.container(width="content"):
                notices.write("Another second beginning:", "pl-quiet")
            for one in others:
                label = f"{notices.literal(_change(first, one.text))} ({one.changed})"
                taken = {SECOND: one.text}
                key = f"propose_{one.text}"
                st.button(label, key=key, type="tertiary", on_click=st.session_state.update, args=(taken,))


def _change(first: str, second: str) -> str:
    """The words that are exchanged: `keys → key`."""
    words = first.split(), second.split()
    changes = SequenceMatcher(None, *words, autojunk=False).get_opcodes()
    return ", ".join(
        f"{' '.join(words[0][start:end])} → {' '.join(words[1][other:last])}"
        for kind, start, end, other, last in changes
        if kind != "equal"
    )


def _missing(first: str, second: str, forms: str) -> str:
    if not first.strip():
        return "Type a beginning and two forms that can come next: these sentences have no first words in common."
    if not second.strip():
        return "Type a second beginning: the first with one place changed, for example another number of its subject."
    return f"Type two forms that can come next, with a comma between them, for example: {forms.strip() or 'are, is'}."
