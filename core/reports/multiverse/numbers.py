"""The number under each way whose scores are stored, with interval, ties, exclusions and origin."""

from __future__ import annotations

from typing import Any

import pandas as pd

from core.analysis.summary import summarise_one
from core.policies import CHOICES, preset_for
from core.reports.multiverse.adding_up import Compared, Scores
from core.reports.multiverse.layout import Layout
from core.reports.multiverse.ways import Way

OWN, QUERY, RUN = "own", "query", "run"
"""The origin of a number: the run itself, another query on its scores, or the scores of another run."""


def numbers(layout: Layout, scores: Scores) -> tuple[pd.DataFrame, dict[str, str]]:
    """One row per stored way and, if it has ties, per tie rule; and by label, why others have no number.

    way                   its position among the layout's ways
    label, presets        its name; the presets that give this number
    origin, run_id        `OWN`, `QUERY` or `RUN`, and the run that holds the scores
    ties_count            the tie rule: the run's own first, others only where there are ties
    name, value, low, high, n, ties, undecided, excluded, chance    as in `core.analysis.summary`, the headline row
    """
    rows: list[dict[str, Any]] = []
    reasons = dict(layout.left_out)
    for place, way in enumerate(layout.ways):
        if way.scoring not in layout.runs:
            continue
        compared = scores.compared(way)
        if compared.reason:
            reasons[layout.label(way)] = compared.reason
            continue
        rows += [{"way": place, **row} for row in _rows(layout, way, compared)]
    return pd.DataFrame(rows), reasons


def _rows(layout: Layout, way: Way, compared: Compared) -> list[dict[str, Any]]:
    """The row of one way under the run's tie rule, and those of the others where they differ."""
    run_id, own = layout.run_of(way), layout.policy.ties
    origin = RUN if run_id != layout.run_id else OWN if way is layout.ways[0] else QUERY
    rows: list[dict[str, Any]] = []
    for ties in sorted(CHOICES["ties"], key=lambda rule: rule != own):
        if ties != own and not rows[0]["ties"]:
            break
        policy = compared.policy.but(ties=ties)
        row = summarise_one(layout.metric, compared.candidates, layout.task, policy).iloc[0]
        named = [
            name for name in layout.presets(way) if not row["ties"] or _ties(name, layout) == ties
        ]  # without ties every tie rule gives the same number
        rows.append(
            {
                "label": layout.label(way),
                "presets": ", ".join(named),
                "origin": origin if ties == own or origin == RUN else QUERY,
                "run_id": run_id,
                "ties_count": ties,
                **row[[*_KEPT]],
            }
        )
    return rows


_KEPT = ("name", "value", "low", "high", "n", "ties", "undecided", "excluded", "chance")


def _ties(preset: str, layout: Layout) -> str:
    return preset_for(preset, layout.task.sets).ties
