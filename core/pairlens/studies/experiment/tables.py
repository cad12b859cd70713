"""The tables of an experiment's result, with what their columns are."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from pairlens.analysis.by_cond import cells
from pairlens.analysis.experiment import EXPECTED, UNEXPECTED
from pairlens.errors import InputError
from pairlens.messages import counted
from pairlens.results.result import Column, Table
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.studies.experiment import evaluate, wording
from pairlens.studies.experiment.columns import TAKEN
from pairlens.studies.experiment.design import Design
from pairlens.studies.experiment.drawing import MOST_DRAWN, lines
from pairlens.studies.experiment.findings import Findings
from pairlens.studies.experiment.policies import crossed_under_all_choices
from pairlens.studies.experiment.words import renamed

if TYPE_CHECKING:
    from pairlens.studies.experiment.answer import Answer


LEFT_OUT = ("model", "row", "sentid", "pairid", "region", "item", "reason")
MOST = 12
"""So many pairs are asked for, spread evenly over the table."""
Sides = tuple[str, str]


def described(answer: Answer) -> list[Table]:
    """What people look at, in this order: pairs, conditions, interaction, words, analyses, exclusions; then files."""
    findings, design = answer.findings, answer.findings.design
    tables = [*(_of_pairs(answer) if wording.has_pairs(design) else [_means(answer, drawn=True)]), *_crossed(answer)]
    tables.append(_table(answer, "by_word", "Words", findings.by_word, findings.by_word.columns, raw=True))
    if answer.store is not None and answer.of_shown is not None:
        tables += _analyses(answer)
    tables.append(_left_out(answer))
    by_model = findings.profile.groupby("model", sort=False)
    profile = pd.concat(lines(rows, design.columns.conditions, answer.facets) for _, rows in by_model)
    sentences = renamed(design.sentences, frozenset())
    files = {"by_region": findings.regions, "sentences": sentences}
    with suppress(InputError):  # no conditions, or one with the name of a column
        files |= {"mixed": findings.mixed} if design.factors else {}
    if wording.has_pairs(design):
        tables.append(_means(answer, drawn=False))
    tables += [_table(answer, name, name, frame, ()) for name, frame in files.items()]
    tables.append(_table(answer, "profile", "Words by position", profile, ()))
    if (store := answer.store) is not None and answer.recipes:
        columns = [replace(_column(name, "", answer), drawn=False) for name in evaluate.COLUMNS]
        make = partial(_tokens, design, answer.recipes, store)
        tables.append(Table("tokens", "tokens", columns, make))
    return tables


def _tokens(design: Design, recipes: Sequence[Recipe], store: Store) -> pd.DataFrame:
    parts = [evaluate.prediction_table(design, recipe, store) for recipe in recipes]
    return pd.concat(parts, ignore_index=True)


def pairs(findings: Findings) -> pd.DataFrame:
    """The pairs with their two texts and which of them is `preferred`, under the table's own names."""
    table, roles = findings.by_pair, findings.design.columns
    texts = findings.design.sentences.set_index("sentid")["sentence"]
    preferred = table["acc"].gt(0.5).map({True: roles.expected, False: roles.unexpected}).mask(table["tie"], "tie")
    sides = {f"text_{side}": table[f"sentid_{side}"].map(texts) for side in (EXPECTED, UNEXPECTED)}
    return table.assign(preferred=preferred, **sides)


def _of_pairs(answer: Answer) -> Iterator[Table]:
    findings, design = answer.findings, answer.findings.design
    better, other = design.columns.sides
    n = int((findings.by_pair["model"] == answer.shown).sum())
    lead = f"{wording.measured(findings)} of the region or sentence; equal on the diagonal."
    if n > MOST_DRAWN:
        lead += f" {MOST_DRAWN:,} of {n:,} pairs are drawn, chosen at random; the table has the others too."
    drawn = ("pairid", EXPECTED, UNEXPECTED, "diff", "preferred", "text_expected", "text_unexpected")
    yield _table(answer, "by_pair", "Pairs", pairs(findings), drawn, lead)
    lead = (
        f"{wording.direction(design, findings.analysis.measure)} Intervals and tests generalise over items. "
        f"Difference: {better} − {other}; its tests are paired. {wording.few_items(cells(findings.by_cond))}"
    )
    tests = (
        "acc", "diff", EXPECTED, UNEXPECTED, "n", "n_items", "ties", "acc_low", "acc_high", "diff_low", "diff_high",
        "p_t", "p_wilcoxon", "dz", "p_holm",
    )  # fmt: skip
    yield _table(answer, "by_cond", "Conditions", findings.by_cond, tests, lead)


