"""Runs as files that reproduce their numbers elsewhere: programs, tables, and a README with instructions."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
import pandas as pd

from core import measures
from core.analysis.items import deciding_metric
from core.analysis.summary import clusters_of, headlines, stratum_weights, summary_in_words
from core.errors import PolicyError, StoreError, unknown
from core.files.exports import archive, written
from core.reports.reproduction.limits import (
    facts,
    lines,
    lm_eval_notes,
    model_arguments,
    program,
    why_not_minicons,
    why_not_r,
)
from core.reports.reproduction.lm_eval import VERSION, lm_eval_files, task_name
from core.runs.requested import scored_texts
from core.runs.result import Result, labels
from core.statistics.candidates import COLUMNS, group_columns
from core.store import Store
from core.text.words import word_spans

GROUP = "group:"
"""Prefix of the columns of groups, so that none can be mistaken for a column of numbers."""
_COLUMNS = (
    "run", "model", "item", "correct", "tie", "undecided", "excluded", "margin_bits", "cluster", "stratum", "weight",
)  # fmt: skip


def items_table(results: Sequence[Result]) -> pd.DataFrame:
    """One row per run and item: its score and its weight in the mean. Empty if nothing is decided item by item.

    run, model         the run's id; the model, with details where several runs share it
    item
    correct            0 to 1, missing if the item does not count; `excluded` says why
    tie, undecided     an exact tie; decided by less than the precision of the numbers
    margin_bits        the lead of the right text
    cluster            items with the same cluster are not independent
    stratum, weight    the paradigm whose mean is averaged; the item's weight: the products with `correct` add up to
                       the run's headline
    group:NAME         one column per group, the main one first
    """
    parts = [_items(result, name) for result, name in zip(results, labels(results), strict=True)]
    return pd.concat(parts, ignore_index=True)


def _items(result: Result, name: str) -> pd.DataFrame:
    metric = deciding_metric(result.task, result.rule)
    if metric is None:
        return pd.DataFrame({column: [] for column in _COLUMNS})
    decided = metric.statistics(result.candidates, result.policy)
    levels = list(result.task.averaged)
    table = pd.DataFrame(
        {
            "run": result.manifest["run_id"],
            "model": name,
            "item": decided["item"],
            **decided[["correct", "tie", "undecided", "excluded"]],
            "margin_bits": measures.bits(decided["margin"].to_numpy()),
            "cluster": clusters_of(decided, result.task, fixed=levels),
            "stratum": decided[levels].agg(" / ".join, axis=1) if levels else "all",
            "weight": item_weights(decided, levels),
        }
    )
    main = [column for column in result.task.groups if column in decided]
    others = [column for column in group_columns(result.candidates) if column not in (*main, result.task.clusters)]
    return table.join(decided[[*main, *others]].add_prefix(GROUP))


def item_weights(decided: pd.DataFrame, levels: Sequence[str]) -> pd.Series:
    """By row, an item's weight in the mean of means over these columns; NaN for excluded items."""
    counted = decided[decided["excluded"].isna()]
    stratum = counted.groupby([*levels], sort=False).ngroup() if levels else pd.Series(0, counted.index)
    shares = stratum.map(stratum_weights(counted, stratum, levels)) / stratum.map(stratum.value_counts())
    return shares.reindex(decided.index).astype(np.float64)


def candidates_table(results: Sequence[Result]) -> pd.DataFrame:
    """One row per run, item and text: its label, the right one, its log-probability (nats), its numbers of tokens.

    Confidential texts are left out.
    """
    parts = []
    for result, name in zip(results, labels(results), strict=True):
        table = result.candidates[list(COLUMNS)]
        if result.task.confidential:
            table = table.drop(columns=["context", "text"])
        parts.append(table.assign(run=result.manifest["run_id"], model=name))
    table = pd.concat(parts, ignore_index=True)
    return table[["run", "model", *table.columns.drop(["run", "model"])]]


