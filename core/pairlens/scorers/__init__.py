"""Ways to turn a text into log-probabilities, one file each: `pairlens.scorers.SCORERS[name]` is a `ScorerKind`.

The shared modules of scorers that run a network, in the order in which a text passes through them:

    _encoding     texts into tokens with character offsets; which tokens are the continuation
    _windows      windows over texts that are longer than a model can see
    _left_to_right, _masking, _encoder_decoder      the rows of tokens of a text
    _masked       what `masked` and `mntp` share
    _batching     rows in batches of a token budget; equal rows and beginnings run once (_trie)
    _forward      one batch through the network, in the cheapest way that small probes (_probes) allow
    _output       logits at single positions, a stretch of the vocabulary at a time
    _measuring    logits into log-probabilities and extras
    _network      all of this in order, for any scorer that defines its rows; readings as TokenScores
    _pairs        the same for heads that classify two texts
    _served       the rows of a text as questions to a server, which has the network

`_unlisted` has two kinds that cannot be chosen: one (`_words_apart`) scores words for reproducing published numbers
(`pairlens.studies.stereoset.runs`), one (`_patch`, `_patching`) puts states of one text into the run of another
(`pairlens.studies.inside`).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pairlens.discovery import Registry
from pairlens.errors import ModelError
from pairlens.models import Loaded, load
from pairlens.policies import Policy
from pairlens.types import Model, ScorerKind

SCORERS: Registry[ScorerKind] = Registry(__name__, list(__path__), "SCORER")


def backends() -> dict[str, str]:
    """The scorers behind the BabyLM pipeline's backends, by the backends' names, which most of them bear."""
    others = {kind.backend: kind.name for kind in SCORERS.values() if kind.backend}
    return others | {kind.name: kind.name for kind in SCORERS.values() if kind.backend == kind.name}


def accepting(kind: str) -> list[str]:
    """The scorers that can use a model of this kind, the one with the same name first."""
    return sorted((name for name in SCORERS if kind in SCORERS[name].accepts), key=lambda name: (name != kind, name))


def default_for(kind: str) -> str:
    """The scorer for models of this kind; ModelError if none can score texts with them."""
    names = accepting(kind)
    if not names:
        raise ModelError(f"No scorer can use a {kind} model.")
    return names[0]


def refuse_mismatch(scorer: ScorerKind, model: Model) -> None:
    """ModelError, with the scorers to use instead, if this one cannot use the model."""
    if model.kind in scorer.accepts:
        return
    names = accepting(model.kind)
    advice = f"take the scorer {' or '.join(names)}" if names else "no scorer can use it"
    raise ModelError(f"'{model.name}' is a {model.kind} model; {advice}.")


def network_for(scorer: ScorerKind, model: Model, policy: Policy) -> Loaded:
    refuse_mismatch(scorer, model)
    return load(model, model.kind, policy.dtype)


_WATCHER: ContextVar[Callable[[int, int], None] | None] = ContextVar("watcher", default=None)


@contextmanager
def watched(watcher: Callable[[int, int], None]) -> Iterator[None]:
    """Inside, `watcher` is told how many tokens of how many are scored, 0 of 0 while waiting; it may raise."""
    token = _WATCHER.set(watcher)
    try:
        yield
    finally:
        _WATCHER.reset(token)


def tell(done: float, total: int) -> None:
    if watcher := _WATCHER.get():
        watcher(min(round(done), total), total)
