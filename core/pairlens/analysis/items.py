"""A run's items: ordered from the worst decision to the best, and those without a clear decision."""

import numpy as np
import pandas as pd

from pairlens import measures
from pairlens.analysis.summary import metrics_under
from pairlens.files.formulas import region_in_words
from pairlens.metrics import METRICS
from pairlens.policies import Policy
from pairlens.statistics.candidates import group_columns, sentence_values
from pairlens.tasks._agreement_pairs import shared_marks
from pairlens.types import Metric, Task


def is_right(candidates: pd.DataFrame) -> pd.Series:
    """Whether each row of a candidate table holds the right candidate; False for items without one."""
    return (candidates["label"] == candidates["gold"]).fillna(False).astype(bool)


def forms(candidates: pd.DataFrame) -> pd.DataFrame:
    """The `right` and the `wrong` form, by item: the first word after the prefix, without marks that end both."""
    words = candidates.assign(word=candidates["text"].str.split(n=1).str[0])
    right = is_right(candidates)
    sides = {"right": words[right], "wrong": words[~right]}
    pairs = pd.DataFrame(
        {name: rows.drop_duplicates("item").set_index("item")["word"] for name, rows in sides.items()}
    )
    marks = [shared_marks(*pair) for pair in pairs.itertuples(index=False)]
    return pd.DataFrame(
        {name: [word.removesuffix(end) for word, end in zip(pairs[name], marks, strict=True)] for name in pairs},
        pairs.index,
        dtype="str",
    )


def deciding_metric(task: Task, rule: str = "") -> Metric | None:
    """The task's first metric that decides item by item; None if there is none (reading times)."""
    return next((METRICS[name] for name in metrics_under(task, rule) if METRICS[name].averages), None)


def items_by_margin(
    candidates: pd.DataFrame, task: Task, policy: Policy, rule: str = "", metric: str = ""
) -> pd.DataFrame:
    """One row per item that counts, worst decision first, by a `metric` (the first that decides); none if none does.

    Columns: `item`, the groups, `context` (if all share it), `right` and `rival` (the texts of the right candidate
    and of the best other one, missing for confidential tasks and items without a right one), `margin` in bits (per
    token if the policy compares means), `correct` (0 to 1) and `tie`.
    """
    columns = [*group_columns(candidates), "context", "right", "rival", "margin", "correct", "tie"]
    decides = METRICS[metric] if metric else deciding_metric(task, rule)
    if decides is None:
        return pd.DataFrame(columns=["item", *columns])
    statistics = decides.statistics(candidates, policy)
    statistics = statistics[statistics["excluded"].isna()].set_index("item")
    table = statistics.assign(margin=measures.bits(statistics["margin"].to_numpy())).join(_texts(candidates, policy))
    return table.sort_values("margin", kind="stable")[columns].reset_index()


def _texts(candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:
    """By item: `context`, `right` and `rival`. Item names are looked up once, since benchmarks have many."""
    codes, names = pd.factorize(candidates["item"])
    contexts = pd.factorize(candidates["context"])[0]
    first = np.unique(codes, return_index=True)[1]
    shared = np.bincount(codes, contexts != contexts[first][codes], len(names)) == 0
    shown = candidates["text"].where(shared[codes], sentences(candidates)) if not shared.all() else candidates["text"]
    order = np.argsort(-sentence_values(candidates, policy), kind="stable")
    right = is_right(candidates).to_numpy()[order]
    has_right = candidates["gold"].notna().to_numpy()[order]
    columns = {"context": candidates["context"].iloc[first].where(shared, "").array}
    for name, rows in (("right", order[right]), ("rival", order[~right & has_right])):
        items, places = np.unique(codes[rows], return_index=True)
        columns[name] = pd.Series(shown.iloc[rows[places]].array, items).reindex(range(len(names))).array
    return pd.DataFrame(columns, index=names)


def surprisals_in_words(candidates: pd.DataFrame) -> pd.Series:
    """By item, the surprisal of each candidate's text: `painted (region 6 in plaus) 7.25 bits · ...`."""
    costs = pd.Series(measures.surprisal(candidates["logprob"].to_numpy()), candidates.index).map(
        "{:.2f} bits".format
    )
    texts = candidates["text"].astype("str").str.strip()
    names = candidates["label"].astype("str").map(region_in_words)
    words = texts + " (" + names + ") " + costs
    return words.groupby(candidates["item"], sort=False).agg(" · ".join).rename("surprisals")


def labelled_texts(candidates: pd.DataFrame) -> pd.Series:
    """By item, the texts of all candidates with their labels; missing for confidential tasks."""
    known = candidates[candidates["text"].notna()].sort_values("candidate", kind="stable")
    words = known["label"].astype("str") + ": " + known["text"].astype("str").str.strip()
    return words.groupby(known["item"], sort=False).agg(" | ".join).rename("texts")


def sentences(candidates: pd.DataFrame) -> pd.Series:
    """Each candidate's context and text together; missing for confidential tasks."""
    return candidates["context"].astype("str") + candidates["text"].astype("str")


def undecided(candidates: pd.DataFrame, task: Task, policy: Policy, rule: str = "") -> pd.DataFrame:
    """Items that are ties, too close to call or excluded: item, metric, why, margin (bits), texts if stored."""
    parts = [_undecided_by(METRICS[name], candidates, policy) for name in metrics_under(task, rule)]
    undecided_items = pd.concat(parts, ignore_index=True)
    known = candidates[candidates["item"].isin(undecided_items["item"]) & candidates["text"].notna()]
    texts = known.assign(texts=sentences(known)).groupby("item", sort=False)["texts"].agg(" | ".join)
    return undecided_items.join(texts, on="item")


def _undecided_by(metric: Metric, candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:
    statistics = metric.statistics(candidates, policy)
    why = statistics["excluded"].astype(object).where(statistics["excluded"].notna(), None)
    why = why.mask(statistics["undecided"], "too close to call: within 1e-4 nats").mask(statistics["tie"], "tie")
    margin = measures.bits(statistics["margin"].to_numpy()) if metric.averages else float("nan")
    table = statistics[["item"]].assign(metric=metric.name, why=why, margin=margin)
    return table[table["why"].notna()]
