"""Systems that take turns on the same sentences: median times, memory, and whether others disturbed them."""

import gc
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median

from tests.benchmarks import machine
from tests.memory import grown

_FOREIGN = 0.08
"""Share of our cores that others may use in a turn that counts as undisturbed."""


@dataclass
class System:
    """Something that gives each sentence a score (nats, NaN where it does not say it)."""

    name: str
    score: Callable[[], Sequence[float]]


@dataclass
class Timing:
    """What a system said, what it took in each of its turns, and how much memory beyond what was there."""

    scores: Sequence[float] = ()
    seconds: list[float] = field(default_factory=list)
    clean: list[bool] = field(default_factory=list)
    peak_mib: float = float("nan")

    @property
    def median(self):
        """The median of the undisturbed turns; of all, if others disturbed each of them."""
        undisturbed = [second for second, clean in zip(self.seconds, self.clean, strict=True) if clean]
        return median(undisturbed or self.seconds)

    @property
    def turns(self):
        return f"{sum(self.clean)}/{len(self.clean)} undisturbed"


def take_turns(systems, rounds):
    """Time all systems in random order, every round; each has been run before, for its scores and its memory."""
    timings = {system.name: Timing(system.score(), peak_mib=peak(system)) for system in systems}
    order = random.Random(0)
    for _ in range(rounds):
        for system in order.sample(list(systems), len(systems)):
            seconds, clean = _turn(system)
            timings[system.name].seconds.append(seconds)
            timings[system.name].clean.append(clean)
    return timings


def peak(system):
    """MiB that a system which has run once needs at most beyond what is in memory then."""
    gc.collect()
    return grown(system.score)[1]


def _turn(system):
    gc.collect()
    busy, own, start = machine.busy_seconds(), time.process_time(), time.perf_counter()
    system.score()
    seconds = time.perf_counter() - start
    foreign = machine.busy_seconds() - busy - (time.process_time() - own)
    return seconds, foreign < max(0.02, _FOREIGN * seconds)
