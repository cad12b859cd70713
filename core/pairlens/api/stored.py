"""Stored runs: all, one with everything known about it, comparisons, SQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pairlens.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from pairlens.evaluation.imported_scores.sources import Brought
    from pairlens.evaluation.result import Run
    from pairlens.reports.run_comparison.comparison import RunComparison


def runs() -> pd.DataFrame:
    """All runs with their headlines (`pairlens.evaluation.run_list`), newest first: run_id, title, task, model,
    value, ...

    >>> pairlens.runs().columns[:5].tolist()
    ['run_id', 'title', 'task', 'task_title', 'model']
    """
    from pairlens.evaluation.run_list import run_list
    from pairlens.store import Store

    return run_list(Store())


def run(run_id: str) -> Run:
    """The stored run of that id; StoreError if there is none or it is not finished."""
    from pairlens.evaluation.result import read
    from pairlens.store import Store

    return read(Store(), run_id)


def bring(
    *files: str | Path, model: str = "", title: str = "", unit: str = "", columns: Mapping[str, str] | None = None
) -> list[Brought]:
    """Store what other programs scored or judged (`pairlens import`), and exported runs: `runs` has the ids of each
    source, `notes` what was noticed, `problem` why it could not be used. `columns` are names by role.

    >>> from pairlens.places import bundled
    >>> (source,) = pairlens.bring(bundled("samples", "answers"))
    >>> pairlens.run(source.runs[0]).value
    0.875
    """
    from pairlens.evaluation.imported_scores.sources import Options, bring
    from pairlens.store import Store

    options = Options.of(columns or {}, title=title, model=model, unit=unit)
    return [*bring([Path(file) for file in files], Store(), options)]


def paired(first: str | Run, second: str | Run, *, metric: str = "") -> pd.DataFrame:
    """First minus second, item by item, overall and by group: differences, intervals, exact tests, Holm's correction.

    >>> one, other = (pairlens.benchmark(task="blimp", model=name) for name in ("english-small", "unigram-english"))
    >>> pairlens.paired(one, other).loc[0, ["value_a", "value_b"]].tolist() == [one.value, other.value]
    True

    The columns are those of `pairlens.analysis.paired.paired`.
    """
    from pairlens.reports.run_comparison.numbers import paired_runs
    from pairlens.store import Store

    return paired_runs(Store(), _id(first), _id(second), metric)


def compare_runs(
    runs: Sequence[str | Run], *, reference: str | Run = "", metric: str = "", by: str = ""
) -> RunComparison:
    """Compare two or more runs: `differences`, `values`, `recipe`, `flipped()`, and `findings` as sentences.

    Each is compared with `reference`, by default the first.
    """
    from pairlens.reports.run_comparison.comparison import compare_runs as compare
    from pairlens.store import Store

    return compare(Store(), [_id(run) for run in runs], _id(reference), metric, by)


def languages(runs: Sequence[str | Run]) -> pd.DataFrame:
    """Runs by language and phenomenon, with what each model's tokenizer makes of the language.

    >>> found = pairlens.languages([pairlens.benchmark("data/samples/multiblimp", task="multiblimp")])
    >>> found.query("phenomenon == 'all' and unread == ''")["name"].tolist()
    ['English']

    The columns are those of `pairlens.reports.languages.by_language`.
    """
    from pairlens.reports.languages import by_language

    return by_language([run(one) if isinstance(one, str) else one for one in runs])


def query(
    sql: str = "",
    *,
    question: str = "",
    values: Mapping[str, str] | None = None,
    limit: int = 0,
    timeout: float = 0.0,
) -> pd.DataFrame:
    """The answer to a SELECT over the store, or to a saved query (`pairlens.store.saved_queries`); only reads.

    `values` are for the parameters `$name`. At most `limit` rows and `timeout` seconds, 0 for the settings';
    `attrs["truncated"]` says whether there were more rows.

    >>> pairlens.query("select model, metrics.value from runs join metrics using (run_id)").columns.tolist()
    ['model', 'value']
    """
    from pairlens.store import Store
    from pairlens.store.saved_queries import answered

    if bool(sql) == bool(question):
        raise InputError("Give either a SELECT or the name of a saved query.")
    answer = answered(Store(), sql, question, values, limit, timeout)
    table = answer.frame()
    table.attrs["truncated"] = answer.truncated
    return table


def _id(run: str | Run) -> str:
    return run if isinstance(run, str) else run.run_id
