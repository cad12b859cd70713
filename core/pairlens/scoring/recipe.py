"""Recipes: a model, a scorer and a policy, which determine scores; and their provenance."""

import platform
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from importlib import metadata
from typing import Any

from pairlens import __version__, identity
from pairlens.models import find
from pairlens.policies import NO_CONTEXT, PRESETS, Policy
from pairlens.scorers import SCORERS, default_for, refuse_mismatch
from pairlens.settings import settings
from pairlens.text import prepare
from pairlens.types import Model, Request, Scorer, ScorerKind


@dataclass(frozen=True)
class Recipe:
    model: Model
    kind: ScorerKind
    policy: Policy

    @cached_property
    def fingerprint(self) -> str:
        return identity.fingerprint(self.kind, self.model, self.policy)

    def open(self) -> Scorer:
        return self.kind.open(self.model, self.policy)

    def request(self, request: Request) -> Request:
        """The request as the tokenizer sees it, with text policy and leading space applied.

        The text is prepared in one piece, so that context and continuation join: `s'` and ` aime` become `s'aime`. A
        word that is cut into tokens alone has no space before it, but always a context; `unspaced` counts the space
        with the context.
        """
        whole = self._prepared(request.text)
        context, after = (self._prepared(part) if part else "" for part in (request.context, request.after))
        continuation = whole[len(context) : len(whole) - len(after)]
        if context + continuation + after != whole:
            continuation = self._prepared(request.continuation)
        if self.policy.tokens == "rewritten" and "tokens" in self.kind.reads:
            return Request(context or NO_CONTEXT, continuation.lstrip(), after)
        if self.policy.tokens.endswith("unspaced") and continuation[:1] == " ":
            context, continuation = f"{context} ", continuation[1:]
        if self.policy.leading_space and not context and not continuation[:1].isspace():
            continuation = " " + continuation
        return Request(context, continuation, after)

    def _prepared(self, text: str) -> str:
        return prepare(text, self.policy, self.model.card.get("characters")).text


def recipe_of(model: str, scorer: str = "", policy: Policy = PRESETS["pairlens"], *, allow_code: str = "") -> Recipe:
    """A model (found, not loaded) with a scorer, by default its kind's, and a policy; ModelError or PolicyError."""
    known_model = find(model, allow_code=allow_code)
    kind = SCORERS[scorer or default_for(known_model.kind)]
    refuse_mismatch(kind, known_model)
    return Recipe(known_model, kind, policy)


def provenance_of(recipe: Recipe) -> dict[str, Any]:
    limits, versions = settings(), dict.fromkeys(("torch", "transformers", "tokenizers"), "")
    for name in versions:
        with suppress(metadata.PackageNotFoundError):
            versions[name] = metadata.version(name)
    return {
        "model": recipe.model.name,
        "revision": recipe.model.revision,
        **({"quantisation": rounded} if (rounded := recipe.model.card.get("quantisation")) else {}),
        "device": limits.device,
        "batch_texts": limits.batch_texts,
        "pairlens": __version__,
        "python": platform.python_version(),
        "versions": versions,
        "written": now(),
    }


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
