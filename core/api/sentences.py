"""Two sentences side by side, as on the page *Compare*."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Unpack

from core.api.asking import Choices, asking
from core.api.given import texts_of
from core.results.result import Result
from core.studies.compare.study import STUDY
from core.studies.compare.typed import Fields
from core.studies.study import ask


def compare(a: str, b: str, model: str | Iterable[str] = "english-small", **choices: Unpack[Choices]) -> Result:
    """Compare two sentences, or as many lines of sentences: which is likelier, and at which word it is decided.

    `margin` is the lead of A over B in the unit of the policy (per token if the policy compares means), `bits` the
    same in bits, NaN if something is not scored; `preferred` is `A`, `B`, `tie`, `undecided` (the last digits would
    decide) or `none` (something is not scored); of several models each is a series. `steps` has the difference by
    position, `words` a row per word, `tokens` a row per token, `pairs` a row per pair where there are several lines
    (`core.studies.compare.tables`); with several models they have a column `model`.

    >>> found = api.compare("The keys to the cabinet are here.", "The keys to the cabinet is here.")
    >>> found.preferred, found.steps.set_index("label")["difference"].idxmax()
    ('A', 'are | is')
    """
    from core.store import Store

    asks, models = asking(choices), [model] if isinstance(model, str) else [*model]
    return ask(STUDY, Fields(*texts_of([a, b])), [asks.recipe(name) for name in models], Store())