def _means(answer: Answer, *, drawn: bool) -> Table:
    findings, sentences = answer.findings, answer.findings.design.sentences
    over = "items" if "item" in sentences else "sentences"
    lead = (
        f"{wording.direction(findings.design, findings.analysis.measure)} Means and 95 % intervals over {over}. What "
        f"can be tested is under Interaction. {wording.few_items(findings.means, over)}"
    )
    names = ("value", "n", "low", "high", "n_items", *(["comparison"] if "comparison" in sentences else []))
    return _table(answer, "means", "Conditions", findings.means, names if drawn else (), lead)


def _crossed(answer: Answer) -> Iterator[Table]:
    """The interaction with its effects, the cells that it is made of, every region; and a contrast."""
    tested = ("region", "effect", "n_items", "mean", "low", "high", "t", "df", "p", "p_holm", "p_wilcoxon", "dz",
              "share_positive")  # fmt: skip
    corrected = "p (Holm): corrected for the number of regions."
    if (interaction := answer.interaction) is not None:
        table = interaction.table.assign(effect="interaction", kind="interaction")
        both = pd.concat([table[interaction.effects.columns], interaction.effects], ignore_index=True)
        lead = f"{wording.formula(interaction)} {corrected} {wording.few_items(interaction.table)}"
        yield _table(answer, "effects", "Interaction", both, tested, lead)
        lead = f"{wording.formula(interaction)} Parallel lines: none. Faint: the items."
        names = ("region", *interaction.factors, "n_items", "mean", "low", "high")
        yield _table(answer, "cells", "Cells", interaction.cells, names, lead)
        if answer.everywhere is not None:
            lead = f"{corrected} {wording.few_items(answer.everywhere.table)}"
            yield _table(answer, "everywhere", "Region by region", answer.everywhere.table, tested, lead)
        yield _table(answer, "interaction", "interaction", interaction.table, ())
    if (contrast := answer.contrast) is not None:
        lead = f"{corrected} {wording.few_items(contrast.table)}"
        yield _table(answer, "contrast", "Contrast", contrast.table, tested, lead)


def _analyses(answer: Answer) -> Iterator[Table]:
    """The numbers of the model that charts show under every choice of analysis, computed when they are looked at."""
    findings, crossed, paired = answer.findings, answer.interaction, wording.has_pairs(answer.findings.design)
    roles, unit = findings.design.columns, wording.unit_of(findings)
    again = (
        "Nothing is scored for this: each row changes one choice of the analysis and keeps the others. Other ways of "
        "scoring (first word, start symbol) are those of the policy."
    )

    def lead() -> str:
        acc = 100 * answer.under_all_choices.numbers["acc"]
        if acc.empty:
            return wording.NO_PAIR
        wins = f"{roles.expected.capitalize()} wins in {acc.min():.1f} % to {acc.max():.1f} % of the pairs"
        return f"{answer.under_all_choices.sentence} {wins}, depending on the analysis. {again}"

    def columns(*names: str) -> list[Column]:
        return [_column(name, unit, answer) for name in names]

    if paired:
        bounds = [replace(column, form=".1%", unit="") for column in columns("low", "high")]
        others = columns("diff", EXPECTED, UNEXPECTED, "measure", "n", "ties")
        numbers = [*columns("label", "acc"), *bounds, *others]
        yield Table("analyses", "All policies", numbers, lambda: answer.under_all_choices.numbers, lead=lead)
        yield Table(
            "fragile", "Fragile pairs", columns("pairid", *roles.conditions, "chosen", "agree", "of", "against"),
            lambda: answer.under_all_choices.fragile,
            lead=lambda: f"Fragile: {counted(len(answer.under_all_choices.fragile), 'pair')}.",
        )  # fmt: skip
    if crossed is not None and answer.of_shown and answer.store:
        arguments = findings.design, answer.of_shown, answer.store, findings.analysis, crossed.factors
        title = "Interaction under all" if paired else "All policies"
        shown = columns("label", "n", "value", "low", "high", "p", "unit")
        make = partial(crossed_under_all_choices, *arguments)
        yield Table("crossed_analyses", title, shown, make, lead=lambda: again)


