"""A step on the screen: the question while the class votes, then its shares beside the model's answer."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.studies.classroom.classroom import AHEAD, REVEALED, Classroom, offered
from core.studies.classroom.kept import Kept
from core.studies.classroom.shares import Tally, tally, verdict
from core.studies.lesson import Step
from pages.components.classroom.show_joining import follow
from pages.components.shared import notices
from pages.components.shared.notices import fill

_EVERY = 1.0


def show_step(kept: Kept, room: Classroom) -> None:
    """The step at which the class is."""
    if (step := room.step) is None:
        return
    usual = "Which sentence is better?" if step.pair else "Which word comes next?"
    asked = {"question": step.question or usual, "at": room.at, "last": room.last}
    notices.write('$question <small class="pl-quiet">$at of $last</small>', "pl-second", **asked)
    if step.prefix:
        st.html(_text(room, f"{step.prefix} …"))
    if room.stage == REVEALED:
        _show_answer(room, step)
    else:
        _draw([_text(room, text, place) for place, text in enumerate(offered(room, room.at).values())])
        _count(kept, room.turn)


@st.fragment(run_every=_EVERY)
def _count(kept: Kept, turn: int) -> None:
    """How many have voted, not for what: nobody should follow the others."""
    follow(kept, turn)
    stage, votes, phones = kept.see(
        lambda room: (room.stage, tally(room, room.at).votes if room.step else 0, len(room.phones))
    )
    if stage == AHEAD:
        notices.write("The vote is not open yet. $phones phones have joined.", "pl-quiet", phones=phones)
    else:
        notices.write("$votes", "pl-headline", votes=notices.counted(votes, "vote"))
        notices.write("$phones phones have joined.", "pl-quiet", phones=phones)


def _show_answer(room: Classroom, step: Step) -> None:
    counted, answer = tally(room, room.at), room.answers[room.at - 1]
    notices.write("$said", "pl-headline", said=verdict(room, room.at))
    texts = offered(room, room.at)
    rows = [_share(room, counted, choice, text, place) for place, (choice, text) in enumerate(texts.items())]
    _draw(rows or [_share(room, counted, word, word) for word in counted.counts])
    if not answer.choice or not texts:
        notices.write("$model: $lead", "pl-second", model=room.model, lead=answer.lead)
    notices.write("$notice", "pl-second", notice=step.notice)
    notices.write("$reference", "pl-quiet", reference=step.reference)


def _draw(rows: Sequence[str]) -> None:
    """Rows of our own HTML; none where any word may be typed."""
    if rows:
        st.html("".join(rows))


def _share(room: Classroom, counted: Tally, choice: str, text: str, place: int | None = None) -> str:
    """A choice with its share of the class, and whether the model prefers it."""
    answer, expected = room.answers[room.at - 1], room.lesson.steps[room.at - 1].expected
    share = counted.share(choice) if counted.votes else 0.0
    said = fill("$n of $votes ($share)", n=counted.counts[choice], votes=counted.votes, share=f"{100 * share:.0f} %")
    if choice == answer.choice and place is not None:
        said += fill(" <strong>$model prefers this $lead.</strong>", model=room.model, lead=answer.lead)
    said += " Expected." if choice == expected else ""
    bar = f'<div class="pl-vote-bar" style="--share:{share:.1%}"></div><p class="pl-second">{said}</p>'
    return f'<div class="pl-vote">{_text(room, text, place)}{bar}</div>'


def _text(room: Classroom, text: str, place: int | None = None) -> str:
    """A sentence, large; those of a pair with the marks that they have on the phones."""
    paired = place is not None and len(offered(room, room.at)) == 2
    mark = f'<i class="pl-member {"b" if place else "a"}"></i>' if paired else ""
    return fill(f'<p class="pl-choice" lang="$tag" dir="auto">{mark}$text</p>', tag=room.lesson.language, text=text)
