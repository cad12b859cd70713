"""Record a training: its losses, and at moments of it the margin of each watched pair and a sample of text."""

import random
import shutil
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from pairlens import measures
from pairlens.models import find
from pairlens.policies import Policy
from pairlens.scorers import SCORERS, default_for
from pairlens.scoring.recipe import Recipe
from pairlens.training.checkpoint import work_folder
from pairlens.training.loop import Watching
from pairlens.training.own_models import FILE, PAIRS, History, Moment
from pairlens.training.recipe import Progress
from pairlens.training.watched_pairs import WatchedPair
from pairlens.types import Predictor, Request, Scorer

_PIECES = 24
_CHOICES = 20
"""A sample continues with one of so many likeliest tokens, drawn by their probabilities."""


def measure(folder: Path, pairs: Sequence[WatchedPair], seed: int = 0) -> tuple[list[float], str]:
    """Each pair's margin in bits for the model in `folder`, and a text that it writes (empty unless causal)."""
    recipe = recipe_of(folder)
    scorer = recipe.open()
    return margins(pairs, recipe, scorer), sample(scorer, seed)


def recipe_of(folder: Path) -> Recipe:
    model = find(folder)
    return Recipe(model, SCORERS[default_for(model.kind)], Policy())


def margins(pairs: Sequence[WatchedPair], recipe: Recipe, scorer: Scorer) -> list[float]:
    if not pairs:
        return []
    requests = [recipe.request(Request("", text)) for pair in pairs for text in (pair.good, pair.bad)]
    values = [measures.sentence_value(one, recipe.policy) for one in scorer.score(requests)]
    return [float(measures.bits(margin)) for margin in np.array(values[::2]) - np.array(values[1::2])]


def sample(scorer: Scorer, seed: int) -> str:
    """A few words sampled from the start of a text; empty for a model without next-token predictions."""
    if not isinstance(scorer, Predictor) or scorer.start is None:
        return ""
    chance, ids = random.Random(seed), list[int]()
    ends = scorer.tokenizer.reserved
    for _ in range(_PIECES):
        expected = scorer.expect([tuple(ids)], _CHOICES)
        choices, weights = expected.ids[0].tolist(), np.exp(expected.logprobs[0]).tolist()
        ids.append(chance.choices(choices, weights)[0])
        if ids[-1] in ends:
            ids.pop()
            break
    return str(scorer.tokenizer.backend.decode(ids, skip_special_tokens=True)).strip()


MOMENTS, MOMENTS_OF_MASKED = 20, 8
"""How often pairs are scored; masked models need a pass per word, ten times as long."""
_EVERY_SECONDS = 1.0


class Recorder:
    """Beside the training that writes `output`: its history grows in the work folder and ends beside the weights."""

    def __init__(self, output: Path, pairs: Sequence[WatchedPair], kind: str) -> None:
        self._number = MOMENTS if kind == "causal" else MOMENTS_OF_MASKED
        self._folder, self._pairs = work_folder(output), list(pairs)
        self._history = History(self._folder)
        self._began, self._written = time.monotonic(), 0.0
        self._begun = self._counted = False

    @property
    def watching(self) -> Watching:
        return Watching(look=self._look if self._pairs else None, finish=self._finish, number=self._number)

    def see(self, progress: Progress) -> None:
        """Record a report; losses are written once a second, and with every validation loss."""
        if not self._begun and self._folder.is_dir():
            self._history.begin([(pair.group, pair.good, pair.bad) for pair in self._pairs])
            self._begun = True
        if progress.stage != "training" or (progress.loss is None and progress.validation_loss is None):
            return
        now = time.monotonic()
        if progress.validation_loss is not None or now - self._written > _EVERY_SECONDS:
            self._written = now
            self._history.add(self._moment(progress))

    def _look(self, folder: Path, progress: Progress) -> None:
        margins, sample = measure(folder, self._pairs)
        self._history.add(self._moment(progress, tuple(round(margin, 4) for margin in margins), sample))

    def _finish(self, folder: Path, _: Progress) -> None:
        for name in (FILE, PAIRS):
            with suppress(FileNotFoundError):
                shutil.copyfile(self._folder / name, folder / name)

    def _moment(self, progress: Progress, margins: tuple[float, ...] | None = None, sample: str = "") -> Moment:
        if not self._counted:  # of a training that goes on, the seconds up to its checkpoint
            before = [moment.seconds for moment in self._history.moments() if moment.step < progress.step]
            self._began, self._counted = self._began - max(before, default=0.0), True
        seconds, speed = round(time.monotonic() - self._began, 1), round(progress.tokens_per_second, 1)
        losses = progress.loss, progress.validation_loss
        return Moment(progress.step, progress.tokens, progress.fraction, seconds, *losses, speed, margins, sample)
