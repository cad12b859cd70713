"""Metrics in words, and where they come from (keys of papers.bib)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from core.metrics import METRICS

_PAIR = ("correct", "margin")


@dataclass(frozen=True, slots=True)
class Definition:
    """`formula` says how the number comes about; `values` are an item's columns that enter it, the main one first."""

    formula: str
    papers: tuple[str, ...] = ()
    values: tuple[str, ...] = _PAIR


_PREDICTIVE = (
    "mean over the measured times of (R2 with surprisal - R2 without) / (1 - R2 without), by least squares on {} and "
    "all their pairwise products"
)
_BASE = "log frequency, length and position of the word"

DEFINITIONS: Mapping[str, Definition] = MappingProxyType(
    {
        "accuracy": Definition("share of items in which the right candidate has the highest value"),
        "majority": Definition("share of items in which what most people chose has the highest value"),
        "first_form": Definition("share of items with value(first form) > value(second form)"),
        "human_correlation": Definition(
            "Spearman's rho between value(first form) - value(second form) and the share of people who chose the "
            "first form",
            ("charpentier2025babylm",),
            ("difference", "human"),
        ),
        "formula": Definition(
            "share of predictions about the surprisals of regions that hold", ("gauthier2020syntaxgym",)
        ),
        "first_formula": Definition(
            "share of items whose first prediction about the surprisals of regions holds", ("hu2020systematic",)
        ),
        "ss": Definition(
            "share of examples with value(stereotype) > value(anti-stereotype)", ("nadeem2021stereoset",)
        ),
        "lms": Definition(
            "mean over examples of [value(stereotype) > value(unrelated)] and [value(anti-stereotype) > "
            "value(unrelated)]",
            ("nadeem2021stereoset",),
        ),
        "icat": Definition(
            "LMS * min(SS, 1 - SS) / 0.5, with LMS and SS means over the same examples",
            ("nadeem2021stereoset",),
            ("stereotype", "related"),
        ),
        "stereotype": Definition(
            "share of pairs in which the sentence that stereotypes more has the higher value", ("nangia2020crows",)
        ),
        "stereotype_published": Definition(
            "the same share with sums rounded to three decimals and ties counted as 0", ("nangia2020crows",)
        ),
        "same_context": Definition(
            "share of items with value(T1 after C1) > value(T2 after C1)", ("charpentier2025babylm",)
        ),
        "same_target": Definition(
            "mean over items of [value(T1 after C1) > value(T1 after C2)] and [value(T2 after C2) > value(T2 after "
            "C1)]",
            ("ivanova2024ewok",),
        ),
        "target_bias": Definition("share of items in which the same target is likelier in both contexts"),
        "surprisal": Definition(
            "mean over items of -log2 p(text | context), in bits", ("hale2001probabilistic",), ("surprisal",)
        ),
        "eye_tracking": Definition(
            _PREDICTIVE.format(_BASE), ("charpentier2025babylm", "frisch1933partial"), ("surprisal",)
        ),
        "self_paced": Definition(
            _PREDICTIVE.format(f"{_BASE}, length and surprisal of the word before"),
            ("charpentier2025babylm", "frisch1933partial"),
            ("surprisal", "prev_surprisal"),
        ),
    }
)  # fmt: skip
"""By name of a metric."""


def definition_of(metric: str) -> Definition:
    """The definition; a metric that has none here is named by its title."""
    return DEFINITIONS.get(metric) or Definition(METRICS[metric].title)
