"""The machine: which cores are ours, how fast they multiply matrices, how much others used them meanwhile."""

import os
import platform
import time
from datetime import date
from importlib import metadata
from pathlib import Path

import torch

from pairlens.models.products import product

_REPEATS = 25
_ROWS = 1024
_LOOKED = 1.0
"""For how many seconds the cores are watched before some are chosen."""


def pin(threads):
    """Use so many cores, those that others use least now, and no others, with a thread on each."""
    before = _busy()
    time.sleep(_LOOKED)
    after = _busy()
    cores = sorted(os.sched_getaffinity(0), key=lambda core: after.get(core, 0) - before.get(core, 0))[:threads]
    os.sched_setaffinity(0, cores)
    torch.set_num_threads(threads)
    os.environ["OMP_NUM_THREADS"] = str(threads)


def described(threads):
    """The machine and the versions, in one line."""
    names = (line.partition(":")[2].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name"))
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in ("torch", "transformers"))
    return (
        f"{date.today().isoformat()}; {next(names, platform.processor())}, {threads} cores of {os.cpu_count()}, "
        f"{threads} threads, float32; Python {platform.python_version()}, {versions}"
    )


def gemm_limit(width):
    """The best floating-point rate of [1024, width] x [width, 4 width], in operations per second.

    torch multiplies with its usual library or with oneDNN; which one is faster depends on the processor.
    """
    left, right = torch.randn(_ROWS, width), torch.randn(4 * width, width)
    out = torch.empty(_ROWS, 4 * width)
    best = float("inf")
    with torch.inference_mode():
        for multiply in (lambda: torch.mm(left, right.T, out=out), lambda: product(left, right)) * _REPEATS:
            start = time.perf_counter()
            multiply()
            best = min(best, time.perf_counter() - start)
    return 2 * _ROWS * width * 4 * width / best


def busy_seconds():
    """Seconds that our cores have been busy since the machine started, whoever used them."""
    busy = _busy()
    return sum(busy.get(core, 0) for core in os.sched_getaffinity(0)) / os.sysconf("SC_CLK_TCK")


def _busy():
    """For how many ticks each core has been busy since the machine started."""
    ticks = {}
    for line in _lines("/proc/stat"):
        name, *fields = line.split()
        if name.startswith("cpu") and name != "cpu":
            user, nice, system, _, _, irq, soft_irq, *_ = map(int, fields)
            ticks[int(name.removeprefix("cpu"))] = user + nice + system + irq + soft_irq
    return ticks


def _lines(path):
    return Path(path).read_text().splitlines() if Path(path).exists() else []
