"""Profiles over gender stereotypes as a result: runs of GEST and EuroGEST, by language, on one axis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from pairlens.analysis.stereotype_profile import profiles
from pairlens.evaluation.receipts.methods import provenance_of_runs
from pairlens.evaluation.result import Run, labels, short_names
from pairlens.evaluation.samples import is_sample
from pairlens.reports.columns import columns
from pairlens.results.result import Figure, Headline, Notice, Result, Table
from pairlens.statistics.few import FEW
from pairlens.store import Store

if TYPE_CHECKING:
    from pairlens.charts.drawing import Chart

TASKS_OF_PROFILES = ("gest", "eurogest")
_SAMPLE = "Our samples have two sentences for each stereotype: they show the method, not the model."
_FEW = f"No interval is drawn for fewer than {FEW} sentences."
_SAID = (
    "Masculine share: 50 is no preference. A model may prefer one gender throughout; stereotypes show as the "
    "difference between the two groups of rows. The stereotype rate sums it up: 1 is none. Rates of GEST and of "
    "EuroGEST are on different scales.",
    "SS of StereoSet and the share of CrowS-Pairs are one number over many groups of people, in which opposite "
    "preferences cancel out. A profile keeps them apart, for gender alone, and in what speakers say of themselves.",
    "Whose stereotypes: GEST's were collected with experts from Slovakia, EuroGEST's are the same, translated by "
    "machine; StereoSet and CrowS-Pairs were written by crowd workers in the United States. What people elsewhere "
    "think, none of them says.",
)


def result(runs: Sequence[Run], store: Store) -> Result:
    """Of finished runs of these tasks, at least one: a rate and a profile for each and each of its languages."""
    rows = _profiles(runs)
    rates, shares = rows[rows["group"] == ""], rows[rows["group"] != ""]
    finding = _finding(shares)
    rate_columns = columns(("run", "value", "low", "high", "n"), ".2f", value="Stereotype rate")
    share_columns = columns(
        ("run", "group", "section", "value", "low", "high", "n", "n_clusters"), ".0%", group="Stereotype",
        section="About", value="Masculine share", n_clusters="Sentences",
    )  # fmt: skip
    return Result(
        study="zero-shot",
        question="Which gender stereotypes does the model hold, and how strongly?",
        title="gender stereotypes",
        file="stereotype-profiles",
        headlines=[*_headlines(rates)],
        tables=[
            Table.of("rates", "Rates", rate_columns, rates.rename(columns={"model": "run"})),
            Table.of("profiles", "Stereotypes", share_columns, shares.rename(columns={"model": "run"})),
        ],
        figures=[Figure("profiles", "profiles", partial(_draw, finding), finding)],
        notices=[*_notices(runs, shares)],
        trace=partial(provenance_of_runs, store, [str(run.manifest["run_id"]) for run in runs], worked=False),
    )


def _profiles(runs: Sequence[Run]) -> pd.DataFrame:
    """The profiles of all; `model` is its name and the language, with what else tells runs apart if these do not."""
    short = short_names([run.manifest["model"] for run in runs])
    rows = pd.concat(
        [profiles(run.candidates, run.task, run.policy, run.rule).assign(place=n) for n, run in enumerate(runs)],
        ignore_index=True,
    )
    for names in ([short[run.manifest["model"]] for run in runs], labels(runs)):
        rows["model"] = rows["place"].map(dict(enumerate(names))) + " · " + rows["language"]
        if not rows.duplicated(["model", "group"]).any():
            break
    return rows.drop(columns="place")


def _headlines(rates: pd.DataFrame) -> Iterator[Headline]:
    for row in rates.to_dict("records"):
        low, high = row["low"], row["high"]
        side = "above" if low > 1 else "below" if high < 1 else "not distinguishable from"
        sentence = f"Stereotype rate {row['value']:.2f} ({low:.2f} to {high:.2f}), {side} 1 (no stereotype)."
        if pd.isna(low):
            sentence = f"Stereotype rate {row['value']:.2f} (1: no stereotype). Too few sentences for an interval."
        bounds = None if pd.isna(low) else (float(low), float(high))
        n = int(row["n"])
        yield Headline("stereotype_rate", row["model"], float(row["value"]), "rate", sentence, n, "items", bounds)


def _finding(shares: pd.DataFrame) -> str:
    """The reach of the first profile."""
    own = shares[shares["model"] == shares["model"].iloc[0]].sort_values("value")
    (least, low), (most, high) = own[["group", "value"]].iloc[[0, -1]].to_numpy().tolist()
    return f"Masculine shares under {own['model'].iloc[0]}: from {low:.0%} ({least}) to {high:.0%} ({most})."


def _notices(runs: Sequence[Run], shares: pd.DataFrame) -> Iterator[Notice]:
    if any(is_sample(run.manifest["data"]) for run in runs):
        yield Notice("sample", "note", _SAMPLE)
    if (shares["n_clusters"] < FEW).any():
        yield Notice("few", "remark", _FEW)
    for name, about in zip(("scales", "profiles", "origin"), _SAID, strict=True):
        yield Notice(name, "remark" if name == "scales" else "detail", about)


def _draw(finding: str, shares: pd.DataFrame) -> Chart:
    from pairlens.charts.stereoset import by_stereotype

    shares = shares.sort_values("section", ascending=False, kind="stable")
    few = shares["n_clusters"] < FEW
    bounds = {name: (100 * shares[name]).mask(few) for name in ("low", "high")}
    section = "stereotypes about " + shares["section"]
    return by_stereotype(
        shares.assign(model=shares["run"], value=100 * shares["value"], section=section, **bounds), finding
    )
