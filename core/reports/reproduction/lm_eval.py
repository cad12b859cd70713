"""A run as a task of EleutherAI's lm-evaluation-harness: YAML that `lm_eval --include_path` loads, and its documents.

Texts are scored as in the run: `target_delimiter` is empty, so that lm_eval puts no space before them, and the space
of a policy is part of the text. Documents are read by column, never as templates, so that `{{` in a text stays text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import yaml

from core.analysis.items import is_right
from core.errors import StoreError
from core.reports.reproduction.limits import lines, program, why_not_lm_eval
from core.runs.result import Result, scored_texts
from core.store import Store

VERSION = "0.4.13"
"""The release with which the files were tested."""
_MOST_TASKS = 200
_METADATA = {"metadata": {"version": 1.0}}


def task_name(result: Result) -> str:
    """The task's name: the run's id in the letters allowed in such names."""
    return "pairlens_" + re.sub(r"[^a-z0-9]+", "_", str(result.manifest["run_id"]).lower()).strip("_")


def lm_eval_files(result: Result, store: Store) -> dict[str, str]:
    """The YAML files, documents as JSON lines, `compare_lm_eval.py` and the numbers that it expects.

    A multiple-choice task per paradigm, in a group that averages over them. If items have no right text, it is a
    log-likelihood task: its samples hold the scores, and lm_eval's own number says nothing about the run.
    StoreError, in one sentence, if no such task can be written.
    """
    if reason := why_not_lm_eval(result):
        raise StoreError(reason)
    found, name = documents(scored_texts(result, store), ties=result.policy.ties), task_name(result)
    if not found.rows:
        raise StoreError("No text of this run has a score.")
    parts = _by_paradigm(result, found) if found.choosing else [("", found.rows)]
    files = _group(name, found, parts) if len(parts) > 1 else _task_files(name, found, found.rows)
    expected = {"acc": float(np.mean([accuracy(rows) for _, rows in parts]))} if found.choosing else {}
    programs = {"compare_lm_eval.py": program("compare_lm_eval.py"), "expected.json": json.dumps(expected) + "\n"}
    return {**files, **programs}


def _by_paradigm(result: Result, found: Documents) -> list[tuple[str, Sequence[Document]]]:
    """The documents of each paradigm whose mean is averaged; all in one if there are none or too many."""
    levels = list(result.task.averaged)
    strata: dict[str, str] = {}
    if levels:
        items = result.candidates.drop_duplicates("item").set_index("item")
        strata = dict(zip(items.index, items[levels].agg(" / ".join, axis=1), strict=True))
    parts: dict[str, list[Document]] = {}
    for row in found.rows:
        parts.setdefault(strata.get(row["item"], ""), []).append(row)
    return list(parts.items()) if len(parts) <= _MOST_TASKS else [("", found.rows)]


def _group(name: str, found: Documents, parts: Sequence[tuple[str, Sequence[Document]]]) -> dict[str, str]:
    """A task for each part, and the group that gives all of them the same weight."""
    names = [f"{name}_{number:03d}" for number in range(1, len(parts) + 1)]
    average = {"metric": "acc", "aggregation": "mean", "weight_by_size": False}
    files = {f"{name}.yaml": _yaml({"group": name, "task": names, "aggregate_metric_list": [average], **_METADATA})}
    for own, (alias, rows) in zip(names, parts, strict=True):
        files |= _task_files(own, found, rows, alias)
    return files


def _task_files(name: str, found: Documents, rows: Sequence[Document], alias: str = "") -> dict[str, str]:
    config = {
        "task": name,
        **({"task_alias": alias} if alias else {}),
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": f"{name}.jsonl"}},
        "test_split": "test",
        "output_type": "multiple_choice" if found.choosing else "loglikelihood",
        **found.columns,
        "target_delimiter": "",
        "num_fewshot": 0,
        "metric_list": [{"metric": "acc", "aggregation": "mean", "higher_is_better": True}],
        **_METADATA,
    }
    return {f"{name}.yaml": _yaml(config), f"{name}.jsonl": lines(rows)}


def _yaml(config: Mapping[str, Any]) -> str:
    written: str = yaml.safe_dump(dict(config), sort_keys=False, allow_unicode=True, width=1000)
    return f"# Written by Pairlens for lm_eval {VERSION}.\n{written}"


Document = Mapping[str, Any]


@dataclass(frozen=True)
class Documents:
    """`columns` maps lm_eval's options to columns; the `logprobs` of a document are the run's, in the choices' order.

    `choosing`: whether documents have a right choice, so that there is an accuracy.
    """

    rows: Sequence[Document]
    columns: Mapping[str, str]

    @property
    def choosing(self) -> bool:
        return "doc_to_choice" in self.columns


_TEXTS = {"doc_to_text": "context", "doc_to_choice": "choices", "doc_to_target": "gold"}
_CONTEXTS = {"doc_to_text": "gold", "doc_to_choice": "choices", "doc_to_target": "target"}
_SINGLE = {"doc_to_text": "context", "doc_to_target": "target"}


def documents(texts: pd.DataFrame, *, ties: str) -> Documents:
    """The documents of a run's requests (`core.runs.result`).

    Items with one right text become choices between texts after one context, or between contexts before one text, if
    all of them are of that kind; otherwise every text is a document of its own. Among equal scores, lm_eval takes the
    first choice: the right one comes first, or last if `ties` count as wrong. Unscored texts are left out.
    """
    right = is_right(texts)
    marked = texts.assign(right=right, known=texts["logprob"].notna())
    counts = {"n": ("right", "size"), "right": ("right", "sum"), "known": ("known", "all")}
    items = marked.groupby("item", sort=False).agg(
        **counts, contexts=("context", "nunique"), continuations=("text", "nunique")
    )
    items = items[(items["n"] > 1) & (items["right"] == 1) & items["known"]]
    rows = marked[marked["item"].isin(items.index)].sort_values("right", ascending=ties == "wrong", kind="stable")
    if len(items) and (items["contexts"] == 1).all():
        return Documents(_choices(rows, items.index, "text", "context", "context"), _TEXTS)
    if len(items) and (items["continuations"] == 1).all():
        return Documents(_choices(rows, items.index, "context", "text", "target"), _CONTEXTS)
    return Documents(_single(texts[texts["logprob"].notna()]), _SINGLE)


def _choices(rows: pd.DataFrame, items: pd.Index, varying: str, shared: str, name: str) -> list[Document]:
    lists = rows.groupby("item", sort=False).agg(
        choices=(varying, list), shared=(shared, "first"), right=("right", list), logprobs=("logprob", list)
    )
    return [
        {"item": item, name: one, "choices": choices, "gold": right.index(True), "logprobs": logprobs}
        for item, choices, one, right, logprobs in lists.loc[items].itertuples(name=None)
    ]


def _single(texts: pd.DataFrame) -> list[Document]:
    columns = texts[["item", "candidate", "context", "text", "logprob"]]
    return [
        {"item": item, "candidate": int(candidate), "context": context, "target": text, "logprobs": [logprob]}
        for item, candidate, context, text, logprob in columns.itertuples(index=False, name=None)
    ]


def accuracy(rows: Sequence[Document]) -> float:
    """lm_eval's `acc` for the run's scores."""
    return float(np.mean([int(np.argmax(row["logprobs"])) == row["gold"] for row in rows]))
