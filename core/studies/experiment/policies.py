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

from core import measures
from core.analysis.by_cond import by_cond, overall
from core.analysis.by_pair import by_pair
from core.analysis.experiment import SUMMARIES, Analysis
from core.analysis.multiverse import firm_decisions
from core.analysis.regions import ROI, region_names
from core.errors import InputError
from core.policies import CHOICES
from core.scoring.recipe import Recipe
from core.store import Store
from core.studies.experiment.crossing import crossed
from core.studies.experiment.design import Design
from core.studies.experiment.findings import Findings, find
from core.studies.experiment.wording import unit
from core.studies.experiment.words import words_of_scores


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
        """The pairs on which not all choices agree, the least agreed first: see `core.studies.experiment.tables`."""
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
        """A sentence on how many decisions do not depend on the analysis."""
        firm = int((self.decisions.nunique(axis=1) == 1).sum())
        n_pairs, n_choices = self.decisions.shape
        sentence = firm_decisions(firm, n_pairs, f"{n_choices} choices of analysis")
        low, high = self.numbers["n"].min(), self.numbers["n"].max()
        if low < high:
            sentence += f" They count {low:,} to {high:,} pairs: compared are those that all of them count."
        return sentence


def choices_of(design: Design, recipe: Recipe, analysis: Analysis) -> list[AnalysisChoice]:
    """The analysis itself, and each of its choices changed by itself.

    Punctuation is not varied where positions of words give the region: it would move them.
    """
    value = recipe.policy.word_value
    choices = [AnalysisChoice("as chosen here", analysis, value)]

    def add(label: str, word_value: str = value, region: str = "", **changes: Any) -> None:
        choices.append(AnalysisChoice(label, replace(analysis, **changes), word_value, region))

    for other in set(SUMMARIES) - {analysis.region_summary}:
        add(f"value of the region: {other} of its words", region_summary=other)
    for other in set(SUMMARIES) - {analysis.word_summary}:
        add(f"a word's surprisal: {other} of its tokens", word_summary=other)
    if "pll" not in recipe.kind.reads:  # else a word has no end to be counted
        for other, label in CHOICES["word_value"].items():
            if other != value:
                add(label.partition(" (")[0], other)
    by_roi = region_names(design.sentences, analysis)[0] == ROI
    if "bars" in design.sentences or not by_roi:
        for other, label in CHOICES["punctuation"].items():
            if other != analysis.punctuation:
                add(label, punctuation=other)
    if by_roi:
        add("by what follows the region", region=f"{ROI}+1", spill=max(1, analysis.spill))
    return choices


def under_all_choices(design: Design, recipe: Recipe, store: Store, analysis: Analysis) -> UnderAllChoices:
    """The results of the stored scores under each choice. Raises InputError for a design without pairs."""
    rows, decided = [], {}
    for choice, found in _each(design, recipe, store, analysis):
        columns = found.design.columns
        pairs, _ = by_pair(found.regions, found.design.sentences, columns, choice.analysis, region=choice.region)
        if len(pairs):
            row = overall(by_cond(pairs, columns, choice.analysis)).iloc[0]
            rows.append({"label": choice.label, **{name: row[_RENAMED.get(name, name)] for name in _COLUMNS}})
            decided[choice.label] = _decided(pairs, list(columns.conditions))
    numbers = pd.DataFrame(rows, columns=["label", *_COLUMNS])
    return UnderAllChoices(numbers, pd.DataFrame(decided).dropna())


def crossed_under_all_choices(
    design: Design, recipe: Recipe, store: Store, analysis: Analysis, factors: Sequence[str]
) -> pd.DataFrame:
    """An interaction under each choice: label, n (items), value, low, high, p, unit; the own row first."""
    rows = []
    for choice, found in _each(design, recipe, store, analysis):
        with suppress(InputError):
            crossing = crossed(found, factors)
            table = crossing.table
            row = table[table["region"] == (choice.region or table["region"].iloc[0])].iloc[0]
            numbers = {"value": row["mean"], **row[["low", "high", "p"]]}
            counted_in = unit(analysis.measure, crossing.per_word)
            rows.append({"label": choice.label, "n": row["n_items"], **numbers, "unit": counted_in})
    return pd.DataFrame(rows, columns=["label", "n", "value", "low", "high", "p", "unit"])


def _each(
    design: Design, recipe: Recipe, store: Store, analysis: Analysis
) -> Iterator[tuple[AnalysisChoice, Findings]]:
    """The findings under each choice."""
    words: dict[tuple[str, str, str], pd.DataFrame] = {}
    for choice in choices_of(design, recipe, analysis):
        of_words = choice.analysis.word_summary, choice.analysis.punctuation, choice.word_value
        if of_words not in words:
            chosen = Recipe(recipe.model, recipe.kind, recipe.policy.but(word_value=choice.word_value))
            words[of_words] = words_of_scores(design, chosen, store, choice.analysis)
        yield choice, find(design, words[of_words], choice.analysis)


_COLUMNS = ("acc", "low", "high", "diff", "expected", "unexpected", "measure", "n", "ties")
_RENAMED = {"low": "acc_low", "high": "acc_high"}


def _decided(pairs: pd.DataFrame, conditions: list[str]) -> pd.Series:
    preferred = [pairs["tie"], pairs["undecided"], pairs["acc"] == 1]
    words = np.select([one.to_numpy(bool) for one in preferred], ["tie", "too close", "expected"], "unexpected")
    return pd.Series(words, pd.MultiIndex.from_frame(pairs[["pairid", *conditions]]), dtype="str")


def printable(numbers: pd.DataFrame) -> pd.DataFrame:
    """Every number of `UnderAllChoices.numbers` that a paper could print, in the columns of
    `core.reports.multiverse.matching.COLUMNS`.
    """
    rows: list[tuple[str, str, str, float, float]] = []
    columns = ["label", "measure", "n", "acc", "expected", "unexpected", "diff"]
    for label, measure, n, acc, *means in numbers[columns].to_numpy().tolist():
        rows.append((label, "expected sentences preferred", "%", 100 * acc, 100 / n))
        rows.append((label, "expected sentences preferred", "share", acc, 1 / n))
        for name, value in zip(("expected", "unexpected", "difference"), means, strict=True):
            rows.append((label, f"mean, {name}", "bits" if measure == "surp" else "", value, 0.0))
            if measure == "surp":
                rows.append((label, f"mean, {name}", "nats", measures.nats(value), 0.0))
    table = pd.DataFrame(rows, columns=["label", "of", "unit", "value", "grain"]).assign(presets="", ties_count="")
    known: pd.DataFrame = table[np.isfinite(table["value"])]
    return known.reset_index(drop=True)
