"""The README of a download: its contents and how to use them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.analysis.items import deciding_metric
from core.analysis.summary import headlines, summary_in_words
from core.reports.reproduction.limits import lm_eval_notes, model_arguments
from core.reports.reproduction.lm_eval import VERSION, task_name
from core.runs.result import Result

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
