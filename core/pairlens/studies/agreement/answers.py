"""What one model answered to an agreement set: in a stored run, or in a file of log-probabilities made elsewhere."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pandas as pd

from pairlens.analysis.agreement import AgreementNumbers, Flips, agreement_numbers, flips
from pairlens.analysis.items import items_by_margin, undecided
from pairlens.errors import InputError
from pairlens.evaluation.result import Run, labels
from pairlens.policies import Policy
from pairlens.rules import RULES
from pairlens.statistics.candidates import rows_of
from pairlens.store import Store
from pairlens.studies.agreement.heuristics import Parses, described, read_parses
from pairlens.tasks import TASKS
from pairlens.tasks._agreement_pairs import GROUPS, UNKNOWN
from pairlens.tasks.agreement import pairs_and_items

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


def left_out(table: pd.DataFrame) -> dict[str, str]:
    """Why items do not count, by id: a form has no log-probability, or is not in the model's vocabulary.

    A model of whole words maps every unknown word to `<unk>`, so that there is nothing to compare between forms of
    equal scores of which one never occurs in the training text. Known only where the files give frequencies.
    """
    alike = table.groupby("item", sort=False)["logprob"].transform("nunique") == 1
    frequencies = table[["frequency_correct", "frequency_wrong"]].apply(pd.to_numeric, errors="coerce")
    unseen = alike & (frequencies == 0).any(axis=1)
    unscored = dict.fromkeys(table.loc[table["logprob"].isna(), "item"], UNSCORED)
    return unscored | dict.fromkeys(table.loc[unseen, "item"], UNSEEN)


def without(table: pd.DataFrame, items: Collection[str]) -> pd.DataFrame:
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

    `left_out` has the reasons by item, and `flips` is there where forms were compared by themselves.
    """

    name: str
    file: str
    candidates: pd.DataFrame
    policy: Policy
    left_out: Mapping[str, str] = field(default_factory=dict)
    run: Run | None = None
    flips: Flips | None = None

    @cached_property
    def numbers(self) -> AgreementNumbers:
        return agreement_numbers(self.candidates, self.policy)

    @cached_property
    def items(self) -> pd.DataFrame:
        """As `pairlens.analysis.items.items_by_margin`."""
        return self.run.items if self.run else items_by_margin(self.candidates, TASKS["agreement"], self.policy)

    @cached_property
    def undecided(self) -> pd.DataFrame:
        """As in `pairlens.analysis.items`, with the more detailed reasons of `left_out`."""
        rows = self.run.undecided if self.run else undecided(self.candidates, TASKS["agreement"], self.policy)
        return rows.assign(why=rows["item"].map(self.left_out).fillna(rows["why"]))

    @property
    def unseen(self) -> list[str]:
        """The items that are left out because a form is not in the model's vocabulary."""
        return [item for item, reason in self.left_out.items() if reason == UNSEEN]


def answers_of_runs(runs: list[Run], store: Store) -> list[Answers]:
    """Finished runs of the `SETS` on the same items, under the names that tell them apart."""
    return [_of_run(run, name, store) for run, name in zip(runs, labels(runs), strict=True)]


def _of_run(run: Run, name: str, store: Store) -> Answers:
    run_id, changed = run.manifest["run_id"], None
    if RULES[run.rule].forms:
        word, form = (store.candidates(run_id, ends=ends) for ends in (True, False))
        changed = flips(word, form, run.policy)
    absent = dict.fromkeys((group for group in GROUPS if group not in run.candidates), UNKNOWN)
    ids = {} if "constr_id" in run.candidates else {"constr_id": run.candidates["item"]}
    called = name if run.rule == run.task.rules[0] else f"{name} ({RULE_IN_WORDS[run.rule]})"
    table, reasons = run.candidates.assign(**ids, **absent), run.manifest.get("refused") or {}
    return Answers(called, run_id, table, run.policy, reasons, run, changed)


def answers_in_file(
    path: Path, policy: Policy, table: Path | None = None, *, column: str = PROBS, parses: Path | None = None
) -> Answers:
    """The answers in a file of log-probabilities, without items that its model cannot have known.

    Raises InputError for what `pairlens.studies.agreement.answers.candidates` refuses.
    """
    every = candidates(path, table, column=column, parses=read_parses(parses) if parses else None)
    reasons = left_out(every)
    return Answers(path.name, path.stem, without(every, reasons), policy, reasons)
