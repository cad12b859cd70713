"""How the numbers of the page Entailment were made: what is behind them, and the sentence for a Methods section."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core import __version__
from core.files.labels import system_of
from core.files.nli.label_map import LabelMap
from core.files.nli.pairs import Corpus
from core.runs.receipts import sentences
from core.runs.receipts.bibtex import LABELS, STATISTICS
from core.runs.receipts.scored_by import by_manifest
from core.statistics.few import CLUSTERED, EFFECTIVE, method
from core.studies.nli.evaluation import Evaluation
from core.studies.nli.report import NliReport, as_json
from core.studies.nli.wording import numbers, units


def receipt(
    report: NliReport, corpus: Corpus, data: str, reading: LabelMap, made: Mapping[str, Any]
) -> dict[str, Any]:
    """What was evaluated and how, on what is called `data`.

    `made` is the manifest of the run in which a model was asked, or names the file of another program's answers.
    """
    return {
        **made,
        "data": data,
        "pairlens": __version__,
        "model_classes": dict(reading.labels),
        "evaluation": as_json(report, corpus),
    }


def methods(report: NliReport, data: str, name: str, made: Mapping[str, Any]) -> str:
    """A sentence that a paper can print; `name` is whose answers they are, the rest as in `receipt`."""
    found = report.headline
    of_data, of_model = (system_of(system).title for system in (found.data, found.model))
    asked = "in both directions" if found.cell.needs_reverse else "in one direction"
    of_pairs = f", {report.named}" if found is not report.everything else ""
    scored = [sentences.computed(by_manifest(made))] if "scorer" in made else []
    return sentences.sentence(
        *scored,
        f"{name}, whose labels are those of {of_model}, was evaluated on {data}, whose labels are those of "
        f"{of_data}{of_pairs}, in Pairlens {__version__} ({found.cell.mode}; asked {asked}): "
        f"{found.cell.words.rstrip('.')}",
        numbers(found).rstrip("."),
        *(_beside(found) if found.n else ()),
    )


def _beside(found: Evaluation) -> tuple[str, str]:
    majority, of_accuracy = found.majority, method(found.n, found.n_sets, 1, found.accuracy)
    return (
        f"majority baseline: accuracy {100 * majority.accuracy:.2f} %, macro-F1 {majority.macro_f1:.3f}",
        sentences.of_interval(f"{of_accuracy} for accuracy, {EFFECTIVE} for macro-F1 and MCC", units(found)),
    )


def keys(corpus: Corpus) -> list[str]:
    """What to cite for an evaluation on these data (`core.runs.receipts.bibtex`), whose system may have no paper
    there.
    """
    papers = [LABELS[corpus.system]] if corpus.system in LABELS else []
    return [*papers, *STATISTICS[CLUSTERED]]
