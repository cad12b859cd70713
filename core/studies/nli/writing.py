"""Corpora, answers and reports as files: ASSIN's XML, tables, JSON."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pandas as pd

from core.errors import InputError
from core.files.exports import local_csv
from core.files.tables import check_writable, write_table, write_texts
from core.studies.nli.report import NliReport, as_json

if TYPE_CHECKING:
    from core.files.nli.pairs import Corpus, Predictions
    from core.statistics.paired import Comparison
    from core.studies.nli.evaluation import Baseline, Evaluation

_UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold, not even escaped."""
_UNKNOWN = "Unknown"
"""What ASSIN writes where there is no label."""


def assin_xml(corpus: Corpus, labels: Mapping[str, str] | None = None) -> str:
    """The pairs as ASSIN writes them, with gold labels and similarities, or with answers: `labels` by id.

    Answers are written without a similarity: that of the data is none of the model's. Raises InputError for a text
    with characters that XML cannot hold.
    """
    root = ElementTree.Element("entailment-corpus")
    for pair in corpus:
        label = pair.gold if labels is None else labels.get(pair.id, "")
        attributes = {"entailment": label.capitalize() or _UNKNOWN, "id": pair.id}
        if labels is None and math.isfinite(pair.relatedness):
            attributes["similarity"] = f"{pair.relatedness:g}"
        element = ElementTree.SubElement(root, "pair", attributes)
        for name, text in (("t", pair.premise), ("h", pair.hypothesis)):
            if unfit := _UNFIT.search(text):
                raise InputError(f"character {unfit[0]!r} cannot be written as XML.", f"pair {pair.id}")
            ElementTree.SubElement(element, name).text = text
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def corpus_table(corpus: Corpus) -> pd.DataFrame:
    """One row per pair: `id`, `premise`, `hypothesis`, `gold`, and what else the corpus has."""
    names = ("id", "premise", "hypothesis", "gold", "reverse_gold", "relatedness", "split")
    table = pd.DataFrame([[getattr(pair, name) for name in names] for pair in corpus], columns=list(names))
    empty = [name for name in names[4:] if table[name].isin(["", None]).all() or table[name].isna().all()]
    return table.drop(columns=empty)


def predictions_table(predictions: Predictions) -> pd.DataFrame:
    """One row per answer: `id`, `label`, and `reverse_label` and `relatedness` if there are any."""
    columns: dict[str, Any] = {"id": predictions.ids, "label": predictions.labels}
    if any(predictions.reverse):
        columns["reverse_label"] = predictions.reverse
    if any(math.isfinite(value) for value in predictions.relatedness):
        columns["relatedness"] = predictions.relatedness
    columns |= {f"p_{label}": values for label, values in predictions.probabilities.items()}
    return pd.DataFrame(columns)


def check_output(path: Path, *, xml: bool) -> None:
    """InputError where nothing can be written, and for an ending that is not known; `xml` says if .xml is."""
    check_writable(path.with_suffix(".json") if xml and path.suffix.lower() == ".xml" else path)


def write_rows(table: pd.DataFrame, path: Path, *, decimal_comma: bool = False) -> None:
    """A table, as its ending says; `decimal_comma` is for CSV that is opened where that is the decimal mark."""
    if decimal_comma and path.suffix.lower() == ".csv":
        write_texts(path.parent, {path.name: local_csv(table).decode("utf-8")})
    else:
        write_table(table, path)


def write_report(
    report: NliReport,
    corpus: Corpus,
    path: Path,
    baselines: Sequence[Baseline] = (),
    compared: Comparison | None = None,
    *,
    decimal_comma: bool = False,
) -> None:
    """All numbers as JSON if the path ends in .json, else a table of them."""
    if path.suffix.lower() == ".json":
        text = json.dumps(as_json(report, corpus, baselines, compared), ensure_ascii=False, indent=1, allow_nan=False)
        write_texts(path.parent, {path.name: text + "\n"})
    else:
        write_rows(report.table(), path, decimal_comma=decimal_comma)


def write_answers(evaluation: Evaluation, corpus: Corpus, path: Path, *, decimal_comma: bool = False) -> None:
    """The class of each evaluated pair: as ASSIN's XML if the path ends in .xml, else as a table."""
    if path.suffix.lower() == ".xml":
        labels = dict(zip(evaluation.answers["id"], evaluation.answers["answer"], strict=True))
        write_texts(path.parent, {path.name: assin_xml(corpus, labels)})
    else:
        write_rows(evaluation.answers, path, decimal_comma=decimal_comma)
