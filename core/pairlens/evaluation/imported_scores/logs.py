"""Logs of other evaluation programs as what is stored: choices with log-probabilities, and verdicts without."""

import math
from collections.abc import Iterable, Iterator, Sequence

import pandas as pd

from pairlens.evaluation.imported_scores.texts import Stated
from pairlens.files.logs import Figure, Log, Question
from pairlens.messages import counted
from pairlens.tasks import _questions
from pairlens.types import UNSCORED, Item, TokenScores

_APART = 1e-3
"""Nats by which two values of one text may differ before that is told."""


def stated_in(log: Log) -> Iterator[Stated]:
    """What a log holds: questions with one right text and log-probabilities, then those with a verdict only."""
    questions = log.questions
    choosing = [one for one in questions if one.gold is not None and len(one.logprobs) > 1]
    chosen = {question.id for question in choosing}
    judged = [one for one in questions if one.id not in chosen and not math.isnan(one.verdict)]
    notes = [*log.notes, *_left_out(len(questions) - len(choosing) - len(judged))]
    figures = figures_of(log.figures, notes)
    about = {"program": log.program, **log.about, **figures}
    nothing = pd.DataFrame()
    if choosing:
        scores, refused, strange = _scores(choosing)
        remarks = {**about, "notes": [*figures["notes"], *strange]}
        chosen_items = tuple(_questions.items(choosing))
        yield Stated(nothing, scores, log.model, refused=refused, about=remarks, items=chosen_items, task="choices")
    if judged:
        stated = tuple(_questions.judged(judged))
        scores, refused, _ = _scores(judged)
        yield Stated(nothing, scores, log.model, refused=refused, about=about, items=stated, task="answers")


def unscored(items: Iterable[Item]) -> dict[tuple[str, str], TokenScores]:
    """By context and text, that nothing is known of it."""
    return {
        (candidate.context, candidate.text): _score(candidate.context, candidate.text, UNSCORED)
        for item in items
        for candidate in item.candidates
    }


def _scores(
    questions: Sequence[Question],
) -> tuple[dict[tuple[str, str], TokenScores], dict[tuple[str, str], str], list[str]]:
    """Each text's log-probability as that of one token, why there is none, and what is strange about them."""
    scores: dict[tuple[str, str], TokenScores] = {}
    refused: dict[tuple[str, str], str] = {}
    apart = set[tuple[str, str]]()
    for question in questions:
        values = question.logprobs or (UNSCORED,) * len(question.options)
        for option, value in zip(question.options, values, strict=True):
            if value > 0 or math.isinf(value) or not option[1]:
                refused[option] = (
                    f"the log states {value} of it, which is no log-probability" if option[1] else "no text"
                )
                continue
            known = scores.setdefault(option, _score(*option, value))
            if abs(known.logprobs[0] - value) > _APART:
                apart.add(option)
    notes = [f"Of {counted(len(apart), 'text')} the log has several log-probabilities; the first of each counts."]
    return scores, refused, notes if apart else []


def _score(context: str, text: str, value: float) -> TokenScores:
    return TokenScores((text,), (-1,), (value,), ((len(context), len(context) + len(text)),))


def _left_out(n: int) -> list[str]:
    return [f"Left out: {counted(n, 'question')} with neither a right text nor a verdict in the log."] if n else []


def figures_of(figures: Sequence[Figure], notes: Sequence[str] = ()) -> dict[str, list[str]]:
    """The program's figures in words, and in short: how many follow from its samples, and those that do not."""
    same = sum(figure.same or False for figure in figures)
    counts = f"{same} of {len(figures)} printed figures are the same when computed anew."
    others = [figure.in_words() for figure in figures if not figure.same]
    short = [counts, *others] if figures else []
    return {"figures": [figure.in_words() for figure in figures], "notes": [*short, *notes]}
