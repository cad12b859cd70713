"""Workers as processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for

from core.plans.chunks import Chunk, Outcome, score
from core.settings import settings

_AHEAD = 2
"""Chunks handed out per worker: the next one waits while one is scored."""
_DIED = (
    "The system ended the worker process twice while it scored these texts, most likely for lack of memory: "
    "run the plan again with fewer workers, or with a smaller PAIRLENS_TOKEN_BUDGET."
)


def run(chunks: Iterable[Chunk], parts: str, workers: int) -> Iterator[Outcome]:
    """Score chunks into parts at the address `parts` by so many processes; one outcome per chunk, as they come.

    Chunks are drawn as they are needed. If a process dies, the chunks in work are scored again one at a time, so that
    only the chunk that kills it fails.
    """
    waiting = iter(chunks)
    while True:
        unanswered: dict[str, Chunk] = {}
        with _pool(workers) as pool, suppress(BrokenProcessPool):
            yield from _in_pool(pool, waiting, unanswered, parts, workers)
        if not unanswered:
            return
        yield from (_alone(chunk, parts) for chunk in unanswered.values())


def _in_pool(
    pool: ProcessPoolExecutor, waiting: Iterator[Chunk], unanswered: dict[str, Chunk], parts: str, workers: int
) -> Iterator[Outcome]:
    """Outcomes until no chunk is left, or a process dies: `unanswered` has the chunks in work, by id."""
    in_work: set[Future[Outcome]] = set()
    while True:
        for chunk in islice(waiting, workers * _AHEAD - len(in_work)):
            unanswered[chunk.id] = chunk
            with _no_interrupts():
                in_work.add(pool.submit(score, chunk, parts))
        if not in_work:
            return
        done, in_work = wait(in_work, return_when=FIRST_COMPLETED)
        for outcome in [future.result() for future in done]:
            del unanswered[outcome.chunk_id]
            yield outcome


def _alone(chunk: Chunk, parts: str) -> Outcome:
    """The outcome of a chunk that may have killed its worker."""
    with _pool(1) as pool:
        try:
            with _no_interrupts():
                outcome = pool.submit(score, chunk, parts)
            return outcome.result()
        except BrokenProcessPool:
            return Outcome(chunk.id, error=_DIED)


@contextmanager
def _pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Fresh processes: a fork of one that has loaded torch may hang. If it is left by an error, they end at once."""
    context = multiprocessing.get_context("spawn")
    threads = settings().threads or max(1, (os.cpu_count() or 1) // workers)
    theirs, ours = context.Pipe(duplex=False)
    with theirs, ours:
        pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin, initargs=(threads, theirs))
        try:
            yield pool
        except BaseException:
            ours.close()
            raise
        finally:
            pool.shutdown(cancel_futures=True)


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Workers that start meanwhile do not notice Ctrl-C, which reaches the whole group: their driver ends them."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(threads: int, driver: Connection) -> None:
    """Set up a worker: its share of the processors, and an end when its driver closes the pipe or is killed."""
    os.environ["PAIRLENS_THREADS"] = str(threads)
    settings.cache_clear()
    threading.Thread(target=_end_with, args=(driver,), daemon=True).start()


def _end_with(driver: Connection) -> None:
    wait_for([driver])
    os._exit(1)
