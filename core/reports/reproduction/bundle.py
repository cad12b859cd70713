"""Runs as files that reproduce their numbers elsewhere: programs, tables, and a README with instructions."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import pandas as pd
from jinja2 import Environment, FileSystemLoader

from core import measures
from core.analysis.items import deciding_metric
from core.analysis.summary import clusters_of, headlines, item_weights, summary_in_words
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
from core.runs.result import Result, labels, scored_texts
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


def readme(results: Sequence[Result], forms: Sequence[str], left_out: Mapping[str, Mapping[str, str]]) -> str:
    """What the files are, how to start the programs, and by run and form, what is missing and why."""
    templates = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    missing = set.intersection(*(set(reasons) for reasons in left_out.values())) if left_out else set()
    runs = [_in_brief(result, forms, left_out.get(result.manifest["run_id"], {})) for result in results]
    template = templates.get_template("README.txt.jinja")
    return template.render(forms=forms, missing=missing, runs=runs, version=VERSION)


def _in_brief(result: Result, forms: Sequence[str], left_out: Mapping[str, str]) -> dict[str, object]:
    """What the README says of one run."""
    manifest, metric = result.manifest, deciding_metric(result.task, result.rule)
    title, model = (" ".join(str(manifest[name]).split()) for name in ("title", "model"))
    return {
        "id": manifest["run_id"],
        "title": title,
        "model": model + (f"@{manifest['revision']}" if manifest["revision"] else ""),
        "how": f"{result.policy.phrase()}; rule {result.rule}",
        "numbers": [summary_in_words(row, result.task.clusters) for _, row in headlines(result.metrics).iterrows()],
        "decides": metric.title if metric and metric.name != "accuracy" else "",
        "signature": manifest["signature"],
        "forms": [form for form in forms if form not in left_out],
        "left_out": left_out,
        "task": task_name(result),
        "arguments": model_arguments(result),
        "notes": lm_eval_notes(result),
    }


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
                if form == "minicons":
                    made |= {f"{run_id}/{name}": text for name, text in minicons_files(result, store).items()}
                elif form == "lm-eval":
                    made |= {f"{run_id}/lm_eval/{name}": text for name, text in lm_eval_files(result, store).items()}
                elif form == "r" and (missing := why_not_r(result)):
                    raise StoreError(missing)
            except StoreError as reason:
                left_out[run_id][form] = str(reason)
    if "r" in forms and any("r" not in reasons for reasons in left_out.values()):
        made["analysis.R"] = program("analysis.R")
    if "notebook" in forms:
        made |= {name: program(name) for name in ("analysis.ipynb", "pairlens.ipynb")}
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
