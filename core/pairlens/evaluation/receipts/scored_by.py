"""The model, scorer and policy behind log-probabilities, from a recipe or from a run's manifest."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from pairlens import __version__
from pairlens.policies import Policy
from pairlens.scorers import SCORERS
from pairlens.scorers._unlisted import PATCHED, WORD_IN_GAP
from pairlens.scoring.recipe import Recipe, provenance_of
from pairlens.types import ScorerKind, TokenScores

JUDGED = ("sentence_value", "ties", "text", "detokenise", "leading_space")
"""Policy fields that move numbers for every scorer; others only if it reads them."""
HUMAN = "stated-human"
"""The scorer of a run of votes (`pairlens.studies.classroom.kept`)."""
_MADE_WITH = ("pairlens", "python", "versions", "device")


@dataclass(frozen=True, slots=True)
class ScoredBy:
    """Model with `weights` (sha256), scorer (`kind`: None if not here), policy; the `release` that scored."""

    model: str
    revision: str
    weights: str
    scorer: str
    kind: ScorerKind | None
    policy: Policy
    release: str = __version__

    @property
    def stated(self) -> bool:
        """Whether another program made the scores (`pairlens.evaluation.imported_scores`)."""
        return self.scorer.partition("-")[0] == "stated"

    @property
    def reads(self) -> tuple[str, ...]:
        return self.kind.reads if self.kind else ()


def by_recipe(recipe: Recipe) -> ScoredBy:
    model = recipe.model
    return ScoredBy(model.name, model.revision, model.weights, recipe.kind.name, recipe.kind, recipe.policy)


def by_manifest(manifest: Mapping[str, Any]) -> ScoredBy:
    return by_receipt({**manifest_values(manifest), "signature": manifest.get("signature")})


def by_receipt(receipt: Mapping[str, Any]) -> ScoredBy:
    """Model, scorer and policy under the keys of every receipt (`recipe_values`), and the release that signed it."""
    model, scorer = receipt["model"], receipt["scorer"]["name"]
    return ScoredBy(
        model["name"],
        model["revision"],
        model["weights_sha256"] or "",
        scorer,
        kind_named(scorer),
        Policy(**receipt["policy"]),
        (receipt["signature"] or "").rpartition("|v:")[2] or __version__,
    )


def recipe_values(recipe: Recipe) -> dict[str, Any]:
    """Model, scorer, policy and fingerprint of a recipe as plain values, under the keys of every receipt."""
    model = recipe.model
    return {
        "model": {"name": model.name, "revision": model.revision, "kind": model.kind, "weights_sha256": model.weights,
                  "tokenizer_sha256": model.tokenizer, "config_sha256": model.config},
        "scorer": {"name": recipe.kind.name, "version": recipe.kind.version},
        "policy": asdict(recipe.policy),
        "fingerprint": recipe.fingerprint,
    }  # fmt: skip


def made_with(recipe: Recipe, *more: str) -> dict[str, Any]:
    """The provenance that may move the last digits; `more` names further entries."""
    provenance = provenance_of(recipe)
    return {name: provenance[name] for name in (*_MADE_WITH, *more)}


def manifest_values(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of `recipe_values` from a run's manifest; null for what it does not record."""
    return {
        "model": {"name": manifest["model"], "revision": manifest.get("revision") or "",
                  "kind": manifest.get("model_kind"), "weights_sha256": manifest.get("weights"),
                  "tokenizer_sha256": manifest.get("tokenizer"), "config_sha256": manifest.get("config")},
        "scorer": {"name": manifest["scorer"], "version": manifest.get("scorer_version")},
        "policy": dict(manifest["policy"]),
        "fingerprint": manifest.get("fingerprint"),
    }  # fmt: skip


def number(value: float | None) -> float | None:
    """A number for JSON: null instead of NaN."""
    return None if value is None or math.isnan(value) else float(value)


def token_values(scores: TokenScores) -> list[dict[str, Any]]:
    """The tokens of a request with their spans in its text and log-probabilities in nats; unscored is null."""
    tokens = zip(scores.tokens, scores.ids, scores.spans, scores.logprobs, strict=True)
    return [
        {"token": token, "id": identifier, "start": start, "end": end, "logprob": number(value)}
        for token, identifier, (start, end), value in tokens
    ]


def kind_named(scorer: str) -> ScorerKind | None:
    """The scorer of that name; None if this version of Pairlens does not have it."""
    if scorer in SCORERS:
        return SCORERS[scorer]
    return {kind.name: kind for kind in (WORD_IN_GAP, PATCHED)}.get(scorer)
