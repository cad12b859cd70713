"""An experiment's results as downloads: published tables, a workbook, programs that read them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from core.analysis.mixed_model import python_script, r_script
from core.files.exports import archive, workbook, written
from core.studies.experiment import notebook, published
from core.studies.experiment.drawing import cell_names
from core.studies.experiment.findings import Findings
from core.studies.experiment.published import result_path, write_result
from core.studies.experiment.wording import has_pairs

_RESULTS = Path("results.tsv")

Make = Callable[[], pd.DataFrame]
"""Makes a table on demand: some are large."""


def tables(findings: Findings, tokens: Make) -> dict[str, Make]:
    """Every table by its name on a page; `tokens` makes the per-token table (`predictions`)."""
    made: dict[str, Make] = {
        "sentences": lambda: _flat(findings.design.sentences),
        "tokens": tokens,
        "words": lambda: findings.by_word,
        "regions": lambda: findings.regions,
        "pairs": lambda: findings.by_pair,
        "conditions": lambda: findings.by_cond,
        "excluded": lambda: findings.excluded,
    }
    unpaired = () if has_pairs(findings.design) else ("pairs", "conditions")
    return {name: make for name, make in made.items() if name not in unpaired}


def published_archive(findings: Findings, tokens: pd.DataFrame) -> bytes:
    """The tables under NLPScholar's names and in its columns, with the exclusions, as one .zip file."""
    names = ("by_word", "by_pair", "by_cond") if has_pairs(findings.design) else ("by_word",)
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            rows = published.written(findings, name, full=False)
            write_result(rows, result_path(Path(folder) / _RESULTS, name))
        write_result(findings.excluded, result_path(Path(folder) / _RESULTS, "excluded"))
        files: dict[str, bytes | str] = {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}
    return archive(files | {"predictions.tsv": written(tokens, ".tsv")})


def results_workbook(findings: Findings, tokens: pd.DataFrame, receipt: Mapping[str, Any]) -> bytes:
    """All tables as sheets of one .xlsx file, the last of which is the receipt."""
    how = pd.DataFrame(list(_rows(receipt)), columns=["what", "value"])
    sheets = {name: make() for name, make in tables(findings, lambda: tokens).items()}
    return workbook({**sheets, "how made": how})


def notebook_archive(findings: Findings, title: str) -> bytes:
    """A Jupyter notebook and the two tables that it reads."""
    conditions = list(findings.design.columns.conditions)
    words = findings.profile.assign(line=cell_names(findings.profile, conditions))
    files: dict[str, bytes | str] = {"profile.csv": written(words, ".csv")}
    if paired := has_pairs(findings.design):
        files["pairs.csv"] = written(findings.by_pair, ".csv")
    measure = findings.analysis.measure
    files["experiment.ipynb"] = notebook.write(title, conditions, measure=measure if paired else "")
    return archive(files)


def mixed_model_files(findings: Findings, stem: str = "mixed_model") -> dict[str, bytes | str]:
    """The table for a mixed model, and the programs in R and Python that fit it; InputError without conditions."""
    table, factors, name = findings.mixed, findings.design.factors, f"{stem}.csv"
    return {
        name: written(table, ".csv"),
        f"{stem}.R": r_script(table, factors, name),
        f"{stem}.py": python_script(table, factors, name),
    }


def _flat(sentences: pd.DataFrame) -> pd.DataFrame:
    """Positions and spans as text: `3,4` and `0-9,10-19`."""
    table = sentences.copy()
    if "roi" in table:
        table["roi"] = [",".join(map(str, roi)) if isinstance(roi, tuple) else "" for roi in table["roi"]]
    if "bars" in table:
        spans = [bars if isinstance(bars, tuple) else () for bars in table["bars"]]
        table["bars"] = [",".join(f"{start}-{end}" for start, end in one) for one in spans]
    return table


def _rows(receipt: Mapping[str, Any], above: str = "") -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    for name, value in receipt.items():
        if isinstance(value, Mapping):
            rows += _rows(value, f"{above}{name}.")
        else:
            rows.append((f"{above}{name}", str(value)))
    return rows
