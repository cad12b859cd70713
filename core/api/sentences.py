"""Two sentences side by side, as on the page *Compare*."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

from core.api.asking import Choices, asking
from core.api.given import texts_of

if TYPE_CHECKING:
    import pandas as pd

    from core.studies.compare import Comparison


@dataclass(frozen=True, eq=False)
class Compared:
    """Sentences A and B under one model. `comparison` has everything else."""

    comparison: Comparison

    @property
    def bits(self) -> float:
        """The lead of A over B; per token if the policy compares means, NaN if something is not scored."""
        from core import measures

        return measures.bits(self.comparison.margin)

    @property
    def preferred(self) -> str:
        """`A`, `B`, `tie`, `undecided` (the last digits would decide) or `none` (something is not scored)."""
        return self.comparison.preferred

    @property
    def steps(self) -> pd.DataFrame:
        """The difference by position: label, running (the lead of A up to here), difference."""
        from core.studies.compare.tables import step_table

        return step_table(self.comparison)

    @property
    def words(self) -> pd.DataFrame:
        """A row per word, in the unit of the policy; `member` is A, B or both (`core.studies.compare.tables`)."""
        from core.studies.compare.tables import word_table

        return word_table(self.comparison)

    @property
    def tokens(self) -> pd.DataFrame:
        """A row per token of both (`core.studies.compare.tables`)."""
        from core.studies.compare.tables import token_table

        return token_table(self.comparison)

    def __repr__(self) -> str:
        from core.studies.compare.wording import preference

        return f"{self.comparison.recipe.model.name}: {preference(self.comparison)}"


def compare(a: str, b: str, model: str = "english-small", **choices: Unpack[Choices]) -> Compared:
    """Compare two sentences: which is likelier, by how many bits, and at which word the difference arises.

    >>> found = api.compare("The keys to the cabinet are here.", "The keys to the cabinet is here.")
    >>> found.preferred, found.steps.set_index("label")["difference"].idxmax()
    ('A', 'are | is')
    """
    from core.store import Store
    from core.studies.compare import compare as compare_pairs

    first, second = texts_of([a, b])
    return Compared(compare_pairs([(first, second)], asking(choices).recipe(model), Store())[0])
