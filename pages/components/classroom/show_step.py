"""A step on the screen, the teacher's buttons above it, how phones join; and the class against the model."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd
import segno
import streamlit as st

from pages.components.classroom.served import Served
from pages.components.shared import notices, resources
from pages.components.shared.downloads import File, Part, gathered_downloads, show_chart, show_menu
from pages.components.shared.notices import fill
from pages.components.shared.runs import say_saved
from pages.components.shared.tables import show_strip, show_table
from pairlens.charts.classroom import class_against_model
from pairlens.places import program
from pairlens.scoring.recipe import recipe_of
from pairlens.sharing import is_shared
from pairlens.studies.classroom import kept
from pairlens.studies.classroom.classroom import AHEAD, MOST_HANDS, OPEN, REVEALED, Classroom, choices, offered
from pairlens.studies.classroom.kept import Kept, store_choices
from pairlens.studies.classroom.shares import Tally, finding, table, tally, verdict, votes_csv
from pairlens.studies.compare.pair import compare
from pairlens.studies.compare.tables import word_table
from pairlens.studies.lesson import written
from pairlens.text.languages import name_of

Act = Callable[[Classroom], None]
_EVERY = 1.0
"""Seconds between two looks at what phones did."""


def steer(running: Served, room: Classroom) -> None:
    """The bar above the step: first the button for what usually comes next."""
    votes, at, last = running.kept, room.at, room.last
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if at <= last:
            _button(votes, room, *_next(room), type="primary")
        if room.step and room.stage != REVEALED:
            _button(votes, room, "Skip", "skip_next", lambda now: now.go(at + 1))
        if at > 0:
            _button(votes, room, "Back", "arrow_back", lambda now: now.go(at - 1))
        if at > last and not room.ended:
            _button(votes, room, "End the class", "flag", Classroom.end)
        st.space("stretch")
        if room.step and room.stage != REVEALED and choices(room.step):
            with st.popover("Raised hands", icon=":material/back_hand:", width="content"):
                notices.write("Of those without a phone", "pl-label")
                for place, (choice, text) in enumerate(offered(room, room.at).items()):
                    key = f"hands_{room.at}_{place}"
                    st.number_input(
                        notices.literal(text), 0, MOST_HANDS, room.hands[room.at - 1].get(choice, 0), key=key,
                        on_change=_raise, args=(votes, room.at, choice, key),
                    )  # fmt: skip
        if at > 0 and not room.ended:
            with st.popover("Join", icon=":material/qr_code_2:", width="content"):
                show_joining(running, small=True)


def _next(room: Classroom) -> tuple[str, str, Act]:
    if room.at == 0:
        return "Begin", "play_arrow", lambda now: now.go(1)
    if room.stage == AHEAD:
        return "Open the vote", "how_to_vote", Classroom.open
    if room.stage == OPEN:
        return "Show the answer", "visibility", Classroom.reveal
    label = "Next" if room.at < room.last else "Class against model"
    return label, "arrow_forward", lambda now: now.go(room.at + 1)


def _button(votes: Kept, room: Classroom, label: str, icon: str, act: Act, **look: Any) -> None:
    key = f"class_{label}"
    st.button(label, icon=f":material/{icon}:", key=key, on_click=_change, args=(votes, room.at, act), **look)


def _change(votes: Kept, at: int, act: Act) -> None:
    """Let the act happen, unless another window of the teacher has gone on meanwhile."""

    def change(now: Classroom) -> None:
        if now.at == at:
            act(now)

    with notices.explained_errors():
        votes.change(change)


def _raise(votes: Kept, at: int, choice: str, key: str) -> None:
    _change(votes, at, lambda now: now.raise_hands(at, choice, int(st.session_state[key])))


def show_joining(running: Served, *, small: bool = False) -> None:
    title, code = running.kept.see(lambda room: (room.lesson.title, room.code))
    if not small:
        notices.text(title, "pl-headline")
    drawn = segno.make(f"{running.address}/join?c={code}", error="m", micro=False)
    source = drawn.svg_data_uri(scale=8, border=3, light="#fff")
    picture = f'<img class="pl-qr" alt="QR code of the address" src="{source}">'
    words = fill(
        '<p class="pl-second">Point your camera here, or open</p><p class="pl-address">$address</p>'
        '<p class="pl-second">and type the code</p><p class="pl-code">$code</p>',
        address=running.address.removeprefix("http://"), code=code,
    )  # fmt: skip
    st.html(f'<div class="pl-join{" small" if small else ""}">{picture}<div>{words}</div></div>')
    if not small:
        _count_phones(running.kept, running.kept.turn)


@st.fragment(run_every=_EVERY)
def _count_phones(votes: Kept, turn: int) -> None:
    follow(votes, turn)
    phones = votes.see(lambda room: len(room.phones))
    notices.text("1 phone has joined." if phones == 1 else f"{phones} phones have joined.", "pl-headline")


def follow(votes: Kept, turn: int) -> None:
    """Draw the whole page again if another window of the teacher has gone on."""
    if votes.turn != turn:
        st.rerun()


def show_step(votes: Kept, room: Classroom) -> None:
    if (step := room.step) is None:
        return
    question = step.question or ("Which sentence is better?" if step.pair else "Which word comes next?")
    place = f"{room.at} of {room.last}"
    notices.write('$question <small class="pl-quiet">$at</small>', "pl-second", question=question, at=place)
    if step.prefix:
        st.html(_text(room, f"{step.prefix} …"))
    if room.stage == REVEALED:
        counted, answer = tally(room, room.at), room.answers[room.at - 1]
        notices.text(verdict(room, room.at), "pl-headline")
        texts = offered(room, room.at)
        rows = [_share(room, counted, choice, text, place) for place, (choice, text) in enumerate(texts.items())]
        rows = rows or [_share(room, counted, word, word) for word in counted.counts]
        if rows:  # none where any word may be typed and none was
            st.html("".join(rows))
        if step.pair:
            first, second = texts.values()
            with notices.explained_errors():
                show_strip(_words(first, second, room.model))
        if not answer.choice or not texts:
            notices.text(f"{room.model}: {answer.lead}", "pl-second")
        notices.text(step.notice, "pl-second")
        notices.text(step.reference, "pl-quiet")
    else:
        if choices(step):
            sentences = enumerate(offered(room, room.at).values())
            st.html("".join(_text(room, sentence, place) for place, sentence in sentences))
        _count_votes(votes, room.turn)


@resources.remembered("Reading the scores …", 64)
def _words(first: str, second: str, model: str) -> pd.DataFrame:
    """Both sentences word by word, as they stand on the screen; their scores are stored since the class began."""
    recipe = recipe_of(model)
    (comparison,) = compare(
        [(first, second)], recipe, resources.store(), partial(resources.model_cache().scorer, recipe)
    )
    return word_table(comparison)


@st.fragment(run_every=_EVERY)
def _count_votes(votes: Kept, turn: int) -> None:
    """How many have voted, not for what: nobody should follow the others."""
    follow(votes, turn)
    room = votes.now()
    joined = f"{len(room.phones)} phones have joined."
    if room.stage == AHEAD:
        notices.text(f"The vote is not open yet. {joined}", "pl-quiet")
    else:
        notices.text(notices.counted(tally(room, room.at).votes if room.step else 0, "vote"), "pl-headline")
        notices.text(joined, "pl-quiet")


def _share(room: Classroom, counted: Tally, choice: str, text: str, place: int | None = None) -> str:
    """A choice with its share of the class, and whether the model prefers it."""
    answer, expected = room.answers[room.at - 1], room.lesson.steps[room.at - 1].expected
    share = counted.share(choice) if counted.votes else 0.0
    line = fill("$n of $votes ($share)", n=counted.counts[choice], votes=counted.votes, share=f"{100 * share:.0f} %")
    if choice == answer.choice and place is not None:
        line += fill(" <strong>$model prefers this $lead.</strong>", model=room.model, lead=answer.lead)
    if choice == expected:
        line += fill(" It is what speakers of $language expect.", language=name_of(room.lesson.language))
    bar = f'<div class="pl-vote-bar" style="--share:{share:.1%}"></div><p class="pl-second">{line}</p>'
    return f'<div class="pl-vote">{_text(room, text, place)}{bar}</div>'


def _text(room: Classroom, text: str, place: int | None = None) -> str:
    """A sentence, large; two that are offered with the marks and letters that they have on the phones."""
    paired = place is not None and len(offered(room, room.at)) == 2
    mark = f'<i class="pl-member {"b" if place else "a"}"></i><b>{"AB"[place or 0]}</b> ' if paired else ""
    return fill(f'<p class="pl-choice" lang="$tag" dir="auto">{mark}$text</p>', tag=room.lesson.language, text=text)


_WIDE = 640


def show_result(name: str, room: Classroom) -> None:
    shown = table(room)
    if shown.empty:
        notices.note("No answer was shown yet: there is nothing to compare.")
        return
    sentence = finding(shown)
    notices.text(sentence or "No step has an expected answer.", "pl-headline")
    with gathered_downloads() as parts:
        if sentence:
            with st.container(width=_WIDE):
                judged = shown[shown["outcome"] != ""]
                show_chart(class_against_model(judged, sentence, room.model), f"class_{name}")
    show_table(
        _in_words(shown).drop(columns=["kind", "outcome"]),
        column_config={
            "step": "Step", "a": "One sentence, or a beginning", "b": "The other, or its forms",
            "expected": "Expected", "votes": "Votes", "class_choice": "The class", "model_choice": room.model,
            "class_share": st.column_config.NumberColumn("Share of the class", format="percent"),
            "margin_bits": st.column_config.NumberColumn("Margin (bits)", format="%+.2f"),
        },
    )  # fmt: skip
    if any(room.flipped):
        letters = "A and B in downloads are those of the lesson; the screen had shown some pairs in the other order."
        notices.text(letters, "pl-quiet")
    files = [
        File("votes.csv", lambda: votes_csv(room), "votes.csv", "text/csv"),
        File("Lesson", lambda: written(room.lesson), "lesson.toml", "application/toml"),
    ]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        show_menu(f"class_{name}", [Part(f"class-{name}", lambda: shown), *parts], files)
        pressed = st.button("Save to Results", icon=":material/bookmark_add:", key=f"save_{name}")
    if pressed:
        with notices.explained_errors():
            say_saved(store_choices(name, room, resources.store()))


def _in_words(shown: pd.DataFrame) -> pd.DataFrame:
    """Sentences instead of the letters of pairs, whose order a class may have seen reversed."""
    named = shown.copy()
    for name in ("expected", "class_choice", "model_choice"):
        rows = zip(shown["kind"], shown["a"], shown["b"], shown[name], strict=True)
        named[name] = [
            {"A": a, "B": b}.get(choice, choice) if kind == "pair" else choice for kind, a, b, choice in rows
        ]
    return named


def show_earlier() -> None:
    """Earlier classes only on a dashboard of one's own."""
    notices.write(
        "A class is begun in a terminal: <code>make class LESSON=…</code> or <code>$program class LESSON</code>. It "
        "prints the teacher's link and what the students open.", program=program(),
    )  # fmt: skip
    rooms = {} if is_shared() else kept.classes()
    if not rooms:
        return
    name = st.selectbox(
        "Earlier classes", list(rooms), key="earlier_class", persist_state="session",
        format_func=lambda one: f"{one[:10]} {one[11:13]}:{one[13:15]}, {notices.literal(rooms[one].lesson.title)}",
    )  # fmt: skip
    show_result(name, rooms[name])
