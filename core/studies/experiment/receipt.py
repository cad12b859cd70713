"""How an experiment's numbers were computed: everything needed to reproduce them, and a Methods sentence."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from core import __version__, identity
from core.analysis.by_cond import overall
from core.analysis.experiment import Analysis
from core.messages import counted
from core.policies import CHOICES
from core.runs.receipts import sentences
from core.runs.receipts.bibtex import keys_of_scores
from core.runs.receipts.in_windows import InWindows, windows_in_words
from core.runs.receipts.scored_by import by_recipe, made_with, recipe_values
from core.scoring.recipe import Recipe
from core.studies.experiment.design import Design
from core.studies.experiment.findings import Findings
from core.studies.experiment.wording import has_pairs, is_masked, judged_by

_MEASURES = {"surp": "surprisal in bits", "prob": "probability", "perplexity": "perplexity"}


def receipt(findings: Findings, recipe: Recipe, source: str, long: InWindows | None = None) -> dict[str, Any]:
    """The model, the choices, the data and the exclusions, as plain JSON values.

    `long` counts the sentences longer than the model's window, if it is known.
    """
    design = findings.design
    return {
        "signature": signature(findings, recipe),
        **recipe_values(recipe),
        "analysis": asdict(findings.analysis),
        "data": {"source": source, "sha256": data_hash(design), "sentences": len(design.sentences),
                 "left_out": len(findings.excluded),
                 "columns": asdict(design.columns) | {"conditions": list(design.columns.conditions)}},
        "in_windows": None if long is None else asdict(long),
        "made_with": made_with(recipe, "written"),
    }  # fmt: skip


def signature(findings: Findings, recipe: Recipe) -> str:
    """One line, as in sacreBLEU."""
    data = data_hash(findings.design)
    return identity.signature("experiment", 1, "", data, recipe.kind, recipe.model, recipe.policy, __version__)


def data_hash(design: Design) -> str:
    """The hash of the sentences, their roles and their regions."""
    rows = design.sentences.drop(columns="bars", errors="ignore").astype("str").to_dict("records")
    return identity.dataset_hash([identity.canonical(row) for row in rows])


def methods(findings: Findings, recipe: Recipe, long: InWindows | None = None) -> str:
    """A sentence that a paper can print, and the signature."""
    analysis = findings.analysis
    spill = f" (and the {counted(analysis.spill, 'region')} after it)" if analysis.spill else ""
    value = _word_value(recipe, analysis)
    word = CHOICES["word_value"].get(value, f"{value} over its tokens")
    sentence = sentences.sentence(
        sentences.computed(by_recipe(recipe)),
        sentences.words_cut(analysis.punctuation, word),
        f"compared: {judged_by(findings)}{spill}, the {analysis.region_summary} over its words "
        f"({_MEASURES[analysis.measure]})",
        windows_in_words(long),
        *_counts(findings, recipe.model.name),
    )
    return f"{sentence} {signature(findings, recipe)}"


def keys(findings: Findings, recipe: Recipe) -> list[str]:
    """What to cite (`core.runs.receipts.bibtex`)."""
    tests = ("Wilson's score interval", "Student's t", "Holm") if has_pairs(findings.design) else ()
    return keys_of_scores(by_recipe(recipe), _word_value(recipe, findings.analysis), *tests)


def _word_value(recipe: Recipe, analysis: Analysis) -> str:
    """A word value of the policies, or the summary over a word's tokens."""
    if analysis.fold == "nlpscholar" or analysis.word_summary == "mean":
        return f"the {analysis.word_summary}"
    return "sum" if is_masked(recipe) else recipe.policy.word_value


def _counts(findings: Findings, model: str) -> list[str]:
    """The number of pairs, the exclusions, and what tests and intervals generalise over."""
    if not has_pairs(findings.design):
        return [f"{counted(len(findings.design.sentences), 'sentence')} were analysed"]
    rows = overall(findings.by_cond)
    of_model = rows[rows["model"] == model]
    if of_model.empty:
        return ["no pair could be compared"]
    row = of_model.iloc[0]
    left_out = sentences.left_out(_left_out(findings, model))
    return [
        f"{counted(int(row['n']), 'pair')} of {counted(int(row['n_items']), 'item')} scored{left_out}",
        sentences.of_ties(int(row["ties"]), str(findings.analysis.ties)),
        sentences.of_interval("Wilson's for shares, Student's t for differences", "items"),
        sentences.of_test("paired t over items", "by condition with Holm's correction"),
    ]


def _left_out(findings: Findings, model: str) -> dict[str, int]:
    excluded = findings.excluded
    reasons = excluded[excluded["model"].isin(["", model])]["reason"].value_counts()
    return {str(reason): int(n) for reason, n in reasons.items()}
