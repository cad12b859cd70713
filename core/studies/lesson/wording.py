"""A lesson's answers as sentences, and as a table at its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from core.messages import counted
from core.studies.lesson.answering import Answer
from core.studies.lesson.lesson import Lesson, Step
from core.studies.lesson.shipped import Measured
from core.text.languages import english_name

COLUMNS = ("step", "asked", "you", "model", "bits", "expected")


def asked(step: Step) -> str:
    """The step in one line: `The lamps is … / The lamps are …`, or `The key to the old houses … is / are`."""
    return " / ".join(step.pair) if step.pair else f"{step.prefix.rstrip()} … {' / '.join(step.forms)}".rstrip()


def verdict(step: Step, answer: Answer, language: str, model: str) -> str:
    """Whether a model agrees with speakers of the lesson's language; empty where the step says nothing of them."""
    speakers = f"speakers of {english_name(language)}"
    if step.expected == "none":
        return f"Both sentences are fine: the preference of {model} is no judgement."
    if answer.right is None:
        return ""
    if answer.right:
        return f"{model} agrees with {speakers}."
    return f"{model} goes against {speakers}, who take {step.expected}."


def beside(choice: str, answer: Answer, model: str) -> str:
    """`You chose B; english-small takes A.`; empty where nothing was chosen."""
    if not choice:
        return ""
    if choice == answer.chosen:
        return f"You chose {choice}, as {model} does."
    return f"You chose {choice}; {model} {f'takes {answer.chosen}' if answer.chosen else 'cannot decide'}."


def overview(lesson: Lesson, answers: Mapping[int, Answer], choices: Sequence[str]) -> pd.DataFrame:
    """A row per step: step, asked, you, model (its answer), bits (its lead), expected.

    `answers` by step, counted from 0, of those that were shown; the others are empty, and so is what is expected.
    """
    rows = [
        (place + 1, asked(step), choices[place], answers[place].chosen, answers[place].bits, step.expected)
        if place in answers
        else (place + 1, asked(step), choices[place], "", None, "")
        for place, step in enumerate(lesson.steps)
    ]
    return pd.DataFrame(rows, columns=[*COLUMNS]).astype({"bits": "float64"})


def tally(lesson: Lesson, answers: Mapping[int, Answer], choices: Sequence[str], model: str) -> list[str]:
    """How often the model, and the visitor, agree with speakers, and with each other, over the steps shown."""
    told = [place for place, one in answers.items() if one.right is not None]
    said = []
    if told:
        right = sum(bool(answers[place].right) for place in told)
        said.append(f"{model} agrees with speakers of {english_name(lesson.language)} in {right} of {_steps(told)}.")
    mine = [place for place in told if choices[place]]
    if mine:
        own = sum(choices[place] == lesson.steps[place].expected for place in mine)
        same = sum(choices[place] == answers[place].chosen for place in mine)
        said.append(f"You agree with them in {own} of {_steps(mine)}, and with {model} in {same}.")
    return said


def of_bundled(measured: Mapping[str, Sequence[Measured]], besides: str) -> str:
    """How often the bundled models, all but one, are as expected: `bilingual-masked 1 of 9`."""
    told = {model: [one.right for one in found if one.right is not None] for model, found in measured.items()}
    said = [f"{model} {sum(right)} of {len(right)}" for model, right in told.items() if right and model != besides]
    return ", ".join(said)


def summary(lesson: Lesson) -> str:
    """`13 steps, 45 minutes, with english-small.`"""
    by = f", with {lesson.model}" if lesson.model else ""
    return f"{counted(len(lesson.steps), 'step')}, {counted(lesson.minutes, 'minute')}{by}."


def _steps(places: Sequence[int]) -> str:
    return counted(len(places), "step")
