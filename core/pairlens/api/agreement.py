"""Agreement sets: two forms of a word, of which one agrees. The verbs `agreement predict` and `evaluate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from pairlens.api.asking import Choices, Data, as_file, asking
from pairlens.api.stored import run
from pairlens.errors import PolicyError
from pairlens.policies import Policy
from pairlens.results.result import Result
from pairlens.studies.agreement.heuristics import read_items
from pairlens.tasks import TASKS

if TYPE_CHECKING:
    from pairlens.evaluation.result import Run

__all__ = ["evaluate", "predict"]


def predict(
    source: str | Path,
    model: str = "english-small",
    *,
    rule: str = "word",
    table: str | Path | None = None,
    conllu: str | Path | None = None,
    **choices: Unpack[Choices],
) -> Run:
    """Score both forms of every item of a file or folder (two lines per item, .tab, .raw-pred) and store the run.

    `rule` is `word` (the form with the end of its word), `form` or `joint` (whole sentences); `table` and `conllu`
    are files with more about the items. `evaluate` gives the numbers.

    >>> run = pairlens.agreement.predict("data/samples/agreement")
    >>> pairlens.agreement.evaluate(run).accuracy == run.value
    True
    """
    from pairlens.evaluation.evaluate import Context, data_name
    from pairlens.evaluation.evaluate import run as steps
    from pairlens.evaluation.requests import plan
    from pairlens.evaluation.zero_shot import meaningless
    from pairlens.store import Store

    task = TASKS["agreement"]
    request = asking(choices, task.sets)
    recipe = request.recipe(model)
    with as_file(source) as path:
        items = read_items(path, *(Path(one) if one else None for one in (table, conllu)))
        planned = plan(task, items, recipe, rule)
        if reason := meaningless(task, rule, recipe.kind):
            raise PolicyError(reason)
        context = Context(Store(), data=data_name(path), rescore=request.rescore)
        return run(request.finish(steps(planned, context)).run_id)


def evaluate(
    predictions: Run | Data,
    *,
    table: str | Path | None = None,
    conllu: str | Path | None = None,
    column: str = "probs",
    ties: str = "half",
) -> Result:
    """Accuracy by number, attractors, distance and surface heuristics, beside baselines, in one result.

    Its values are `accuracy`, `balanced_accuracy`, `n`, `right`, ...; its tables `by_attractors`, `heuristics`,
    `baselines`, `items`, ... `predictions` is a run of `predict`, evaluated under its own policy, or any
    log-probabilities (nats) in a .raw-pred, a .tab or a data frame with the same columns, for which the other
    arguments are. No model is needed.
    """
    from pairlens.evaluation.result import Run
    from pairlens.store import Store
    from pairlens.studies.agreement.answers import answers_in_file, answers_of_runs
    from pairlens.studies.agreement.result import result

    if isinstance(predictions, Run):
        return result(answers_of_runs([predictions], Store()))
    more, parses = (Path(one) if one else None for one in (table, conllu))
    with as_file(predictions, ".raw-pred") as path:
        answers = answers_in_file(path, Policy().but(ties=ties), more, column=column, parses=parses)
    return result([answers])
