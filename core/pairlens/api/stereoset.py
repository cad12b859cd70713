"""StereoSet: does a model prefer stereotypes to their opposites? The verbs `stereoset predict` and `evaluate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from pairlens.api.asking import NAME, Choices, Data, as_file, asking
from pairlens.errors import PolicyError
from pairlens.files.stereoset.examples import Examples
from pairlens.files.stereoset.predictions import Predictions, read_predictions
from pairlens.files.stereoset.reading import read_examples
from pairlens.studies.stereoset.classes import StereoSetChoices, kinds_left
from pairlens.tasks import TASKS

if TYPE_CHECKING:
    from pairlens.studies.stereoset.measured import Measured

__all__ = ["evaluate", "predict"]


def predict(
    gold: Data,
    model: str = "english-small",
    *,
    case_no: str = "d",
    intrasentence_model: str = "auto",
    intersentence_model: str = "auto",
    nsp_model_path: str = "",
    skip_intrasentence: bool = False,
    skip_intersentence: bool = False,
    spaced: bool | None = None,
    words: str = "",
    end: bool | None = None,
    from_context: bool = False,
    **choices: Unpack[Choices],
) -> Predictions:
    """Score every candidate; `intrasentence` and `intersentence` of the answer hold the scores by candidate id.

    `gold` is the original's JSON, a wide table, a data frame with its columns, or `stereoset`. Another `case_no` uses
    the same scores; `like="stereoset"` reproduces the published programs. `spaced`, `words`, `end` and
    `from_context` are as in `pairlens.studies.stereoset.classes.StereoSetChoices`.

    >>> dev = "data/samples/stereoset/dev.json"
    >>> pairlens.stereoset.evaluate(dev, pairlens.stereoset.predict(dev)).kinds
    ('intrasentence', 'intersentence', 'overall')
    """
    from pairlens.store import Store
    from pairlens.studies.stereoset import runs as stereoset_runs
    from pairlens.studies.stereoset.cases import case_of

    request = asking(choices, TASKS["stereoset"].sets)
    if request.scorer:
        raise PolicyError("Which scorer asks a model follows from its class here: leave the scorer out.")
    case = case_of(case_no).letter
    kinds = kinds_left((skip_intrasentence, skip_intersentence))
    class_choices = StereoSetChoices(
        intrasentence_model, intersentence_model, nsp_model_path, words, spaced, end, from_context
    )
    requests = stereoset_runs.ask_all(
        _examples(gold).only(kinds), model, request.policy, class_choices, allow_code=request.allow_code
    )
    store, name = Store(), Path(str(gold)).name if isinstance(gold, str | Path) else NAME
    for one in requests:
        request.finish(stereoset_runs.run(one, store, data=name, rescore=request.rescore))
    return stereoset_runs.predictions(requests, store, [case], model)[case]


def evaluate(gold: Data, predictions: Predictions | str | Path, *, ties: str = "half") -> Measured:
    """LMS, SS and ICAT by task and bias type in three aggregations: `table()`, and `terms`, `triples`, `cells`.

    `predictions` are those of `predict`, or a file in the published format; `ties` is `half`, or `legacy` as in the
    published programs. No model is needed.
    """
    from pairlens.studies.stereoset.measured import measure

    read = read_predictions(Path(predictions)) if isinstance(predictions, str | Path) else predictions
    return measure(_examples(gold), read, ties)


def _examples(gold: Data) -> Examples:
    with as_file(gold, ".jsonl") as path:
        return read_examples(path)