_ABOUT = """\
From Pairlens. The tables hold the numbers; the programs read them and are the same for every run.

    items.csv        a row per run and item: what it counts, what it is averaged with, where it belongs
    candidates.csv   a row per text: its log-probability in nats, its numbers of tokens
"""
_TOGETHER: Mapping[str, str] = {
    "r": (
        "    analysis.R       accuracy by group, two runs compared, a mixed model: Rscript analysis.R\n"
        "                     (p: the runs' answers exchanged cluster by cluster, as in Pairlens;\n"
        "                     p_mcnemar: item by item, as if all items were independent)\n"
    ),
    "notebook": (
        "    analysis.ipynb   the same numbers with pandas and scipy\n"
        "    pairlens.ipynb   the run made again with the library\n"
    ),
}


def readme(results: Sequence[Result], forms: Sequence[str], left_out: Mapping[str, Mapping[str, str]]) -> str:
    """What the files are, how to start the programs, and by run and form, what is missing and why."""
    missing = set.intersection(*(set(reasons) for reasons in left_out.values())) if left_out else set()
    text = _ABOUT + "".join(_TOGETHER[form] for form in forms if form in _TOGETHER and form not in missing)
    for result in results:
        run_id = result.manifest["run_id"]
        text += "\n" + _of_run(result, forms, left_out.get(run_id, {}))
    return text


def _of_run(result: Result, forms: Sequence[str], left_out: Mapping[str, str]) -> str:
    manifest = result.manifest
    revision = f"@{manifest['revision']}" if manifest["revision"] else ""
    lines = [
        f"{manifest['run_id']}: {_on_one_line(manifest['title'])}",
        f"    model   {_on_one_line(manifest['model'])}{revision}",
        f"    how     {result.policy.phrase()}; rule {result.rule}",
        *(
            f"    number  {summary_in_words(row, result.task.clusters)}"
            for _, row in headlines(result.metrics).iterrows()
        ),
        *_decided(result),
        f"    {manifest['signature']}",
    ]
    folder = manifest["run_id"]
    if "minicons" in forms and "minicons" not in left_out:
        lines += [
            "",
            f"    minicons: python {folder}/minicons_run.py MODEL",
            "    (a folder or a hub id; pip install minicons torch transformers)",
        ]
    if "lm-eval" in forms and "lm-eval" not in left_out:
        lines += ["", *(f"    {line}" for line in _lm_eval(result, folder))]
    lines += [f"    not here, {form}: {reason}" for form, reason in left_out.items()]
    return "\n".join(lines) + "\n"


def _decided(result: Result) -> list[str]:
    """The metric that decides the items, if it is not accuracy."""
    metric = deciding_metric(result.task, result.rule)
    if metric is None or metric.name == "accuracy":
        return []
    return [f"    items   what `correct` in items.csv counts, and the programs' accuracy: {metric.title}"]


def _lm_eval(result: Result, folder: str) -> list[str]:
    return [
        f"lm-evaluation-harness (pip install 'lm_eval[hf]'; tried with {VERSION}), in the folder {folder}/lm_eval:",
        f"lm_eval run --include_path . --tasks {task_name(result)} --model hf --batch_size 16 "
        f"--model_args pretrained=MODEL,{model_arguments(result)} --output_path out --log_samples",
        "python compare_lm_eval.py out",
        *(f"note: {note}" for note in lm_eval_notes(result)),
    ]


def _on_one_line(text: object) -> str:
    return " ".join(str(text).split())


