"""Chunks: some texts of a cell, scored by one worker into one part of the store.

A part is named by a hash of its requests, so a chunk that is scored twice, by a retry or by two workers, is the same
file with the same rows.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from core import identity
from core.errors import ModelError, PairlensError
from core.policies import Policy
from core.runs.estimate import share
from core.scoring.into_store import score_chunk
from core.scoring.recipe import Recipe, provenance_of, recipe_of
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
        recipe, scorer = _open(chunk)
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


def _open(chunk: Chunk) -> tuple[Recipe, Scorer]:
    """The chunk's scorer; ModelError if the model here has other weights than where the plan was made."""
    if chunk.fingerprint not in _opened:
        _opened.clear()
        recipe = recipe_of(chunk.model, chunk.scorer, chunk.policy)
        if recipe.fingerprint != chunk.fingerprint:
            raise ModelError(
                f"'{chunk.model}' has other files on {platform.node()} than where the plan was started: "
                "copy them again."
            )
        _opened[chunk.fingerprint] = recipe, recipe.open()
    return _opened[chunk.fingerprint]
