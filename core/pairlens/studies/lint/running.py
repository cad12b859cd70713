"""All checks over a set of stimuli, and what they say: as tables and as sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pandas as pd

from pairlens.analysis.by_pair import broken_pairs
from pairlens.errors import InputError
from pairlens.files.apart import counted, tell
from pairlens.files.row_mistakes import RowMistakes, collected
from pairlens.files.tables import ending
from pairlens.models.loading import load_tokenizer, load_window
from pairlens.models.vocabulary import reads_whole_words
from pairlens.scorers.unigram import split_words
from pairlens.studies.experiment.design import Design
from pairlens.studies.experiment.wording import has_pairs
from pairlens.studies.lint import items, pairs, texts
from pairlens.studies.lint.check import COLUMNS, SEVERITIES, Check, Outcome, Search, Stimuli, TokenCounter
from pairlens.types import Candidate, Item, Model

CHECKS: Mapping[str, Search] = {
    search.check.name: search
    for search in sorted(
        (thing for file in (texts, pairs, items) for thing in vars(file).values() if isinstance(thing, Search)),
        key=lambda one: (SEVERITIES.index(one.check.severity), one is not items.unreadable, one.check.name),
    )
}
"""In their order in a report: errors first, before all the rows that cannot be read."""
FINDINGS = {"check": "str", "severity": "str"} | COLUMNS
SUMMARY = {"check": "str", "title": "str", "severity": "str", "n": "int64", "share": "float64", "meaning": "str"}
_PLACES, _WHATS = 8, 4
"""Places, or descriptions of the set as a whole, named in one sentence."""


@dataclass(frozen=True)
class LintReport:
    """What the checks say, errors first.

    `findings`: one row per finding (FINDINGS), at most `pairlens.studies.lint.check.KEPT` per check; `item` is empty
    and `row` missing where a finding concerns the set as a whole; `row` is that of the item in its file
    (`pairlens.files.tables.row_numbers`), or counts items in reading order, from 1. `summary`:
    one row per check that applied (SUMMARY), with the number `n` of all its findings and their `share` (0 to 1).
    """

    outcomes: tuple[tuple[Check, Outcome], ...]
    several_files: bool = False

    @property
    def findings(self) -> pd.DataFrame:
        hits = [(check, outcome.table) for check, outcome in self.outcomes if outcome.n]
        tables = [table.assign(check=check.name, severity=check.severity) for check, table in hits]
        return pd.concat([pd.DataFrame(columns=[*FINDINGS]), *tables], ignore_index=True).astype(FINDINGS)

    @property
    def summary(self) -> pd.DataFrame:
        rows = [check._asdict() | {"n": outcome.n, "share": outcome.share} for check, outcome in self.outcomes]
        return pd.DataFrame(rows).rename(columns={"name": "check"}).reindex(columns=[*SUMMARY]).astype(SUMMARY)

    @property
    def n_errors(self) -> int:
        return sum(check.severity == SEVERITIES[0] and outcome.n > 0 for check, outcome in self.outcomes)

    def in_words(self) -> list[str]:
        """One sentence per check that found something, with the places."""
        return [f"{outcome.sentence}{self._where(outcome)}." for _, outcome in self.outcomes if outcome.n]

    def _where(self, outcome: Outcome) -> str:
        """Places in brackets, or, after a colon, descriptions of the set as a whole."""
        table = outcome.table
        if not table["item"].any() and (self.several_files or table["row"].isna().any()):
            more = outcome.n - _WHATS
            return ": " + "; ".join([*table["what"].head(_WHATS), *([f"and {more:,} more"] if more > 0 else [])])
        key = "item" if table["item"].any() else "row"
        places = table.drop_duplicates(key).head(_PLACES)
        more = outcome.n - int(table[key].isin(places[key]).sum())
        return f" ({self._named(places)}" + (f" and {more:,} more)" if more else ")")

    def _named(self, places: pd.DataFrame) -> str:
        """Items by number within their file, `passive_1: 324, 810`; by row if there is one file, else by name."""
        if self.several_files:
            parted = places["item"].str.rpartition("_")
            by_file = parted[2].groupby(parted[0], sort=False).agg(", ".join)
            return "; ".join(f"{file}: {numbers}" for file, numbers in by_file.items())
        by_row = places["row"].notna().all()
        names = [f"{row:,}" for row in places["row"]] if by_row else places["item"].tolist()
        return f"{'row' if by_row else 'item'}{'s' if len(names) > 1 else ''} {', '.join(names)}"


def lint(
    items: Iterable[Item],
    *,
    counter: TokenCounter | None = None,
    source: Path | None = None,
    rows: Sequence[int | None] | None = None,
    mistakes: RowMistakes | None = None,
) -> LintReport:
    """Check the items of any task.

    `counter` is that of a model (`token_counter`); without it tokens are not checked. `source` is the file or folder
    of the items, for spellings of labels that the task merges; `rows` and `mistakes` are those of `read_items`.
    Raises InputError if there is neither item nor mistake.
    """
    return _report(Stimuli(tuple(items), counter, source=source, rows=rows, mistakes=mistakes))


def lint_design(
    design: Design, *, counter: TokenCounter | None = None, mistakes: RowMistakes | None = None
) -> LintReport:
    """Check an experiment: its pairs, its unpaired sentences, its regions and its conditions."""
    sentences, conditions = design.sentences, design.columns.conditions
    if has_pairs(design):
        sentences = sentences[broken_pairs(sentences, conditions) != ""]
    single = [
        Item(row["sentid"], (Candidate(row["sentence"], "sentence"),), None, {name: row[name] for name in conditions})
        for row in sentences.to_dict("records")
    ]
    return _report(Stimuli((*design.items(), *single), counter, design, mistakes=mistakes))


def lint_reading(reading: Reading, source: Path, model: Model | None = None) -> LintReport:
    """Check what was read of a file or folder; with the tokens of a model, if one is named."""
    counter = token_counter(model) if model else None
    if reading.design:
        return lint_design(reading.design, counter=counter, mistakes=reading.mistakes)
    return lint(reading.items, counter=counter, source=source, rows=reading.rows, mistakes=reading.mistakes)


def _report(stimuli: Stimuli) -> LintReport:
    checks = list(CHECKS.values())
    if counter := stimuli.counter:  # several checks ask about the same texts
        stimuli = replace(stimuli, counter=counter._replace(tokens=cache(counter.tokens)))
    if not stimuli.items:
        if not (stimuli.mistakes and stimuli.mistakes.n):
            raise InputError("There are no items to check.")
        checks = [items.unreadable]
    outcomes = []
    for done, search in enumerate(checks):
        tell(done=done, of=len(checks))
        outcome = search.find(stimuli)
        if outcome and outcome.of:
            outcomes.append((search.check, outcome))
    return LintReport(tuple(outcomes), stimuli.several_files)


@dataclass(frozen=True)
class Reading:
    """The items that could be read, the row of each, and what is wrong with the other rows.

    `rows` has None where the file does not number its items, and for the files of a folder. `design` is the
    experiment that the items are of, if any.
    """

    items: tuple[Item, ...]
    rows: Sequence[int | None]
    mistakes: RowMistakes
    design: Design | None = None


def read_items(read: Callable[[Path], Iterable[Item]], path: Path) -> Reading:
    """The items of a task (`read` is its method); InputError if there is none, for a single reason."""
    items: list[Item] = []
    rows: list[int | None] = []
    with collected() as mistakes:
        try:
            for item in counted(read(path)):
                items.append(item)
                rows.append(mistakes.last)
        except InputError as error:
            if items or not mistakes.n:  # else it is a consequence: nothing was left to read
                mistakes.add(None, error)
    if not items and mistakes.n == 1:
        raise InputError(mistakes.kept[0][1])
    return Reading(tuple(items), rows if path.is_file() else [None] * len(items), mistakes)


def read_experiment(read: Callable[[], Design]) -> Reading:
    """The pairs of an experiment; InputError if no sentence can be read."""
    with collected() as mistakes:
        design = read()
    items = tuple(design.items())
    return Reading(items, [None] * len(items), mistakes, design)


_LINES, _ROWS = "Rows are lines of the file.", "Rows are numbered as in a spreadsheet: the column names are row 1."
_NUMBERED = {
    **dict.fromkeys((".jsonl", ".ndjson", ".txt", ".text"), _LINES),
    **dict.fromkeys((".csv", ".tsv", ".tab", ".xlsx", ".raw-pred", ".pred"), _ROWS),
}


def rows_in_words(path: Path) -> str:
    """What the numbers of rows mean that a report on this file gives; empty for a folder and other formats."""
    return "" if path.is_dir() else _NUMBERED.get(ending(path), "")


def token_counter(model: Model) -> TokenCounter:
    """The tokens of a model; for word counts, words and marks. ModelError if its files are missing or damaged."""
    if model.kind == "unigram":
        return TokenCounter(lambda text: len(split_words(text)), None, False)
    tokenizer = load_tokenizer(model)
    around = max(len(tokenizer.before) + len(tokenizer.after), 1)

    def tokens(text: str) -> int:
        return len(tokenizer.backend.encode(text, add_special_tokens=False).ids)

    return TokenCounter(tokens, load_window(model) - around, reads_whole_words(model))
