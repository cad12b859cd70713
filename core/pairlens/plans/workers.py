"""Workers, processes of this machine or actors of a Ray cluster, score chunks: some texts of a cell, into one part,
whose name is a hash of its requests: a chunk that is scored twice is the same file.
"""

import multiprocessing
import os
import platform
import signal
import socket
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for
from typing import Any

from pairlens import identity
from pairlens.errors import InputError, ModelError, PairlensError
from pairlens.evaluation.estimate import share
from pairlens.policies import Policy
from pairlens.scoring.into_store import score_chunk
from pairlens.scoring.recipe import Recipe, provenance_of, recipe_of
from pairlens.settings import settings
from pairlens.store import elsewhere
from pairlens.types import Extras, Request, Scorer

OUT_OF_MEMORY = "The worker ran out of memory: run the plan again with fewer workers, or on a larger machine."


@dataclass(frozen=True, slots=True)
class Chunk:
    """Requests by key, and all that a worker needs to score them, `tokens` too or sums only; it can be pickled.
    `model` is the source, `fingerprint` what it must turn out to be on the worker's machine.
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
    """What became of a chunk: texts scored, reasons by key for those that cannot be, and seconds of all processors.

    `part` is the name of the part with the scores, if there are any. `error` is one sentence if no text was scored,
    through no fault of the texts.
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
                there = f"on {platform.node()} than where the plan was started"
                raise ModelError(f"'{chunk.model}' has other files {there}: copy them again.")
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
    """Score chunks into parts at the address `parts` by so many processes; one outcome per chunk, as they come. If a
    process dies, the chunks in work are scored again one at a time, so that only the one that kills it fails.
    """
    waiting = iter(chunks)
    while True:
        unanswered: dict[str, Chunk] = {}
        with _pool(workers) as pool, suppress(BrokenProcessPool):
            in_work: set[Future[Outcome]] = set()
            while True:
                for chunk in islice(waiting, workers * _AHEAD - len(in_work)):
                    unanswered[chunk.id] = chunk
                    in_work.add(_submitted(pool, chunk, parts))
                if not in_work:
                    return
                done, in_work = wait(in_work, return_when=FIRST_COMPLETED)
                for outcome in [future.result() for future in done]:
                    del unanswered[outcome.chunk_id]
                    yield outcome
        for chunk in unanswered.values():  # one of them may have killed its worker
            outcome = Outcome(chunk.id, error=_DIED)
            with _pool(1) as pool, suppress(BrokenProcessPool):
                outcome = _submitted(pool, chunk, parts).result()
            yield outcome


@contextmanager
def _pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Fresh processes: a fork of one that has loaded torch may hang. If it is left by an error, they end at once."""
    context = multiprocessing.get_context("spawn")
    threads = settings().threads or max(1, (os.cpu_count() or 1) // workers)
    child_end, ours = context.Pipe(duplex=False)
    with child_end, ours:
        pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin, initargs=(threads, child_end))
        try:
            yield pool
        except BaseException:
            ours.close()
            raise
        finally:
            pool.shutdown(cancel_futures=True)


def _submitted(pool: ProcessPoolExecutor, chunk: Chunk, parts: str) -> Future[Outcome]:
    """A worker that starts now does not notice Ctrl-C, which reaches the whole group: its driver ends it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        return pool.submit(score, chunk, parts)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(score, chunk, parts)
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


_OURS = "PAIRLENS_"
_UNREACHABLE = 10.0
"""Seconds until a cluster that does not answer counts as unreachable."""
_LOST = (
    "Ray lost the worker twice while it scored these texts, most likely for lack of memory: run the plan again with "
    "fewer workers on a node, or with a smaller PAIRLENS_TOKEN_BUDGET. Ray says: {why}"
)


@dataclass(frozen=True, slots=True)
class Resources:
    """What each worker takes of its node, for Ray to find one: processors, GPUs (or a share), bytes of memory."""

    cpus: float = 1.0
    gpus: float = 0.0
    memory: float = 0.0


