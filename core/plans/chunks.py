"""Chunks: some texts of a cell, scored by one worker into one part of the store.

A part is named by a hash of its requests, so a chunk that is scored twice, by a retry or by two workers, is the same
file with the same rows.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core import identity
from core.errors import ModelError, PairlensError
from core.policies import Policy
from core.scoring.into_store import score_chunk
from core.scoring.recipe import Recipe, provenance_of, recipe_of
from core.store import Store
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
    """What became of a chunk: texts scored, reasons by key for those that cannot be, and seconds of work.

    `error` is one sentence if no text of it was scored, through no fault of the texts.
    """

    chunk_id: str
    scored: int = 0
    refused: Mapping[str, str] = field(default_factory=dict)
    error: str = ""
    seconds: float = 0.0


_opened: dict[str, tuple[Recipe, Scorer]] = {}
"""The scorer of the last chunk of this worker, by fingerprint: a model is loaded once, not once per chunk."""


def score(chunk: Chunk, folder: Path) -> Outcome:
    """Score a chunk into the store in `folder`, in a worker. A model that cannot be used makes an `error`."""
    started = time.monotonic()
    refused: dict[str, str] = {}
    try:
        recipe, scorer = _open(chunk)
        rows = score_chunk(chunk.requests, recipe, scorer, Extras(boundary=chunk.boundary), refused, chunk.tokens)
        if rows:
            about = {**provenance_of(recipe), **scorer.about}
            Store(folder).add(recipe.fingerprint, rows, about, tokens=chunk.tokens)
    except PairlensError as error:
        return Outcome(chunk.id, error=str(error), seconds=time.monotonic() - started)
    except MemoryError:
        return Outcome(chunk.id, error=OUT_OF_MEMORY, seconds=time.monotonic() - started)
    return Outcome(chunk.id, len(rows), refused, seconds=time.monotonic() - started)


def _open(chunk: Chunk) -> tuple[Recipe, Scorer]:
    """The chunk's scorer; ModelError if the model here has other weights than where the plan was made."""
    if chunk.fingerprint not in _opened:
        _opened.clear()
        recipe = recipe_of(chunk.model, chunk.scorer, chunk.policy)
        if recipe.fingerprint != chunk.fingerprint:
            raise ModelError(
                f"'{chunk.model}' has other files here than where the plan was started: copy them again."
            )
        _opened[chunk.fingerprint] = recipe, recipe.open()
    return _opened[chunk.fingerprint]
