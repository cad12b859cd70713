"""Does a sentence follow from another? The verbs `nli predict`, `nli evaluate` and `nli translate`.

Label systems are named as on the command line: assin, assin2, sick, snli, multinli.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from pairlens.api.asking import Choices, Data, as_file, asking
from pairlens.files.nli.pairs import Corpus, Predictions
from pairlens.files.nli.readers import read_corpus
from pairlens.results.result import Result
from pairlens.studies.nli.matched import read_predictions

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["evaluate", "predict", "translate"]


def predict(
    gold: Data,
    model: str = "bilingual-entailment",
    *,
    gold_system: str = "",
    column: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    model_system: str = "",
    prompt: str = "",
    calibrate: bool = False,
    both: bool = False,
    split: str = "",
    mode: str = "strict",
    **choices: Unpack[Choices],
) -> pd.DataFrame:
    """A row per pair: id, label, reverse_label where the data need it (or `both`), and p_<label> of each label.

    `gold` is ASSIN's XML, SICK, JSON lines, a table or a data frame; `column` names its columns by role (`premise`,
    `hypothesis`, `gold`, `id`, ...), `labels` gives the meaning of a classifier's classes.

    >>> pairlens.nli.predict("data/samples/nli/assin2.xml").columns[:2].tolist()
    ['id', 'label']
    """
    from pairlens.store import Store
    from pairlens.studies.nli import runs as nli_runs

    choice = asking(choices)
    recipe, corpus = choice.recipe(model), _corpus(gold, gold_system, column, split)
    request = nli_runs.ask(recipe, labels, model_system, prompt, calibrate, corpus.system)
    twice = both or nli_runs.needs_reverse(corpus, request, mode)
    store = Store()
    last = choice.finish(nli_runs.run(corpus, request, store, reverse=twice, rescore=choice.rescore))
    return nli_runs.answers(store, last.run_id, request).predictions.frame()


def evaluate(
    gold: Data,
    predictions: Data,
    model_system: str,
    *,
    gold_system: str = "",
    column: Mapping[str, str] | None = None,
    sick_gold: str = "label",
    reverse_predictions: Data | None = None,
    labels: Mapping[str, str] | None = None,
    mode: str = "strict",
    other: Sequence[str | Path] = (),
    by_position: bool = False,
    missing_wrong: bool = False,
    split: str = "",
) -> Result:
    """Evaluate answers with labels of `model_system` on any data: `accuracy`, `macro_f1`, `mcc`; no model is needed.

    `predictions` are those of `predict`, or any data frame or file with id and label. `other` are sets that the model
    was trained on: these numbers leave out the pairs that they hold. Tables: `numbers` (a row per class, on all pairs
    and without shared ones, with intervals), `confusion`, `answers`, `disagreements`, `baselines`, and, if there are
    any, `contradictions` and `left_out`.

    >>> pairlens.nli.evaluate("data/samples/nli/sick.txt", "data/samples/nli/sick_answers.jsonl", "assin").accuracy
    0.9
    """
    from pairlens.studies.nli.report import judge
    from pairlens.studies.nli.result import result

    corpus = _corpus(gold, gold_system, column, split, sick_gold)
    forward, reverse = (
        None if data is None else _answers(data, labels, gaps=missing_wrong)
        for data in (predictions, reverse_predictions)
    )
    assert forward is not None
    judged = judge(
        corpus, forward, model_system, mode, reverse=reverse, others=map(Path, other), by_position=by_position,
        missing_wrong=missing_wrong,
    )  # fmt: skip
    return result(judged)


def translate(
    into: str,
    *,
    gold: Data | None = None,
    predictions: Data | None = None,
    reverse_predictions: Data | None = None,
    system: str = "",
    column: Mapping[str, str] | None = None,
    sick_gold: str = "label",
    split: str = "",
    both_directions: bool = False,
) -> pd.DataFrame:
    """Pairs (`gold`) or answers (`predictions`) with their labels written as those of `into`.

    `system` is their label system; for pairs it is by default recognised from the labels. With `both_directions` a
    pair is two rows, (a, b) and (b, a), the latter with the label that `sick_gold` says.

    >>> sorted(set(pairlens.nli.translate("assin2", gold="data/samples/nli/sick.txt")["gold"]))
    ['entailment', 'none']
    """
    from pairlens.studies.nli.translated import translated

    corpus = None if gold is None else _corpus(gold, system, column, "", sick_gold)
    answers, reverse = (None if data is None else _answers(data) for data in (predictions, reverse_predictions))
    return translated(into, corpus, answers, reverse, system, split=split, both=both_directions).frame()


def _corpus(
    gold: Data, system: str, column: Mapping[str, str] | None, split: str, sick_gold: str = "label"
) -> Corpus:
    with as_file(gold) as path:
        return read_corpus(path, system, column or {}, split=split, sick_gold=sick_gold)


def _answers(predictions: Data, labels: Mapping[str, str] | None = None, *, gaps: bool = False) -> Predictions:
    with as_file(predictions) as path:
        return read_predictions(path, gaps=gaps).renamed(labels or {})
