"""Where a class is in its lesson, and what was chosen: by phones, which are random numbers, and by raised hands."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any

from pairlens.errors import InputError
from pairlens.studies.lesson import Lesson, Step
from pairlens.text import visible

FORMAT = 1
_LETTERS = "BCDFGHJKMNPQRSTVWXZ"
"""Of a code to join: none that looks like another one, and no vowels, so that no code is a word."""
_CODE, MOST_PHONES, _LONGEST_WORD, MOST_HANDS = 4, 300, 40, 999
AHEAD, OPEN, REVEALED = "ahead", "open", "revealed"
"""How far a step is: not voted on yet, being voted on, its answer shown."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A model's answer to a step: its `choice`, empty if it has none, and what each choice is worth.

    `lead` says by how much its choice is ahead (`by 2.3 bits ...`), or why there is none; after a prefix without
    forms, as a sentence, what is expected. `values`: a log-probability in bits by choice, there by likeliest word.
    """

    choice: str
    lead: str
    values: Mapping[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class Classroom:
    """A class in the middle of its lesson.

    `at` is 0 while phones join, then the number of the step that is shown, from 1, and one more than the last at the
    end. `turn` grows with whatever phones have to know. For each step: `stages`, `votes` by phone, `hands` by choice,
    and whether its choices are shown in reverse. `code` lets phones join, `key` is the teacher's.
    """

    lesson: Lesson
    model: str
    answers: tuple[Answer, ...]
    code: str = field(default_factory=lambda: "".join(secrets.choice(_LETTERS) for _ in range(_CODE)))
    key: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    begun: str = field(default_factory=lambda: datetime.now().astimezone().isoformat(timespec="seconds"))
    at: int = 0
    turn: int = 0
    ended: bool = False
    phones: set[str] = field(default_factory=set)
    stages: list[str] = field(default_factory=list)
    votes: list[dict[str, str]] = field(default_factory=list)
    hands: list[dict[str, int]] = field(default_factory=list)
    flipped: list[bool] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.stages:
            steps = self.lesson.steps
            self.stages, self.votes, self.hands = [AHEAD] * len(steps), [{} for _ in steps], [{} for _ in steps]
            places = [choices(step).index(step.expected) for step in steps if step.expected in choices(step)]
            # In a table of good and bad sentences a class would soon know the answer from its place.
            always = len(places) > 1 and len(set(places)) == 1
            self.flipped = [always and secrets.choice((True, False)) for _ in steps]

    @property
    def last(self) -> int:
        return len(self.lesson.steps)

    @property
    def step(self) -> Step | None:
        """The step that is shown; None before the first and after the last."""
        return self.lesson.steps[self.at - 1] if 1 <= self.at <= self.last else None

    @property
    def stage(self) -> str:
        return self.stages[self.at - 1] if self.step else AHEAD

    def join(self, phone: str) -> None:
        """A phone takes part; again is the same as once. InputError where that is not possible."""
        if self.ended:
            raise InputError("This class has ended.")
        if phone not in self.phones and len(self.phones) >= MOST_PHONES:
            raise InputError(f"{MOST_PHONES} phones have joined; more are not let in.")
        self.phones.add(phone)

    def vote(self, phone: str, number: int, choice: str) -> None:
        """The choice of a phone in a step; its last one before the answer counts. InputError for any other."""
        step = self.step
        if step is None or number != self.at or self.stage != OPEN or self.ended:
            raise InputError("The vote on this step is closed.")
        if phone not in self.phones:
            raise InputError("This phone has not joined the class.")
        self.votes[number - 1][phone] = _checked(choice, step)

    def raise_hands(self, number: int, choice: str, hands: int) -> None:
        """How many without a phone make this choice. InputError once the answer was shown."""
        if self.stages[number - 1] == REVEALED:
            raise InputError("The answer was shown: votes of this step stay as they are.")
        if choice not in choices(self.lesson.steps[number - 1]) or not 0 <= hands <= MOST_HANDS:
            raise InputError(f"{hands} hands for '{choice}' cannot be counted.")
        self.hands[number - 1][choice] = hands

    def open(self) -> None:
        if self.step and self.stage == AHEAD:
            self._turn_to(OPEN)

    def reveal(self) -> None:
        """Voting on the step that is shown ends, and the answer is shown."""
        if self.step and self.stage == OPEN:
            self._turn_to(REVEALED)

    def go(self, number: int) -> None:
        """Show this step, 0 for the beginning, one more than the last for the end."""
        number = min(max(number, 0), self.last + 1)
        if number != self.at:
            self.at, self.turn = number, self.turn + 1

    def end(self) -> None:
        self.ended, self.turn = True, self.turn + 1

    def _turn_to(self, stage: str) -> None:
        self.stages[self.at - 1] = stage
        self.turn += 1

    def copy(self) -> Classroom:
        votes, hands = [{**vote} for vote in self.votes], [{**one} for one in self.hands]
        return replace(self, phones={*self.phones}, stages=[*self.stages], votes=votes, hands=hands)

    def stated(self) -> dict[str, Any]:
        """All of it, for a JSON document; `restored` is the reverse."""
        return {**asdict(self), "phones": sorted(self.phones), "format": FORMAT}


def restored(stated: Mapping[str, Any]) -> Classroom:
    """The class of `Classroom.stated`; InputError for that of another version of Pairlens."""
    values = dict(stated)
    if values.pop("format", None) != FORMAT:
        raise InputError("this class was held with another version of Pairlens")
    lesson = dict(values.pop("lesson"))
    entries: list[dict[str, Any]] = [
        {name: tuple(value) if isinstance(value, list) else value for name, value in step.items()}
        for step in lesson.pop("steps")
    ]
    steps = tuple(Step(**entry) for entry in entries)
    answers = tuple(Answer(**one) for one in values.pop("answers"))
    return Classroom(Lesson(steps=steps, **lesson), answers=answers, **{**values, "phones": set(values["phones"])})


def choices(step: Step) -> tuple[str, ...]:
    """What can be chosen in a step: `A` and `B`, or its forms; nothing where any word may be typed."""
    return ("A", "B") if step.pair else step.forms


def offered(room: Classroom, number: int) -> dict[str, str]:
    """The sentence or form behind each choice of a step, in the order in which a class sees them."""
    step = room.lesson.steps[number - 1]
    texts = dict(zip(choices(step), step.pair or step.forms, strict=True))
    return dict(reversed(texts.items())) if room.flipped[number - 1] else texts


def _checked(choice: str, step: Step) -> str:
    """A choice of the step; InputError unless it is one, or one word where any may be typed."""
    if possible := choices(step):
        if choice not in possible:
            raise InputError("This is not one of the choices.")
        return choice
    word = choice.strip()
    readable = word.isprintable() and word == visible(word) and " " not in word
    if not word or len(word) > _LONGEST_WORD or not readable or not word[0].isalnum():
        raise InputError(f"Type one word of at most {_LONGEST_WORD} letters.")
    return word
