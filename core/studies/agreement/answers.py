"""What one model answered to an agreement set: in a stored run, or in a file of log-probabilities made elsewhere."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pandas as pd

from core.analysis.agreement import AgreementNumbers, Flips, agreement_numbers, flips
from core.analysis.items import items_by_margin, undecided
from core.errors import InputError
from core.policies import Policy
from core.rules import RULES
from core.runs.result import Result as Run
from core.runs.result import labels
from core.statistics.candidates import rows_of
from core.store import Store
from core.studies.agreement.heuristics import Parses, described, read_parses
from core.tasks import TASKS
from core.tasks._agreement_pairs import GROUPS, UNKNOWN
from core.tasks.agreement import pairs_and_items

PROBS = "probs"
"""The column of .raw-pred that holds logarithms, whatever its name says."""
UNSCORED = "a form has no log-probability"
UNSEEN = "its forms score exactly alike, and one of them never occurs in the training text"


def candidates(
    path: Path, table: Path | None = None, *, column: str = PROBS, parses: Parses | None = None
) -> pd.DataFrame:
    """The candidate table of a .raw-pred file, or of a table or folder that the task `agreement` reads.

    `column` holds ln p of each row's form, `table` (.tab, .pred) what else is known about the items, `parses` the
    parses from which heuristics missing in the files are computed. Empty cells count as not scored. Raises InputError
    for what the task refuses, and for a cell that is not the logarithm of a probability.
    """
    rows: list[dict[str, object]] = []
    for pair, item in pairs_and_items(path, table):
        values = [_logprob(row, column, pair.where) for row in (pair.right, pair.wrong)]
        rows.extend(rows_of(described(item, parses) if parses else item, values))
    return pd.DataFrame(rows)


def out_of_vocabulary(table: pd.DataFrame) -> list[str]:
    """Ids of the items whose forms have equal scores and of which at least one never occurs in the training text.

    A model of whole words maps every unknown word to `<unk>`, so that there is nothing to compare. Known only where
    the files give frequencies.
    """
    alike = table.groupby("item", sort=False)["logprob"].transform("nunique") == 1
    frequencies = table[["frequency_correct", "frequency_wrong"]].apply(pd.to_numeric, errors="coerce")
    unseen = (frequencies == 0).any(axis=1)
    return [str(item) for item in table.loc[alike & unseen, "item"].unique()]


def left_out(table: pd.DataFrame) -> dict[str, str]:
    """Why items do not count, by id: a form has no log-probability, or is not in the model's vocabulary."""
    unscored = dict.fromkeys(table.loc[table["logprob"].isna(), "item"], UNSCORED)
    return unscored | dict.fromkeys(out_of_vocabulary(table), UNSEEN)


def without(table: pd.DataFrame, items: list[str]) -> pd.DataFrame:
    """The table with these items not scored, so that they do not count."""
    return table.assign(logprob=table["logprob"].mask(table["item"].isin(items)))


def _logprob(row: Mapping[str, str], column: str, where: str) -> float:
    if column not in row:
        cells = ", ".join(row) or "none"
        raise InputError(f"no column '{column}' with the log-probabilities of the forms. Found {cells}.", where)
    cell = row[column].strip()
    try:
        value = float(cell) if cell else math.nan
    except ValueError:
        value = math.inf
    if value > 0:
        shown = f"'{cell[:40]}' in column '{column}'"
        raise InputError(f"{shown} is no natural logarithm of a probability, which is a number up to 0.", where)
    return value


SETS = ("agreement", "linzen", "colorless_green")
"""The tasks whose items are two forms after the same prefix, with the same groups."""
RULE_IN_WORDS: Mapping[str, str] = {
    "word": "form and the end of the word",
    "form": "form only",
    "joint": "whole sentence",
}


@dataclass(frozen=True)
class Answers:
    """`name` is what the model is called, `file` begins the names of its files; `run` is None if made elsewhere.

    `items` and `undecided` are as in `core.analysis.items`, `left_out` has the reasons by item, and `flips` is there
    where forms were compared by themselves.
    """

    name: str
    file: str
    candidates: pd.DataFrame
    policy: Policy
    items: pd.DataFrame
    undecided: pd.DataFrame
    left_out: Mapping[str, str] = field(default_factory=dict)
    run: Run | None = None
    flips: Flips | None = None

    @cached_property
    def numbers(self) -> AgreementNumbers:
        """Accuracy, group by group."""
        return agreement_numbers(self.candidates, self.policy)


def answers_of_runs(runs: list[Run], store: Store) -> list[Answers]:
    """Finished runs of the `SETS` on the same items, under the names that tell them apart."""
    return [_of_run(run, name, store) for run, name in zip(runs, labels(runs), strict=True)]


def _of_run(run: Run, name: str, store: Store) -> Answers:
    run_id, reasons = run.manifest["run_id"], run.manifest.get("refused") or {}
    changed = None
    if RULES[run.rule].forms:
        word, form = (store.candidates(run_id, ends=ends) for ends in (True, False))
        changed = flips(word, form, run.policy)
    absent = dict.fromkeys((group for group in GROUPS if group not in run.candidates), UNKNOWN)
    ids = {} if "constr_id" in run.candidates else {"constr_id": run.candidates["item"]}
    table = run.candidates.assign(**ids, **absent)
    unclear = _with_reasons(run.undecided, reasons)
    called = name if run.rule == run.task.rules[0] else f"{name} ({RULE_IN_WORDS[run.rule]})"
    return Answers(called, run_id, table, run.policy, run.items, unclear, reasons, run, changed)


def answers_in_file(
    path: Path, policy: Policy, table: Path | None = None, *, column: str = PROBS, parses: Path | None = None
) -> Answers:
    """The answers in a file of log-probabilities, without items that its model cannot have known.

    Raises InputError for what `core.studies.agreement.answers.candidates` refuses.
    """
    task, parsed = TASKS["agreement"], read_parses(parses) if parses else None
    every = candidates(path, table, column=column, parses=parsed)
    reasons = left_out(every)
    known = without(every, list(reasons))
    items = items_by_margin(known, task, policy)
    unclear = _with_reasons(undecided(known, task, policy), reasons)
    return Answers(path.name, path.stem, known, policy, items, unclear, reasons)


def _with_reasons(unclear: pd.DataFrame, reasons: Mapping[str, str]) -> pd.DataFrame:
    """The table with more detailed reasons where `reasons` has one, by item."""
    return unclear.assign(why=unclear["item"].map(reasons).fillna(unclear["why"]))
