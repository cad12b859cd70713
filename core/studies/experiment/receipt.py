"""How an experiment's numbers were computed: everything needed to reproduce them, and a Methods sentence."""

from collections.abc import Sequence
from dataclasses import asdict
from itertools import zip_longest
from typing import Any

from core import __version__, identity
from core.analysis import by_cond, interaction
from core.analysis.by_cond import overall
from core.analysis.experiment import Analysis
from core.messages import counted
from core.policies import CHOICES
from core.runs.receipts import sentences
from core.runs.receipts.bibtex import bibtex, keys_of_scores, of_model
from core.runs.receipts.scored_by import by_recipe, made_with, recipe_values
from core.runs.receipts.sentences import InWindows, windows_in_words
from core.scoring.recipe import Recipe
from core.studies.experiment.crossing import usual_factors
from core.studies.experiment.design import Design
from core.studies.experiment.findings import Findings
from core.studies.experiment.wording import has_pairs, is_masked, judged_by

_MEASURES = {"surp": "surprisal in bits", "prob": "probability", "perplexity": "perplexity"}


def receipt(
    findings: Findings, recipes: Sequence[Recipe], source: str, long: Sequence[InWindows | None] = ()
) -> dict[str, Any]:
    """The models, the choices, the data and the exclusions, as plain JSON values; several models under `models`.

    `long` counts, for each model, the sentences longer than its window, if it is known.
    """
    design = findings.design
    models = [
        {"signature": signature(findings, recipe), **recipe_values(recipe),
         "in_windows": windows and asdict(windows), "made_with": made_with(recipe, "written")}
        for recipe, windows in zip_longest(recipes, long)
    ]  # fmt: skip
    signatures = "\n".join(str(model["signature"]) for model in models)
    return {
        **(models[0] if len(models) == 1 else {"signature": signatures, "models": models}),
        "analysis": asdict(findings.analysis),
        "data": {"source": source, "sha256": data_hash(design), "sentences": len(design.sentences),
                 "left_out": len(findings.excluded),
                 "columns": asdict(design.columns) | {"conditions": list(design.columns.conditions)}},
    }  # fmt: skip


def signature(findings: Findings, recipe: Recipe) -> str:
    """One line, as in sacreBLEU."""
    data = data_hash(findings.design)
    return identity.signature("experiment", 1, "", data, recipe.kind, recipe.model, recipe.policy, __version__)


def data_hash(design: Design) -> str:
    rows = design.sentences.drop(columns="bars", errors="ignore").astype("str").to_dict("records")
    return identity.dataset_hash([identity.canonical(row) for row in rows])


def methods(findings: Findings, recipes: Sequence[Recipe], long: Sequence[InWindows | None] = ()) -> str:
    """A sentence that a paper can print, and the signature of each model's numbers."""
    analysis, (first, *others) = findings.analysis, recipes
    spill = f" (and the {counted(analysis.spill, 'region')} after it)" if analysis.spill else ""
    values = dict.fromkeys(_word_value(recipe, analysis) for recipe in recipes)
    words = " or ".join(CHOICES["word_value"].get(value, f"{value} over its tokens") for value in values)
    sentence = sentences.sentence(
        sentences.computed(by_recipe(first)),
        *(
            f"likewise with {sentences.named(by_recipe(recipe))}"
            if (recipe.kind, recipe.policy) == (first.kind, first.policy)
            else sentences.computed(by_recipe(recipe))
            for recipe in others
        ),
        sentences.words_cut(analysis.punctuation, words),
        f"compared: {judged_by(findings)}{spill}, the {analysis.region_summary} over its words "
        f"({_MEASURES[analysis.measure]})",
        *_of_each(recipes, [*map(windows_in_words, long)]),
        *_of_each(recipes, [_counts(findings, recipe.model.name) for recipe in recipes]),
        *_statistics(findings),
    )
    return " ".join([sentence, *(signature(findings, recipe) for recipe in recipes)])


def citations(findings: Findings, recipes: Sequence[Recipe]) -> str:
    paired = has_pairs(findings.design)
    tests = (*(by_cond.intervals(findings.by_cond).values() if paired else ["Student's t"]), "Holm")
    keys = [
        key
        for recipe in recipes
        for key in keys_of_scores(by_recipe(recipe), _word_value(recipe, findings.analysis), *tests)
    ]
    return "\n\n".join(filter(None, [bibtex(keys).strip(), *(of_model(recipe.model) for recipe in recipes)])) + "\n"


def _of_each(recipes: Sequence[Recipe], clauses: Sequence[str]) -> list[str]:
    """A clause once if it is true of every model, else of each with its name."""
    if len(set(clauses)) < 2:
        return [*clauses[:1]]
    named = zip(recipes, clauses, strict=True)
    return [f"with {recipe.model.name}, {clause}" for recipe, clause in named if clause]


def _word_value(recipe: Recipe, analysis: Analysis) -> str:
    """A word value of the policies, or the summary over a word's tokens."""
    if analysis.fold == "nlpscholar" or analysis.word_summary == "mean":
        return f"the {analysis.word_summary}"
    return "sum" if is_masked(recipe) else recipe.policy.word_value


def _counts(findings: Findings, model: str) -> str:
    design, excluded = findings.design, findings.excluded
    reasons = excluded[excluded["model"].isin(["", model])]["reason"].value_counts()
    left_out = sentences.left_out({str(reason): int(n) for reason, n in reasons.items()})
    if not has_pairs(design):
        items = f" of {counted(design.sentences['item'].nunique(), 'item')}" if "item" in design.sentences else ""
        return f"{counted(len(design.sentences), 'sentence')}{items} analysed{left_out}"
    rows = overall(findings.by_cond)
    for row in rows[rows["model"] == model].itertuples():
        ties = sentences.of_ties(int(row.ties), str(findings.analysis.ties))
        return f"{counted(int(row.n), 'pair')} of {counted(int(row.n_items), 'item')} scored{left_out}; {ties}"
    return "no pair could be compared"


def _statistics(findings: Findings) -> list[str]:
    design = findings.design
    over = "items" if has_pairs(design) or "item" in design.sentences else "sentences"
    clauses = [sentences.of_interval("Student's t", over)]
    if has_pairs(design):
        methods = ", ".join(f"{method} for {what}" for what, method in by_cond.intervals(findings.by_cond).items())
        clauses = [sentences.of_interval(methods, over), sentences.of_test(by_cond.TEST)]
    if over == "items" and (factors := usual_factors(design)):
        clauses.append(f"interaction of {' and '.join(factors)}: {sentences.of_test(interaction.TEST)}")
    return clauses
