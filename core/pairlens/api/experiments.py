"""Your own experiment: sentences with conditions, regions and pairs. The verb `minimal-pair`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Unpack

from pairlens.analysis.experiment import Analysis, Columns
from pairlens.api.asking import Choices, Data, as_file, asking
from pairlens.results.result import Result


class ExperimentChoices(Choices, total=False):
    """`Choices`, roles of columns (`pairlens.analysis.experiment.Columns`; else inferred) and units (`Analysis`)."""

    conditions: str | Sequence[str]
    sentence: str
    sentid: str
    pairid: str
    comparison: str
    roi: str
    item: str
    expected: str
    unexpected: str
    measure: str
    word_summary: str
    region_summary: str
    spill: int


def experiment(
    data: Data,
    model: str | Sequence[str] = "english-small",
    *,
    sheet: str = "",
    interaction: str | Sequence[str] = (),
    contrast: str = "",
    **choices: Unpack[ExperimentChoices],
) -> Result:
    """Score the sentences of a table, a row each (or two columns of texts), with one model or several.

    `interaction` names two or three factors with two levels each, `contrast` is arithmetic over cells, `sheet` is one
    of a workbook. The tables of the result have a row per model and word, pair, condition or region; of `by_pair` and
    `by_cond` there are none for a design without pairs.

    >>> twice = {"good": ["The keys are here."], "bad": ["The keys is here."]}
    >>> pairlens.experiment(pd.DataFrame(twice)).by_pair.shape[0]
    1
    """
    from pairlens.store import Store
    from pairlens.studies.experiment.running import Chosen, Experiment, ExperimentRun

    options: dict[str, Any] = {**choices}
    names = {field.name for of in (Columns, Analysis) for field in fields(of)} - Choices.__annotations__.keys()
    own = {name: options.pop(name) for name in names & options.keys()}
    request = asking(options)  # type: ignore[arg-type]  # the remaining choices
    models = [model] if isinstance(model, str) else model
    with as_file(data) as path:
        wanted = Experiment(sheet=sheet, contrast=contrast, data=path).over(
            models=tuple(Chosen(name, request.scorer) for name in models),
            preset=request.policy.name.partition(",")[0],
            scoring=request.policy.changes(),
            interaction=interaction,
            **own,
        )
        run = ExperimentRun(
            wanted.check(),
            lambda one: request.recipe(one.name),
            Store(),
            request.finish,
            lambda _: None,
            rescore=request.rescore,
        )
        run.check()
        run.evaluate()
        return run.analyze()
