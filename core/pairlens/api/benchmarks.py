"""A test set, or your own pairs, scored into a stored run: the verb `zero-shot`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

from pairlens.api.asking import Choices, Data, as_file, asking
from pairlens.api.stored import run
from pairlens.files.tables import Layout
from pairlens.tasks.pairs import Roles, with_columns

if TYPE_CHECKING:
    from pairlens.evaluation.result import Run


def benchmark(
    data: Data | None = None,
    model: str = "english-small",
    *,
    task: str = "",
    rule: str = "",
    good: str = "",
    bad: str = "",
    group: str | Sequence[str] = (),
    sentence: str = "",
    label: str = "",
    item: str = "",
    sheet: str = "",
    **choices: Unpack[Choices],
) -> Run:
    """Run a benchmark and store it; returns the run with its numbers and items.

    `data` is a file, a folder, the name of a fetched data set, a data frame, or None for our small sample of the
    task. `task` is by default `pairs` for a data frame and `blimp` for all else; `rule` is one of the task's. `good`,
    `bad`, `group`, `sentence`, `label` and `item` name columns of `pairs` that have unusual names, `sheet` one
    of a workbook.

    >>> pairs = pd.DataFrame({"good": ["The keys are here."], "bad": ["The keys is here."]})
    >>> pairlens.benchmark(pairs).items[["right", "correct"]].values.tolist()
    [['The keys are here.', 1.0]]
    """
    from pairlens.evaluation.zero_shot import Benchmark, sample, task_named
    from pairlens.store import Store

    framed = data is not None and hasattr(data, "columns")
    chosen = task_named(task or ("pairs" if framed else "blimp"))
    groups = (group,) if isinstance(group, str) else tuple(group)
    chosen = with_columns(
        chosen, Roles(good, bad, sentence, label, item, tuple(filter(None, groups))), Layout(sheet=sheet)
    )
    request = asking(choices, chosen.sets)
    ending = ".tsv" if chosen.name == "pairs" else ".jsonl"
    with as_file(sample(chosen) if data is None else data, ending) as path:
        steps = Benchmark(chosen, path, rule).run(request.recipe(model), Store(), rescore=request.rescore)
        return run(request.finish(steps).run_id)
