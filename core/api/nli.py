"""Does a sentence follow from another? The verbs `nli predict`, `nli evaluate` and `nli translate`.

Label systems are named as on the command line: assin, assin2, sick, snli, multinli.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from core.api.asking import Choices, asking
from core.api.given import as_file
from core.errors import PolicyError
from core.files.nli.readers import read_corpus
from core.studies.nli.matched import match
from core.studies.nli.predicted import read_predictions

if TYPE_CHECKING:
    import pandas as pd

    from core.api.given import Data
    from core.files.nli.pairs import Corpus, Predictions
    from core.studies.nli.report import NliReport

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
    reverse: bool = False,
    split: str = "",
    mode: str = "strict",
    **choices: Unpack[Choices],
) -> pd.DataFrame:
    """A row per pair: id, label, reverse_label where the data need it (or `both`), and p_<label> of each label.

    `gold` is ASSIN's XML, SICK, JSON lines, a table or a data frame; `column` names its columns by role (`premise`,
    `hypothesis`, `gold`, `id`, ...), `labels` gives the meaning of a classifier's classes, and with `reverse` only
    the swapped pairs are predicted.

    >>> api.nli.predict("data/samples/nli/assin2.xml").columns[:2].tolist()
    ['id', 'label']
    """
    from core.store import Store
    from core.studies.nli import runs as nli_runs
    from core.studies.nli.writing import predictions_table

    if reverse and both:
        raise PolicyError("give both or reverse, not both: reverse asks about swapped pairs only")
    given = asking(choices)
    recipe, corpus = given.recipe(model), _corpus(gold, gold_system, column, split)
    request = nli_runs.ask(recipe, labels, model_system, prompt, calibrate, corpus.system)
    if reverse:
        corpus = corpus.turned
    twice = both or (not reverse and nli_runs.needs_reverse(corpus, request, mode))
    store = Store()
    last = given.finish(nli_runs.run(corpus, request, store, reverse=twice, rescore=given.rescore))
    return predictions_table(nli_runs.answers(store, last.run_id, request).predictions)


def evaluate(
    gold: Data,
    predictions: Data,
    model_system: str,
    *,
    gold_system: str = "",
    column: Mapping[str, str] | None = None,
    sick_gold: str = "label",
    leave_out_one_way: bool = False,
    reverse_predictions: Data | None = None,
    labels: Mapping[str, str] | None = None,
    mode: str = "strict",
    other: Sequence[str | Path] = (),
    by_position: bool = False,
    missing_wrong: bool = False,
    split: str = "",
) -> NliReport:
    """Evaluate answers with labels of `model_system` on any data: `headline` has accuracy, macro_f1 and intervals.

    `table()` has a row per class. `predictions` are those of `predict`, or any data frame or file with id and label.
    `other` are sets that the model was trained on: the headline leaves out the pairs that they hold. `rows` has the
    evaluations on all pairs and without shared ones, each with its class `balance`. No model is needed.

    >>> api.nli.evaluate("data/samples/nli/sick.txt", "data/samples/nli/sick_answers.jsonl", "assin").headline.n
    50
    """
    from core.studies.nli.report import named_sets, report

    corpus = _corpus(gold, gold_system, column, split, sick_gold, leave_out_one_way)
    answers = _answers(predictions, labels, gaps=missing_wrong)
    turned = None if reverse_predictions is None else _answers(reverse_predictions, labels, gaps=missing_wrong)
    sets = named_sets(Path(path) for path in other)
    matched = match(corpus, answers, turned, by_position=by_position)
    return report(matched, model_system, mode, sets, missing_wrong=missing_wrong)


def translate(
    into: str,
    *,
    gold: Data | None = None,
    predictions: Data | None = None,
    reverse_predictions: Data | None = None,
    system: str = "",
    column: Mapping[str, str] | None = None,
    sick_gold: str = "label",
    leave_out_one_way: bool = False,
    split: str = "",
    both_directions: bool = False,
) -> pd.DataFrame:
    """Pairs (`gold`) or answers (`predictions`) with their labels written as those of `into`.

    `system` is their label system; for pairs it is by default recognised from the labels. With `both_directions` a
    pair is two rows, (a, b) and (b, a), the latter with the label that `sick_gold` says.

    >>> sorted(set(api.nli.translate("assin2", gold="data/samples/nli/sick.txt")["gold"]))
    ['entailment', 'none']
    """
    from core.studies.nli.translated import translate_corpus, translate_predictions
    from core.studies.nli.writing import corpus_table, predictions_table

    if (gold is None) == (predictions is None):
        raise PolicyError("give pairs (gold) or answers (predictions)")
    if gold is not None:
        corpus = translate_corpus(_corpus(gold, system, column, split, sick_gold, leave_out_one_way), into)
        return corpus_table(corpus.in_both_directions() if both_directions else corpus)
    if split or both_directions:
        raise PolicyError("parts and both directions are of pairs (gold), not of answers")
    if not system:
        raise PolicyError("say whose labels the answers are (system)")
    assert predictions is not None
    turned = None if reverse_predictions is None else _answers(reverse_predictions)
    return predictions_table(translate_predictions(_answers(predictions), turned, system, into))


def _corpus(
    gold: Data,
    system: str,
    column: Mapping[str, str] | None,
    split: str,
    sick_gold: str = "label",
    leave_out_one_way: bool = False,
) -> Corpus:
    with as_file(gold) as path:
        corpus = read_corpus(path, system, column or {}, sick_gold=sick_gold, leave_out_one_way=leave_out_one_way)
    return corpus.part(split)


def _answers(predictions: Data, labels: Mapping[str, str] | None = None, *, gaps: bool = False) -> Predictions:
    with as_file(predictions) as path:
        return read_predictions(path, gaps=gaps).renamed(labels or {})
