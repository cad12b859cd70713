"""Interactions of an experiment's factors: under the table's own names, in one region or in every one."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations

import pandas as pd

from core.analysis.experiment import EXPECTED, MOST_SPILL, UNEXPECTED
from core.analysis.interaction import Interaction, interaction, levels_of
from core.analysis.regions import ROI
from core.studies.experiment.columns import TAKEN
from core.studies.experiment.design import Design
from core.studies.experiment.findings import Findings, find
from core.studies.experiment.region import BARS, WORDS, Region

_LONGEST = 24


def in_own_names(design: Design) -> Design:
    """The design with its comparison as one more condition, called as in the table; the expected side comes first."""
    columns = design.columns
    if "comparison" not in design.sentences:
        return design
    name = comparison_of(design)
    sides = {EXPECTED: columns.expected, UNEXPECTED: columns.unexpected}
    sentences = design.sentences.drop(columns="comparison")
    sentences[name] = design.sentences["comparison"].map(sides)
    return replace(
        design,
        sentences=sentences,
        columns=replace(columns, comparison=name, conditions=(*columns.conditions, name)),
    )


def comparison_of(design: Design) -> str:
    """What the table calls its comparison; empty if it has none."""
    if "comparison" not in design.sentences:
        return ""
    return "comparison" if design.columns.comparison in TAKEN else design.columns.comparison


def factor_sets(design: Design) -> list[tuple[str, ...]]:
    """Every two, then every three factors with two levels each; those with the comparison first, which comes last."""
    own, last = in_own_names(design), comparison_of(design)
    factors = [name for name in own.columns.conditions if own.sentences[name].dropna().nunique() == 2]
    sets = [chosen for size in (2, 3) for chosen in combinations(factors, size)]
    return sorted(sets, key=lambda chosen: (len(chosen), bool(last) and last not in chosen))


def usual_factors(design: Design) -> tuple[str, ...]:
    """The factors of the interaction that is told unasked: a condition and the comparison, else two conditions."""
    return next(iter(factor_sets(design)), ())


def check_factors(design: Design, factors: Iterable[str]) -> None:
    """InputError for factors that the design does not have, or that have not two levels each."""
    own = in_own_names(design)
    levels_of(own.sentences, own.columns, _named(design, factors))


def crossed(findings: Findings, factors: Iterable[str]) -> Interaction:
    """The interaction in the region and in those after it; InputError in words."""
    own, chosen = in_own_names(findings.design), _named(findings.design, factors)
    return interaction(findings.regions, own.sentences, own.columns, findings.analysis, chosen)


def everywhere(findings: Findings, factors: Iterable[str]) -> Interaction | None:
    """The interaction region by region: between bars, else word by word.

    Regions are named by their place (the first is 0) and, where they are alike, their words. Where an item's
    sentences have not equally many words, it is told from the region of interest on (`ROI`, `ROI+1`, ...). None where
    nothing says which words of two sentences correspond; InputError as for `crossed`.
    """
    design, place = findings.design, _last_place(findings)
    last = _after_region(findings) if place is None else place
    if place is None and not last:
        return None
    if place is not None:
        design = design.marked(Region(BARS if "bars" in design.sentences else WORDS, (0,), (0,)))
    spread = replace(findings.analysis, spill=min(last, MOST_SPILL))
    result = replace(crossed(find(design, findings.words, spread), factors), n_beyond=max(0, last - MOST_SPILL))
    if place is None:
        return result
    names = _names(findings)
    tables = {name: getattr(result, name) for name in ("table", "effects", "cells", "items", "excluded")}
    return replace(
        result, **{name: rows.assign(region=rows["region"].replace(names)) for name, rows in tables.items()}
    )


def _named(design: Design, factors: Iterable[str]) -> tuple[str, ...]:
    columns = design.columns
    own = {"comparison": comparison_of(design), columns.comparison: comparison_of(design)}
    return tuple(own.get(name) or name for name in factors)


def _last_place(findings: Findings) -> int | None:
    """The last of the regions that follow one another in every item's sentences; None if they do not correspond."""
    sentences = findings.design.sentences
    if "bars" in sentences:
        return max(len(bars) for bars in sentences["bars"]) - 1
    last = sentences["sentid"].map(findings.words.groupby("sentid")["wordpos"].max())
    item = next((name for name in ("item", "pairid") if name in sentences), "")
    alike = bool(item) and last.groupby(sentences[item]).nunique().le(1).all()
    return int(last.max()) if alike and last.notna().any() else None


def _after_region(findings: Findings) -> int:
    """How many words at least half of the sentences have after their region of interest."""
    sentences = findings.design.sentences
    ends = [max(roi) if isinstance(roi, tuple) and roi else None for roi in sentences.get("roi", ())]
    if not any(end is not None for end in ends):
        return 0
    last = sentences["sentid"].map(findings.words.groupby("sentid")["wordpos"].max())
    after = (last - pd.Series(ends, sentences.index, dtype=float)).dropna()
    return max(int(after.sort_values().iloc[(len(after) - 1) // 2]), 0) if len(after) else 0


def _names(findings: Findings) -> dict[str, str]:
    """`ROI`, `ROI+1`, ... of `everywhere` as places from 0, with their words."""
    names, profile = {}, findings.profile
    for place in profile["position"].unique().tolist():
        labels = profile.loc[profile["position"] == place, "label"]
        words = " / ".join(dict.fromkeys(labels)) if labels.ne("").all() else ""
        names[f"{ROI}+{place}" if place else ROI] = f"{place} {words if len(words) <= _LONGEST else ''}".strip()
    return names
