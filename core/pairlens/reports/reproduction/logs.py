"""A run's scores as the logs that other programs write: samples of lm-evaluation-harness, a log of inspect-ai.

Both have a document per item with one right text, in the order of the run; `pairlens import` reads them back.
"""

from __future__ import annotations

import json
from typing import Any

from pairlens import __version__
from pairlens.errors import StoreError
from pairlens.evaluation.result import Run, scored_texts
from pairlens.files.logs import mean, standard_error
from pairlens.reports.reproduction.lm_eval import Document, Documents, documents, lines, task_name
from pairlens.store import Store

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def log_files(result: Run, store: Store) -> dict[str, str]:
    """The files by name; StoreError, in one sentence, if no item of the run has exactly one right text."""
    converted, name = documents(scored_texts(result, store), ties=result.policy.ties), task_name(result)
    if not converted.choosing:
        raise StoreError("No item of this run has exactly one right text, which logs of choices need.")
    samples = [_sample(number, row, converted) for number, row in enumerate(converted.rows)]
    right = [sample["acc"] for sample in samples]
    return {
        f"samples_{name}.jsonl": lines(samples),
        f"results_{name}.json": _json(_results(result, name, right)),
        f"{name}.inspect.json": _json(_inspect_log(result, name, converted, right)),
    }


def _json(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _options(row: Document, converted: Documents) -> list[tuple[str, str]]:
    """The context and text of each choice: texts after one context, or contexts before one text."""
    if converted.columns["doc_to_text"] == "gold":
        return [(choice, row["target"]) for choice in row["choices"]]
    return [(row["context"], choice) for choice in row["choices"]]


def _sample(number: int, row: Document, converted: Documents) -> dict[str, Any]:
    options, values = _options(row, converted), row["logprobs"]
    best, gold = max(range(len(values)), key=lambda place: values[place]), int(row["gold"])
    contexts_compete = converted.columns["doc_to_text"] == "gold"
    return {
        "doc_id": number,
        "doc": {"item": row["item"], "choices": [*row["choices"]], "gold": gold},
        "target": row["target"] if contexts_compete else str(gold),
        "arguments": {
            f"gen_args_{n}": {"arg_0": context, "arg_1": text} for n, (context, text) in enumerate(options)
        },
        "resps": [[[value, False]] for value in values],
        "filtered_resps": [[value, False] for value in values],
        "filter": "none",
        "metrics": ["acc"],
        "acc": float(best == gold),
    }


def _results(result: Run, name: str, right: list[float]) -> dict[str, Any]:
    numbers = {"alias": name, "acc,none": mean(right), "acc_stderr,none": standard_error(right)}
    return {
        "results": {name: {key: None if value != value else value for key, value in numbers.items()}},
        "configs": {name: {"task": name, "output_type": "multiple_choice", "target_delimiter": ""}},
        "n-samples": {name: {"original": len(right), "effective": len(right)}},
        "model_name": result.manifest["model"],
        "written_by": f"Pairlens {__version__}",
        "signature": result.signature,
    }


def _inspect_log(result: Run, name: str, converted: Documents, right: list[float]) -> dict[str, Any]:
    created = str(result.manifest["finished"])
    accuracy, error = mean(right), standard_error(right)
    score = {
        "name": "likeliest", "scorer": "likeliest", "params": {}, "scored_samples": len(right), "unscored_samples": 0,
        "metrics": {
            "accuracy": {"name": "accuracy", "value": accuracy, "params": {}},
            "stderr": {"name": "stderr", "value": 0.0 if error != error else error, "params": {}},
        },
    }  # fmt: skip
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "run_id": result.run_id, "created": created, "task": name, "task_id": name,
            "model": result.manifest["model"],
            "dataset": {"name": result.manifest["data"], "samples": len(right)}, "config": {"epochs": 1},
            "packages": {"pairlens": __version__}, "metadata": {"signature": result.signature},
        },
        "results": {"total_samples": len(right), "completed_samples": len(right), "scores": [score]},
        "stats": {"started_at": created, "completed_at": created},
        "samples": [_inspect_sample(row, converted) for row in converted.rows],
    }  # fmt: skip


def _inspect_sample(row: Document, converted: Documents) -> dict[str, Any]:
    values = row["logprobs"]
    best, gold = max(range(len(values)), key=lambda place: values[place]), int(row["gold"])
    contexts_compete = converted.columns["doc_to_text"] == "gold"
    letters = [_LETTERS[place] if place < len(_LETTERS) else str(place + 1) for place in range(len(values))]
    return {
        "id": row["item"], "epoch": 1, "input": row["target"] if contexts_compete else row["context"],
        "choices": [*row["choices"]], "target": letters[gold],
        "scores": {
            "likeliest": {
                "value": "C" if best == gold else "I", "answer": letters[best], "metadata": {"logprobs": [*values]}
            }
        },
    }  # fmt: skip
