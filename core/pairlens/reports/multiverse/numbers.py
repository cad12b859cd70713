"""The number under each way whose scores are stored, with interval, ties, exclusions and origin."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pairlens.analysis.items import items_by_margin, labelled_texts
from pairlens.analysis.summary import summarise_overall
from pairlens.metrics import METRICS
from pairlens.policies import CHOICES, preset_for
from pairlens.reports.multiverse.adding_up import Compared, Scores
from pairlens.reports.multiverse.layout import Layout, Way

OWN, QUERY, RUN = "own", "query", "run"
"""The origin of a number: the run itself, another query on its scores, or the scores of another run."""


def numbers(layout: Layout, scores: Scores) -> tuple[pd.DataFrame, dict[str, str]]:
    """One row per stored way and, if it has ties, per tie rule; and by label, why others have no number.

    way, label, presets    its position among the layout's ways, its name, the presets that give this number
    origin, run_id, ties_count    `OWN`, `QUERY` or `RUN`, that run, and the tie rule: the run's own first
    name, value, low, high, n, ties, undecided, excluded, chance    as in `pairlens.analysis.summary`, the headline
                                                                    row
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
        row = summarise_overall(compared.candidates, layout.task, policy, only=[layout.metric]).iloc[0]
        named = [  # without ties every tie rule gives the same number
            name for name in layout.presets(way) if not row["ties"] or preset_for(name, layout.task.sets).ties == ties
        ]
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


LEFT_OUT = "left out"


@dataclass(frozen=True)
class Decisions:
    """The decision of each stored way on each item.

    `by_way`: a row per item, a column per way (the run's own first): `right`, `wrong` (`counts`, `does not` where
    more is not better), `tie`, `too close`, a share such as `0.50`, or `left out`. `fragile`: the items that count
    under every way and on which they disagree, least agreement first: `item`, groups, `context`, `right`, `rival` (or
    `texts`), `here` (the own decision), `agree` (ways that decide so), `of` (ways) and `against` (the others, in
    words).
    """

    by_way: pd.DataFrame
    fragile: pd.DataFrame

    @property
    def n_ways(self) -> int:
        return self.by_way.shape[1]

    @property
    def common(self) -> int:
        return int((self.by_way != LEFT_OUT).all(axis=1).sum())

    @property
    def never(self) -> int:
        return int((self.by_way == LEFT_OUT).all(axis=1).sum())


def decisions(layout: Layout, scores: Scores) -> Decisions | None:
    """The decisions of the layout's metric under its stored ways; None if it decides nothing item by item."""
    metric = METRICS[layout.metric]
    if not metric.averages:
        return None
    columns: dict[str, pd.Series] = {}
    first: Compared | None = None
    for way in layout.stored:
        compared = scores.compared(way)
        if not compared.reason:
            first = first or compared
            table = metric.statistics(compared.candidates, compared.policy.but(ties="half"))
            correct = table["correct"].to_numpy(np.float64)
            conditions = [
                table["excluded"].notna().to_numpy(),
                table["tie"].to_numpy(bool),
                table["undecided"].to_numpy(bool),
                correct == 1,
                correct == 0,
            ]
            parts = np.array([f"{share:.2f}" for share in correct])
            outcomes = ["counts", "does not"] if metric.higher_is_better is None else ["right", "wrong"]
            words = np.select(conditions, [LEFT_OUT, "tie", "too close", *outcomes], parts)
            columns[layout.label(way)] = pd.Series(words, table["item"].to_numpy(), dtype="str")
    by_way = pd.DataFrame(columns).fillna(LEFT_OUT)
    if first is None:
        return Decisions(by_way, pd.DataFrame())
    by_way = by_way.loc[next(iter(columns.values())).index]
    return Decisions(by_way, _fragile(by_way, layout, first))


def _fragile(by_way: pd.DataFrame, layout: Layout, own: Compared) -> pd.DataFrame:
    counted = by_way[(by_way != LEFT_OUT).all(axis=1)]
    here = counted.iloc[:, 0]
    agree = counted.eq(here, axis=0).sum(axis=1)
    split = agree[agree < by_way.shape[1]].sort_values(kind="stable")
    chosen = counted.loc[split.index]
    words, labels = chosen.to_numpy(), by_way.columns.tolist()
    against = ["; ".join(f"{labels[way]}: {row[way]}" for way in np.flatnonzero(row != row[0])) for row in words]
    texts = items_by_margin(own.candidates, layout.task, own.policy, layout.rule).set_index("item")
    about = texts.drop(columns=["margin", "correct", "tie"]).reindex(split.index)
    if about["right"].isna().all() and not layout.task.confidential:
        about = about.drop(columns=["right", "rival"]).join(labelled_texts(own.candidates))
    table = about.assign(here=here.loc[split.index], agree=split, of=by_way.shape[1], against=against)
    return table.rename_axis("item").reset_index()
