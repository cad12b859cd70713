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
from core.runs.requested import WHOLE_TEXTS
from core.runs.result import Result
from core.settings import ROOT

_SCORERS = {
    "minicons": ("minicons", ("causal", "masked")),
    "lm-eval": ("lm-evaluation-harness", ("causal",)),
}
"""By form: the program that reads it, and the scorers of which it has the like."""


def why_not(result: Result, form: str) -> str:
    """Why a run cannot be downloaded in one of `bundle.FORMS`; empty if it can."""
    policy, scorer = result.policy, result.manifest["scorer"]
    if form == "r" and deciding_metric(result.task, result.rule) is None:
        return "Nothing is decided item by item in this run; candidates.csv has its scores."
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


def _why_not_outside(result: Result) -> str:
    if result.policy.tokens != "joint":
        cut = TOKENS[result.policy.tokens]
        return f"Other programs do not cut texts into tokens as BabyLM's pipeline does: {cut}."
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
    return [*filter(None, notes)]


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
    policy, revision = result.policy, result.manifest["revision"]
    arguments = [f"dtype={policy.dtype}", *([f"revision={revision}"] if revision else [])]
    if _with_context(result) and policy.first_token in ("bos", "none", "one"):
        arguments.append(f"add_bos_token={policy.first_token == 'bos'}")
    return ",".join(arguments)


def _with_context(result: Result) -> bool:
    return result.rule != "joint" and bool(result.candidates["context"].fillna("").ne("").any())


_OF_THE_MANIFEST = (
    "run_id", "title", "task", "task_version", "rule", "data", "data_hash", "model", "revision", "weights", "scorer",
    "preset", "signature", "fingerprint", "finished", "n",
)  # fmt: skip


def facts(result: Result) -> dict[str, Any]:
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


_SURROGATE = re.compile("[\ud800-\udfff]")


def lines(records: Iterable[Mapping[Any, Any]]) -> str:
    """Records as JSON lines. Missing numbers are null; lone surrogates, which UTF-8 lacks, are escaped."""
    texts = (json.dumps(record, ensure_ascii=False, allow_nan=False) for record in records)
    return "".join(f"{_SURROGATE.sub(lambda one: json.dumps(one[0])[1:-1], text)}\n" for text in texts)


def program(name: str) -> str:
    return (ROOT / "data" / "programs" / name).read_text("utf-8")
