"""One decision under every defensible policy: whether it depends on choices that differ between papers.

A pair is decided once for each way of scoring and aggregating (Steegen et al. 2016, "Increasing transparency through
a multiverse analysis"). Everything here is a query over the caller's scores: policies that differ only in the
sentence value share them. Texts and the text policy are the same throughout. For a run of a benchmark, see
`pairlens.reports.multiverse`.
"""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import pandas as pd

from pairlens import measures
from pairlens.measures import sentence_value
from pairlens.policies import CHOICES, PRESETS, Policy
from pairlens.types import ScorerKind, TokenScores

_VARIED = ("first_token", "pll", "words_by")
"""Fields of a policy that change log-probabilities and differ between papers."""
_FOR_READING_TIMES = ("bos-unscored", "left_to_right")
"""Choices that are not used to compare sentences. An unscored first word does not affect sentences that share it, and
hides the difference between those that do not."""
TOKENS: Mapping[str, str] = {
    "rewritten": "words cut into tokens alone",
    "unspaced": "the space before a text belongs to its context",
    "framed": "framed texts (May 2025)",
    "framed-unspaced": "framed texts (May 2025), the space before one belongs to its context",
}
"""How texts are cut into tokens where context and text are not simply cut together."""
ADDED_UP: Mapping[str, str] = {
    "sum": "sum",
    "token": "per token",
    "word": "per word",
    "character": "per character",
    "slor": "SLOR",
}
"""How the scores of a text's tokens become the compared value, and the name of each way."""


def policies_for(kind: ScorerKind, base: Policy = PRESETS["pairlens"]) -> list[Policy]:
    """All policies of a multiverse for a scorer, the base policy first; their names list the choices.

    They vary first token, PLL variant and its words (if read), the leading space of causal models, and sum or mean;
    choices for reading times only if the base policy makes them.
    """
    left_out = set(_FOR_READING_TIMES) - {base.first_token, base.pll}
    fields = {name: [one for one in CHOICES[name] if one not in left_out] for name in _VARIED if name in kind.reads}
    if base.tokens != "joint":  # nothing else changes its numbers
        fields = {}
    spaces = [False, True] if fields and "first_token" in kind.reads else [base.leading_space]
    policies = [
        base.but(**dict(zip(fields, values, strict=True)), leading_space=space, sentence_value=value)
        for *values, space, value in product(*fields.values(), spaces, CHOICES["sentence_value"])
    ]
    distinct = [policy for policy in policies if policy == base or not _redundant(policy, kind, base)]
    distinct.sort(key=lambda policy: policy != base)
    return [policy.but(name=_named(policy, kind)) for policy in distinct]


def _named(policy: Policy, kind: ScorerKind) -> str:
    value = {"sum": ADDED_UP["sum"], "mean": ADDED_UP["token"]}[policy.sentence_value]
    return " · ".join([*scored_in_words(policy, kind.reads), value])


def _redundant(policy: Policy, kind: ScorerKind, base: Policy) -> bool:
    """Whether the policy repeats another or no paper uses it; `tokenizer` stays, as BabyLM and minicons use it."""
    if "first_token" not in kind.reads:
        return policy.pll != "within_word_l2r" and policy.words_by != base.words_by
    repeats = (policy.first_token, policy.sentence_value) == ("one", "sum")
    return repeats or (policy.leading_space and policy.first_token != "bos")


def scored_in_words(policy: Policy, reads: Collection[str]) -> list[str]:
    """How texts are scored under a policy of which a scorer reads these fields, short enough for a chart."""
    parts = [policy.beginning()] if "first_token" in reads else []
    if "pll" in reads:
        parts.append(CHOICES["pll"][policy.pll].partition(" (")[0])
    if tokens := policy.scoring(tuple(reads)).get("tokens"):
        parts.append(TOKENS[str(tokens)])
    if policy.scoring(tuple(reads)).get("decoder"):
        parts.append("decoder from BOS on")
    if "words_by" in policy.scoring(tuple(reads)):
        parts.append("words as the tokenizer cuts them")
    return [*parts, "after a space"] if policy.leading_space else parts


@dataclass(frozen=True, slots=True)
class ByLength:
    """Both sentences' values, aggregated in a way that is no policy's, with its name and unit."""

    about: str
    unit: str
    values: tuple[float, float]


