"""Where in a network a decision falls: the verb `inside`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

from core.api.asking import Choices, asking
from core.api.given import texts_of
from core.errors import InputError
from core.studies.next_word import SETS

if TYPE_CHECKING:
    from core.studies.inside import Inside


def inside(
    first: str,
    second: str,
    forms: str | Sequence[str],
    model: str = "english-small",
    *,
    component: str = "residual",
    **choices: Unpack[Choices],
) -> Inside:
    """Put states of one beginning into the run of the other: how much of the decision between two forms moves.

    Of what is returned, `margins` are the leads of the first form after both beginnings, in bits; `cells` has a row
    per direction, layer and position: token, share (0 nothing, 1 all of the difference), bits, and random, the share
    that a random direction of the same size moves; `ladder` has the margins as each layer would have given them.
    `component` is residual, attention or mlp.

    >>> found = api.inside("The keys to the cabinet", "The key to the cabinet", ["are", "is"])
    >>> embedding = found.cells.query("layer == 0 and direction == 'first'")
    >>> embedding.set_index("token")["share"].round(2).idxmax()
    '·key'
    """
    from core.store import Store
    from core.studies.inside import Question
    from core.studies.inside import inside as look
    from core.studies.next_word.forms import read_forms

    one, other = texts_of([first, second])
    named = read_forms(forms if isinstance(forms, str) else ",".join(forms))
    if len(named) != 2:
        raise InputError(f"two forms are compared, not {len(named)}")
    recipe = asking(choices, SETS).recipe(model)
    return look(Question(one, other, (named[0], named[1])), recipe, Store(), component=component)
