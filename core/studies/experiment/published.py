"""Result files in NLPScholar's format: tab-separated, with an unnamed first column of row numbers, `NA` for missing
values and the published columns first. Files with other endings are plain tables."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from core.analysis.by_cond import cells
from core.files.tables import write_table
from core.studies.experiment.design import Design
from core.studies.experiment.findings import Findings

_SUFFIXES = {
    "by_cond": "", "by_pair": "_bypair", "by_word": "_byword", "by_region": "_byregion",
    "interaction": "_interaction", "contrast": "_contrast", "excluded": "_excluded",
    "mixed": "_mixed",
}  # fmt: skip
_TSV = ".tsv"
_PUBLISHED = {
    "by_pair": ("pairid", "expected", "unexpected", "diff", "acc"),
    "by_cond": ("acc", "diff", "expected", "unexpected", "macrodiff"),
}
_OUR_WORDS = ("tokenizer", "n_tokens", "start", "end", "bar")
"""Columns of the table of words other than the published ones and those of the user's table."""


def result_path(results: Path, table: str) -> Path:
    """The file of a table: `x.tsv`, or just `x`, becomes `x.tsv` (by_cond), `x_bypair.tsv`, `x_byword.tsv`."""
    ending = results.suffix or _TSV
    stem = results.name.removesuffix(results.suffix)
    return results.with_name(f"{stem}{_SUFFIXES[table]}{ending}")


def written(findings: Findings, name: str, *, full: bool) -> pd.DataFrame:
    """A result as in its file: rows in the published order, if `full` with our columns after the published ones.

    The index are the row numbers. The table by condition has no row for all pairs. Without our columns a decision is
    True or False, as published, and pairs keep their numbers from before those with one side only were dropped.
    """
    table, design = getattr(findings, name), findings.design
    if name == "by_word":
        return table if full else _by_word(table, design)
    conditions = list(design.columns.conditions)
    rows = cells(table).drop(columns="overall") if name == "by_cond" else table
    if not full:
        kept = rows[["model", *conditions, *_PUBLISHED[name]]]
        rows = kept.astype({"acc": bool}) if name == "by_pair" else kept
    keys = ["model", *conditions, *(["pairid"] if name == "by_pair" else [])]
    rows = rows.sort_values(keys, kind="stable", ignore_index=True, key=_as_numbers)
    if full or name != "by_pair":
        return rows
    first = findings.regions[findings.regions["region"].eq(findings.regions["region"].iloc[0])]
    sides = first[first["excluded"].isna()].merge(design.sentences.dropna(subset=["comparison"]), on="sentid")[keys]
    before = sides.drop_duplicates().sort_values(keys, kind="stable", ignore_index=True, key=_as_numbers)
    return rows.set_index(pd.MultiIndex.from_frame(before).get_indexer(pd.MultiIndex.from_frame(rows[keys])))


def _by_word(table: pd.DataFrame, design: Design) -> pd.DataFrame:
    """The words with the columns of the design's table in its order; models alternate word by word."""
    names = list(table.drop(columns=list(_OUR_WORDS)))
    header = [*design.header, *names]
    ours = names.index("wordpos") + 1
    later = sorted(names[ours:], key=header.index)
    order = pd.DataFrame({"sentence": pd.factorize(table["sentid"])[0], **table[["wordpos_mod", "model"]]})
    places = order.sort_values([*order], kind="stable").index
    return table.loc[places, [*names[:ours], *later]].reset_index(drop=True)


def _as_numbers(column: pd.Series) -> pd.Series:
    """A sort key that orders numbers written as text by value: 2 before 10."""
    numbers = pd.to_numeric(column, errors="coerce")
    return column if numbers.isna().any() else numbers


def write_result(table: pd.DataFrame, path: Path) -> None:
    """Write a result in the format of its ending, .tsv as published; raises InputError if it cannot be written."""
    if path.suffix == _TSV:
        table = table.astype(object).where(table.notna(), "NA")
        table.insert(0, "", table.index)
    write_table(table, path)
