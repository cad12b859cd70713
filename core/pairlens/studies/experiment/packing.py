"""An experiment's results as files: tables in NLPScholar's format, a workbook, programs that read them.

Published tables are tab-separated, with an unnamed first column of row numbers, `NA` for missing values and the
published columns first. Files with other endings are plain tables.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

import pandas as pd

from pairlens.analysis.by_cond import cells
from pairlens.analysis.mixed_model import python_script, r_script
from pairlens.files.exports import archive, workbook, written
from pairlens.files.tables import write_table
from pairlens.results.result import Export
from pairlens.studies.experiment.design import Design
from pairlens.studies.experiment.drawing import cell_names
from pairlens.studies.experiment.findings import Findings
from pairlens.studies.experiment.wording import has_pairs

if TYPE_CHECKING:
    from pairlens.results.result import Provenance, Table
    from pairlens.studies.experiment.answer import Answer

_TSV = ".tsv"
_PUBLISHED = {
    "by_pair": ("pairid", "expected", "unexpected", "diff", "acc"),
    "by_cond": ("acc", "diff", "expected", "unexpected", "macrodiff"),
}
_OUR_WORDS = ("tokenizer", "n_tokens", "start", "end", "bar")
"""Columns of the table of words other than the published ones and those of the user's table."""
_RESULTS = Path("results.tsv")


def result_path(results: Path, table: str) -> Path:
    """The file of a table: `x.tsv`, or just `x`, becomes `x.tsv` (by_cond), `x_bypair.tsv`, `x_byword.tsv`."""
    suffix = "" if table == "by_cond" else f"_{table.replace('_', '')}"
    return results.with_name(f"{results.name.removesuffix(results.suffix)}{suffix}{results.suffix or _TSV}")


def result_table(findings: Findings, name: str, *, full: bool) -> pd.DataFrame:
    """A result as in its file: rows in the published order, if `full` with our columns after the published ones.

    The index are the row numbers. The table by condition has no row for all pairs. Without our columns a decision is
    True or False, as published, and pairs keep their numbers from before those with one side only were dropped.
    """
    rows, design = getattr(findings, name), findings.design
    if name == "by_word":
        return rows if full else _by_word(rows, design)
    if name == "by_cond":
        rows = cells(rows).drop(columns="overall")
    keys = ["model", *design.columns.conditions]
    if not full:
        rows = rows[[*keys, *_PUBLISHED[name]]]
    if name == "by_pair":
        keys.append("pairid")

    def by_value(column: pd.Series) -> pd.Series:  # numbers written as text, too: 2 before 10
        numbers = pd.to_numeric(column, errors="coerce")
        return column if numbers.isna().any() else numbers

    def ordered(table: pd.DataFrame) -> pd.DataFrame:
        return table.sort_values(keys, kind="stable", ignore_index=True, key=by_value)

    if full or name != "by_pair":
        return ordered(rows)
    first = findings.regions[findings.regions["region"].eq(findings.regions["region"].iloc[0])]
    sides = first[first["excluded"].isna()].merge(design.sentences.dropna(subset=["comparison"]), on="sentid")[keys]
    pairs, before = ordered(rows.astype({"acc": bool})), ordered(sides.drop_duplicates())
    places = pd.MultiIndex.from_frame(before).get_indexer(pd.MultiIndex.from_frame(pairs[keys]))
    return pairs.set_index(places)


def _by_word(table: pd.DataFrame, design: Design) -> pd.DataFrame:
    """The words with the columns of the design's table in its order; models alternate word by word."""
    names = list(table.drop(columns=list(_OUR_WORDS)))
    header = [*design.header, *names]
    ours = names.index("wordpos") + 1
    later = sorted(names[ours:], key=header.index)
    order = pd.DataFrame({"sentence": pd.factorize(table["sentid"])[0], **table[["wordpos_mod", "model"]]})
    places = order.sort_values([*order], kind="stable").index
    return table.loc[places, [*names[:ours], *later]].reset_index(drop=True)


