"""Runs over languages: accuracy by language and phenomenon, beside how well each model's tokenizer covers them.

A run's items have a group `language`, or the task is about one language.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import pandas as pd

from pairlens.analysis.items import deciding_metric
from pairlens.analysis.summary import mean_row
from pairlens.charts.drawing import Chart
from pairlens.charts.named_rows import Measure
from pairlens.charts.run_numbers import accuracy_by_language, tokens_by_language
from pairlens.errors import InputError, PairlensError
from pairlens.evaluation.receipts.methods import provenance_of_runs
from pairlens.evaluation.result import Run, short_names
from pairlens.files.exports.latex import of_frame
from pairlens.models import resolve
from pairlens.models.unreadable import Coverage, coverage
from pairlens.reports.columns import columns
from pairlens.results.result import Column, Figure, Headline, Notice, Result, Table
from pairlens.store import Store
from pairlens.text.languages import name_of

ALL = "all"
"""The phenomenon of rows about a whole language."""
LANGUAGE = "language"
COLUMNS = (
    "run_id", "task", "model", "language", "name", "phenomenon", "n", "value", "low", "high", "ties", "chance",
    "tokens_per_word", "unknown", "unread",
)  # fmt: skip
_HOLLOW = (
    "Hollow and grey: the model cannot read these texts, as the bits of its tokens or letters that it has never seen "
    "show. Its choices there say nothing."
)
_OF_WORDS = (
    Column("tokens_per_word", "Tokens per word", "Into how many tokens a word is cut.", form=".2f"),
    Column("unknown", "Unknown letters", "The share of letters that the model has never read.", form=".0%"),
    Column("unread", "Why grey", "Why the model cannot read these texts."),
)
ORDERS = ("by score", "by name", "by tokens per word")
_MOST = 40
"""Languages of a chart; all are in the table."""
_LOOKED_AT = 400
"""Texts of a language from which tokens are counted."""
_NO_COVERAGE = Coverage(math.nan, math.nan, "")


def has_languages(result: Run) -> bool:
    """Whether it is known in which languages a run's items are, and its headline counts items that are right."""
    known = LANGUAGE in result.candidates or bool(result.task.language)
    return known and deciding_metric(result.task, result.rule) is not None


def by_language(results: Sequence[Run]) -> pd.DataFrame:
    """One row per run, language and phenomenon, and one (`ALL`) per run and language. Columns: COLUMNS.

    `value`, `low`, `high` are the headline, from 0 to 1; `tokens_per_word`, `unknown` (share of letters) and `unread`
    (why the model cannot read the texts) are `Coverage`, NaN for confidential texts and models that are gone.
    InputError for a run whose items have no language.
    """
    for result in results:
        if not has_languages(result):
            raise InputError("its items have no language, or none of them is right or wrong.", _run_id(result))
    short = short_names([str(result.manifest["model"]) for result in results])
    rows = [row for result in results for row in _rows(result, short[str(result.manifest["model"])])]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _rows(result: Run, model: str) -> Iterator[dict[str, Any]]:
    metric = deciding_metric(result.task, result.rule)
    assert metric is not None  # has_languages
    candidates = result.candidates
    if LANGUAGE not in candidates:
        candidates = candidates.assign(**{LANGUAGE: result.task.language})
    statistics, phenomena = metric.statistics(candidates, result.policy), _phenomena(result)
    levels = [level for level in result.task.averaged if level != LANGUAGE]
    for language, part in statistics.groupby(LANGUAGE, sort=True):
        covered = _coverage(result, candidates[candidates[LANGUAGE] == language])
        whole = {
            "run_id": _run_id(result), "task": result.task.title, "model": model, "language": language,
            "name": name_of(str(language)), "tokens_per_word": covered.tokens, "unknown": covered.unknown,
            "unread": covered.unread,
        }  # fmt: skip
        yield whole | {"phenomenon": ALL, **mean_row(part, result.task, levels)}
        for phenomenon, items in part.groupby(phenomena, sort=True) if phenomena else ():
            yield whole | {"phenomenon": phenomenon, **mean_row(items, result.task, levels, phenomena)}


def _phenomena(result: Run) -> str:
    """The column of phenomena: the second of the task's groups, or the first, if it is not the language."""
    others = [name for name in result.task.groups if name != LANGUAGE]
    return others[min(1, len(others) - 1)] if others else ""


def _coverage(result: Run, candidates: pd.DataFrame) -> Coverage:
    texts = [str(text) for text in candidates["text"].dropna().head(_LOOKED_AT)]
    with suppress(PairlensError):
        if texts:
            return coverage(texts, result.policy, resolve.find(result.manifest["model"]))
    return _NO_COVERAGE


