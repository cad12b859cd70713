"""Runs as files that reproduce their numbers elsewhere: programs, tables, and a README with instructions."""

import dataclasses
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pandas as pd
from jinja2 import Environment, FileSystemLoader

from pairlens import __version__, measures
from pairlens.analysis.items import deciding_metric
from pairlens.analysis.multiverse import TOKENS
from pairlens.analysis.summary import clusters_of, headlines, item_weights, summary_in_words
from pairlens.errors import PolicyError, StoreError, unknown
from pairlens.evaluation.result import WHOLE_TEXTS, Run, labels, scored_texts
from pairlens.files.exports import archive, written
from pairlens.identity import WHOLE
from pairlens.models import gguf
from pairlens.reports.reproduction.lm_eval import (
    VERSION,
    lines,
    lm_eval_files,
    lm_eval_notes,
    model_arguments,
    program,
    task_name,
)
from pairlens.reports.reproduction.logs import log_files
from pairlens.rules import RULES
from pairlens.statistics.candidates import COLUMNS, group_columns
from pairlens.statistics.verdicts import VERDICT
from pairlens.store import Store
from pairlens.text.words import word_spans

GROUP = "group:"
"""Prefix of the columns of groups, so that none can be mistaken for a column of numbers."""
_COLUMNS = (
    "run", "model", "item", "correct", "tie", "undecided", "excluded", "margin_bits", "cluster", "stratum", "weight",
)  # fmt: skip

_OF_THE_MANIFEST = (
    "run_id", "title", "task", "task_version", "rule", "data", "data_hash", "model", "revision", "weights", "scorer",
    "preset", "signature", "fingerprint", "finished", "n",
)  # fmt: skip

Files = dict[str, bytes | str]


def items_table(results: Sequence[Run]) -> pd.DataFrame:
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


def _items(result: Run, name: str) -> pd.DataFrame:
    metric = deciding_metric(result.task, result.rule)
    if metric is None:
        return pd.DataFrame(columns=[*_COLUMNS])
    decided, levels = metric.statistics(result.candidates, result.policy), list(result.task.averaged)
    table = decided[["item", "correct", "tie", "undecided", "excluded"]].assign(
        run=result.manifest["run_id"],
        model=name,
        margin_bits=measures.bits(decided["margin"].to_numpy()),
        cluster=clusters_of(decided, result.task, fixed=levels),
        stratum=decided[levels].agg(" / ".join, axis=1) if levels else "all",
        weight=item_weights(decided, levels),
    )
    main = [column for column in result.task.groups if column in decided]
    others = [column for column in group_columns(result.candidates) if column not in (*main, result.task.clusters)]
    return table[[*_COLUMNS]].join(decided[[*main, *others]].add_prefix(GROUP))


def candidates_table(results: Sequence[Run]) -> pd.DataFrame:
    """A row per run, item and text: label, the right one, log-probability (nats), numbers of tokens."""
    parts = []
    for result, name in zip(results, labels(results), strict=True):
        table = result.candidates[list(COLUMNS)].drop(columns=["context", "text"] if result.task.confidential else [])
        parts.append(table.assign(run=result.manifest["run_id"], model=name))
    table = pd.concat(parts, ignore_index=True)
    return table[["run", "model", *table.columns.drop(["run", "model"])]]


