"""All checks over a set of stimuli, and what they say: as tables and as sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pandas as pd

from core.analysis.by_pair import broken_pairs
from core.errors import InputError
from core.files.apart import tell
from core.files.row_mistakes import RowMistakes
from core.studies.experiment.design import Design
from core.studies.experiment.wording import has_pairs
from core.studies.lint import designs, items, one_sided, pairs, texts
from core.studies.lint.check import COLUMNS, SEVERITIES, Check, Outcome, Search
from core.studies.lint.reading import Reading, TokenCounter, token_counter
from core.studies.lint.stimuli import Stimuli
from core.types import Candidate, Item, Model

_UNREADABLE = items.unreadable
_FILES = (texts, pairs, one_sided, items, designs)
CHECKS: Mapping[str, Search] = {
    check.name: check
    for check in sorted(
        (thing for file in _FILES for thing in vars(file).values() if isinstance(thing, Search)),
        key=lambda check: (SEVERITIES.index(check.severity), check is not _UNREADABLE, check.name),
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

    `findings`: one row per finding (FINDINGS), at most `core.studies.lint.check.KEPT` per check; `item` is empty and
    `row` missing where a finding concerns the set as a whole; `row` is that of the item in its file
    (`core.files.tables.row_numbers`), or counts items in reading order, from 1. `summary`:
    one row per check that applied (SUMMARY), with the number `n` of all its findings and their `share` (0 to 1).
    """

    outcomes: tuple[tuple[Check, Outcome], ...]
    several_files: bool = False

    @property
    def findings(self) -> pd.DataFrame:
        """One row per finding that was kept."""
        tables = [
            outcome.table.assign(check=check.name, severity=check.severity)
            for check, outcome in self.outcomes
            if outcome.n
        ]
        return pd.concat([pd.DataFrame(columns=[*FINDINGS]), *tables], ignore_index=True).astype(FINDINGS)

    @property
    def summary(self) -> pd.DataFrame:
        """One row per check that applied."""
        rows = [
            (check.name, check.title, check.severity, outcome.n, outcome.share, check.meaning)
            for check, outcome in self.outcomes
        ]
        return pd.DataFrame(rows, columns=[*SUMMARY]).astype(SUMMARY)

    @property
    def n_errors(self) -> int:
        """The number of checks that found an error."""
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
    stimuli = Stimuli(tuple(items), _counting_once(counter), source=source, rows=rows, mistakes=mistakes)
    return _report(stimuli)


def lint_design(
    design: Design,
    *,
    counter: TokenCounter | None = None,
    mistakes: RowMistakes | None = None,
) -> LintReport:
    """Check an experiment: its pairs, its unpaired sentences, its regions and its conditions."""
    sentences, conditions = design.sentences, design.columns.conditions
    if has_pairs(design):
        sentences = sentences[broken_pairs(sentences, conditions) != ""]
    single = [
        Item(row["sentid"], (Candidate(row["sentence"], "sentence"),), None, {name: row[name] for name in conditions})
        for row in sentences.to_dict("records")
    ]
    stimuli = Stimuli((*design.items(), *single), _counting_once(counter), design, mistakes=mistakes)
    return _report(stimuli)


def lint_reading(reading: Reading, source: Path, model: Model | None = None) -> LintReport:
    """Check what was read of a file or folder; with the tokens of a model, if one is named."""
    counter = token_counter(model) if model else None
    if reading.design:
        return lint_design(reading.design, counter=counter, mistakes=reading.mistakes)
    return lint(reading.items, counter=counter, source=source, rows=reading.rows, mistakes=reading.mistakes)


def _counting_once(counter: TokenCounter | None) -> TokenCounter | None:
    return counter and counter._replace(tokens=cache(counter.tokens))


def _report(stimuli: Stimuli) -> LintReport:
    checks = list(CHECKS.values())
    if not stimuli.items:
        if not (stimuli.mistakes and stimuli.mistakes.n):
            raise InputError("There are no items to check.")
        checks = [_UNREADABLE]
    outcomes = []
    for done, check in enumerate(checks):
        tell(done=done, of=len(checks))
        if (outcome := check.find(stimuli)) is not None:
            outcomes.append((check.check, outcome))
    return LintReport(tuple(outcomes), stimuli.several_files)
