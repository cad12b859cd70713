"""A table for a mixed model, and the programs in R and Python that fit it.

A model's surprisals for the sentences of an item share the cost of the item's words, which `(1 | item)` takes into
account (Baayen, Davidson & Bates 2008). A language model is deterministic: there are no participants and, with one
sentence per item and cell, by-item slopes cannot be distinguished from noise.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from pairlens.analysis.experiment import Columns, refuse_taken
from pairlens.errors import InputError

_OWN = (
    "model", "item", "pairid", "sentid", "comparison", "region", "surp", "n_words", "n_tokens", "characters",
    "excluded",
)  # fmt: skip
_CODED = "_c"
_DIFFERS = (
    "These tests may differ from the paired t test of Pairlens, which takes complete items and how the effect varies",
    "there: here items may lack cells, differ in their intercepts alone, and share one variance over all conditions.",
)

_R_SAYS = ("Tests: t with Satterthwaite's degrees of freedom (lmerTest), column df.", *_DIFFERS)
_PYTHON_SAYS = (
    "Tests: z, without degrees of freedom: with few items p is too small; the R program gives t.",
    *_DIFFERS,
)

_WITHOUT_ITEMS = (
    "Tests: t with residual degrees of freedom: sentences less coefficients.",
    "Sentences count as independent, because the table names no items.",
)


def mixed_model_table(regions: pd.DataFrame, sentences: pd.DataFrame, columns: Columns) -> pd.DataFrame:
    """One row per model, sentence and region.

    model, item (by default the pair), pairid, sentid, [conditions], comparison, region (those the design has)
    surp                 bits; missing where the region has none, `excluded` says why
    n_words, n_tokens, characters    the length of the region
    NAME_c               for each condition with two values, and the comparison: +0.5 for the value that comes first
                         in the table, -0.5 for the other, so that interactions are differences of differences
    excluded
    """
    factors = [*columns.conditions, *(["comparison"] if "comparison" in sentences else [])]
    levels = {name: sentences[name].dropna().unique() for name in factors if sentences[name].nunique() == 2}
    coded = {
        f"{name}{_CODED}": sentences[name].map({first: 0.5, second: -0.5}).astype(float)
        for name, (first, second) in levels.items()
    }
    refuse_taken(columns.conditions, [*_OWN, *coded])
    design = sentences[[name for name in ("item", "pairid", "sentid") if name in sentences] + factors]
    if "item" not in design and "pairid" in design:
        design = design.assign(item=design["pairid"])
    table = regions.merge(design.assign(**coded), on="sentid").assign(characters=lambda rows: rows["text"].str.len())
    order = [*_OWN[:4], *columns.conditions, *_OWN[4:-1], *coded, "excluded"]
    return table[[name for name in order if name in table]]


def r_script(table: pd.DataFrame, factors: Sequence[str], file_name: str) -> str:
    """R code (lme4, lmerTest) that models surprisal by these factors; the table is saved as `file_name`, a .csv.

    One fit for each language model and region, then what was tested: t with Satterthwaite's degrees of freedom. R
    sum-codes factors with more than two values. Without items there are no random effects.
    Raises InputError if there is no factor.
    """
    terms, numbers = _terms(table, factors)
    grouped = "item" in table
    fixed = [_backticked(name) if name in numbers else f"C(factor({_backticked(name)}), contr.sum)" for name in terms]
    return _filled(
        "mixed_model.R",
        table,
        factors,
        packages="library(lme4)\nlibrary(lmerTest)  # degrees of freedom by Satterthwaite" if grouped else "",
        file=json.dumps(file_name, ensure_ascii=False),
        numbers=", ".join(json.dumps(name, ensure_ascii=False) for name in ["surp", *numbers]),
        fit="lmer" if grouped else "lm",
        formula=f"surp ~ {' * '.join(fixed)}" + (" + (1 | item)" if grouped else ""),
        says="\n".join(f'cat("{line}\\n")' for line in (_R_SAYS if grouped else _WITHOUT_ITEMS)),
    )


def python_script(table: pd.DataFrame, factors: Sequence[str], file_name: str) -> str:
    """Python code (pandas, statsmodels) that fits the models of `r_script`, tested by z; raises the same errors."""
    terms, numbers = _terms(table, factors)
    grouped = "item" in table
    quoted = {name: name if _is_plain(name) else f"Q({name!r})" for name in numbers}
    fixed = [quoted.get(name, f"C(Q({name!r}), Sum)") for name in terms]
    return _filled(
        "mixed_model.py.txt",
        table,
        factors,
        file=repr(file_name),
        numbers=repr(["surp", *numbers]),
        formula=repr(f"surp ~ {' * '.join(fixed)}"),
        fit="mixedlm(FORMULA, part, groups=part['item'])" if grouped else "ols(FORMULA, part)",
        says="\n".join(f'print("{line}")' for line in (_PYTHON_SAYS if grouped else _WITHOUT_ITEMS)),
    )


def _filled(name: str, table: pd.DataFrame, factors: Sequence[str], **values: str) -> str:
    """The program in the file of this name, with values for what stands between at signs."""
    title = f"Surprisal (bits) by {', '.join(factors)}: one fit for each language model and region."
    values |= {"title": " ".join(title.split()), "coding": _coding(table, factors)}
    text = Path(__file__).with_name(name).read_text("utf-8")
    return re.sub(r"@([a-z]+)@", lambda place: values[place[1]], text)


def _terms(table: pd.DataFrame, factors: Sequence[str]) -> tuple[list[str], list[str]]:
    """The columns that enter the model, and those of them that hold numbers."""
    if not factors:
        raise InputError("Choose at least one condition for the model.")
    numbers = {name: f"{name}{_CODED}" for name in factors if f"{name}{_CODED}" in table}
    return [numbers.get(name, name) for name in factors], [*numbers.values()]


def _coding(table: pd.DataFrame, factors: Sequence[str]) -> str:
    lines = []
    for name in factors:
        if (coded := f"{name}{_CODED}") in table:
            values = table.dropna(subset=[coded]).drop_duplicates(coded).set_index(coded)[name]
            lines.append(
                f"# {coded}: +0.5 for {values[0.5]}, -0.5 for {values[-0.5]}; its coefficient is their difference"
            )
        else:
            lines.append(f"# {name}: sum-coded, each value against the mean of all")
    return "\n".join(" ".join(line.split()) for line in lines)


def _is_plain(name: str) -> bool:
    return name.isidentifier() and name.isascii()


def _backticked(name: str) -> str:
    return name if _is_plain(name) else "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"