ROWS_COUNTED = "Rows are numbered as in your file: the column names of a table are row 1; 0: no row of it."


def _left_out(answer: Answer) -> Table:
    """Rows that cannot be read, sentences that are not scored, pairs and items that cannot be compared."""
    refused = [(model, *reason) for model, reasons in answer.refused.items() for reason in reasons.items()]
    parts = [answer.findings.excluded, pd.DataFrame(refused, columns=["model", "sentid", "reason"])]
    parts += [crossed.excluded for crossed in (answer.interaction, answer.contrast) if crossed is not None]
    rows = pd.concat([part for part in parts if len(part)] or parts[:1], ignore_index=True)
    table = rows.reindex(columns=LEFT_OUT).fillna({"row": 0}).astype({"row": "int64"}).fillna("")
    n = answer.findings.design.n_left_out
    lead = f"{counted(n, 'row')} of the table, and what follows. {ROWS_COUNTED}" if n else ROWS_COUNTED
    names = [name for name in LEFT_OUT if name not in ("region", "item") or table[name].ne("").any()]
    return _table(answer, "excluded", "Left out", table, names, lead if len(table) else "Nothing is left out.")


def _table(
    answer: Answer, name: str, title: str, frame: pd.DataFrame, drawn: Collection[str], lead: str = "", *,
    raw: bool = False,
) -> Table:  # fmt: skip
    """A table with these columns `drawn`, and the models and conditions where there are any; `raw`: as named."""
    unit, conditions = wording.unit_of(answer.findings), answer.findings.design.columns.conditions
    shown = {*drawn, *conditions, *(["model"] if len(answer.models) > 1 else [])} if len(drawn) else {*drawn}
    columns = [replace(_column(str(one), unit, answer), drawn=one in shown) for one in frame]
    if raw:
        columns = [
            replace(column, title=column.name, unit="", form=_AS_NAMED.get(column.name, "")) for column in columns
        ]
    return Table(name, title, columns, lambda: frame, lead=lambda: " ".join(lead.split()))


def _column(name: str, unit: str, answer: Answer) -> Column:
    """What a column is; one that is not ours is a column of the user's table."""
    roles = answer.findings.design.columns
    named = dict(zip((EXPECTED, UNEXPECTED), map(str.capitalize, roles.sides), strict=True))
    yours = name in {*answer.findings.design.sentences, roles.comparison} - TAKEN
    known = _COLUMNS.get(name, Column(name, name, "A column of your table." if yours else "For programs."))
    if name == "acc":
        return replace(known, title=f"{named[EXPECTED]} wins")
    title = known.title.replace("{side}", named.get(name.rpartition("_")[2], ""))
    if yours and any(title == ours.title for ours in _COLUMNS.values()):
        title = f"{title} (yours)"
    return replace(known, title=title, unit=unit if name in _IN_UNIT else known.unit)