def write_result(table: pd.DataFrame, path: Path) -> None:
    """Write a result in the format of its ending, .tsv as published; raises InputError if it cannot be written."""
    write_table(_as_published(table) if path.suffix == _TSV else table, path)


def _as_published(table: pd.DataFrame) -> pd.DataFrame:
    filled = table.astype(object).where(table.notna(), "NA")
    filled.insert(0, "", table.index)
    return filled


def experiment_notebook(title: str, conditions: Sequence[str], *, measure: str = "") -> str:
    """The notebook as JSON (nbformat 4.5). `measure` is what pairs are compared by; empty without pairs."""
    book = json.loads(Path(__file__).with_name("notebook.json").read_text("utf-8"))
    values = {"title": title, "conditions": repr(list(conditions)), "measure": measure}
    book["cells"] = [cell for cell in book["cells"] if measure or not cell["metadata"].pop("pairs", False)]
    for cell in book["cells"]:
        cell["metadata"] = {}
        cell["source"] = Template("".join(cell["source"])).safe_substitute(values).splitlines(keepends=True)
    return json.dumps(book, indent=1, ensure_ascii=False)


def exports(answer: Answer, tables: Sequence[Table], trace: Callable[[], Provenance]) -> list[Export]:
    findings, by_name = answer.findings, {table.name: table for table in tables}

    def book() -> bytes:
        how = pd.json_normalize({**trace().receipt}).T.reset_index().set_axis(["what", "value"], axis="columns")
        return workbook({name: table.frame for name, table in by_name.items()} | {"how made": how.astype("str")})

    def published() -> bytes:
        return published_archive(findings, by_name["tokens"].frame)

    title = answer.source.rpartition(".")[0] or answer.source
    files = [
        Export("R and mixed model", "-mixed-model.zip", lambda: archive(mixed_model_files(findings))),
        Export("Notebook", "-notebook.zip", lambda: notebook_archive(findings, title)),
        Export("Published TSV", "-tsv.zip", published),
        Export("Workbook of all tables", ".xlsx", book),
    ]
    lacking = {"Published TSV": "tokens" not in by_name, "R and mixed model": not findings.design.factors}
    return [export for export in files if not lacking.get(export.label)]


def published_archive(findings: Findings, tokens: pd.DataFrame) -> bytes:
    """The tables under NLPScholar's names and in its columns, with the exclusions, as one .zip file."""
    names = ("by_word", "by_pair", "by_cond") if has_pairs(findings.design) else ("by_word",)
    tables = {name: result_table(findings, name, full=False) for name in names} | {"excluded": findings.excluded}
    files: dict[str, bytes | str] = {
        result_path(_RESULTS, name).name: written(_as_published(table), _TSV) for name, table in tables.items()
    }
    return archive(files | {"predictions.tsv": written(tokens, _TSV)})


def notebook_archive(findings: Findings, title: str) -> bytes:
    conditions, paired = list(findings.design.columns.conditions), has_pairs(findings.design)
    words = findings.profile.assign(line=cell_names(findings.profile, conditions))
    notebook = experiment_notebook(title, conditions, measure=findings.analysis.measure if paired else "")
    files: dict[str, bytes | str] = {"profile.csv": written(words, ".csv"), "experiment.ipynb": notebook}
    return archive(files | ({"pairs.csv": written(findings.by_pair, ".csv")} if paired else {}))


def mixed_model_files(findings: Findings, stem: str = "mixed_model") -> dict[str, bytes | str]:
    """The table for a mixed model, and the programs in R and Python that fit it; InputError without conditions."""
    table, factors, name = findings.mixed, findings.design.factors, f"{stem}.csv"
    return {
        name: written(table, ".csv"),
        f"{stem}.R": r_script(table, factors, name),
        f"{stem}.py": python_script(table, factors, name),
    }
