"""An experiment under every defensible choice of analysis, changed one at a time: queries on stored scores.

The choices are the value of a region, the surprisal of a word, whether the end of a word counts, which word takes
punctuation marks, and the word after the region (spill-over) in place of it.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from pairlens import measures
from pairlens.analysis.by_cond import by_cond, overall
from pairlens.analysis.by_pair import by_pair
from pairlens.analysis.experiment import SUMMARIES, Analysis
from pairlens.analysis.multiverse import firm_decisions
from pairlens.analysis.regions import ROI, region_names
from pairlens.errors import InputError
from pairlens.policies import CHOICES
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.studies.experiment.design import Design
from pairlens.studies.experiment.findings import Findings, crossed, find
from pairlens.studies.experiment.wording import is_masked, unit
from pairlens.studies.experiment.words import words_of_scores

_COLUMNS = ("acc", "low", "high", "diff", "expected", "unexpected", "measure", "n", "ties")


@dataclass(frozen=True, slots=True)
class AnalysisChoice:
    """One way to analyse: a label for what it changes, the analysis, the word value, and the region that decides."""

    label: str
    analysis: Analysis
    word_value: str
    region: str = ""


@dataclass(frozen=True)
class UnderAllChoices:
    """`numbers`: label, acc, low, high, diff, expected, unexpected, measure, n, ties; the experiment's own row first.

    `decisions`: one row per pair that counts under every choice (`pairid` and the conditions are its index), one
    column per choice: `expected`, `unexpected`, `tie` or `too close`.
    """

    numbers: pd.DataFrame
    decisions: pd.DataFrame

    @property
    def fragile(self) -> pd.DataFrame:
        """The pairs on which not all choices agree, the least agreed first: see
        `pairlens.studies.experiment.tables`."""
        own, *others = self.decisions.columns
        n_choices, agree = self.decisions.shape[1], self.decisions.eq(self.decisions[own], axis=0).sum(axis=1)
        table = self.decisions.assign(agree=agree)[agree < n_choices].sort_values("agree", kind="stable")
        against = [
            "; ".join(f"{choice}: {row[choice]}" for choice in others if row[choice] != row[own])
            for row in table.to_dict("records")
        ]
        agreeing = table[[own, "agree"]].rename(columns={own: "chosen"})
        return agreeing.assign(of=n_choices, against=against).reset_index()

    @property
    def sentence(self) -> str:
        firm = int((self.decisions.nunique(axis=1) == 1).sum())
        n_pairs, n_choices = self.decisions.shape
        sentence = firm_decisions(firm, n_pairs, f"{n_choices} choices of analysis")
        low, high = self.numbers["n"].min(), self.numbers["n"].max()
        if low < high:
            sentence += f" They count {low:,} to {high:,} pairs: compared are those that all of them count."
        return sentence


def choices_of(design: Design, recipe: Recipe, analysis: Analysis) -> list[AnalysisChoice]:
    """The analysis, and each choice changed by itself; punctuation only where that does not move the region."""
    value = recipe.policy.word_value
    choices = [AnalysisChoice("as chosen here", analysis, value)]

    def add(label: str, word_value: str = value, region: str = "", **changes: Any) -> None:
        choices.append(AnalysisChoice(label, replace(analysis, **changes), word_value, region))

    for other in set(SUMMARIES) - {analysis.region_summary}:
        add(f"value of the region: {other} of its words", region_summary=other)
    for other in set(SUMMARIES) - {analysis.word_summary}:
        add(f"a word's surprisal: {other} of its tokens", word_summary=other)
    for other, label in CHOICES["word_value"].items():
        if other != value and not is_masked(recipe):  # a masked model's words have no end to be counted
            add(label.partition(" (")[0], other)
    by_roi = region_names(design.sentences, analysis)[0] == ROI
    for other, label in CHOICES["punctuation"].items():
        if other != analysis.punctuation and ("bars" in design.sentences or not by_roi):
            add(label, punctuation=other)
    if by_roi:
        add("by what follows the region", region=f"{ROI}+1", spill=max(1, analysis.spill))
    return choices


def under_all_choices(design: Design, recipe: Recipe, store: Store, analysis: Analysis) -> UnderAllChoices:
    """The results of the stored scores under each choice. Raises InputError for a design without pairs."""
    rows, decided = [], {}
    for choice, findings in _each(design, recipe, store, analysis):
        design_here, columns = findings.design, findings.design.columns
        pairs, _ = by_pair(findings.regions, design_here.sentences, columns, choice.analysis, region=choice.region)
        if len(pairs):
            row = overall(by_cond(pairs, columns, choice.analysis)).iloc[0]
            rows.append({"label": choice.label, **row.rename({"acc_low": "low", "acc_high": "high"})})
            conditions = [pairs["tie"], pairs["undecided"], pairs["acc"] == 1]
            decisions = np.select(
                [condition.to_numpy(bool) for condition in conditions], ["tie", "too close", "expected"], "unexpected"
            )
            index = pd.MultiIndex.from_frame(pairs[["pairid", *columns.conditions]])
            decided[choice.label] = pd.Series(decisions, index, dtype="str")
    numbers = pd.DataFrame(rows, columns=["label", *_COLUMNS])
    return UnderAllChoices(numbers, pd.DataFrame(decided).dropna())


def crossed_under_all_choices(
    design: Design, recipe: Recipe, store: Store, analysis: Analysis, factors: Sequence[str]
) -> pd.DataFrame:
    """An interaction under each choice: label, n (items), value, low, high, p, unit; the own row first."""
    rows = []
    for choice, findings in _each(design, recipe, store, analysis):
        with suppress(InputError):
            crossing = crossed(findings, factors)
            table = crossing.table
            row = table[table["region"] == (choice.region or table["region"].iloc[0])].iloc[0]
            numbers = row[["n_items", "mean", "low", "high", "p"]]
            rows.append((choice.label, *numbers, unit(analysis.measure, crossing.per_word)))
    return pd.DataFrame(rows, columns=["label", "n", "value", "low", "high", "p", "unit"])


def _each(
    design: Design, recipe: Recipe, store: Store, analysis: Analysis
) -> Iterator[tuple[AnalysisChoice, Findings]]:
    words: dict[tuple[str, str, str], pd.DataFrame] = {}
    for choice in choices_of(design, recipe, analysis):
        of_words = choice.analysis.word_summary, choice.analysis.punctuation, choice.word_value
        if of_words not in words:
            chosen = Recipe(recipe.model, recipe.kind, recipe.policy.but(word_value=choice.word_value))
            words[of_words] = words_of_scores(design, chosen, store, choice.analysis)
        yield choice, find(design, words[of_words], choice.analysis)


def printable(numbers: pd.DataFrame) -> pd.DataFrame:
    """Every number that a paper could print, in the columns of `pairlens.reports.multiverse.matching.COLUMNS`."""
    rows: list[tuple[str, str, str, float, float]] = []
    columns = ["label", "measure", "n", "acc", "expected", "unexpected", "diff"]
    for label, measure, n, acc, *means in numbers[columns].to_numpy().tolist():
        for named, whole in (("%", 100), ("share", 1)):
            rows.append((label, "expected sentences preferred", named, whole * acc, whole / n))
        for name, value in zip(("expected", "unexpected", "difference"), means, strict=True):
            values = {"bits": value, "nats": measures.nats(value)} if measure == "surp" else {"": value}
            rows += [(label, f"mean, {name}", named, number, 0.0) for named, number in values.items()]
    table = pd.DataFrame(rows, columns=["label", "of", "unit", "value", "grain"]).assign(presets="", ties_count="")
    known: pd.DataFrame = table[np.isfinite(table["value"])]
    return known.reset_index(drop=True)
