"""A table for a paper: a row per model, LMS, SS and ICAT by task, with the package booktabs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.files.exports.latex import escaped, number
from core.files.stereoset.examples import KINDS
from core.studies.stereoset.cells import AGGREGATIONS, Cell
from core.studies.stereoset.measured import OVERALL, TIES, Measured


def latex(
    models: Sequence[Measured], bias_type: str = OVERALL, aggregation: str = "term_means", decimal: str = "."
) -> str:
    """The table of models that were measured, for one bias type and aggregation (`term_means` or `pooled`).

    `decimal` is the decimal mark. Numbers that there are not are dashes; the caption says what the numbers are.
    """
    kinds = [kind for kind in (*KINDS, OVERALL) if any(kind in model.kinds for model in models)]
    heads = " & ".join(rf"\multicolumn{{3}}{{c}}{{{kind.capitalize()}}}" for kind in kinds)
    rules = " ".join(rf"\cmidrule(lr){{{2 + 3 * place}-{4 + 3 * place}}}" for place in range(len(kinds)))
    rows = [rf"{escaped(model.name)} & {_row(model, kinds, bias_type, aggregation, decimal)} \\" for model in models]
    about = f"{AGGREGATIONS[aggregation]}; {TIES[models[0].ties]}"
    lines = [
        r"\begin{table}", r"\centering",
        rf"\begin{{tabular}}{{l{'rrr' * len(kinds)}}}", r"\toprule",
        rf" & {heads} \\", rules,
        f"Model & {' & '.join(['LMS', 'SS', 'ICAT'] * len(kinds))} \\\\", r"\midrule", *rows, r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{StereoSet ({'all bias types' if bias_type == OVERALL else bias_type}): {about}.}}",
        r"\end{table}", "",
    ]  # fmt: skip
    return "\n".join(lines)


def _row(model: Measured, kinds: Sequence[str], bias_type: str, aggregation: str, decimal: str) -> str:
    cells = [model.by_name.get((kind, bias_type)) for kind in kinds]
    return " & ".join(number(value, decimal=decimal) for cell in cells for value in _values(cell, aggregation))


def _values(cell: Cell | None, aggregation: str) -> list[float]:
    if cell is None:
        return [math.nan] * 3
    scores = cell.pooled if aggregation == "pooled" else cell.term_means
    return [scores.lms.value, scores.ss.value, scores.icat.value]
