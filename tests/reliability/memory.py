"""Whether the memory of a server grows with its use: samples of it, and the slope of them with its interval."""

import threading
import time

import numpy as np
import psutil
from scipy import stats

EVERY = 15.0
"""Seconds between two samples."""
FILLING = 1 / 5
"""The share of the time in which caches fill: it is left out."""
BLOCK = 600.0
"""Seconds whose samples are one point: neighbouring samples depend on each other."""


class Memory:
    """The memory of all children of this process, in MiB, sampled while it is open.

    Proportional sets: what processes share is counted once.
    """

    def __init__(self):
        self.seconds, self.sizes = [], []
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._sample)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        self._thread.join()

    def _sample(self):
        start = time.monotonic()
        while not self._ended.wait(EVERY):
            self.seconds.append(time.monotonic() - start)
            self.sizes.append(sum(map(_size, psutil.Process().children(recursive=True))) / 2**20)

    def __str__(self):
        if not self.sizes:
            return "memory: no sample"
        now = f"memory: {self.sizes[0]:,.0f} MiB first, {max(self.sizes):,.0f} at most, {self.sizes[-1]:,.0f} last"
        points = blocks(self.seconds, self.sizes)
        if len(points[0]) < 3:
            return f"{now}; too short for a slope"
        growth, low, high = slope(*points)
        return f"{now}; {growth:+.1f} MiB an hour (95 %: {low:+.1f} to {high:+.1f}; {len(points[0])} blocks)"


def blocks(seconds, sizes):
    """Hours and mean sizes of the blocks after the caches have filled; a block that is not full is left out."""
    seconds, sizes = np.asarray(seconds), np.asarray(sizes)
    start = seconds[-1] * FILLING
    places = ((seconds - start) // BLOCK).astype(int)
    whole = range(int((seconds[-1] - start) // BLOCK))
    hours = [(start + (place + 0.5) * BLOCK) / 3600 for place in whole]
    return hours, [sizes[places == place].mean() for place in whole]


def slope(hours, sizes):
    """MiB an hour by least squares, with the bounds of its 95 % interval by Student's t."""
    line = stats.linregress(hours, sizes)
    reach = stats.t.ppf(0.975, len(hours) - 2) * line.stderr
    return line.slope, line.slope - reach, line.slope + reach


def _size(process):
    try:
        return process.memory_full_info().pss
    except psutil.Error:  # it has ended
        return 0
