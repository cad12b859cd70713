"""Stored runs: all, one with everything known about it, comparisons, SQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from core.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from core.policies import Policy
    from core.reports.run_comparison.comparison import RunComparison
    from core.results.result import Provenance
    from core.runs.result import Result


@dataclass(frozen=True)
class Run:
    """A finished run; its tables are read on first use, and `result` has all of them."""

    run_id: str

    @cached_property
    def result(self) -> Result:
        """Everything known about it (`core.runs.result`); StoreError for a run that is missing or unfinished."""
        from core.runs.result import read
        from core.store import Store

        return read(Store(), self.run_id)

    @property
    def numbers(self) -> pd.DataFrame:
        """A row per number, the headline first: name, group_by, group, value, low, high, n, ties, ..."""
        return self.result.metrics

    @property
    def value(self) -> float:
        return float(self.numbers["value"].iloc[0])

    @property
    def items(self) -> pd.DataFrame:
        """A row per item, the worst first: item, groups, context, right, rival, margin (bits), correct, tie."""
        return self.result.items

    @property
    def undecided(self) -> pd.DataFrame:
        """Items that are ties, too close to call or left out, with the reason."""
        return self.result.undecided

    @property
    def candidates(self) -> pd.DataFrame:
        """A row per candidate text with its log-probability (nats), from which all numbers are computed."""
        return self.result.candidates

    @property
    def faults(self) -> str:
        """What `data lint` calls an error in its texts, where, and that it was scored; empty if there is none."""
        return str(self.result.manifest.get("faults", ""))

    @property
    def policy(self) -> Policy:
        return self.result.policy

    @property
    def signature(self) -> str:
        """The line to print beside each of its numbers."""
        return str(self.result.manifest["signature"])

    def receipt(
        self, metric: str = "", group: str = "", item: str = "", *, all_items: bool = False
    ) -> dict[str, Any]:
        """How a number was made, down to the tokens (`core.runs.receipts`), as plain values."""
        from core.runs.receipts.run import MOST_WORKED, receipt
        from core.store import Store

        return receipt(Store(), self.run_id, metric, group, item, most=None if all_items else MOST_WORKED)

    def methods(self) -> str:
        """A sentence about the headline that a paper can print."""
        return self._provenance.methods

    def bibtex(self) -> str:
        """BibTeX entries to cite."""
        return self._provenance.bibtex

    @cached_property
    def _provenance(self) -> Provenance:
        from core.runs.receipts.methods import provenance
        from core.store import Store

        return provenance(Store(), self.run_id, worked=False)

    def __repr__(self) -> str:
        from core.runs.run_list import headline_of

        manifest = self.result.manifest
        return f"{self.run_id}: {manifest['title']}, {manifest['model']}: {headline_of(manifest) or 'no number'}"


def runs() -> pd.DataFrame:
    """All runs with their headlines (`core.runs.run_list`), newest first: run_id, title, task, model, value, ...

    >>> api.runs().columns[:5].tolist()
    ['run_id', 'title', 'task', 'task_title', 'model']
    """
    from core.runs.run_list import run_list
    from core.store import Store

    return run_list(Store())


def run(run_id: str) -> Run:
    """The stored run of that id; StoreError if there is none or it is not finished."""
    found = Run(run_id)
    _ = found.result
    return found


def paired(first: str | Run, second: str | Run, *, metric: str = "") -> pd.DataFrame:
    """First minus second, item by item, overall and by group: differences, intervals, exact tests, Holm's correction.

    >>> one, other = (api.benchmark(task="blimp", model=name) for name in ("english-small", "unigram-english"))
    >>> api.paired(one, other).loc[0, ["value_a", "value_b"]].tolist() == [one.value, other.value]
    True

    The columns are those of `core.analysis.paired.paired`.
    """
    from core.reports.run_comparison.numbers import paired_runs
    from core.store import Store

    return paired_runs(Store(), _id(first), _id(second), metric)


def compare_runs(
    runs: Sequence[str | Run], *, reference: str | Run = "", metric: str = "", by: str = ""
) -> RunComparison:
    """Compare two or more runs: `differences`, `values`, `recipe`, `flipped()`, and `findings` as sentences.

    Each is compared with `reference`, by default the first.
    """
    from core.reports.run_comparison.comparison import compare_runs as compare
    from core.store import Store

    return compare(Store(), [_id(one) for one in runs], _id(reference), metric, by)


def languages(runs: Sequence[str | Run]) -> pd.DataFrame:
    """Runs by language and phenomenon, with what each model's tokenizer makes of the language.

    >>> found = api.languages([api.benchmark("data/samples/multiblimp", task="multiblimp")])
    >>> found.query("phenomenon == 'all' and unread == ''")["name"].tolist()
    ['English']

    The columns are those of `core.reports.languages.by_language`.
    """
    from core.reports.languages import by_language

    return by_language([run(_id(one)).result for one in runs])


def query(
    sql: str = "",
    *,
    question: str = "",
    values: Mapping[str, str] | None = None,
    limit: int = 0,
    timeout: float = 0.0,
) -> pd.DataFrame:
    """The answer to a SELECT over the store, or to a saved query (`core.store.saved_queries`); only reads.

    `values` are for the parameters `$name`. At most `limit` rows and `timeout` seconds, 0 for the settings';
    `attrs["truncated"]` says whether there were more rows.

    >>> api.query("select model, metrics.value from runs join metrics using (run_id)").columns.tolist()
    ['model', 'value']
    """
    from core.store import Store
    from core.store.saved_queries import answered

    if bool(sql) == bool(question):
        raise InputError("Give either a SELECT or the name of a saved query.")
    found = answered(Store(), sql, question, values, limit, timeout)
    table = found.frame()
    table.attrs["truncated"] = found.truncated
    return table


def _id(run: str | Run) -> str:
    return run.run_id if isinstance(run, Run) else run
