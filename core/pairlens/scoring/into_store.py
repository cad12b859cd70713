"""Requests through a scorer into the store: each distinct one scored once, chunk by chunk.

The scorer is opened, which loads torch, only for those that are not stored.
"""

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pairlens import identity
from pairlens.errors import InputError, ModelError, NoScoreError
from pairlens.scoring.recipe import Recipe, provenance_of
from pairlens.scoring.same_numbers import in_short
from pairlens.settings import settings
from pairlens.store import Store
from pairlens.store.parts import Scored
from pairlens.text.words import word_positions
from pairlens.types import PLAIN, Extras, Request, Scorer, TokenScores


@dataclass(frozen=True, slots=True)
class Progress:
    """A run's progress in requests: all, done, reused from the store, scored now; seconds since it began scoring."""

    total: int
    done: int
    reused: int
    scored: int
    seconds: float
    run_id: str = ""

    @property
    def per_second(self) -> float:
        return self.scored / self.seconds if self.seconds else 0.0

    @property
    def seconds_left(self) -> float | None:
        if self.done == self.total:
            return 0.0
        return (self.total - self.done) / self.per_second if self.per_second else None


def score_missing(
    requests: Mapping[str, Request],
    recipe: Recipe,
    store: Store,
    *,
    extras: Extras = PLAIN,
    scorer: Callable[[], Scorer] | None = None,
    rescore: bool = False,
    tokens: bool = True,
    by_token: bool = False,
    refused: dict[str, str] | None = None,
) -> Iterator[Progress]:
    """Score the `requests` (by key) that the store lacks, chunk by chunk; yields after each stored chunk.

    Chunks are cut from the full list before stored requests are struck out, so that a resumed run forms the same
    batches as an undisturbed one. `tokens`: store token rows; `by_token`: stored sums without them do not suffice. A
    text that cannot be scored raises InputError or, if `refused` is given, is left out and its reason added there;
    texts with a reason there are not tried. ModelError if the network gives no number for any text of a chunk.
    """
    stored = store.known(
        recipe.fingerprint, boundary=extras.boundary, temperatures=extras.temperatures, by_token=by_token,
        keys=requests,
    )  # fmt: skip
    known = set() if rescore else stored
    settled = known | (refused or {}).keys()
    reused, done, scored = len(known), len(settled), 0
    yield Progress(len(requests), done, reused, 0, 0.0)
    if done == len(requests):
        return
    opened = (scorer or recipe.open)()
    started = time.monotonic()
    for wanted in missing_chunks(requests, settled):
        rows = score_chunk(wanted, recipe, opened, extras, refused, tokens)
        if rows:
            checked = {} if scored else in_short(recipe, opened, [wanted[row.key] for row in rows])
            about = {**provenance_of(recipe), **opened.about, **checked}
            store.add(recipe.fingerprint, rows, about, tokens=tokens, rescored=rescore)
        done += len(wanted)
        scored += len(rows)
        yield Progress(len(requests), done, reused, scored, time.monotonic() - started)


def missing_chunks(requests: Mapping[str, Request], settled: Collection[str]) -> Iterator[dict[str, Request]]:
    """The requests that are not `settled`, in the chunks of the full list; chunks with none of them are left out.

    A chunk is a few thousand texts in the order of the items; it is stored at once, and lost by a kill.
    """
    limits, chunks, characters = settings(), list[list[str]](), 0
    for key, request in requests.items():
        length = len(request.context) + len(request.continuation)
        full = chunks and len(chunks[-1]) >= limits.chunk_requests
        if not chunks or full or characters + length > limits.chunk_characters:
            chunks.append([])
            characters = 0
        chunks[-1].append(key)
        characters += length
    for chunk in chunks:
        if wanted := {key: requests[key] for key in chunk if key not in settled}:
            yield wanted


def score_chunk(
    requests: Mapping[str, Request],
    recipe: Recipe,
    scorer: Scorer,
    extras: Extras,
    refused: dict[str, str] | None,
    tokens: bool,
) -> list[Scored]:
    """One chunk's scores, ready to be stored; `refused`, `tokens` and errors as in `score_missing`."""
    broken: list[NoScoreError] = []
    scores = _scores(scorer, requests, extras, refused, broken)
    if len(broken) == len(requests):  # it is not the texts
        raise ModelError(f"'{recipe.model.name}': {broken[0]}")
    return [
        Scored(key, one, word_positions(one.spans, requests[key].text, "previous") if tokens else ())
        for key, one in scores.items()
    ]


def _scores(
    scorer: Scorer,
    requests: Mapping[str, Request],
    extras: Extras,
    refused: dict[str, str] | None,
    broken: list[NoScoreError],
) -> dict[str, TokenScores]:
    """Scores by key, one by one if a text cannot be scored; `broken` gets errors of texts without a number."""
    try:
        return dict(zip(requests, scorer.score(list(requests.values()), extras), strict=True))
    except InputError as error:
        if refused is None:
            raise
        if len(requests) == 1:
            refused.update(dict.fromkeys(requests, error.message))
            broken += [error] if isinstance(error, NoScoreError) else []
            return {}
    scores: dict[str, TokenScores] = {}
    for key, request in requests.items():
        scores.update(_scores(scorer, {key: request}, extras, refused, broken))
    return scores


def scores_now(
    requests: Sequence[Request],
    recipe: Recipe,
    store: Store,
    extras: Extras = PLAIN,
    scorer: Callable[[], Scorer] | None = None,
) -> list[TokenScores]:
    """Scores for a page, in order: stored ones where they suffice, the others computed now and not stored."""
    prepared = [recipe.request(request) for request in requests]
    keys = [identity.request_key(recipe.fingerprint, request) for request in prepared]
    scores: dict[str, TokenScores] = {}
    if not (extras.entropy or extras.top):
        stored = store.token_scores(recipe.fingerprint, set(keys))
        scores = {k: s for k, s in stored.items() if s.boundary_logprobs is not None or not extras.boundary}
    missing = {key: request for key, request in zip(keys, prepared, strict=True) if key not in scores}
    if missing:
        computed = (scorer or recipe.open)().score(list(missing.values()), extras)
        scores.update(zip(missing, computed, strict=True))
    return [scores[key] for key in keys]
