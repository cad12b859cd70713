"""Two stored runs on the same items: their differences, and the items that only one of them has right."""

import json

import numpy as np
import pandas as pd

from core.analysis import paired
from core.analysis.summary import CLUSTER, generalises_over, no_interval, written
from core.errors import PolicyError, unknown
from core.messages import Message, joined
from core.metrics import METRICS
from core.reports.run_comparison.numbers import ALPHA
from core.runs.result import Result, read
from core.statistics.few import p_value
from core.statistics.paired import Discordant
from core.store import Store


def paired_runs(store: Store, first: str, second: str, metric: str = "") -> pd.DataFrame:
    """Two stored runs compared by a metric, by default the headline's (`core.analysis.paired.paired`).

    StoreError for a run that is not there or not finished and for runs of other items, PolicyError for a metric that
    they do not have.
    """
    one, other = read(store, first), read(store, second)
    paired.refuse_unlike(one.manifest, other.manifest)
    names = one.metrics["name"].unique().tolist()
    name = metric or names[0]
    if name not in names:
        raise PolicyError(unknown("metric of these runs", name, names))
    policies = one.policy, other.policy
    return paired.paired(one.candidates, other.candidates, one.task, policies, name)


def against(first: Result, second: Result, metric: str) -> pd.DataFrame:
    """Two runs compared item by item (`core.analysis.paired.paired`), with the section of each paradigm.

    StoreError, in one sentence, if they are not of the same task and data.
    """
    paired.refuse_unlike(first.manifest, second.manifest)
    policies = first.policy, second.policy
    rows = paired.paired(first.candidates, second.candidates, first.task, policies, metric)
    sections = first.paradigms.set_index("group")["section"]
    return rows.assign(section=rows["group"].map(sections).fillna(rows["group"]))


def flips(first: Result, second: Result) -> pd.DataFrame:
    """The items that only one of two runs has right, the largest change of margin first (`core.analysis.paired`)."""
    policies = first.policy, second.policy
    items = paired.margins(first.candidates, second.candidates, first.task, policies, first.rule)
    return items[items["right_in"].isin(("a", "b"))].reset_index(drop=True)


_SAME = ("task", "task_version", "rule", "data_hash", "weights", "scorer")
"""Fields of a manifest that are the same in two runs if only their policies differ."""


def by_policy(result: Result, store: Store) -> pd.Series:
    """By run id, the presets of the finished runs of the same model, task and data; this one first."""
    own = result.manifest  # listed or, where somebody's link led to it, not
    known = (json.loads(text) for text in store.runs().query("state == 'done'")["manifest"])
    same = [own, *(one for one in known if all(one.get(field) == own[field] for field in _SAME))]
    return pd.Series({one["run_id"]: one["preset"] for one in same})


_MANY = 50
"""Items that differ, beyond which the exact test loses little."""


def verdict(rows: pd.DataFrame, names: tuple[str, str], metric: str, clusters: str = CLUSTER) -> str:
    """What was found: who is ahead, by how much, and in how many paradigms beyond chance.

    `clusters` are those of the task.
    """
    overall, groups = rows.iloc[0], rows.iloc[1:]
    size, low, high = (_size(overall[column], metric) for column in ("difference", "low", "high"))
    between = Message("between {first} and {second}", first=names[0], second=names[1])
    if pd.isna(overall["low"]):
        why = no_interval(overall, metric, clusters)
        return Message(
            "The difference {between} is {size}, without an interval: {why}.", between=between, size=size, why=why
        )
    tested = "" if pd.isna(overall["p"]) else f"; {p_value(overall['p'])}"
    if not overall["low"] * overall["high"] > 0 or overall["p"] >= ALPHA:
        interval_in_words = Message("{size} ({low} to {high}{tested})", size=size, low=low, high=high, tested=tested)
        return Message("No clear difference {between}: {found}.", between=between, found=interval_in_words)
    ahead, behind = names if overall["difference"] > 0 else names[::-1]
    least, size, most = (_size(value, metric) for value in sorted(abs(overall[["low", "difference", "high"]])))
    order = Message("{ahead} is ahead of {behind}", ahead=ahead, behind=behind)
    if METRICS[metric].higher_is_better is None:
        title = METRICS[metric].title
        order = Message("{metric} is higher for {ahead} than for {behind}", metric=title, ahead=ahead, behind=behind)
    lead = Message("{order} by {size} ({least} to {most}).", order=order, size=size, least=least, most=most)
    if groups["p_holm"].isna().all():
        return lead
    n, able = len(groups), int((2.0 ** (1 - groups["n_clusters"]) < ALPHA / max(len(groups), 1)).sum())
    beyond = Message(
        "The difference is beyond chance in {n} of {all} paradigms.", n=int((groups["p_holm"] < ALPHA).sum()), all=n
    )
    if able == n:
        return joined((lead, beyond))
    could = Message("In {n} it could not be, whatever the answers: too few contrasts.", n=n - able)
    return joined((lead, beyond, could))


def grounds(rows: pd.DataFrame, metric: str, clusters: str = CLUSTER) -> str:
    """What stands behind a verdict: how many items, which test, which correction."""
    overall, n_groups = rows.iloc[0], len(rows) - 1
    basis_in_words: str = Message("{n:,} items that both could score", n=int(overall["n"]))
    if unscored := int(overall["unscored_a"] + overall["unscored_b"]):
        basis_in_words = joined(
            (basis_in_words, Message("({n:,} that only one of them could are left out)", n=unscored))
        )
    over = Message("; 95 % interval over {units}.", units=generalises_over(overall, clusters))
    basis_in_words = joined((basis_in_words, Message(".") if pd.isna(overall["low"]) else over), "")
    if pd.isna(overall["p"]):
        return basis_in_words
    counted = Message("Counted") if METRICS[metric].higher_is_better is None else Message("Right")
    tested = Message(
        "{counted} in the first only: {first:,}, in the second only: {second:,}; {test}: {p}.",
        counted=counted, first=int(overall["only_a"]), second=int(overall["only_b"]), test=exact_test(overall),
        p=p_value(overall["p"]) + mid_p(overall),
    )  # fmt: skip
    if n_groups < 2:
        return joined((basis_in_words, tested))
    corrected = Message("By paradigm, p-values are corrected for {n} tests (Holm).", n=n_groups)
    return joined((basis_in_words, tested, corrected))


def exact_test(row: pd.Series) -> str:
    """What the p-value of such a row is called."""
    if is_mcnemars(row):
        return Message("McNemar's exact test")
    if row["n_clusters"] == row["n"]:
        return Message("test of exchanging answers, weighted as in the mean")
    return Message("test of exchanging answers, those to dependent items together")


def is_mcnemars(row: pd.Series) -> bool:
    """Whether such a row's p-value is McNemar's: items are independent and weigh the same."""
    return bool(row["n_clusters"] == row["n"] and np.isclose(row["p"], row["p_mcnemar"], rtol=1e-6, atol=0))


def mid_p(row: pd.Series) -> str:
    """The mid-p value beside McNemar's, which is conservative where few items differ; else empty."""
    ours, theirs = ("only_a", "only_b") if "only_a" in row else ("only_run", "only_reference")
    if not is_mcnemars(row) or row[ours] + row[theirs] > _MANY:
        return ""
    return f", mid-{p_value(Discordant(int(row[ours]), int(row[theirs])).mid_p)}"


def _size(difference: float, metric: str) -> Message:
    scale = METRICS[metric].scale
    if scale == "share":
        return Message("{n:.1f}\u00a0points", n=round(100 * difference, 1) + 0.0)
    return written(difference, scale, 1)
