"""How time grows with the number of sentences, and with the length of one text."""

import math
from itertools import chain, cycle, islice

from tests.benchmarks import peers
from tests.benchmarks.cases import OURS
from tests.benchmarks.measuring import System, take_turns
from tests.benchmarks.opened import open_shape, ours
from tests.benchmarks.results import Line
from tests.benchmarks.shapes import SHAPES, checkpoint
from tests.benchmarks.texts import flat

_SENTENCES = (80, 320, 1280)
_WORDS = (64, 256, 768, 3072)
_ROUNDS = 3


def lines(texts, scratch):
    """Rows for more and more sentences, then for longer and longer texts; the exponent stands in the last of each."""
    shape = SHAPES["causal-small"]
    opened = open_shape(shape, checkpoint(shape, texts.all(20_000), scratch), scratch)
    by_number = {number: flat(texts.mixed(number)) for number in _SENTENCES}
    words = list(islice(cycle(chain.from_iterable(text.split() for text in texts.all(2000))), max(_WORDS)))
    by_length = {length: [" ".join(words[:length])] for length in _WORDS}
    return [
        *_grown("more sentences", by_number, lambda texts: _systems(opened, texts)),
        *_grown("longer texts", by_length, lambda texts: [System(OURS, ours(opened, texts))]),
    ]


def _systems(opened, texts):
    return [System(OURS, ours(opened, texts)), peers.minicons(opened, texts, "original")[1]]


def _grown(case, texts, systems):
    found = []
    before = {}
    for size, some in texts.items():
        timings = take_turns(systems(some), _ROUNDS)
        own = timings[OURS].median
        for name, timing in timings.items():
            power = _power(*before.get(name, (math.nan, math.nan)), size, timing.median)
            said = f"grows with the power {power:.2f}" if name in before else "first"
            found.append(
                Line(f"{case}: {size:,}", name, len(some), timing.median, timing.median / own, math.nan,
                     timing.peak_mib, f"{said}; {timing.turns}")
            )  # fmt: skip
            before[name] = size, timing.median
    return found


def _power(smaller, less, size, seconds):
    """The exponent between two sizes."""
    return math.log(seconds / less) / math.log(size / smaller)
