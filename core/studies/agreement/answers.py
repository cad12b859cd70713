"""The results of a model on an agreement set: its numbers, its items, what is excluded and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from core.analysis.agreement import AgreementNumbers, agreement_numbers
from core.analysis.agreement_flips import Flips, flips
from core.analysis.agreement_wording import of_participles
from core.analysis.items import items_by_margin, undecided
from core.policies import Policy
from core.rules import RULES
from core.runs.result import Result
from core.store import Store
from core.studies.agreement.candidates import candidates, left_out, without
from core.tasks import TASKS
from core.tasks._agreement_groups import GROUPS, UNKNOWN

SETS = ("agreement", "linzen", "colorless_green")
"""The tasks whose items are two forms after the same prefix, with the same groups."""


@dataclass(frozen=True)
class Answers:
    """`items` and `undecided` as in `core.analysis.items`; `participles`: whether the items are French participles.

    `flips` only where forms were compared by themselves.
    """

    candidates: pd.DataFrame
    policy: Policy
    numbers: AgreementNumbers
    items: pd.DataFrame
    undecided: pd.DataFrame
    participles: bool
    flips: Flips | None = None


def answers_of_run(result: Result, store: Store) -> Answers:
    """The answers of a finished run of one of the `SETS`."""
    run_id, refused = result.manifest["run_id"], result.manifest.get("refused") or {}
    changed = None
    if RULES[result.rule].forms:
        word, form = (store.candidates(run_id, ends=ends) for ends in (True, False))
        changed = flips(word, form, result.policy)
    table, unclear = _in_full(result.candidates), _with_reasons(result.undecided, refused)
    numbers = agreement_numbers(table, result.policy)
    return Answers(table, result.policy, numbers, result.items, unclear, of_participles(table), changed)


def answers_in_file(path: Path, policy: Policy) -> Answers:
    """The answers in a file of log-probabilities, without items that its model cannot have known.

    Raises InputError for what `core.studies.agreement.candidates.candidates` refuses.
    """
    given, task = candidates(path), TASKS["agreement"]
    reasons = left_out(given)
    table = without(given, list(reasons))
    unclear = _with_reasons(undecided(table, task, policy), reasons)
    numbers, items = agreement_numbers(table, policy), items_by_margin(table, task, policy)
    return Answers(table, policy, numbers, items, unclear, of_participles(table))


def _in_full(table: pd.DataFrame) -> pd.DataFrame:
    """The table with every group of an agreement set; those that its task does not have are unknown."""
    absent = dict.fromkeys((name for name in GROUPS if name not in table), UNKNOWN)
    return table.assign(**{"constr_id": table["item"], **absent} if "constr_id" not in table else absent)


def _with_reasons(unclear: pd.DataFrame, reasons: Mapping[str, str]) -> pd.DataFrame:
    """The table with more detailed reasons where `reasons` has one, by item."""
    return unclear.assign(why=unclear["item"].map(reasons).fillna(unclear["why"]))
