"""Workers as processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import wait as wait_for
from pathlib import Path

from core.plans.chunks import Chunk, Outcome, score
from core.settings import settings

_AHEAD = 2
"""Chunks handed out per worker: the next one waits while one is scored."""
_DIED = (
    "The system ended the worker process twice while it scored these texts, most likely for lack of memory: "
    "run the plan again with fewer workers, or with a smaller PAIRLENS_TOKEN_BUDGET."
)


def run(chunks: Iterable[Chunk], folder: Path, workers: int) -> Iterator[Outcome]:
    """Score chunks into the store in `folder` by so many processes; one outcome per chunk, as they come.

    Chunks are drawn as they are needed. If a process dies, the chunks in work are scored again one at a time, so that
    only the chunk that kills it fails.
    """
    waiting = iter(chunks)
    while True:
        unanswered: dict[str, Chunk] = {}
        with _pool(workers) as pool, suppress(BrokenProcessPool):
            try:
                yield from _in_pool(pool, waiting, unanswered, folder, workers)
            finally:
                pool.shutdown(wait=False, cancel_futures=True)
        if not unanswered:
            return
        yield from (_alone(chunk, folder) for chunk in unanswered.values())


def _in_pool(
    pool: ProcessPoolExecutor, waiting: Iterator[Chunk], unanswered: dict[str, Chunk], folder: Path, workers: int
) -> Iterator[Outcome]:
    """Outcomes until no chunk is left, or a process dies: `unanswered` has the chunks in work, by id."""
    in_work: set[Future[Outcome]] = set()
    while True:
        for chunk in islice(waiting, workers * _AHEAD - len(in_work)):
            unanswered[chunk.id] = chunk
            in_work.add(pool.submit(score, chunk, folder))
        if not in_work:
            return
        done, in_work = wait(in_work, return_when=FIRST_COMPLETED)
        for outcome in [future.result() for future in done]:
            del unanswered[outcome.chunk_id]
            yield outcome


def _alone(chunk: Chunk, folder: Path) -> Outcome:
    """The outcome of a chunk that may have killed its worker."""
    with _pool(1) as pool:
        try:
            return pool.submit(score, chunk, folder).result()
        except BrokenProcessPool:
            return Outcome(chunk.id, error=_DIED)


def _pool(workers: int) -> ProcessPoolExecutor:
    """Fresh processes: a fork of one that has loaded torch may hang."""
    context = multiprocessing.get_context("spawn")
    threads = settings().threads or max(1, (os.cpu_count() or 1) // workers)
    return ProcessPoolExecutor(workers, mp_context=context, initializer=_begin, initargs=(threads,))


def _begin(threads: int) -> None:
    """Set up a worker: its share of the processors, and an end with its parent, even if that is killed."""
    os.environ["PAIRLENS_THREADS"] = str(threads)
    settings.cache_clear()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group: the driver ends its workers
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for([parent.sentinel])
        os._exit(1)
