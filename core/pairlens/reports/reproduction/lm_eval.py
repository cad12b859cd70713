"""A run as a task of EleutherAI's lm-evaluation-harness: YAML that `lm_eval --include_path` loads, and its documents.

Texts are scored as in the run: `target_delimiter` is empty, so that lm_eval puts no space before them, and the space
of a policy is part of the text. Documents are read by column, never as templates, so that `{{` in a text stays text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import yaml

from pairlens.analysis.items import is_right
from pairlens.errors import StoreError
from pairlens.evaluation.result import Run, scored_texts
from pairlens.places import bundled
from pairlens.store import Store

VERSION = "0.4.13"
"""The release with which the files were tested."""
_MOST_TASKS = 200
_METADATA = {"metadata": {"version": 1.0}}
_SURROGATE = re.compile("[\ud800-\udfff]")


def task_name(result: Run) -> str:
    return "pairlens_" + re.sub(r"[^a-z0-9]+", "_", str(result.manifest["run_id"]).lower()).strip("_")


def lm_eval_files(result: Run, store: Store) -> dict[str, str]:
    """The YAML files, documents as JSON lines, `compare_lm_eval.py` and the numbers that it expects.

    A multiple-choice task per paradigm, in a group that averages over them. If items have no right text, it is a
    log-likelihood task: its samples hold the scores, and lm_eval's own number says nothing about the run.
    StoreError, in one sentence, if no text has a score.
    """
    converted, name = documents(scored_texts(result, store), ties=result.policy.ties), task_name(result)
    if not converted.rows:
        raise StoreError("No text of this run has a score.")
    parts = _by_paradigm(result, converted) if converted.choosing else [("", converted.rows)]
    files = _group(name, converted, parts) if len(parts) > 1 else _task_files(name, converted, converted.rows)
    expected = {"acc": float(np.mean([accuracy(rows) for _, rows in parts]))} if converted.choosing else {}
    programs = {"compare_lm_eval.py": program("compare_lm_eval.py"), "expected.json": json.dumps(expected) + "\n"}
    return {**files, **programs}


def _by_paradigm(result: Run, converted: Documents) -> list[tuple[str, Sequence[Document]]]:
    """The documents of each paradigm whose mean is averaged; all in one if there are none or too many."""
    levels, strata = list(result.task.averaged), dict[Any, str]()
    if levels:
        items = result.candidates.drop_duplicates("item").set_index("item")
        strata = items[levels].agg(" / ".join, axis=1).to_dict()
    parts: dict[str, list[Document]] = {}
    for row in converted.rows:
        parts.setdefault(strata.get(row["item"], ""), []).append(row)
    return list(parts.items()) if len(parts) <= _MOST_TASKS else [("", converted.rows)]


def _group(name: str, converted: Documents, parts: Sequence[tuple[str, Sequence[Document]]]) -> dict[str, str]:
    """A task for each part, and the group that gives all of them the same weight."""
    names = [f"{name}_{number:03d}" for number in range(1, len(parts) + 1)]
    average = {"metric": "acc", "aggregation": "mean", "weight_by_size": False}
    files = {f"{name}.yaml": _yaml({"group": name, "task": names, "aggregate_metric_list": [average], **_METADATA})}
    for own, (alias, rows) in zip(names, parts, strict=True):
        files |= _task_files(own, converted, rows, alias)
    return files


def _task_files(name: str, converted: Documents, rows: Sequence[Document], alias: str = "") -> dict[str, str]:
    config = {
        "task": name,
        **({"task_alias": alias} if alias else {}),
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": f"{name}.jsonl"}},
        "test_split": "test",
        "output_type": "multiple_choice" if converted.choosing else "loglikelihood",
        **converted.columns,
        "target_delimiter": "",
        "num_fewshot": 0,
        "metric_list": [{"metric": "acc", "aggregation": "mean", "higher_is_better": True}],
        **_METADATA,
    }
    return {f"{name}.yaml": _yaml(config), f"{name}.jsonl": lines(rows)}


def _yaml(config: Mapping[str, Any]) -> str:
    written: str = yaml.safe_dump(dict(config), sort_keys=False, allow_unicode=True, width=1000)
    return f"# Written by Pairlens for lm_eval {VERSION}.\n{written}"


Document = Mapping[Any, Any]


@dataclass(frozen=True)
class Documents:
    """`columns` maps lm_eval's options to columns; a document's `logprobs` are in the order of its choices."""

    rows: Sequence[Document]
    columns: Mapping[str, str]

    @property
    def choosing(self) -> bool:
        return "doc_to_choice" in self.columns


_TEXTS = {"doc_to_text": "context", "doc_to_choice": "choices", "doc_to_target": "gold"}
_CONTEXTS = {"doc_to_text": "gold", "doc_to_choice": "choices", "doc_to_target": "target"}
_SINGLE = {"doc_to_text": "context", "doc_to_target": "target"}


def _choices(rows: pd.DataFrame, items: pd.Index, varying: str, shared: str, name: str) -> list[Document]:
    columns = {
        name: (shared, "first"),
        "choices": (varying, list),
        "gold": ("right", lambda right: [*right].index(True)),
    }
    lists = rows.groupby("item", sort=False).agg(**columns, logprobs=("logprob", list))
    return [*lists.loc[items].reset_index().to_dict("records")]


def _single(texts: pd.DataFrame) -> list[Document]:
    columns = texts[["item", "candidate", "context", "text"]].rename(columns={"text": "target"})
    return [*columns.assign(logprobs=texts["logprob"].map(lambda logprob: [logprob])).to_dict("records")]


def documents(texts: pd.DataFrame, *, ties: str) -> Documents:
    """The documents of a run's requests (`pairlens.evaluation.result`).

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


