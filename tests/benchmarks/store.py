"""How long the store takes for what pages ask of it, and how much memory: a table of figures.

    python -m tests.benchmarks.store [FOLDER] [--tokens 1000000]

FOLDER is a store made by `tests.benchmarks.generate`; without it one of that size is made, measured and deleted.
Every call is measured twice: as the first one of a process, which checks the files, and again; ready questions are
asked in the worker, whose start counts. Seconds are those of the clock and, in brackets, of the processor, because
other programs may be at work.
"""

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated

import pyarrow as pa
import pyarrow.parquet as pq
import typer

from pairlens.evaluation import result
from pairlens.store import Store
from pairlens.store.maintenance import space
from pairlens.store.parts import Scored
from pairlens.store.sandbox import ask
from pairlens.store.saved_queries import SAVED_QUERIES, bound, fingerprints
from pairlens.store.scores import tokens_table
from pairlens.text.words import word_positions
from pairlens.types import Request
from tests.benchmarks.generate import Drawn, fill, pairs, recipe

_PER_PART = 2_048


def memory() -> float:
    """Megabytes that this process holds now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


def seconds(call: Callable[[], object]) -> str:
    """What a call takes by the clock and, with the processes it has waited for, of the processor."""
    before, began = os.times()[:4], time.perf_counter()
    call()
    wall = time.perf_counter() - began
    return f"{wall:7.3f} ({sum(os.times()[:4]) - sum(before):6.3f})"


def measured(name: str, call: Callable[[], object]) -> None:
    """Print how long a call takes, first and again, and by how much the process has grown."""
    before = memory()
    figures = [seconds(call) for _ in range(2)]
    print(f"{name:34}{figures[0]:>18}{figures[1]:>18}{memory() - before:10.0f} MB")


def reading(store: Store) -> None:
    runs = store.runs()
    run_id, fingerprint = (str(runs[column].iloc[0]) for column in ("run_id", "fingerprint"))
    keys = store.items(run_id)["request_key"]
    parts = [store.parts(one) for one in store.fingerprints()]
    tokens = sum(pq.read_metadata(part.file("tokens")).num_rows for of_model in parts for part in of_model)
    counts = [*map(len, parts)]
    print(f"{tokens:,} token rows, {len(runs)} runs, parts per model {counts}; one run has {len(keys):,} texts\n")
    print(f"{'call':34}{'first':>18}{'again':>18}{'grown by':>13}")
    start = memory()
    measured("all runs", store.runs)
    measured("tokens of one item", lambda: store.token_scores(fingerprint, keys[:2]))
    measured("items of a run", lambda: store.items(run_id))
    measured("which of a run's texts are scored", lambda: store.known(fingerprint, keys=keys))
    measured("candidates of a run", lambda: store.candidates(run_id))
    measured("temperatures of a run", lambda: store.temperatures(run_id))
    measured("metrics of a run", lambda: store.metrics(run_id))
    measured("a run read back", lambda: result.read(store, run_id))
    measured("space used", lambda: space(store))
    print(f"\nThe process has grown by {memory() - start:.0f} MB.")


def asking(store: Store) -> None:
    """The ready questions, each with what it usually asks about."""
    print(f"\n{'question':34}{'first':>18}{'again':>18}{'grown by':>13}")
    for name, one in SAVED_QUERIES.items():
        values = bound(one, store, {})
        only = fingerprints(one, store, values)
        measured(name, partial(ask, store, one.sql, values, only=only))


def writing(folder: Path, tokens: int) -> None:
    """Token rows through the store's own code, and the same rows by pyarrow alone."""
    scored = list(_scored(tokens))
    rows = sum(len(one.scores.tokens) for one in scored)
    store = Store(folder / "written", shipped=None)
    chunks = [scored[start : start + _PER_PART] for start in range(0, len(scored), _PER_PART)]
    tables: list[pa.Table] = []
    print(f"\n{rows:,} token rows written in {len(chunks)} parts")
    for name, write in (
        ("the store's own code", lambda: [store.add("f" * 64, chunk, {}) for chunk in chunks]),
        ("tables only, nothing written", lambda: tables.extend(map(tokens_table, chunks))),
        ("pyarrow alone, same parts", lambda: [pq.write_table(one, folder / "bare.parquet") for one in tables]),
    ):
        print(f"{name:34}{seconds(write):>18}")


def _scored(tokens: int) -> Iterator[Scored]:
    drawn, written = Drawn(recipe("written").model), 0
    for number, item in enumerate(pairs(0, tokens)):
        for candidate in item.candidates:
            (scores,) = drawn.score([Request("", candidate.text)])
            yield Scored(
                f"{number:063x}{candidate.label[0]}", scores, word_positions(scores.spans, candidate.text, "previous")
            )
            written += len(scores.tokens)
        if written >= tokens:
            return


def main(folder: Annotated[Path | None, typer.Argument()] = None, tokens: int = 1_000_000) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        store = Store(folder or Path(scratch) / "store", shipped=None)
        if folder is None:
            print(f"Made {len(list(fill(store, tokens)))} runs.")
        reading(store)
        asking(store)
        writing(Path(scratch), tokens)


if __name__ == "__main__":
    typer.run(main)
