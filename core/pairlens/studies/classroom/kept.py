"""A class on disk, in a folder of its own below `home/classes`, and changed by many threads at once.

A change counts once it is on disk. Changes that come while the disk is busy are written together. A class that was
held can be stored as a run.
"""

import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn, TypeVar, cast

import pandas as pd

from pairlens import identity
from pairlens.errors import InputError, ModelError
from pairlens.evaluation import evaluate
from pairlens.evaluation.imported_scores import Repeater
from pairlens.evaluation.imported_scores.texts import Stated
from pairlens.evaluation.receipts.scored_by import HUMAN
from pairlens.evaluation.requests import plan
from pairlens.files.locks import changing
from pairlens.policies import Policy
from pairlens.scoring.recipe import Recipe
from pairlens.settings import settings
from pairlens.store import Store
from pairlens.store.files import read_json, write_json
from pairlens.studies.classroom.classroom import REVEALED, Answer, Classroom, choices, restored
from pairlens.studies.classroom.shares import Tally, tally
from pairlens.studies.lesson import Lesson, Step
from pairlens.tasks import TASKS
from pairlens.text.joining import following
from pairlens.types import Candidate, Item, Model, Scorer, ScorerKind, TokenScores

_T = TypeVar("_T")
_CONTINUED = 3 * 3600.0
"""Seconds after the last change during which the same command continues a class that has not ended."""
_SERVED = "This class is served already: use that window, or end it first with Ctrl-C."


class Kept:
    """A class that is changed by several threads; what `change` has returned is on disk."""

    def __init__(self, folder: Path, room: Classroom) -> None:
        self.name = folder.name
        self._file, self._room = folder / "class.json", room
        self._lock, self._disk = threading.Lock(), threading.Lock()
        self._changes = self._written = 0

    @property
    def turn(self) -> int:
        """See `Classroom.turn`; read without waiting."""
        return self._room.turn

    def see(self, look: Callable[[Classroom], _T]) -> _T:
        """What `look` makes of the class, while nobody changes it."""
        with self._lock:
            return look(self._room)

    def now(self) -> Classroom:
        return self.see(Classroom.copy)

    def change(self, act: Callable[[Classroom], _T]) -> _T:
        """Let `act` change the class and write it down. StoreError if the disk refuses."""
        with self._lock:
            result = act(self._room)
            self._changes += 1
            mine = self._changes
        with self._disk:
            if self._written < mine:
                with self._lock:
                    now, changes = self._room.copy(), self._changes
                write_json(self._file, now.stated())
                self._written = changes
        return result


def begin(lesson: Lesson, model: str, answers: tuple[Answer, ...]) -> str:
    room = Classroom(lesson, model, answers)
    name = f"{room.begun[:19].replace(':', '').replace('T', '-')}-{room.code}"
    write_json(_file(name), room.stated())
    return name


def read(name: str) -> Classroom:
    """A class as it is on disk; InputError if there is none, or it cannot be read."""
    stated = read_json(_file(name))
    if stated is None:
        raise InputError("there is no such class, or its file is damaged", str(_file(name)))
    return restored(stated)


def unfinished(lesson: Lesson, model: str) -> str:
    """The newest class with this lesson and model that was held just now and has not ended; empty if none is."""
    for name, room in classes().items():
        just_now = time.time() - _file(name).stat().st_mtime < _CONTINUED
        if just_now and (room.lesson, room.model, room.ended) == (lesson, model, False):
            return name
    return ""


def classes() -> dict[str, Classroom]:
    rooms = {}
    for file in sorted(settings().classes.glob("*/class.json"), reverse=True):
        with suppress(InputError):
            rooms[file.parent.name] = read(file.parent.name)
    return rooms


@contextmanager
def opened(name: str) -> Iterator[Kept]:
    """A class to be changed by this process only; StoreError where another one does that."""
    folder = _file(name).parent
    with changing(folder / ".lock", 0.1, _SERVED):
        yield Kept(folder, read(name))


def _file(name: str) -> Path:
    if name != Path(name).name or name.startswith("."):
        raise InputError(f"'{name}' is not the name of a class")
    return settings().classes / name / "class.json"


def store_choices(name: str, room: Classroom, store: Store) -> str:
    """Store the votes of a class (called `name`) as a run of pairs and return its id; the same votes, the same run.

    Steps count whose answer was shown and that have votes and choices; if any has an expected choice, only such.
    InputError without any, or where a sentence stands in two steps: a run holds one answer to each text.
    """
    tallies = {n: tally(room, n) for n in range(1, room.last + 1) if room.stages[n - 1] == REVEALED}
    tallies = {n: own for n, own in tallies.items() if own.votes and choices(room.lesson.steps[n - 1])}
    items = {n: _item(n, room.lesson.steps[n - 1]) for n in tallies}
    items = {n: item for n, item in items.items() if item.gold} or items
    if not items:
        raise InputError("There is nothing to save: no step with choices has votes and was answered.")
    scores: dict[str, TokenScores] = {}
    for number, item in items.items():
        counted = tallies[number]
        for place, one in enumerate(item.candidates):
            if (text := one.context + one.text) in scores:
                raise InputError(
                    f"'{text}' stands in two steps, and a run holds one answer to each text: take votes.csv instead."
                )
            value = math.log((counted.counts[one.label] + 0.5) / (counted.votes + len(item.candidates) / 2))
            scores[text] = TokenScores((text,), (place,), (value,), ((0, len(text)),))
    planned = plan(TASKS["pairs"], items.values(), _recipe(name, {n: tallies[n] for n in items}))
    scorer = cast(Scorer, Repeater(Stated(pd.DataFrame(), scores, f"class {name}")))
    title = f"{room.lesson.title}: human choices"
    context = evaluate.Context(store, data=room.lesson.title, title=title, scorer=lambda: scorer)
    for _ in evaluate.run(planned, context):
        continue
    store.update({**store.manifest(planned.run_id), "stated": {"class": name, "begun": room.begun}})
    return planned.run_id


def _item(number: int, step: Step) -> Item:
    texts = step.pair or tuple(following(step.prefix, form) for form in step.forms)
    candidates = tuple(Candidate(text, name, step.prefix) for name, text in zip(choices(step), texts, strict=True))
    gold = step.expected if step.expected in choices(step) else None
    return Item(f"step_{number}", candidates, gold, {"UID": "class", "contrast": f"step {number}"})


def _recipe(name: str, tallies: Mapping[int, Tally]) -> Recipe:
    """A recipe whose fingerprint depends on the votes, so that it is never a model's."""
    votes = [[number, dict(counted.counts)] for number, counted in tallies.items()]
    kind = ScorerKind(
        name=HUMAN, version=1, title="choices of a class", accepts=frozenset(), reads=(), open=_cannot_open,
        quantity="Log shares of votes", whole=True,
    )  # fmt: skip
    made_of = identity.digest(identity.canonical([name, votes]))
    return Recipe(Model(f"class {name}", HUMAN, Path(), "", "", made_of), kind, Policy(text="as-typed"))


def _cannot_open(model: Model, policy: Policy) -> NoReturn:  # noqa: ARG001
    raise ModelError(f"'{model.name}' is a class of people: there is nothing to score with.")
