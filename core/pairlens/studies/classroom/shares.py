"""Votes into shares, the class beside the model and its answers, and what of it phones and files are told."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import pandas as pd

from pairlens import measures
from pairlens.policies import preset_for
from pairlens.scoring.recipe import Recipe, recipe_of
from pairlens.store import Store
from pairlens.studies.classroom.classroom import AHEAD, OPEN, REVEALED, Answer, Classroom, choices, offered
from pairlens.studies.compare import wording
from pairlens.studies.compare.pair import Comparison
from pairlens.studies.lesson import Lesson, Step, answering
from pairlens.studies.next_word import SETS
from pairlens.studies.next_word.forms import FormComparison
from pairlens.studies.next_word.top_words import NextTokens

OTHERS = "(other words)"
"""Words that only one phone typed and that the model does not expect are counted, but never shown or exported."""
OUTCOMES = BOTH_ERR, ONLY_CLASS, ONLY_MODEL, NEITHER = (
    "both err", "only the class errs", "only the model errs", "neither errs",
)  # fmt: skip
COLUMNS = (
    "step", "kind", "a", "b", "expected", "votes", "class_choice", "class_share", "model_choice", "margin_bits",
    "outcome",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tally:
    """Votes by choice; after a prefix without forms, the most frequent word first."""

    counts: Mapping[str, int]

    @property
    def votes(self) -> int:
        return sum(self.counts.values())

    def share(self, choice: str) -> float:
        """The share of a choice, 0 to 1; NaN without votes."""
        return self.counts.get(choice, 0) / self.votes if self.votes else math.nan

    @property
    def choice(self) -> str:
        """What most chose; empty without votes and for a tie at the top."""
        named = {choice: n for choice, n in self.counts.items() if choice != OTHERS and n}
        best = [choice for choice, n in named.items() if n == max(named.values())]
        return best[0] if len(best) == 1 else ""


def tally(room: Classroom, number: int) -> Tally:
    """The votes of a step, from 1: those of phones and raised hands together."""
    votes, hands = room.votes[number - 1], room.hands[number - 1]
    if possible := choices(room.lesson.steps[number - 1]):
        counts = Counter(votes.values())
        return Tally({choice: counts[choice] + hands.get(choice, 0) for choice in possible})
    return Tally(_words(Counter(votes.values()), room.answers[number - 1]))


def _words(typed: Counter[str], answer: Answer) -> dict[str, int]:
    """Typed words with their frequency; spellings that differ in capitals are one, the commonest is shown."""
    spelled = {word.casefold(): word for word, _ in reversed(typed.most_common())}
    counts: Counter[str] = Counter()
    for word, n in typed.items():
        counts[spelled[word.casefold()]] += n
    expected = {word.casefold() for word in answer.values}
    shown = {word: n for word, n in counts.most_common() if n > 1 or word.casefold() in expected}
    rest = counts.total() - sum(shown.values())
    return shown | ({OTHERS: rest} if rest else {})


def margin(step: Step, answer: Answer) -> float:
    """By how many bits the expected choice is ahead of the best other one, in the model; below 0 the model errs.

    Without an expected choice, the lead of A over B, or of the likeliest form. NaN without values for two.
    """
    values = dict(answer.values)
    ahead = step.expected if step.expected in values else "A" if step.pair else answer.choice
    if ahead not in values or len(values) < 2 or not choices(step):
        return math.nan
    return values.pop(ahead) - max(values.values())


def outcome(step: Step, counted: Tally, answer: Answer) -> str:
    """Who errs, one of OUTCOMES; a tie is no right answer. Empty without votes, or where nothing is expected."""
    if step.expected not in choices(step) or not counted.votes:
        return ""
    return OUTCOMES[2 * (counted.choice == step.expected) + (answer.choice == step.expected)]


def verdict(room: Classroom, number: int) -> str:
    counted, answer = tally(room, number), room.answers[number - 1]
    if not counted.votes:
        return "Nobody has voted."
    if not counted.choice:
        return "The class is divided."
    if not answer.choice:
        return f"{room.model} has no answer."
    agree = counted.choice.casefold() == answer.choice.casefold()
    return f"The class and {room.model} {'agree' if agree else 'disagree'}."


def table(room: Classroom) -> pd.DataFrame:
    """A row per step whose answer was shown.

    Columns: step (from 1), kind (pair, forms, word), a and b (the sentences; of other steps the prefix and its
    forms), expected, votes, class_choice, class_share (of the expected choice, else of class_choice; 0 to 1),
    model_choice, margin_bits (`margin`), outcome (`outcome`).
    """
    rows: list[tuple[object, ...]] = []
    for number, (step, answer, stage) in enumerate(zip(room.lesson.steps, room.answers, room.stages, strict=True), 1):
        if stage == REVEALED:
            counted, texts = tally(room, number), step.pair or (step.prefix, " | ".join(step.forms))
            kind = "pair" if step.pair else "forms" if step.forms else "word"
            expected = step.expected if step.expected in choices(step) else ""
            share = counted.share(expected or counted.choice) if expected or counted.choice else math.nan
            shown = number, kind, *texts, expected, counted.votes, counted.choice, share, answer.choice
            rows.append((*shown, margin(step, answer), outcome(step, counted, answer)))
    return pd.DataFrame(rows, columns=[*COLUMNS])


def finding(shown: pd.DataFrame) -> str:
    """How often the class and the model are right, as a sentence; empty where no step has an expected answer."""
    judged = shown[shown["outcome"] != ""]
    if judged.empty:
        return ""
    by = Counter(judged["outcome"])
    return (
        f"The class is right in {by[NEITHER] + by[ONLY_MODEL]} of {len(judged)} steps, the model in "
        f"{by[NEITHER] + by[ONLY_CLASS]}; both err in {by[BOTH_ERR]}."
    )


def votes_csv(room: Classroom) -> str:
    """`votes.csv`: a row per step (from 1) and choice (A, B, a form, a word), for every step with votes."""
    rows = [
        (number, choice, n)
        for number in range(1, room.last + 1)
        if (counted := tally(room, number)).votes
        for choice, n in counted.counts.items()
    ]
    return pd.DataFrame(rows, columns=["step", "choice", "votes"]).to_csv(index=False, lineterminator="\n")


def told(room: Classroom, phone: str) -> dict[str, Any]:
    """As JSON. `stage`: joined (the class has not begun), ahead, open, revealed, end."""
    known: dict[str, Any] = {"turn": room.turn, "title": room.lesson.title, "language": room.lesson.language}
    if room.ended or room.at > room.last:
        return known | {"stage": "end"}
    if (step := room.step) is None:
        return known | {"stage": "joined"}
    known |= {"stage": room.stage, "step": room.at, "steps": room.last}
    if room.stage == AHEAD:
        return known
    texts = [{"choice": choice, "text": text} for choice, text in offered(room, room.at).items()]
    known |= {"question": step.question, "prefix": step.prefix, "choices": texts}
    known |= {"mine": room.votes[room.at - 1].get(phone, "")}
    if room.stage == OPEN:
        return known
    counted, answer = tally(room, room.at), room.answers[room.at - 1]
    votes = {"votes": counted.votes, "counts": dict(counted.counts)}
    model = {"model": room.model, "model_choice": answer.choice, "lead": answer.lead}
    return known | {"answer": {**votes, **model, "expected": step.expected, "notice": step.notice}}


def answers(lesson: Lesson, model: str, store: Store) -> Iterator[Answer]:
    """The model's answer to each step, in order. ModelError for a model that cannot answer one of them."""
    paired, following = recipe_of(model), recipe_of(model, "", preset_for("pairlens", SETS))
    scorer, reader = cache(paired.open), cache(following.open)
    for step in lesson.steps:
        recipe, opened = (paired, scorer) if step.pair else (following, reader)
        (answer,) = answering.answers([step], recipe, store, opened)
        yield _for_a_class(answer, recipe)


def _for_a_class(answer: answering.Answer, recipe: Recipe) -> Answer:
    basis, chosen, ratio = answer.found, answer.chosen, True
    nats: Mapping[str, float]
    if isinstance(basis, Comparison):
        nats, ratio = dict(zip("AB", basis.values, strict=True)), basis.left_to_right
        chosen = "" if wording.same(basis) else chosen
    elif isinstance(basis, FormComparison):
        nats = {form.text: form.whole for form in basis.forms}
    else:
        words = basis.words.words if basis.words else ()
        nats = {word.text.strip(): word.logprob for word in words if not word.ends_text}
    values = {choice: measures.bits(value) for choice, value in nats.items() if not math.isnan(value)}
    if isinstance(basis, NextTokens):
        return Answer(next(iter(nats), ""), answer.said, values)
    if not chosen:
        return Answer("", answer.said, values)
    lead = abs(basis.margin)
    times = f" ({wording.likelier(lead)})" if ratio else ""
    return Answer(chosen, f"by {wording.amount(lead, recipe.policy.unit)}{times}", values)
