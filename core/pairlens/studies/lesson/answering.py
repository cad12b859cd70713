"""What a model says to the steps of a lesson: as numbers, as sentences, and as a table at the end."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from pairlens import measures
from pairlens.messages import counted
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.studies.compare import wording as of_pairs
from pairlens.studies.compare.pair import Comparison, compare
from pairlens.studies.lesson.lesson import Lesson, Measured, Step
from pairlens.studies.next_word import wording as of_words
from pairlens.studies.next_word.forms import FormComparison, compare_forms
from pairlens.studies.next_word.pieces import predictor, read_prefix
from pairlens.studies.next_word.top_words import NextTokens, next_tokens
from pairlens.text.languages import english_name
from pairlens.types import Scorer

Basis = Comparison | FormComparison | NextTokens


@dataclass(frozen=True)
class Answer:
    """A model's answer to a step: `chosen` is A or B, a form, or the likeliest word; empty for a tie and the like.

    `bits` is its lead over the next choice, NaN where there is none. `right` compares it with what is expected, None
    where nothing is. `said` is the answer as a sentence, `found` what it was made from.
    """

    chosen: str
    bits: float
    right: bool | None
    said: str
    found: Basis


def answers(
    steps: Sequence[Step], recipe: Recipe, store: Store, scorer: Callable[[], Scorer] | None = None
) -> list[Answer]:
    """One per step; what is not stored is scored now. ModelError for a beginning and a model that cannot go on."""
    pairs = iter(compare([step.pair for step in steps if step.pair], recipe, store, scorer))
    return [_of_pair(step, next(pairs)) if step.pair else _after(step, recipe, store, scorer) for step in steps]


def _after(step: Step, recipe: Recipe, store: Store, scorer: Callable[[], Scorer] | None) -> Answer:
    if step.forms:
        (choice,) = compare_forms([(step.prefix, step.forms)], recipe, store, scorer)
        chosen = choice.ranked[0].text if choice.outcome == "decided" else ""
        return _answer(step, chosen, choice.margin, of_words.decision(choice, recipe.policy.unit), choice)
    opened = predictor(recipe, scorer)
    read = read_prefix(step.prefix, recipe)
    n_tokens = len(opened.tokenizer.backend.encode(read, add_special_tokens=False).ids)
    seen = next_tokens(read, n_tokens, opened, recipe.policy)
    words = seen.words.words if seen.words else ()
    lead = words[0].logprob - words[1].logprob if len(words) > 1 else math.nan
    return _answer(step, of_words.named(words[0]) if words else "", lead, of_words.expectation(seen), seen)


def _of_pair(step: Step, compared: Comparison) -> Answer:
    chosen = compared.preferred if compared.preferred in ("A", "B") else ""
    return _answer(step, chosen, compared.margin, of_pairs.same(compared) or of_pairs.preference(compared), compared)


def _answer(step: Step, chosen: str, margin: float, sentence: str, basis: Basis) -> Answer:
    right = None if step.expected in ("", "none") else chosen == step.expected
    return Answer(chosen, abs(measures.bits(margin)) if chosen else math.nan, right, sentence, basis)


COLUMNS = ("step", "asked", "you", "model", "bits", "expected")


def asked(step: Step) -> str:
    """The step in one line: `The lamps is … / The lamps are …`, or `The key to the old houses … is / are`."""
    return " / ".join(step.pair) if step.pair else f"{step.prefix.rstrip()} … {' / '.join(step.forms)}".rstrip()


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
    lines, speakers = [], f"speakers of {english_name(lesson.language)}"
    if judged := [place for place, one in answers.items() if one.right is not None]:
        right = sum(bool(answers[place].right) for place in judged)
        lines.append(f"{model} agrees with {speakers} in {right} of {counted(len(judged), 'step')}.")
    if mine := [place for place in judged if choices[place]]:
        own = sum(choices[place] == lesson.steps[place].expected for place in mine)
        same = sum(choices[place] == answers[place].chosen for place in mine)
        lines.append(f"You agree with them in {own} of {counted(len(mine), 'step')}, and with {model} in {same}.")
    return lines


def of_bundled(measured: Mapping[str, Sequence[Measured]], besides: str) -> str:
    """How often the bundled models, all but one, are as expected: `bilingual-masked 1 of 9`."""
    judged = {model: [one.right for one in own if one.right is not None] for model, own in measured.items()}
    return ", ".join(f"{name} {sum(own)} of {len(own)}" for name, own in judged.items() if own and name != besides)


def summary(lesson: Lesson) -> str:
    """`13 steps, 45 minutes, with english-small.`"""
    by = f", with {lesson.model}" if lesson.model else ""
    return f"{counted(len(lesson.steps), 'step')}, {counted(lesson.minutes, 'minute')}{by}."
