"""Twice as much takes about twice the memory and time: lines, rows, pairs, and one long text up to the limit."""

import os
import subprocess
import sys

import pytest

from pairlens.places import FOLDER as ROOT
from pairlens.settings import settings

pytestmark = [pytest.mark.model, pytest.mark.soak]

MOST = 3.0
"""Of what once as much took; 2 in the ideal case, 4 where work grows with the square."""
MEASURED = """
import resource, sys
from pathlib import Path
import pandas, pyarrow.parquet
import pairlens
from pairlens.errors import InputError
from pairlens.files.tables import read_table
import pairlens.files.tables._delimited, pairlens.files.tables._rows, pairlens.studies.lint
n, folder = int(sys.argv[1]), Path(sys.argv[2])
def now():
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    seconds = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    return seconds, *(int(status[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM"))
def measure(work):
    Path("/proc/self/clear_refs").write_text("5")  # what was needed before, to load, is no part of the peak
    before, taken, _ = now()
    try:
        work()
    except InputError as error:
        print(error, file=sys.stderr)
    after, _, peak = now()
    print(after - before, peak - taken)
"""
WORK = {
    "rows of a table": (
        100_000,
        """
path = folder / "a.csv"
path.write_text("good,bad\\n" + "".join(f"the cat {i} is tired .,the cat {i} are tired .\\n" for i in range(n)))
measure(lambda: read_table(path))
""",
    ),
    "blank lines": (
        1_000_000,
        """
path = folder / "a.csv"
path.write_text("good,bad\\na b,a c\\n" + "\\n" * n)
measure(lambda: read_table(path))
""",
    ),
    "pairs of a benchmark": (
        5_000,
        """
path = folder / "a.tsv"
path.write_text("good\\tbad\\n" + "".join(f"the cat {i} is tired .\\tthe cat {i} are tired .\\n" for i in range(n)))
pairlens.score("the cat .", model="MODEL")
measure(lambda: pairlens.benchmark(path, model="MODEL", task="pairs").value)
""",
    ),
    "one text's words": (
        100_000,
        """
text = " ".join(f"the cat {i} is tired ," for i in range(n))[: 5 * n]
pairlens.score("the cat .", model="MODEL")
measure(lambda: pairlens.score(text, model="MODEL"))
""",
    ),
    "one text of a network": (
        40_000,
        """
text = " ".join(f"the cat {i} is tired ," for i in range(n))[:n]
pairlens.score("the cat .", model="english-small")
measure(lambda: pairlens.score(text, model="english-small"))
""",
    ),
}
"""What is measured, and how much of it is once as much."""


def measured(program, n, folder, model):
    """Seconds of processor time and megabytes that it took, and what was refused."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED + program.replace("MODEL", model), str(n), str(folder)],
        cwd=ROOT, capture_output=True, text=True, check=True, env={**os.environ, "PAIRLENS_THREADS": "1"},
    )  # fmt: skip
    return *map(float, done.stdout.split()[-2:]), done.stderr


@pytest.mark.parametrize("what", list(WORK))
def test_twice_as_much_takes_twice_as_long(what, unigram, tmp_path):
    n, program = WORK[what]
    measured(program, n // 100, tmp_path, unigram)  # what is made when a model is first used takes memory, too
    once, twice = (measured(program, size, tmp_path, unigram) for size in (n, 2 * n))
    said = f"{what}: {once[0]:.1f} s and {once[1]:.0f} MB for {n:,}, {twice[0]:.1f} s and {twice[1]:.0f} MB for twice"
    print(said)
    assert twice[0] <= MOST * max(once[0], 0.5), said
    assert twice[1] <= MOST * max(once[1], 30.0), said


@pytest.mark.parametrize("beyond", [-1, 0, 1])
def test_a_text_at_the_limit(beyond, unigram, tmp_path):
    length = settings().max_text_characters + beyond
    program = (
        f"text = ('the cat is tired , ' * {length})[:{length}]\nmeasure(lambda: pairlens.score(text, model='MODEL'))"
    )
    _, megabytes, said = measured(program, 0, tmp_path, unigram)
    assert ("characters" in said) == (beyond > 0), said[-500:]
    assert megabytes < 3_000
