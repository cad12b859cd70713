"""Where in a network a decision falls: the verb `inside`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from core.api.asking import Choices, asking
from core.api.given import NAME, as_file, texts_of
from core.errors import InputError
from core.studies.next_word import SETS

if TYPE_CHECKING:
    from core.api.given import Data
    from core.studies.inside import Inside
    from core.studies.inside.average import MeanMap


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
    named = read_forms(forms)
    if len(named) != 2:
        raise InputError(f"two forms are compared, not {len(named)}")
    recipe = asking(choices, SETS).recipe(model)
    return look(Question(one, other, (named[0], named[1])), recipe, Store(), component=component)


def mean_map(
    data: Data,
    model: str = "english-small",
    *,
    component: str = "residual",
    factor: str = "",
    **choices: Unpack[Choices],
) -> MeanMap:
    """The mean map of many items, as a stored run: from one pair to a phenomenon.

    `data` has first, second, form_first and form_second, or is an experiment with a `factor` of two levels, an
    agreement set or minimal pairs (`core.studies.inside.table`). Of what is returned, `cells` has a row per
    direction, layer and region: share with its 95 % interval over items, the same for both controls (`unrelated`,
    `random`), and bits; `run_id` names the run.

    >>> pairs = pd.DataFrame({"first": ["The keys", "The dogs"], "second": ["The key", "The dog"],
    ...                       "form_first": ["are", "are"], "form_second": ["is", "is"]})
    >>> cells = api.mean_map(pairs).cells.query("direction == 'first' and layer == 0")
    >>> cells.set_index("region")["share"].round(1).to_dict()
    {'start': 0.0, 'The': 0.0, 'difference': 1.0}
    """
    from core.store import Store
    from core.studies.inside import average, runs
    from core.studies.inside.table import read

    chosen, store = asking(choices, SETS), Store()
    recipe = chosen.recipe(model)
    with as_file(data) as path:
        asked = runs.ask(read(path, str(recipe.model.card.get("language", "")), factor), recipe, component)
        named = runs.name_of(path) if isinstance(data, str | Path) else NAME
    last = chosen.finish(runs.run(asked, store, data=named, rescore=chosen.rescore))
    return average.mean_map(store, last.run_id)