def minicons_files(result: Result, store: Store) -> dict[str, str]:
    """`minicons_run.py` and `requests.jsonl`; the program also reads the run's `run.json`.

    By itself minicons goes by the tokenizer's words. Where the run's are those of the text, `words` says where they
    start, and the program hands them to minicons.
    StoreError, in one sentence, if minicons cannot give the run's numbers.
    """
    if reason := why_not_minicons(result):
        raise StoreError(reason)
    texts = scored_texts(result, store)
    items = items_table([result])
    weights = items.set_index("item")["weight"]
    texts = texts.drop(columns="n_straddling").assign(weight=texts["item"].map(weights))
    policy = result.policy
    if result.manifest["scorer"] == "masked" and policy.pll == "within_word_l2r" and not policy.by_tokenizer:
        whole = texts["context"] + texts["text"]
        texts["words"] = [[start for start, _ in word_spans(text, "separate")] for text in whole]
    rows = texts.astype(object).where(texts.notna(), None).itertuples(index=False, name=None)
    records = (dict(zip(texts.columns, row, strict=True)) for row in rows)
    return {"minicons_run.py": program("minicons_run.py"), "requests.jsonl": lines(records)}


FORMS: Mapping[str, str] = MappingProxyType(
    {
        "minicons": "a Python program that scores the texts with minicons and compares its numbers with these",
        "lm-eval": "a task for lm-evaluation-harness: YAML and JSON lines",
        "r": "an R program: accuracy by group with intervals, two runs compared, a mixed model",
        "notebook": "two Jupyter notebooks: the tables with pandas, the run with the library",
    }
)
"""The forms in which a run can be downloaded, and their descriptions."""

_OF_ONE_RUN: Mapping[str, tuple[str, Callable[[Result, Store], dict[str, str]]]] = {
    "minicons": ("", minicons_files),
    "lm-eval": ("lm_eval/", lm_eval_files),
}
Files = dict[str, bytes | str]


def bundle(results: Sequence[Result], forms: Sequence[str], store: Store) -> Files:
    """Files by their path in the download; those of a single run are in a folder named after its id.

    Forms that are impossible for a run are left out, and the README says why. StoreError, with reasons, if all are.
    """
    for form in forms:
        if form not in FORMS:
            raise PolicyError(unknown("form", form, FORMS))
    tables: Files = {"items.csv": written(items_table(results), ".csv")}
    tables["candidates.csv"] = written(candidates_table(results), ".csv")
    made: Files = {}
    left_out: dict[str, dict[str, str]] = {}
    for result in results:
        run_id = result.manifest["run_id"]
        left_out[run_id] = {}
        for form in forms:
            try:
                made |= {f"{run_id}/{name}": content for name, content in _of_one_run(result, form, store).items()}
            except StoreError as reason:
                left_out[run_id][form] = str(reason)
    made |= _together(results, forms, left_out)
    if not made:
        raise StoreError(
            " ".join(dict.fromkeys(reason for of_run in left_out.values() for reason in of_run.values()))
        )
    run_files = {
        f"{result.manifest['run_id']}/run.json": json.dumps(facts(result), indent=1, ensure_ascii=False) + "\n"
        for result in results
    }
    return {"README.txt": readme(results, forms, left_out), **tables, **run_files, **made}


def zipped(results: Sequence[Result], forms: Sequence[str], store: Store) -> bytes:
    """The same as one .zip file."""
    return archive(bundle(results, forms, store))


def _of_one_run(result: Result, form: str, store: Store) -> dict[str, str]:
    if form not in _OF_ONE_RUN:
        return {}
    folder, make = _OF_ONE_RUN[form]
    return {f"{folder}{name}": text for name, text in make(result, store).items()}


def _together(results: Sequence[Result], forms: Sequence[str], left_out: Mapping[str, dict[str, str]]) -> Files:
    """The programs that read the tables of all runs."""
    made: Files = {}
    if "r" in forms:
        reasons = {result.manifest["run_id"]: why_not_r(result) for result in results}
        if not all(reasons.values()):
            made["analysis.R"] = program("analysis.R")
        for run_id, reason in reasons.items():
            left_out[run_id] |= {"r": reason} if reason else {}
    if "notebook" in forms:
        made |= {name: program(name) for name in ("analysis.ipynb", "pairlens.ipynb")}
    return made