def multiverse(
    scores: Mapping[Policy, tuple[TokenScores, TokenScores]], kind: ScorerKind, by_length: Sequence[ByLength] = ()
) -> pd.DataFrame:
    """The decision of a pair under each policy; `by_length` are values from the first policy's scores.

    Columns: `policy`, `presets` (that give it), `value_a`, `value_b`, `difference` (A minus B), `unit` (`nats per
    token`), `decision` (as of `decision`), and whether the first policy's `holds`.
    """
    rows: list[tuple[object, ...]] = []
    for policy, (a, b) in scores.items():
        values = sentence_value(a, policy), sentence_value(b, policy)
        unit = "nats" if policy.sentence_value == "sum" else "nats per token"
        rows.append((policy.name, _presets(policy, kind), *values, unit))
    scored = scored_in_words(next(iter(scores)), kind.reads) if scores else []
    rows += [(" · ".join([*scored, one.about]), "", *one.values, one.unit) for one in by_length]
    frame = pd.DataFrame(rows, columns=["policy", "presets", "value_a", "value_b", "unit"])
    frame.insert(4, "difference", frame["value_a"] - frame["value_b"])
    decisions = [decision(difference) for difference in frame["difference"]]
    return frame.assign(decision=decisions, holds=[one == decisions[0] for one in decisions])


def decision(difference: float) -> str:
    """Which sentence a difference (A minus B, nats) prefers: `A`, `B`, `tie`, `undecided` or `none`."""
    if math.isnan(difference):
        return "none"
    if 0 < abs(difference) <= measures.PRECISION:
        return "undecided"
    return "tie" if difference == 0 else "A" if difference > 0 else "B"


def _presets(policy: Policy, kind: ScorerKind) -> str:
    """Names of the presets that give this policy's numbers, with the same texts."""

    def choices(one: Policy) -> tuple[object, ...]:
        space = one.leading_space if "first_token" in kind.reads else False
        fields = [getattr(one, name) for name in ("first_token", "pll", "decoder") if name in kind.reads]
        read = one.scoring(kind.reads)
        return (*fields, read.get("words_by"), read.get("tokens"), space, one.sentence_value)

    return ", ".join(name for name, preset in PRESETS.items() if choices(preset) == choices(policy))


def verdict(frame: pd.DataFrame) -> str:
    """Whether the first policy's decision holds under the others: one sentence over a table of `multiverse`."""
    others = frame[~frame["holds"]]
    if others.empty:
        return f"Holds under all {len(frame)} policies."
    named = "; ".join(f"{row.decision} under '{row.policy}'" for row in others.itertuples())
    return f"Holds under {len(frame) - len(others)} of {len(frame)} policies. Not under the others: {named}."


def verdict_of_several(frames: Sequence[pd.DataFrame]) -> str:
    """On how many pairs the first policy's decision holds under all others, over tables of `multiverse`."""
    held = sum(bool(frame["holds"].all()) for frame in frames)
    return firm_decisions(held, len(frames), f"{len(frames[0])} policies")


def firm_decisions(firm: int, n: int, ways: str) -> str:
    """How many of n decisions hold under all `ways`: `37 of 40 decisions hold under all 12 policies.`"""
    if n == 0:
        return f"No decision can be made under all {ways}."
    if n == 1:
        return f"The only decision {'holds' if firm else 'does not hold'} under all {ways}."
    return f"{firm:,} of {n:,} decisions {'holds' if firm == 1 else 'hold'} under all {ways}."


def printable(frame: pd.DataFrame) -> pd.DataFrame:
    """Every way to print a sentence's value or the difference: `matching.COLUMNS` of
    `pairlens.reports.multiverse`."""
    ways = [
        (of, printed, policy, presets, "", value, 0.0)
        for of, column in (("A", "value_a"), ("B", "value_b"), ("difference", "difference"))
        for policy, presets, nats, unit in frame[["policy", "presets", column, "unit"]].to_numpy().tolist()
        for printed, value in _units(nats, unit, of)
        if not math.isnan(value)
    ]
    return pd.DataFrame(ways, columns=["of", "unit", "label", "presets", "ties_count", "value", "grain"])


def _units(nats: float, unit: str, of: str) -> Iterator[tuple[str, float]]:
    """The absolute value of a log-probability in every unit in which it is printed."""
    per = unit.removeprefix("nats")
    yield f"nats{per}", abs(nats)
    yield f"bits{per}", abs(measures.bits(nats))
    if per and of != "difference":
        yield "perplexity", measures.perplexity(nats, 1.0)