_AS_NAMED = {"prob": ".3g", "surp": ".3f"}
"""Forms of numbers in tables whose columns keep their names."""
_IN_UNIT = {EXPECTED, UNEXPECTED, "diff", "diff_low", "diff_high", "macrodiff", "mean", "low", "high", "value"}
_COLUMNS = {
    column.name: column
    for column in (
        Column("model", "Model", "The model that read the sentences."),
        Column("pairid", "Pair", "The pair, as the table has it."),
        Column("sentid", "Sentence", "The sentence, as the table has it."),
        Column("item", "Item", "What repeats over the conditions; the pair where nothing does."),
        Column("comparison", "Comparison", "Whether it is the expected sentence or the other one."),
        Column(EXPECTED, "{side}", "The mean in the sentence that should win.", form=".3g"),
        Column(UNEXPECTED, "{side}", "The mean in the other sentence.", form=".3g"),
        Column("diff", "Difference", "The sentence that should win minus the other one.", form=".3g"),
        Column("acc", "wins", "How often the sentence that should win does, ties as chosen.", form=".1%"),
        Column("preferred", "Preferred", "The side that wins, or tie."),
        Column("text_expected", "Sentence: {side}", "The sentence that should win."),
        Column("text_unexpected", "Sentence: {side}", "The other sentence."),
        Column("measure", "Measure", "What is measured: surp, prob or perplexity."),
        Column("n", "N", "The number of pairs, or of sentences where there are none."),
        Column("n_items", "Items", "The number of independent items."),
        Column("ties", "Ties", "The number of ties."),
        Column("acc_low", "Wins, 95 % from", "The interval of these shares over items.", form=".1%"),
        Column("acc_high", "Wins, to", "Its other end.", form=".1%"),
        Column("diff_low", "Difference, 95 % from", "The t interval of the difference over items.", form=".3g"),
        Column("diff_high", "Difference, to", "Its other end.", form=".3g"),
        Column("p_t", "p (paired t)", "The paired t test over items.", form=".3g"),
        Column("value", "Mean", "The mean, item by item.", form=".3g"),
        Column("mean", "Mean", "The mean over items.", form=".3g"),
        Column("low", "95 % from", "The 95 % interval.", form=".3g"),
        Column("high", "95 % to", "Its other end.", form=".3g"),
        Column("t", "t", "The t statistic of the mean against 0.", form=".3g"),
        Column("df", "df", "Its degrees of freedom.", form=".3g"),
        Column("p", "p", "The one-sample t test over items.", form=".3g"),
        Column("p_holm", "p (Holm)", "The same p, corrected for the number of rows (Holm 1979).", form=".3g"),
        Column("p_wilcoxon", "p (signed rank)", "Wilcoxon's signed-rank test over items.", form=".3g"),
        Column("share_positive", "Items above 0", "The share of items above 0.", form=".1%"),
        Column("dz", "Effect (dz)", "The mean of the items divided by their standard deviation.", form=".3g"),
        Column("region", "Region", "ROI, or a region after it or of the sentence."),
        Column("effect", "Effect", "What is compared."),
        Column("label", "Analysis", "What is chosen otherwise."),
        Column("unit", "Unit", "The unit of the numbers of this row."),
        Column("chosen", "As chosen here", "Which side wins under the analysis of the page or call."),
        Column("agree", "Choices that agree", "Under how many choices the same side wins."),
        Column("of", "Of", "How many choices there are."),
        Column("against", "Decided otherwise under", "The choices under which another side wins."),
        Column("row", "Row", "The row of the file; 0 where none is meant."),
        Column("reason", "Reason", "Why it is left out."),
    )
}


def to_predict(design: Design) -> dict[Sides, str]:
    """Pairs of sentences as A and B (drawn from the texts, always alike), with the letter of the expected one."""
    pairs = design.pairs
    places = np.unique(np.linspace(0, len(pairs) - 1, min(MOST, len(pairs))).round().astype(int))
    letters = {}
    for expected, unexpected in pairs.iloc[places][[EXPECTED, UNEXPECTED]].itertuples(index=False, name=None):
        if hashlib.sha256(f"{expected}\0{unexpected}".encode()).digest()[0] % 2 == 0:
            letters[expected, unexpected] = "A"
        else:
            letters[unexpected, expected] = "B"
    return {pair: letter for pair, letter in letters.items() if pair[0] != pair[1]}


def beside(findings: Findings, choices: Mapping[Sides, str]) -> pd.DataFrame:
    """The pairs that somebody decided (letters by pair): both sentences, her choice (`you`), a column per model."""
    roles = findings.design.columns
    names = {EXPECTED: roles.expected, UNEXPECTED: roles.unexpected}
    rows = []
    for pair, letter in to_predict(findings.design).items():
        if choice := choices.get(pair):
            texts = pair if letter == "A" else pair[::-1]
            rows.append((*texts, names[EXPECTED if choice == letter else UNEXPECTED]))
    keys = [f"text_{side}" for side in names]
    table = pd.DataFrame(rows, columns=[*keys, "you"])
    for model, of_model in pairs(findings).drop_duplicates(["model", *keys]).groupby("model", sort=False):
        table = table.merge(of_model[[*keys, "preferred"]].rename(columns={"preferred": model}), how="left", on=keys)
    return table.rename(columns={f"text_{side}": name for side, name in names.items()})


def tally(table: pd.DataFrame, expected: str) -> str:
    """`You chose the expected sentence in 5 of 8 pairs; english-small prefers it in 6 of them.`"""
    right = (table.drop(columns=table.columns[:2]) == expected).sum()
    preferences = "".join(f"; {model} prefers it in {n} of them" for model, n in right.drop("you").items())
    return f"You chose the {expected} sentence in {right['you']} of {counted(len(table), 'pair')}{preferences}."
