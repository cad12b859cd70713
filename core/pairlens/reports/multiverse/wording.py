"""The results of a multiverse as sentences."""

from collections.abc import Mapping

import pandas as pd

from pairlens.analysis.multiverse import firm_decisions
from pairlens.analysis.summary import written
from pairlens.messages import counted
from pairlens.metrics import METRICS
from pairlens.reports.multiverse.adding_up import Scores
from pairlens.reports.multiverse.layout import Layout
from pairlens.reports.multiverse.matching import Match
from pairlens.reports.multiverse.numbers import Decisions
from pairlens.rules import RULES

_NAMED = 5
"""The most ways named in one sentence."""


def headline(decisions: Decisions, noun: str) -> str:
    """How many decisions do not depend on the way of scoring: `37 of 40 decisions hold under all 12 policies.`"""
    common, ways = decisions.common, decisions.n_ways
    if ways < 2:
        return f"Only one policy is scored: there is nothing to compare its {counted(common, noun)} with."
    firm = common - len(decisions.fragile)
    text = firm_decisions(firm, common, f"{ways} policies")
    if decisions.never:
        text += f" {counted(decisions.never, noun)} left out under all of them."
    if n_sometimes := len(decisions.by_way) - common - decisions.never:
        them = "it" if n_sometimes == 1 else "them"
        text += f" {counted(n_sometimes, noun)} left out: not every policy can decide {them}."
    return text


def span(numbers: pd.DataFrame, metric: str) -> str:
    known = numbers.dropna(subset=["value"])
    if known.empty:
        return f"{METRICS[metric].title}: no number under any policy."
    low, high = known.iloc[int(known["value"].argmin())], known.iloc[int(known["value"].argmax())]
    scale = METRICS[metric].scale
    own = numbers.iloc[0]["value"]
    if low["value"] == high["value"]:
        several = " under all of these policies" if len(known) > 1 else ""
        return f"{METRICS[metric].title} is {written(own, scale, 1)}{several}."
    return (
        f"{METRICS[metric].title} lies between {written(low['value'], scale, 1)} ({low['label']}) and "
        f"{written(high['value'], scale, 1)} ({high['label']}); this run's own is {written(own, scale, 1)}."
    )


def unlike(numbers: pd.DataFrame) -> str:
    """The ways that do not count the same items; empty if all do."""
    first = numbers.drop_duplicates("way")
    usual = first["n"].iloc[0]
    others = first[first["n"] != usual]
    if others.empty:
        return ""
    named = "; ".join(f"{int(row.n):,} under '{row.label}'" for row in others.itertuples())
    return f"Not every policy counts the same items: {int(usual):,} under this run's own, {named}."


def corrections(layout: Layout, scores: Scores, reasons: Mapping[str, str]) -> str:
    """Definitions of SLOR and PMI, if there are numbers of them, and the unigram model of SLOR."""
    ways = [way for way in layout.stored if layout.label(way) not in reasons]
    notes = []
    if any(way.added_up == "slor" for way in ways) and not isinstance(scores.unigrams, str):
        notes.append(slor(scores.unigrams.about))
    if any(RULES[way.rule].subtracts for way in ways):
        notes.append("PMI: how much likelier a text is after its context than without one (Holtzman et al. 2021).")
    return " ".join(notes)


def slor(about: str) -> str:
    return f"SLOR: per token, how much likelier a text is than by {about} (Pauls & Klein 2012)."


def fragile(decisions: Decisions, noun: str) -> str:
    otherwise = decisions.fragile["of"] - decisions.fragile["agree"]
    most = (2 * otherwise >= decisions.fragile["of"]).sum()
    return (
        f"Fragile: {counted(len(otherwise), noun)}. "
        f"One policy decides {(otherwise == 1).sum():,} of them differently; "
        f"half of the {decisions.n_ways} policies or more decide {most:,} differently."
    )


def missing(layout: Layout, seconds: str = "") -> str:
    ways = len(layout.missing)
    scorings = len({way.scoring for way in layout.missing})
    passes = "one more pass" if scorings == 1 else f"{scorings} more passes"
    what = "1 policy is" if ways == 1 else f"{ways} policies are"
    return f"{what} not scored yet: {f'about {seconds}, ' if seconds else ''}{passes} over the texts."


def matched(match: Match) -> str:
    """The answer to "which way gives this number?", and how likely a match is by chance."""
    tried = len(match.table)
    if not tried:
        return f"There is nothing that could be printed as {match.number}."
    hits = match.hits
    shown = match.table.head(1) if hits.empty else hits.head(_NAMED)
    ways = "; ".join(_way(row) for _, row in shown.iterrows())
    if hits.empty:
        nearest = f"{shown['value'].iloc[0]:.6g}: {ways}"
        text = f"None of {counted(tried, 'way')} gives {match.number}. The nearest is {nearest}."
    else:
        more = f"; and {len(hits) - _NAMED} more" if len(hits) > _NAMED else ""
        verb = "gives" if len(hits) == 1 else "give"
        text = f"{len(hits):,} of {counted(tried, 'way')} {verb} {match.number}: {ways}{more}."
    return f"{text} {_by_chance(match)}".strip()


def _way(row: pd.Series) -> str:
    unit = f" in {row['unit']}" if row["unit"] else ""
    presets = f" ({row['presets']})" if row["presets"] else ""
    ties = f", ties count {row['ties_count']}" if row["ties_count"] else ""
    return f"{row['of']}{unit}, {row['label']}{presets}{ties}"


def _by_chance(match: Match) -> str:
    """How likely a number near the published one that has nothing to do with the ways is to match."""
    ways, there = int(match.table["near"].sum()), f"from {match.low} to {match.high}"
    numbers = counted(match.possible, "number")
    which = {
        "any": f"Near it, {there}, are {numbers} with as many digits",
        "shares": f"Near it, {there}, shares of so many items are {numbers}",
        "others": f"No share of so many items is {match.number}. Near it, {there}, are {numbers} of that kind",
    }[match.kind]
    if not ways:
        return f"{which}; no way gives any of them."
    percent = 100 * match.reached / match.possible
    rate = f"{percent:.0f}" if percent >= 1 else f"{percent:.1g}"
    return (
        f"{which}; {counted(ways, 'way')} {'gives' if ways == 1 else 'give'} {match.reached:,} of them. By chance: a "
        f"number among them that has nothing to do with these ways is matched in {rate} % of cases."
    )
