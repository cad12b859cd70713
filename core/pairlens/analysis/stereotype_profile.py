"""Profiles over stereotypes, of which GEST and EuroGEST have sixteen: one per run, or per language of a run."""

from collections.abc import Iterator

import pandas as pd

from pairlens.analysis.summary import OVERALL, metrics_under, summarise
from pairlens.policies import Policy
from pairlens.types import Task

_NAMES = {"en": "English"}
_COLUMNS = ["group", "value", "low", "high", "n", "n_clusters"]


def profiles(candidates: pd.DataFrame, task: Task, policy: Policy, rule: str) -> pd.DataFrame:
    """One row per language and number of such a task's candidates: language, section, then the columns of a summary.

    `group` is the stereotype and `section` whom it is about (of the rate, empty); `n_clusters` are sentences.
    """
    only = pd.Series(_NAMES.get(task.language, task.language), candidates.index)
    by_language = candidates.groupby(candidates.get("language", only), sort=False)
    return pd.DataFrame([row for name, part in by_language for row in _rows(str(name), part, task, policy, rule)])


def _rows(language: str, part: pd.DataFrame, task: Task, policy: Policy, rule: str) -> Iterator[dict[str, object]]:
    about = part.drop_duplicates("stereotype").set_index("stereotype")["about"]
    rate, share = metrics_under(task, rule)
    numbers = summarise(part, task, policy, rule)
    whole = numbers[(numbers["name"] == rate) & (numbers["group_by"] == OVERALL)]
    each = numbers[(numbers["name"] == share) & (numbers["group_by"] == "stereotype")]
    rows = pd.concat([whole.assign(group=""), each])
    for _, row in rows.iterrows():
        section = about.get(row["group"], "")
        yield {"language": language, "section": section, **row[_COLUMNS]}
