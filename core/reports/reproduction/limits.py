"""What other programs cannot compute of a run, in one sentence each, and notes on what they do differently."""

import dataclasses
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from core import __version__
from core.analysis.items import deciding_metric
from core.analysis.multiverse import TOKENS
from core.rules import RULES
from core.runs.result import WHOLE_TEXTS, Result
from core.settings import ROOT


def why_not(result: Result, form: str) -> str:
    """Why a run cannot be downloaded in one of `bundle.FORMS`; empty if it can."""
    reasons = {"minicons": why_not_minicons, "lm-eval": why_not_lm_eval, "r": why_not_r}
    return reasons[form](result) if form in reasons else ""


def why_not_r(result: Result) -> str:
    """Why the R program has nothing to read; empty if it has something."""
    if deciding_metric(result.task, result.rule) is None:
        return "Nothing is decided item by item in this run; candidates.csv has its scores."
    return ""


def why_not_minicons(result: Result) -> str:
    """Why minicons cannot give the run's numbers; empty if it can."""
    policy, scorer = result.policy, result.manifest["scorer"]
    if common := _why_not_outside(result):
        return common
    if scorer not in ("causal", "masked"):
        return f"minicons has no equivalent of the scorer '{scorer}'."
    if scorer == "causal" and policy.first_token in ("bos-unscored", "separate"):
        return f"minicons cannot treat the first token as this policy does ({policy.beginning()})."
    if scorer == "masked" and policy.pll == "left_to_right":
        return "minicons does not mask what follows a token (pseudo-log-likelihoods from left to right)."
    return ""


def why_not_lm_eval(result: Result) -> str:
    """Why no task for lm-evaluation-harness can be written; empty if it can."""
    if common := _why_not_outside(result):
        return common
    if result.manifest["scorer"] != "causal":
        return f"lm-evaluation-harness has no equivalent of the scorer '{result.manifest['scorer']}'."
    return ""


def _why_not_outside(result: Result) -> str:
    """The reasons that hold for all other programs."""
    if result.policy.tokens != "joint":
        return (
            f"Other programs do not cut texts into tokens as BabyLM's pipeline does: {TOKENS[result.policy.tokens]}."
        )
    if result.task.confidential:
        return f"The texts of {result.task.title} are confidential and are not written to files."
    if RULES[result.rule].subtracts:
        return f"Its texts are scored twice ({RULES[result.rule].about}); the exported programs score them once."
    if result.rule not in WHOLE_TEXTS:
        return f"Its texts are compared by {RULES[result.rule].about}, which other programs do not offer."
    if result.policy.window or result.policy.stride:
        return "Its texts were read in windows of a chosen size, which other programs do not offer."
    return ""


def lm_eval_notes(result: Result) -> list[str]:
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
    return [note for note in notes if note]


def _start(result: Result) -> str:
    """How the start symbol is treated. Without a context, lm_eval always puts one before a text."""
    alone = not _with_context(result)
    first_token = result.policy.first_token
    if first_token == "bos":
        return "" if alone else "add_bos_token=True puts the start symbol before contexts, as in the run."
    if first_token in ("none", "one") and not alone:
        return "add_bos_token=False leaves out the start symbol before contexts, as in the run."
    own = result.policy.beginning()
    return f"lm_eval begins every text with a start symbol; the run does not ({own}): scores differ."


def model_arguments(result: Result) -> str:
    """Model arguments for lm_eval besides its name."""
    given = [f"dtype={result.policy.dtype}"]
    if result.manifest["revision"]:
        given.append(f"revision={result.manifest['revision']}")
    if _with_context(result) and result.policy.first_token in ("bos", "none", "one"):
        given.append(f"add_bos_token={result.policy.first_token == 'bos'}")
    return ",".join(given)


def _with_context(result: Result) -> bool:
    return result.rule != "joint" and bool(result.candidates["context"].fillna("").ne("").any())


_OF_THE_MANIFEST = (
    "run_id", "title", "task", "task_version", "rule", "data", "data_hash", "model", "revision", "weights", "scorer",
    "preset", "signature", "fingerprint", "finished", "n",
)  # fmt: skip


def facts(result: Result) -> dict[str, Any]:
    """A run in brief, in a form for JSON.

    `decides` names the metric that decides item by item, null if there is none; `accuracy` is the headline, null if
    the headline is another metric.
    """
    known = {name: result.manifest.get(name, "") for name in _OF_THE_MANIFEST}
    metric = deciding_metric(result.task, result.rule)
    first = result.metrics.iloc[0]
    chosen = metric is not None and metric.name == "accuracy" == first["name"]
    return {
        **known,
        "policy": dataclasses.asdict(result.policy),
        "decides": metric.name if metric else None,
        "accuracy": float(first["value"]) if chosen and first["n"] else None,
        "pairlens": __version__,
    }


_SURROGATE = re.compile("[\ud800-\udfff]")


def lines(records: Iterable[Mapping[str, Any]]) -> str:
    """Records as JSON lines. Missing numbers are null; lone surrogates, which UTF-8 lacks, are escaped."""
    texts = (json.dumps(record, ensure_ascii=False, allow_nan=False) for record in records)
    return "".join(f"{_SURROGATE.sub(lambda one: json.dumps(one[0])[1:-1], text)}\n" for text in texts)


_FOLDER = ROOT / "data" / "programs"


def program(name: str) -> str:
    """The source of a program, by its file name."""
    return (_FOLDER / name).read_text("utf-8")
