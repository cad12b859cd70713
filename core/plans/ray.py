"""Workers as actors of a Ray cluster, each with a model. Where they run, and that they run again, is Ray's part."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

from core.errors import InputError
from core.plans.workers import OUT_OF_MEMORY, Chunk, Outcome, score
from core.settings import settings

_OURS = "PAIRLENS_"
_PATIENCE = 10.0
"""Seconds until a cluster that does not answer counts as unreachable."""
_DIED = (
    "Ray lost the worker twice while it scored these texts, most likely for lack of memory: run the plan again with "
    "fewer workers on a node, or with a smaller PAIRLENS_TOKEN_BUDGET. Ray says: {why}"
)


@dataclass(frozen=True, slots=True)
class Resources:
    """What each worker takes of its node, for Ray to find one: processors, GPUs (or a share), bytes of memory."""

    cpus: float = 1.0
    gpus: float = 0.0
    memory: float = 0.0


def run(
    chunks: Iterable[Chunk], parts: str, workers: int = 0, address: str = "", resources: Resources = Resources()
) -> Iterator[Outcome]:
    """Score chunks into parts at the address `parts`, by actors of a cluster; one outcome per chunk, as they come.

    `address` is the cluster's, by default a new one on this machine; with 0 `workers` there are as many as it has
    room for. A chunk is handed to a worker that has started and waits: one that Ray cannot place holds up nothing,
    and no chunk is blamed for what another did. InputError if Ray is missing or the cluster cannot be reached.
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
    """The outcomes of all chunks. Those of a worker that is lost are handed out once more, to one that is there.

    Ray's own retries go to the same worker, and are used up within a second if its node is gone.
    """
    in_work: dict[Any, tuple[Any, Chunk | None]] = {one.__ray_ready__.remote(): (one, None) for one in started}
    ahead = deque(islice(waiting, len(started)))  # drawn while workers score, so that none waits for its next one
    free, lost = list[Any](), set[str]()
    while ahead or any(chunk for _, chunk in in_work.values()):
        (ready,), _ = ray.wait([*in_work])
        worker, chunk = in_work.pop(ready)
        outcome, why = None, ""
        try:
            outcome = ray.get(ready)
        except ray.exceptions.OutOfMemoryError:
            why = OUT_OF_MEMORY
        except (ray.exceptions.RayActorError, ray.exceptions.WorkerCrashedError) as error:
            why = str(error).strip().rpartition("\n")[2].strip()
        if not why:
            free.append(worker)
        elif chunk is None:
            raise InputError(f"Ray cannot start a worker: {why}", "--engine ray")
        else:
            in_work[worker.__ray_ready__.remote()] = worker, None
            if chunk.id not in lost:
                lost.add(chunk.id)
                ahead.appendleft(chunk)
                chunk = None
        while free and ahead:
            worker, following = free.pop(), ahead.popleft()
            in_work[worker.score.remote(following, parts)] = worker, following
        if chunk:
            yield outcome or Outcome(chunk.id, error=_DIED.format(why=why))
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
    room = min((int(there.get(name, 0) // each) for name, each in wanted.items() if each), default=1)
    if not room:
        what = ", ".join(f"{name} {there.get(name, 0):,.0f} of {each:,.0f}" for name, each in wanted.items() if each)
        raise InputError(f"the cluster has no room for a worker now ({what}): name --workers if it grows by itself")
    return room


@contextmanager
def _cluster(address: str, workers: int, resources: Resources) -> Iterator[Any]:
    """Ray, connected; a cluster of its own ends with the plan."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", "(?s).*")  # it would print what nodes log into our tables
    try:
        import ray
    except ImportError:
        raise InputError("Ray is not installed: pip install -r requirements-ray.txt", "--engine ray") from None
    address = address or os.environ.get("RAY_ADDRESS", "local")
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        if host:  # HOST:PORT where nobody answers Ray itself would try for minutes
            socket.create_connection((host, int(port)), _PATIENCE).close()
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
