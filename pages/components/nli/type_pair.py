"""One typed pair, answered in both directions, and what that is in each label system."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.files.labels import SYSTEMS, System, cell, code, decode
from core.studies.nli.examples import NliExample, examples
from core.studies.nli.runs import NliRequest
from pages.components.nli import resources
from pages.components.nli.words import Words, label
from pages.components.shared import notices
from pages.components.shared.models import unreadable

PREMISE, HYPOTHESIS = "premise", "hypothesis"


def type_pair(say: Words, asked: NliRequest | None) -> None:
    """Two lines to type; the answers of the model, if one can answer."""
    opening = examples()[0]
    first, second, gallery = st.columns([5, 5, 2], vertical_alignment="bottom")
    premise = first.text_input(say("Premise (a)"), opening.premise, key=PREMISE, bind="query-params")
    hypothesis = second.text_input(say("Hypothesis (b)"), opening.hypothesis, key=HYPOTHESIS, bind="query-params")
    with gallery, st.popover(say("Examples"), icon=":material/menu_book:"), st.container(width=460):
        for example in examples():
            _offer(say, example)
    if asked is None:
        notices.note(
            say(
                "Choose a model above to have this pair answered: a classifier, or a language model "
                "that is asked in words. Everything below needs no model."
            )
        )
        return
    if not (premise or "").strip() or not (hypothesis or "").strip():
        notices.note(say("Type a premise and a hypothesis."))
        return
    if str(premise).split() == str(hypothesis).split():
        notices.instead(
            say("Both are the same sentence, and every sentence follows from itself: there is nothing to ask.")
        )
        return
    if reason := unreadable([str(premise), str(hypothesis)], asked.recipe):
        notices.instead(say(reason))
        return
    with notices.explained_errors(say):
        forward, reverse = resources.typed(str(premise), str(hypothesis), asked)
        _answer(say, asked, forward, reverse)
        _compare(say, premise, hypothesis, asked)


def _offer(say: Words, example: NliExample) -> None:
    st.button(example.title, key=f"gallery_{example.id}", type="tertiary", on_click=_take, args=(example,))
    notices.write("$note ($reference)", "pl-quiet", note=example.note[say.locale], reference=example.reference)


def _take(example: NliExample) -> None:
    st.session_state[PREMISE], st.session_state[HYPOTHESIS] = example.premise, example.hypothesis


def _answer(say: Words, asked: NliRequest, forward: Mapping[str, float], reverse: Mapping[str, float]) -> None:
    (first, p_first), (second, p_second) = (max(one.items(), key=lambda pair: pair[1]) for one in (forward, reverse))
    notices.write(
        "(a, b): <strong>$first</strong> $p_first · (b, a): <strong>$second</strong> $p_second", "pl-headline",
        first=say.label(first), second=say.label(second), p_first=say.number(p_first, ".0%"),
        p_second=say.number(p_second, ".0%"),
    )  # fmt: skip
    shares = [
        f"{direction}: "
        + ", ".join(f"{say.label(label)} {say.number(share, '.1%')}" for label, share in said.items())
        for direction, said in (("(a, b)", forward), ("(b, a)", reverse))
    ]
    notices.write("$who · $shares", "pl-quiet", who=asked.recipe.model.name, shares=" · ".join(shares))
    read = [f"{system.title}: {_in(system.name, asked, first, second, say)}" for system in _distinct()]
    notices.write("$read", read=" ".join((say("Read as"), " · ".join(read))))


def _distinct() -> list[System]:
    """One system for each set of labels."""
    found = {frozenset(system.labels): system for system in reversed(SYSTEMS.values())}
    return sorted(found.values(), key=lambda system: [*SYSTEMS].index(system.name))


def _in(data: str, asked: NliRequest, forward: str, reverse: str, say: Words) -> str:
    """What both answers are in the labels of a system, for (a, b) and (b, a)."""
    model = asked.reading.system
    rules = cell(data, model)
    said = [
        decode([one], [other] if rules.needs_reverse else None, data, model)[0]
        for one, other in ((forward, reverse), (reverse, forward))
    ]
    letters = {"letter": code(said[0]), "reverse": code(said[1])}
    return say("{label} ({letter}), back {reverse}", label=label(said[0]), **letters)


def _compare(say: Words, premise: str | None, hypothesis: str | None, asked: NliRequest) -> None:
    """Where the pair is one of the gallery: what should be said, and whether it was."""
    known = next((one for one in examples() if (one.premise, one.hypothesis) == (premise, hypothesis)), None)
    if known:
        expected = [known.label(asked.reading.system, reverse=back) for back in (False, True)]
        notices.write(
            "$expected", "pl-quiet",
            expected=say(
                "Should be: {labels}. {note}",
                labels=" / ".join(map(say.label, expected)), note=known.note[say.locale],
            ),
        )  # fmt: skip
