"""Clauses of a Methods section: quantities and models, items, intervals and tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from pairlens.evaluation.receipts.scored_by import HUMAN, ScoredBy
from pairlens.messages import counted
from pairlens.policies import CHOICES
from pairlens.types import ScorerKind

SHORT = 12


def sentence(*clauses: str) -> str:
    return f"{'; '.join(filter(None, clauses))}."


def named(by: ScoredBy) -> str:
    """The model with its revision or the sha256 of its weights, and its precision where that moves numbers."""
    weights = f"weights sha256 {by.weights[:SHORT]}" if by.weights else "weights not known"
    name = f"{by.model}@{by.revision}" if by.revision else f"{by.model} ({weights})"
    return f"{name} ({by.policy.dtype})" if "dtype" in by.reads else name


def computed(by: ScoredBy, what: str = "") -> str:
    """The quantity (and `what`: `of what comes next`) and its model; how first tokens and words are treated."""
    if by.scorer == HUMAN:
        return f"Choices are the votes of people ({by.model}), counted by Pairlens {by.release}"
    if by.stated:
        return f"Log-probabilities of {named(by)} are as another program stated them, read by Pairlens {by.release}"
    quantity = f"{by.kind.quantity if by.kind else 'Log-probabilities'} {what}".strip()
    return "; ".join([f"{quantity} were computed with {named(by)} in Pairlens {by.release}", *read(by)])


def read(by: ScoredBy) -> list[str]:
    """How the scorer reads a text: its own description, and the policy fields that move its numbers."""
    if "tokens" in by.reads and by.policy.tokens != "joint":
        return [CHOICES["tokens"][by.policy.tokens]]
    account = by.kind.title.partition(": ")[2] if by.kind else by.scorer
    fields = ("first_token", "pll", "words_by") if by.policy.by_tokenizer else ("first_token", "pll")
    chosen = [CHOICES[field][getattr(by.policy, field)] for field in fields if field in by.reads]
    if by.policy.scoring(by.reads).get("decoder"):
        chosen.append(CHOICES["decoder"][by.policy.decoder])
    one_sided = "pll" in by.reads and by.policy.pll == "left_to_right"  # then no token is given all others
    return chosen if one_sided else [account, *chosen]


def value_of_text(kind: ScorerKind | None, sentence_value: str, about: str = "") -> str:
    """The value by which texts are compared; `about` describes the rule."""
    if kind and kind.whole:
        return kind.quantity.lower()
    return "; ".join(filter(None, (CHOICES["sentence_value"][sentence_value], about)))


def words_cut(punctuation: str, value: str) -> str:
    return f"words are cut at white space, {CHOICES['punctuation'][punctuation]}, with word value {value}"


def of_items(n: int, total: int, noun: str, reasons: Mapping[str, int]) -> str:
    return f"{n:,} of {counted(total, noun)} count{'s' if total == 1 else ''}{left_out(reasons)}"


def left_out(reasons: Mapping[str, int]) -> str:
    """The exclusions by reason, in brackets; empty if there are none."""
    counts = "; ".join(f"{reason}: {count:,}" for reason, count in reasons.items())
    return f" (left out: {counts})" if counts else ""


def of_means(levels: Sequence[str]) -> str:
    """A mean of means, the innermost first."""
    return f"means over {', then over '.join(reversed(levels))}"


def of_ties(n: int, rule: str) -> str:
    return f"ties ({n:,}) count {rule}"


def of_interval(method: str, over: str) -> str:
    return f"95 % interval: {method}, over {over}"


def of_test(name: str) -> str:
    return f"test: {name}"


_BY_STRIDES = "the last window short (by default it is full, and a masked token has a window around it)"


@dataclass(frozen=True, slots=True)
class InWindows:
    """`n` texts (`at_least`: or more) have more than `window` tokens; `stride` is 0 if each token has a window."""

    window: int
    stride: int
    n: int
    at_least: bool
    windows: str = "full"


def in_windows(manifest: Mapping[str, Any], candidates: pd.DataFrame) -> InWindows | None:
    """Of these candidates those read in windows, None if unknown; contexts have as many tokens as words, or more."""
    window = manifest.get("window")
    if not window:
        return None
    context = candidates["context"].fillna("").astype("str")
    hidden = candidates["context"].isna() | bool(manifest.get("shared"))
    least = candidates["n_tokens"] + context.str.count(r"\S+").where(~hidden, 0)
    uncertain = (hidden | context.str.strip().ne("")).any()
    n, windows = int((least > window).sum()), manifest.get("policy", {}).get("windows", "full")
    return InWindows(int(window), int(manifest.get("stride") or 0), n, bool(uncertain), windows)


def windows_in_words(windows: InWindows | Mapping[str, Any] | None) -> str:
    """`3 texts longer than a window of 127 tokens were read in strides of 64`; empty for none."""
    if windows is None:
        return ""
    record = windows if isinstance(windows, InWindows) else InWindows(**windows)
    if not record.n:
        return ""
    how = f"strides of {record.stride:,}" if record.stride else "a window around each token"
    if record.stride and record.windows == "stride":
        how += f", {_BY_STRIDES}"
    longer = f"longer than a window of {record.window:,} tokens"
    were = "was" if record.n == 1 else "were"
    return f"{'at least ' * record.at_least}{counted(record.n, 'text')} {longer} {were} read in {how}"


def note(windows: InWindows | None) -> str:
    clause = windows_in_words(windows)
    return f"{clause[:1].upper()}{clause[1:]}." if clause else ""