def readme(results: Sequence[Run], forms: Sequence[str], left_out: Mapping[str, Mapping[str, str]]) -> str:
    """What the files are, how to start the programs, and by run and form, what is missing and why."""
    loader = FileSystemLoader(Path(__file__).parent)
    templates = Environment(loader=loader, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
    missing = set.intersection(*(set(reasons) for reasons in left_out.values())) if left_out else set()
    runs = [_in_brief(result, forms, left_out.get(result.manifest["run_id"], {})) for result in results]
    return templates.get_template("README.txt.jinja").render(forms=forms, missing=missing, runs=runs, version=VERSION)


def _in_brief(result: Run, forms: Sequence[str], left_out: Mapping[str, str]) -> dict[str, object]:
    manifest, metric = result.manifest, deciding_metric(result.task, result.rule)
    title, model = (" ".join(str(manifest[name]).split()) for name in ("title", "model"))
    return {
        "id": manifest["run_id"],
        "title": title,
        "model": model + (f"@{manifest['revision']}" if manifest["revision"] else ""),
        "how": f"{_how(result)}; rule {result.rule}",
        "numbers": [summary_in_words(row, result.task.clusters) for _, row in headlines(result.metrics).iterrows()],
        "decides": metric.title if metric and metric.name != "accuracy" else "",
        "signature": manifest["signature"],
        "forms": [form for form in forms if form not in left_out],
        "left_out": left_out,
        "task": task_name(result),
        "arguments": model_arguments(result),
        "notes": lm_eval_notes(result),
    }


def _how(result: Run) -> str:
    return "as another program scored them" if result.manifest["scorer"] == WHOLE else result.policy.phrase()


def minicons_files(result: Run, store: Store) -> dict[str, str]:
    """`minicons_run.py` and `requests.jsonl`, where `words` says where those of the text start, if the run's are."""
    texts, policy = scored_texts(result, store).drop(columns="n_straddling"), result.policy
    texts = texts.assign(weight=texts["item"].map(items_table([result]).set_index("item")["weight"]))
    if result.manifest["scorer"] == "masked" and policy.pll == "within_word_l2r" and not policy.by_tokenizer:
        whole = texts["context"] + texts["text"]
        texts["words"] = [[start for start, _ in word_spans(text, "separate")] for text in whole]
    records = texts.astype(object).where(texts.notna(), None).to_dict("records")
    return {"minicons_run.py": program("minicons_run.py"), "requests.jsonl": lines(records)}


FORMS: Mapping[str, str] = MappingProxyType(
    {
        "minicons": "a Python program that scores the texts with minicons and compares its numbers with these",
        "lm-eval": "a task for lm-evaluation-harness: YAML and JSON lines",
        "logs": "its scores as samples of lm-evaluation-harness and as a log of inspect-ai",
        "r": "an R program: accuracy by group with intervals, two runs compared, a mixed model",
        "notebook": "two Jupyter notebooks: the tables with pandas, the run with the library",
    }
)


def bundle(results: Sequence[Run], forms: Sequence[str], store: Store) -> Files:
    """Files by their path in the download; those of a single run are in a folder named after its id.

    Forms that are impossible for a run are left out, and the README says why. StoreError, with reasons, if all are.
    """
    for form in forms:
        if form not in FORMS:
            raise PolicyError(unknown("form", form, FORMS))
    tables: Files = {"items.csv": written(items_table(results), ".csv")}
    tables["candidates.csv"] = written(candidates_table(results), ".csv")
    programs: Files = {}
    left_out: dict[str, dict[str, str]] = {}
    for result in results:
        run_id = result.manifest["run_id"]
        reasons = left_out[run_id] = {form: reason for form in forms if (reason := why_not(result, form))}
        if "minicons" in forms and "minicons" not in reasons:
            programs |= {f"{run_id}/{name}": text for name, text in minicons_files(result, store).items()}
        for form, folder, files in (("lm-eval", "lm_eval", lm_eval_files), ("logs", "logs", log_files)):
            if form in forms and form not in reasons:
                try:
                    programs |= {f"{run_id}/{folder}/{name}": text for name, text in files(result, store).items()}
                except StoreError as reason:
                    reasons[form] = str(reason)
    if "r" in forms and any("r" not in reasons for reasons in left_out.values()):
        programs["analysis.R"] = program("analysis.R")
    if "notebook" in forms:
        programs |= {name: program(name) for name in ("analysis.ipynb", "pairlens.ipynb")}
    if not programs:
        reasons_of_all = dict.fromkeys(reason for reasons in left_out.values() for reason in reasons.values())
        raise StoreError(" ".join(reasons_of_all))
    in_brief = {result.manifest["run_id"]: facts(result) for result in results}
    run_files = {
        f"{run_id}/run.json": json.dumps(brief, indent=1, ensure_ascii=False) + "\n"
        for run_id, brief in in_brief.items()
    }
    return {"README.txt": readme(results, forms, left_out), **tables, **run_files, **programs}


def zipped(results: Sequence[Run], forms: Sequence[str], store: Store) -> bytes:
    return archive(bundle(results, forms, store))


_SCORERS = {"minicons": ("minicons", ("causal", "masked")), "lm-eval": ("lm-evaluation-harness", ("causal",))}
"""By form: the program that reads it, and the scorers of which it has the like."""


def why_not(result: Run, form: str) -> str:
    """Why a run cannot be downloaded in one of `bundle.FORMS`; empty if it can."""
    policy, scorer = result.policy, result.manifest["scorer"]
    if form == "r" and deciding_metric(result.task, result.rule) is None:
        return "Nothing is decided item by item in this run; candidates.csv has its scores."
    if form == "logs":
        return _why_no_texts(result)
    if form not in _SCORERS:
        return ""
    if common := _why_not_outside(result):
        return common
    name, scorers = _SCORERS[form]
    if scorer not in scorers:
        return f"{name} has no equivalent of the scorer '{scorer}'."
    if form == "minicons" and scorer == "causal" and policy.first_token in ("bos-unscored", "separate"):
        return f"minicons cannot treat the first token as this policy does ({policy.beginning()})."
    if form == "minicons" and scorer == "masked" and policy.pll == "left_to_right":
        return "minicons does not mask what follows a token (pseudo-log-likelihoods from left to right)."
    return ""


def _why_not_outside(result: Run) -> str:
    if result.policy.tokens != "joint":
        cut = TOKENS[result.policy.tokens]
        return f"Other programs do not cut texts into tokens as BabyLM's pipeline does: {cut}."
    if gguf.is_file(Path(gguf.named(result.manifest["model"])[0])):
        return "The exported programs do not read GGUF files with a tokenizer beside them."
    if reason := _why_no_texts(result):
        return reason
    if result.policy.window or result.policy.stride:
        return "Its texts were read in windows of a chosen size, which other programs do not offer."
    return ""


def _why_no_texts(result: Run) -> str:
    """Why no other program can be told what was compared."""
    if VERDICT in result.candidates:
        return "It holds the verdicts of another program, and no scores."
    if result.task.confidential:
        return f"The texts of {result.task.title} are confidential and are not written to files."
    if RULES[result.rule].subtracts:
        return f"Its texts are scored twice ({RULES[result.rule].about}); the exported programs score them once."
    if result.rule not in WHOLE_TEXTS:
        return f"Its texts are compared by {RULES[result.rule].about}, which other programs do not offer."
    return ""


def facts(result: Run) -> dict[str, Any]:
    """A run in brief, for JSON; `decides` and `accuracy` are null where no such metric decides or is the headline."""
    metric, first = deciding_metric(result.task, result.rule), result.metrics.iloc[0]
    chosen = metric is not None and metric.name == "accuracy" == first["name"]
    return {
        **{name: result.manifest.get(name, "") for name in _OF_THE_MANIFEST},
        "policy": dataclasses.asdict(result.policy),
        "decides": metric.name if metric else None,
        "accuracy": float(first["value"]) if chosen and first["n"] else None,
        "pairlens": __version__,
    }
