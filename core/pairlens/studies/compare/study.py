"""The study Compare: its question, what is asked of a model, and what the answers come to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pairlens.studies.compare.typed import Fields
from pairlens.types import Request

if TYPE_CHECKING:
    from pairlens.results.result import Result
    from pairlens.scoring.recipe import Recipe
    from pairlens.store import Store
    from pairlens.studies.compare.pair import Comparison
    from pairlens.types import Scorer


class _Compare:
    name = "compare"
    question = "Which sentence does the model prefer, and where does it decide?"
    about = (
        "Compare two sentences: which one a model prefers, by how much, and where it decides.\n\n"
        "With several lines in A and B, line by line. Tables: words (one row per word), steps (the difference by "
        "position), tokens; with several pairs also pairs. Surprisals and margins are in the unit of the policy, "
        "logprob in nats."
    )
    fields = Fields
    examples: Sequence[Fields] = (
        Fields("The dogs sleep.", "The dogs sleeps."),
        Fields("She sleeps.\nThey sleep.", "She sleep.\nThey sleeps."),
    )

    def requests(self, question: Fields) -> list[Request]:
        return [Request("", text) for pair in question.pairs for text in pair]

    def answer(
        self, question: Fields, recipe: Recipe, store: Store, scorer: Callable[[], Scorer] | None = None
    ) -> list[Comparison]:
        from pairlens.studies.compare.pair import compare

        return compare(question.pairs, recipe, store, scorer)

    def result(self, question: Fields, answers: Sequence[Sequence[Comparison]]) -> Result:
        from pairlens.studies.compare.result import result

        return result(self, question, answers)


STUDY = _Compare()