def accuracy(rows: Sequence[Document]) -> float:
    """lm_eval's `acc` for the run's scores."""
    return float(np.mean([int(np.argmax(row["logprobs"])) == row["gold"] for row in rows]))


def lm_eval_notes(result: Run) -> list[str]:
    """What lm-evaluation-harness does differently from the run's policy, and the options that it needs."""
    policy, candidates = result.policy, result.candidates
    notes = [_start(result)]
    if policy.sentence_value == "mean":
        notes.append("The run compares means per token; lm_eval compares sums (acc): decisions may differ.")
    ties = int(result.metrics["ties"].iloc[0]) if len(result.metrics) else 0
    if policy.ties == "half" and ties:
        notes.append(f"The run counts a tie one half, lm_eval as correct: {ties:,} items.")
    if straddling := int((candidates["n_straddling"] > 0).sum()):
        notes.append(
            f"In {straddling:,} texts a token reaches from the context into the text: the run counts it with the "
            "text, lm_eval with the context."
        )
    if _with_context(result) and candidates["context"].fillna("").str.endswith(" ").any():
        notes.append(
            "Contexts end in a space, which lm_eval moves to the text: where it is a token of its own, "
            "lm_eval counts that token too."
        )
    return [*filter(None, notes)]


def _start(result: Run) -> str:
    """How the start symbol is treated. Without a context, lm_eval always puts one before a text."""
    alone = not _with_context(result)
    first_token = result.policy.first_token
    if first_token == "bos":
        return "" if alone else "add_bos_token=True puts the start symbol before contexts, as in the run."
    if first_token in ("none", "one") and not alone:
        return "add_bos_token=False leaves out the start symbol before contexts, as in the run."
    own = result.policy.beginning()
    return f"lm_eval begins every text with a start symbol; the run does not ({own}): scores differ."


def model_arguments(result: Run) -> str:
    policy, revision = result.policy, result.manifest["revision"]
    arguments = [f"dtype={policy.dtype}", *([f"revision={revision}"] if revision else [])]
    if _with_context(result) and policy.first_token in ("bos", "none", "one"):
        arguments.append(f"add_bos_token={policy.first_token == 'bos'}")
    return ",".join(arguments)


def _with_context(result: Run) -> bool:
    return result.rule != "joint" and bool(result.candidates["context"].fillna("").ne("").any())


def lines(records: Iterable[Mapping[Any, Any]]) -> str:
    """Records as JSON lines. Missing numbers are null; lone surrogates, which UTF-8 lacks, are escaped."""
    texts = (json.dumps(record, ensure_ascii=False, allow_nan=False) for record in records)
    return "".join(f"{_SURROGATE.sub(lambda one: json.dumps(one[0])[1:-1], text)}\n" for text in texts)


def program(name: str) -> str:
    return (bundled("programs", name)).read_text("utf-8")
