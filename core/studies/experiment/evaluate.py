"""The sentences of a design under a recipe: each distinct one is scored once and then looked up."""

from collections.abc import Callable, Iterator

from core import identity
from core.runs.receipts.sentences import InWindows
from core.scoring.into_store import Progress, score_missing
from core.scoring.recipe import Recipe
from core.store import Store
from core.store.parts import windows
from core.studies.experiment.design import Design
from core.types import Extras, Request, Scorer, TokenScores


def evaluate(
    design: Design,
    recipe: Recipe,
    store: Store,
    *,
    scorer: Callable[[], Scorer] | None = None,
    rescore: bool = False,
    refused: dict[str, str] | None = None,
) -> Iterator[Progress]:
    """Score what the store lacks, chunk by chunk, with the masses at word ends where the scorer has them.

    Sentences that cannot be scored are skipped; `refused` receives the reasons by sentid, for `Design.without`.
    """
    requests, keys = _requests(design, recipe)
    reasons: dict[str, str] = {}
    yield from score_missing(
        requests, recipe, store, extras=_extras(recipe), scorer=scorer, rescore=rescore, refused=reasons
    )
    if refused is not None:
        refused.update({sentid: reasons[key] for sentid, key in keys.items() if key in reasons})


def missing(design: Design, recipe: Recipe, store: Store) -> int:
    """The number of distinct sentences that are not stored yet."""
    requests, _ = _requests(design, recipe)
    known = store.known(recipe.fingerprint, boundary=_extras(recipe).boundary, keys=requests)
    return len(requests.keys() - known)


def scores_of(design: Design, recipe: Recipe, store: Store) -> dict[str, tuple[str, TokenScores]]:
    """Each stored sentence as scored and its scores, by sentid, in the design's order."""
    requests, keys = _requests(design, recipe)
    found = store.token_scores(recipe.fingerprint, requests.keys())
    return {sentid: (requests[key].text, found[key]) for sentid, key in keys.items() if key in found}


def texts_in_windows(design: Design, recipe: Recipe, store: Store) -> InWindows | None:
    """The number of distinct sentences longer than the model's window; None if the window is not known."""
    known = windows(store.parts(recipe.fingerprint))
    if not known:
        return None
    requests, _ = _requests(design, recipe)
    found = store.scores(recipe.fingerprint, 1.0, requests.keys())
    found = found[found["request_key"].isin(requests.keys())]
    n = int((found["n_tokens"] > known["window"]).sum())
    return InWindows(n=n, at_least=False, windows=recipe.policy.windows, **known)


def _requests(design: Design, recipe: Recipe) -> tuple[dict[str, Request], dict[str, str]]:
    """The distinct requests by key, and the key of each sentid."""
    sentences = design.sentences["sentence"]
    by_sentence = {sentence: recipe.request(Request("", sentence)) for sentence in sentences.unique()}
    keys = {sentence: identity.request_key(recipe.fingerprint, request) for sentence, request in by_sentence.items()}
    requests = {keys[sentence]: request for sentence, request in by_sentence.items()}
    return requests, dict(zip(design.sentences["sentid"], sentences.map(keys), strict=True))


def _extras(recipe: Recipe) -> Extras:
    """Models that see both sides of a word have no masses at word ends."""
    return Extras(boundary="pll" not in recipe.kind.reads)
