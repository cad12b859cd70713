"""What a model answered to an agreement set, ready to be shown: its numbers, its items, what is left out and why."""

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
"""The tasks whose items are two forms after the same prefix, with groups that mean the same."""


@dataclass(frozen=True)
class Answers:
    """`items` and `undecided` as in `core.analysis.items`; `participles`: whether the items are French participles.

    `flips` where forms alone were compared.
    """

    candidates: pd.DataFrame
    policy: Policy
    numbers: AgreementNumbers
    items: pd.DataFrame
    undecided: pd.DataFrame
    participles: bool
    flips: Flips | None = None


def answers_of_run(result: Result, store: Store) -> Answers:
    """Those of a finished run of one of the `SETS`."""
    run_id, refused = result.manifest["run_id"], result.manifest.get("refused") or {}
    changed = None
    if RULES[result.rule].forms:
        word, form = (store.candidates(run_id, ends=ends) for ends in (True, False))
        changed = flips(word, form, result.policy)
    table, unclear = _in_full(result.candidates), _with_reasons(result.undecided, refused)
    numbers = agreement_numbers(table, result.policy)
    return Answers(table, result.policy, numbers, result.items, unclear, of_participles(table), changed)


def answers_in_file(path: Path, policy: Policy) -> Answers:
    """Those in a file of log-probabilities; what the model that made them cannot have known does not count.

    InputError for what `core.studies.agreement.candidates.candidates` refuses.
    """
    given, task = candidates(path), TASKS["agreement"]
    table = without(given, [*(reasons := left_out(given))])
    unclear = _with_reasons(undecided(table, task, policy), reasons)
    numbers, items = agreement_numbers(table, policy), items_by_margin(table, task, policy)
    return Answers(table, policy, numbers, items, unclear, of_participles(table))


def _in_full(table: pd.DataFrame) -> pd.DataFrame:
    """The same with every group of an agreement set: what a task does not tell is unknown."""
    absent = dict.fromkeys((name for name in GROUPS if name not in table), UNKNOWN)
    return table.assign(**{"constr_id": table["item"], **absent} if "constr_id" not in table else absent)


def _with_reasons(unclear: pd.DataFrame, reasons: Mapping[str, str]) -> pd.DataFrame:
    """The same with the reasons that are known in more detail, by item."""
    return unclear.assign(why=unclear["item"].map(reasons).fillna(unclear["why"]))
