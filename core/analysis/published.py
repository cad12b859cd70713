"""Published BLiMP accuracies, and whether a run may be held against them.

The numbers are facts computed from `raw_results/summary` of https://github.com/alexwarstadt/blimp, commit 3e56b06
(Warstadt et al. 2020; the tables of the printed paper contain errors): means over paradigms, in per cent, for whole
sentences of all 67,000 pairs, a tie counting as wrong. `s-selection` counts as argument structure there. "GPT-2" is
the size now called gpt2-large. Human means rest on about 100 judgements of 5 pairs per paradigm, so they are noisy.
"""

from __future__ import annotations

import pandas as pd

from core.analysis.summary import OVERALL
from core.policies import Policy

SYSTEMS = ("5-gram", "LSTM", "Transformer-XL", "GPT-2", "human")
N_ITEMS = 67_000
TIES = "wrong"
IDENTICAL_PAIRS = 7
"""Pairs of BLiMP whose two sentences are the same: ties for everybody, too few to move a printed digit."""

_ROWS: dict[str, tuple[float, float, float, float, float]] = {
    "macro": (61.2, 69.8, 69.6, 83.0, 88.6),
    "anaphor_agreement": (47.9, 91.7, 94.1, 99.3, 97.5),
    "argument_structure": (71.9, 73.2, 72.2, 81.8, 90.0),
    "binding": (64.4, 73.5, 74.7, 80.9, 87.3),
    "control_raising": (68.5, 67.0, 71.5, 81.9, 83.9),
    "determiner_noun_agreement": (70.1, 85.4, 83.0, 95.8, 92.2),
    "ellipsis": (36.9, 67.6, 77.2, 89.3, 85.0),
    "filler_gap_dependency": (60.2, 73.9, 66.6, 81.3, 86.9),
    "irregular_forms": (79.5, 89.1, 78.2, 91.9, 97.0),
    "island_effects": (57.2, 46.6, 48.3, 72.7, 84.9),
    "npi_licensing": (45.5, 51.7, 55.2, 76.8, 88.1),
    "quantifiers": (53.5, 64.5, 69.3, 79.0, 86.6),
    "subject_verb_agreement": (60.3, 80.1, 75.9, 86.4, 90.9),
}


def blimp() -> pd.DataFrame:
    """One row per number: `system`, `group_by` (`overall` or `linguistics_term`), `group`, `value` (0 to 1)."""
    return pd.DataFrame(
        [
            (system, OVERALL if group == "macro" else "linguistics_term", group, number / 100)
            for group, numbers in _ROWS.items()
            for system, number in zip(SYSTEMS, numbers, strict=True)
        ],
        columns=["system", "group_by", "group", "value"],
    )


def difference(n_items: int, n_ties: int, policy: Policy) -> str:
    """In what a run differs from the published ones, in words; empty if they may share a reference line.

    Another tie rule makes a difference only if there were more ties than the identical pairs.
    """
    parts = []
    if n_items != N_ITEMS:
        parts.append(f"{n_items:,} of {N_ITEMS:,} pairs")
    if policy.ties != TIES and n_ties > IDENTICAL_PAIRS:
        parts.append(f"ties {policy.ties}")
    return ", ".join(parts)
