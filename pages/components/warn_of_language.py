"""Models that are asked about a language of which they have read nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.text import looks_tokenised
from core.types import Model
from pages.components import notices


def warn_of_language(texts: Sequence[str], models: Iterable[Model]) -> None:
    """Name the models whose card says another language than pre-tokenised texts show; none where either is silent."""
    language = looks_tokenised(texts)
    for model in models:
        if language and language not in str(model.card.get("language", language)).split():
            notices.warning(
                f"{model.name} has read no text in the language of these items: what it prefers says little."
            )