def _run_id(result: Run) -> str:
    return str(result.manifest["run_id"])


def ordered(rows: pd.DataFrame, order: str) -> pd.DataFrame:
    """The rows, language by language: by name, or the best or least cut up first, unreadable ones last by score."""
    if order == "by name":
        return rows.sort_values("name", kind="stable")
    key = rows["tokens_per_word"] if order == "by tokens per word" else -rows["value"].where(rows["unread"] == "")
    place = key.groupby(rows["name"]).transform("mean")
    return rows.assign(place=place).sort_values(["place", "name"], kind="stable").drop(columns="place")


def findings(rows: pd.DataFrame) -> tuple[str, str]:
    """Where a readable model is right most often, and where one needs most tokens: the charts' alternative texts."""
    readable = rows[rows["unread"] == ""]
    best = (rows if readable.empty else readable).sort_values("value", ascending=False, kind="stable").iloc[0]
    most = rows.sort_values("tokens_per_word", ascending=False, kind="stable").iloc[0]
    return (
        f"{best['model']} is right most often in {best['name']}: in {best['value']:.0%} of {best['n']} items.",
        f"{most['model']} needs most tokens per word in {most['name']}: {most['tokens_per_word']:.1f}.",
    )


def result(rows: pd.DataFrame, store: Store) -> Result:
    """Of some rows of `by_language`, at least one, in the order in which they are drawn."""
    several = rows["phenomenon"].nunique() > 1
    group = rows["name"] + " · " + rows["phenomenon"] if several else rows["name"]
    best, most = findings(rows)
    numbers = columns(
        ("group", "run", "metric", "section", "value", "low", "high"), ".1%", group="Language", metric="Set",
        value="Accuracy",
    )  # fmt: skip
    table = rows.assign(group=rows["name"], run=rows["model"], metric=rows["task"], section=rows["phenomenon"])
    shown = [*numbers, *_OF_WORDS[:2], *columns(["n"]), *_OF_WORDS[2:]]
    figures = [
        Figure("languages", "languages", partial(_accuracy, group, best), best, panel="Accuracy"),
        Figure("tokens", "languages", partial(_tokens, group, most), most, panel="How words are cut"),
    ]
    return Result(
        study="zero-shot",
        question="In which languages does the model prefer what is right?",
        title="languages",
        file="languages",
        headlines=[_headline(own) for _, own in rows.groupby("model", sort=False)],
        tables=[Table.of("languages", "Languages", shown, table)],
        figures=figures,
        notices=[Notice("unread", "note", _HOLLOW)] if (rows["unread"] != "").any() else [],
        trace=partial(provenance_of_runs, store, [*dict.fromkeys(rows["run_id"])], worked=False),
    )


def _headline(own: pd.DataFrame) -> Headline:
    """Of one model: the best of the languages that it reads."""
    readable = own[own["unread"] == ""]
    row: Any = next((own if readable.empty else readable).sort_values("value", ascending=False).itertuples())
    bounds = None if math.isnan(row.low) else (row.low, row.high)
    return Headline("accuracy", row.model, row.value, "share", findings(own)[0], row.n, "items", bounds)


def _drawn(group: pd.Series, rows: pd.DataFrame) -> pd.DataFrame:
    """So many languages as a chart has room for, by the names in `group`."""
    first = group.drop_duplicates().head(_MOST)
    return rows.assign(group=group)[group.isin(first)]


def _accuracy(group: pd.Series, finding: str, rows: pd.DataFrame) -> Chart:
    return accuracy_by_language(_drawn(group, rows), finding, Measure("Items right"))


def _tokens(group: pd.Series, finding: str, rows: pd.DataFrame) -> Chart:
    return tokens_by_language(_drawn(group, rows), finding)


def latex_table(rows: pd.DataFrame, decimal: str = ".") -> str:
    """Languages with their values and intervals per cent, tokens per word and unknown letters, for a paper."""
    whole = rows[rows["phenomenon"] == ALL]
    percent = (100 * whole[["value", "low", "high", "unknown"]]).round(1)
    table = pd.DataFrame(
        {
            "Language": whole["name"], "Set": whole["task"], "Model": whole["model"], "Items": whole["n"],
            "Accuracy (%)": percent["value"], "from": percent["low"], "to": percent["high"],
            "Tokens per word": whole["tokens_per_word"], "Unknown letters (%)": percent["unknown"],
        }
    )  # fmt: skip
    return of_frame(table, "Accuracy by language, 95 % intervals over items", decimal)
