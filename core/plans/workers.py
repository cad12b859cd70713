"""Chunks: some texts of a cell, scored by one worker into one part of the store.

A part is named by a hash of its requests, so a chunk that is scored twice, by a retry or by two workers, is the same
file with the same rows.
"""

from __future__ import annotations

import multiprocessing
import os
import platform
import signal
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for

from core import identity
from core.errors import ModelError, PairlensError
from core.policies import Policy
from core.runs.estimate import share
from core.scoring.into_store import score_chunk
from core.scoring.recipe import Recipe, provenance_of, recipe_of
from core.settings import settings
from core.store import elsewhere
from core.types import Extras, Request, Scorer

OUT_OF_MEMORY = "The worker ran out of memory: run the plan again with fewer workers, or on a larger machine."


@dataclass(frozen=True, slots=True)
class Chunk:
    """Requests by key, and all that a worker needs to score them; it can be pickled and is small beside the model.

    `model` is the source, `fingerprint` what it must turn out to be on the worker's machine. `tokens`: token rows
    are stored.
    """

    model: str
    scorer: str
    policy: Policy
    fingerprint: str
    requests: Mapping[str, Request]
    boundary: bool
    tokens: bool
    id: str = ""

    def __post_init__(self) -> None:
        named = identity.dataset_hash([f"{self.boundary} {self.tokens}", *sorted(self.requests)])
        object.__setattr__(self, "id", named[:20])


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a chunk: texts scored, reasons by key for those that cannot be, and seconds of scoring.

    Seconds of a worker with half of the machine's processors count half. `part` is the name of the part with the
    scores, empty if there are none. `error` is one sentence if no text of it was scored, through no fault of the
    texts. `machine` is where.
    """

    chunk_id: str
    scored: int = 0
    refused: Mapping[str, str] = field(default_factory=dict)
    part: str = ""
    error: str = ""
    seconds: float = 0.0
    machine: str = field(default_factory=platform.node)


_opened: dict[str, tuple[Recipe, Scorer]] = {}
"""The scorer of the last chunk of this worker, by fingerprint: a model is loaded once, not once per chunk."""


def score(chunk: Chunk, parts: str) -> Outcome:
    """Score a chunk, in a worker, into a part at an address. A model that cannot be used makes an `error`."""
    refused: dict[str, str] = {}
    part = ""
    try:
        if chunk.fingerprint not in _opened:
            _opened.clear()
            recipe = recipe_of(chunk.model, chunk.scorer, chunk.policy)
            if recipe.fingerprint != chunk.fingerprint:
                raise ModelError(
                    f"'{chunk.model}' has other files on {platform.node()} than where the plan was started: "
                    "copy them again."
                )
            _opened[chunk.fingerprint] = recipe, recipe.open()
        recipe, scorer = _opened[chunk.fingerprint]
        started = time.monotonic()
        rows = score_chunk(chunk.requests, recipe, scorer, Extras(boundary=chunk.boundary), refused, chunk.tokens)
        if rows:
            about = {**provenance_of(recipe), **scorer.about}
            part = elsewhere.add(parts, recipe.fingerprint, rows, about, tokens=chunk.tokens)
    except PairlensError as error:
        return Outcome(chunk.id, error=str(error))
    except MemoryError:
        return Outcome(chunk.id, error=OUT_OF_MEMORY)
    return Outcome(chunk.id, len(rows), refused, part, seconds=(time.monotonic() - started) * share())


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
        for chunk in unanswered.values():  # one of them may have killed its worker
            outcome = Outcome(chunk.id, error=_DIED)
            with _pool(1) as pool, suppress(BrokenProcessPool):
                with _no_interrupts():
                    future = pool.submit(score, chunk, parts)
                outcome = future.result()
            yield outcome


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

    def end_with_driver() -> None:
        wait_for([driver])
        os._exit(1)

    threading.Thread(target=end_with_driver, daemon=True).start()