def run_on_ray(
    chunks: Iterable[Chunk], parts: str, workers: int = 0, address: str = "", resources: Resources = Resources()
) -> Iterator[Outcome]:
    """The same by actors of a cluster, by default a new one on this machine, and as many as it has room for.

    A chunk is handed to a worker that has started and waits: one that Ray cannot place holds up nothing, and no chunk
    is blamed for what another did. InputError if Ray is missing or the cluster cannot be reached.
    """
    with _cluster(address, workers, resources) as ray:
        ray.method(max_task_retries=0)(_Worker.score)  # see `_scored`
        actor = ray.remote(_Worker).options(
            num_cpus=resources.cpus, num_gpus=resources.gpus, memory=resources.memory or None,
            max_restarts=-1, max_task_retries=-1,
        )  # fmt: skip
        ours = {name: value for name, value in os.environ.items() if name.startswith(_OURS)}
        settings_here = {"PAIRLENS_THREADS": str(max(1, int(resources.cpus))), **ours}
        started = [actor.remote(settings_here) for _ in range(workers or _room(ray, resources))]
        yield from _scored(ray, started, iter(chunks), parts)


def _scored(ray: Any, started: Sequence[Any], waiting: Iterator[Chunk], parts: str) -> Iterator[Outcome]:
    """The outcomes of all chunks. Those of a worker that is lost are handed out once more, to one that is there:
    Ray's own retries go to the same one.
    """
    in_work: dict[Any, tuple[Any, Chunk | None]] = {
        worker.__ray_ready__.remote(): (worker, None) for worker in started
    }
    ahead = deque(islice(waiting, len(started)))  # drawn while workers score, so that none waits for its next one
    free, lost = list[Any](), set[str]()
    while ahead or any(chunk for _, chunk in in_work.values()):
        (ready,), _ = ray.wait([*in_work])
        worker, chunk = in_work.pop(ready)
        outcome, why = None, ""
        try:
            outcome = ray.get(ready)
            free.append(worker)
        except ray.exceptions.OutOfMemoryError:
            why = OUT_OF_MEMORY
        except (ray.exceptions.RayActorError, ray.exceptions.WorkerCrashedError) as error:
            why = str(error).strip().rpartition("\n")[2].strip()
        if why and chunk is None:
            raise InputError(f"Ray cannot start a worker: {why}", "--engine ray")
        if why and chunk:
            in_work[worker.__ray_ready__.remote()] = worker, None
            if chunk.id not in lost:
                lost.add(chunk.id)
                ahead.appendleft(chunk)
                chunk = None
        while free and ahead:
            worker, following = free.pop(), ahead.popleft()
            in_work[worker.score.remote(following, parts)] = worker, following
        if chunk:
            yield outcome or Outcome(chunk.id, error=_LOST.format(why=why))
        ahead.extend(islice(waiting, max(0, len(started) - len(ahead))))


class _Worker:
    """An actor: the model of its last chunk stays loaded. The driver's settings hold where a node has none."""

    def __init__(self, environment: dict[str, str]) -> None:
        for name, value in environment.items():
            os.environ.setdefault(name, value)
        settings.cache_clear()

    def score(self, chunk: Chunk, parts: str) -> Outcome:
        return score(chunk, parts)


def _room(ray: Any, resources: Resources) -> int:
    """How many workers the cluster has room for; InputError if none."""
    there = ray.cluster_resources()
    wanted = {"CPU": resources.cpus, "GPU": resources.gpus, "memory": resources.memory}
    takes = {name: (there.get(name, 0), each) for name, each in wanted.items() if each}
    if room := min((int(has // each) for has, each in takes.values()), default=1):
        return room
    what = ", ".join(f"{name} {has:,.0f} of {each:,.0f}" for name, (has, each) in takes.items())
    raise InputError(f"the cluster has no room for a worker now ({what}): name --workers if it grows by itself")


@contextmanager
def _cluster(address: str, workers: int, resources: Resources) -> Iterator[Any]:
    """Ray, connected; a cluster of its own ends with the plan."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", "(?s).*")  # it would print what nodes log into our tables
    try:
        import ray
    except ImportError:
        raise InputError("Ray is not installed: pip install 'ray>=2.50,<3'", "--engine ray") from None
    address = address or os.environ.get("RAY_ADDRESS", "local")
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        if host:  # HOST:PORT where nobody answers Ray itself would try for minutes
            socket.create_connection((host, int(port)), _UNREACHABLE).close()
    except (OSError, ValueError) as error:
        raise InputError(f"no Ray cluster can be reached there: {error}", f"--address {address}") from None
    size = max(os.cpu_count() or 1, int(workers * resources.cpus))
    own = {"num_cpus": size, "include_dashboard": False} if address == "local" else {}
    ended = signal.getsignal(signal.SIGTERM)
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR", **own)
    except (ConnectionError, OSError, RuntimeError, ValueError) as error:
        raise InputError(" ".join(str(error).split()), f"--address {address}") from None
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, ended)  # Ray's own prints a stack of addresses
    try:
        yield ray
    finally:
        ray.shutdown()
